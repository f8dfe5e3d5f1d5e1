// A schedule apart from the run that made it: actions by name, choices behind the action that asked
// for them. Followed in another run (`follow`), what does not apply there is skipped.
#pragma once

#include <string>
#include <vector>

#include "schism/trace/trace.hpp"
#include "schism/words/codec.hpp"

namespace schism::fuzz {

struct Schedule {
  std::vector<Action> moves;
  std::vector<Value> contents;  // of mutated and injected messages among them
  FIELDS(moves, contents)
};

// The part of a run that a scheduler decided: up to its fair tail, if it has one.
Schedule schedule_of(std::span<const Action> decisions, std::span<const Value> contents);
Schedule schedule_of(const Trace& trace);

// The same as steps, for a trace and for replay.
std::vector<Recorded> steps_of(const Schedule& schedule);

// A run's gene: which entry of the corpus it comes from, and the schedule to follow.
struct Gene {
  std::uint64_t parent = 0;
  Schedule schedule;
};
std::string pack(const Gene& gene);
Result<Gene> unpack(std::string_view bytes);
// Without reading the rest; 0: there is none.
std::uint64_t parent_of(std::string_view gene);

bool is_fault_kind(Do kind);  // by which a scheduler hurts; what heals is none

}  // namespace schism::fuzz
