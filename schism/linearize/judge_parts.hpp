// The judgement of a history, by what it is of (judge.hpp).
#pragma once

#include <algorithm>
#include <chrono>

#include "schism/linearize/judge.hpp"

namespace schism::linearize {

// How long it has taken: only limits in seconds depend on it.
class Clock {
 public:
  double spent() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Limits left(Limits limits) const {
    if (limits.seconds > 0) limits.seconds = std::max(1e-9, limits.seconds - spent());
    return limits;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Counts it; true for the first violation, which is to be explained.
bool note_verdict(Verdict verdict, const Value& key, Report& report);

void judge_registers(const History& history, const Options& options, const Clock& clock,
                     Report& report);
void judge_objects(const History& history, const Options& options, const Clock& clock,
                   Report& report);
void judge_transactions(const History& history, const Options& options, const Clock& clock,
                        Report& report);

}  // namespace schism::linearize
