// A find as a scenario: first a script, which is the run step by step in terms of message types and
// roles with everything else held back (it admits one history, so that it reproduces under every
// seed and scheduler); then the most open scenario that still reproduces.
//
//   auto script = script_of(trace);              // 100 of 100
//   auto open = opened(*script, {}, stop);       // 95 of 100, and much shorter
#pragma once

#include <atomic>

#include "schism/scenario/syntax.hpp"
#include "schism/trace/trace.hpp"

namespace schism::scenario {

struct Script {
  Scenario scenario;
  std::string property;     // that it violates
  std::size_t actions = 0;  // of the trace, macro steps and the tail apart
  // Nodes that keep their numbers: they are not like the others, so that no other can play them.
  std::size_t fixed = 0, roles = 0;
};

// An error where the run has something that a script cannot say, or does not come back.
Result<Script> script_of(const Trace& trace);

// In how many of so many runs the property is violated. It gives up as soon as fewer than `least`
// are certain, and then says how many it had.
struct Judged {
  std::uint64_t violated = 0, runs = 0, steps = 0;
};
Judged judge(const Scenario& scenario, const std::string& property, std::uint64_t runs,
             std::uint64_t least = 0);
Scenario under(Scenario scenario, const std::string& explorer);
// With so many nodes more; nothing: the system does not allow it.
std::optional<Scenario> with_more_nodes(Scenario scenario, int more);

struct OpenOptions {
  std::uint64_t runs = 100, least = 95;
  std::uint64_t steps_max = 40'000'000;  // of all candidates together
};
struct Opened {
  Scenario scenario;
  std::uint64_t candidates = 0, steps = 0;
  bool out_of_steps = false;
};
Opened opened(const Script& script, const OpenOptions& options, const std::atomic<bool>& stop);

// Steps of its script, and filters.
std::size_t size_of(const Scenario& scenario);
// The same as a test in C++.
std::string cpp_source(const std::vector<Scenario>& scenarios);

// What the explorer may not do by itself: a class each.
struct Class {
  enum Kind : std::uint8_t { message, timer, disk, request };
  Kind kind = message;
  std::string name = {};  // of messages and timers
  friend auto operator<=>(const Class&, const Class&) = default;
};
Class class_of(const Cue& cue);
std::vector<Class> classes_of(const System& system);
// A filter that holds these back; `all` says whether that is everything.
Filter holding(const std::vector<Class>& held, const System& system);

}  // namespace schism::scenario
