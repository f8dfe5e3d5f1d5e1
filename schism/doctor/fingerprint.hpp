// A run as one number that grows with each step: what was decided, every event with its content,
// the clock, and the observable state of the node that acted. And the same in words, for the two
// versions of the first step that differs.
#pragma once

#include <string>

#include "schism/run/runner.hpp"

namespace schism::doctor {

class Fingerprint {
 public:
  void begin();
  void take(const World& world);      // after each step, the beginning included
  void finish(const Runner& runner);  // the verdict
  const Hash128& hash() const { return hash_; }
  Action action() const { return action_; }  // of the last step

 private:
  Hash128 hash_;
  Action action_;
  std::size_t decided_ = 0;
};

// One step, as a line of text on its own.
struct StepWords {
  std::int64_t step = 0;
  std::string hash;     // of everything up to here
  std::string action;   // "deliver Ping 0->1 #2"
  int node = -1;        // which one acted; -1: none
  std::string handler;  // "on(Ping)", "on_timer(election)"
  std::vector<std::string> events;
  std::string state;  // of that node, after the step
  FIELDS(step, hash, action, node, handler, events, state)
};

StepWords words_of(const World& world, const Fingerprint& print);
StepWords last_words(const Runner& runner, const Fingerprint& print);

}  // namespace schism::doctor
