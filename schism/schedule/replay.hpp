// `replay` is just another scheduler: it follows a recorded list of decisions and then has no more
// to do. What does not apply any more is skipped, and counted by whoever plays the run.
#pragma once

#include <memory>
#include <vector>

#include "schism/schedule/scheduler.hpp"

namespace schism {

struct Recorded {
  Action action;
  Micros at = -1;               // the clock after it, in runs with a clock; -1: as the action says
  std::vector<Action> choices;  // made inside it
  std::vector<RecordedEvent> events;  // may be empty
  Value content;                      // of mutate and inject; a begin's label
  // Of mutate: from the honest content (base/difference.hpp); null: that is not known.
  std::shared_ptr<const Value> differs;
};

// The steps of a run as they are taken: look once after each.
class Recorder {
 public:
  Recorded step(const World& world);  // the last one, without its events
  void go_to(const World& world) { decided_ = world.decisions().size(); }

 private:
  std::size_t decided_ = 0;
};
// The same with what happened in it, as far as somebody listened.
Recorded with_events(Recorded step, const World& world);
// What decides a run: the same steps without what happened in them.
std::vector<Recorded> without_events(const std::vector<Recorded>& steps);

// The flat list of a world's decisions, with choices put where they were made.
std::vector<Recorded> record(std::span<const Action> decisions, std::span<const Value> contents);

// A recorded action at its recorded time, or as soon after it as the clock of this run allows. The
// content of mutate and inject, and a label, go to the world.
Action at_its_time(World& world, const Recorded& step, const Action& action);

class Replay final : public Scheduler {
 public:
  Replay(std::vector<Recorded> steps, TimeUse time) : steps_(std::move(steps)), time_(time) {}

  TimeUse time_use() const override { return time_; }
  bool plays(Do) const override { return true; }
  void begin(const Setup&, std::uint64_t) override { next_ = 0; }
  Action next(World& world) override;
  std::uint32_t on_choice(World& world, std::uint32_t n) override;

  void go_to(std::size_t entry) { next_ = entry; }

  const std::vector<Recorded>& steps() const { return steps_; }
  std::size_t position() const { return next_; }  // steps taken from the list so far

 private:
  std::vector<Recorded> steps_;
  TimeUse time_;
  std::size_t next_ = 0, choice_ = 0;
};

}  // namespace schism
