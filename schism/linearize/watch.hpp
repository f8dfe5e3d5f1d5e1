// For oracles: a history that is fed as a run goes, and judged at its end.
//
//   Watch watch;
//   OpId op = watch.history().invoke(client, write(key, value), step);
//   watch.history().done(op, step);
//   if (watch.looks_broken(op)) ...           // optional, after an answer: a run can stop early
//   Report report = watch.judge();            // offence->culprit: its answer_mark is the step
//   watch.clear();                            // the next run
#pragma once

#include "absl/container/flat_hash_map.h"
#include "schism/linearize/judge.hpp"

namespace schism::linearize {

class Watch {
 public:
  explicit Watch(Options options = {}, Object object = Object::registers)
      : options_(std::move(options)), history_(object) {}

  History& history() { return history_; }
  const History& history() const { return history_; }
  Report judge() const { return judge_history(history_, options_); }
  void clear() {
    history_.clear();
    keys_.clear();
  }

  // True only where judge() would say violation. It looks at the key of an operation that was just
  // answered, when that key's answers have grown by half since the last look, and not for long: so
  // all looks together cost about as much as the judgement at the end.
  // Registers only: other objects are judged at the end.
  bool looks_broken(OpId op) {
    if (history_.object() != Object::registers) return false;
    Progress& progress = keys_[history_[op].key];
    if (++progress.answers < progress.next_look) return false;
    progress.next_look = progress.answers + progress.answers / 2 + 1;
    Limits brief = options_.limits;
    brief.configurations = std::min(brief.configurations, kBrief);
    return check(partition_of(history_, history_[op].key, options_.initial), brief).verdict ==
           Verdict::violation;
  }

 private:
  static constexpr std::uint64_t kBrief = 10'000;
  struct Progress {
    std::uint32_t answers = 0, next_look = 4;
  };
  Options options_;
  History history_;
  absl::flat_hash_map<Id, Progress> keys_;
};

}  // namespace schism::linearize
