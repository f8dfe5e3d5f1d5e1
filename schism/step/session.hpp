// A run in somebody's hands: they pick an action, go back, let a scheduler play for a while, and
// keep what they found as a trace. Going back is playing the beginning again: oracles have no
// snapshots, and a run by hand is short. What lies ahead is kept until another action is picked.
//
// Of a system that may crash the process every step is tried in a forked copy first (guard/), so
// that a death is a violation here as everywhere.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "schism/guard/black_box.hpp"
#include "schism/step/game.hpp"
#include "schism/trace/trace.hpp"

namespace schism {

class Session final : private Attendant {
 public:
  Session(RunConfig config, RunPlan plan);
  // A recorded run, standing at its end. Where it does not apply any more it stands before that.
  explicit Session(const Trace& trace);
  ~Session() override;

  const World& world() const { return game_.world(); }
  const RunConfig& config() const { return config_; }
  const RunPlan& plan() const { return plan_; }
  std::uint32_t position() const { return world().step(); }
  std::uint32_t length() const { return static_cast<std::uint32_t>(line_.size()); }
  const std::optional<Violation>& violation() const { return game_.violation(); }
  // The step that led here; null at the start.
  const Recorded* last() const { return position() == 0 ? nullptr : &line_[position() - 1]; }
  bool ended_fairly() const { return fair_at_ == position(); }
  // Of the recorded run that it began with: the first action that did not apply.
  const std::optional<std::pair<std::uint32_t, Refusal>>& refused() const { return refused_; }

  // One more step; what was ahead is forgotten. Not after a violation.
  Refusal apply(const Action& action);
  // As a trace has it, with its choices and its content.
  Refusal apply(const Recorded& step);
  std::uint32_t add_content(Value content) { return game_.world().add_content(std::move(content)); }
  // Beyond the end is the end.
  void go_to(std::uint32_t step);
  // Answers to the choices of the next step; where they run out, the first alternative.
  void will_choose(std::vector<std::uint32_t> answers);
  // A request that the workload does not have.
  void ask(const ClientRequest& request);

  struct Played {
    std::uint32_t steps = 0;
    bool ended = false;  // the scheduler had no more to do
  };
  // A scheduler that can go on with this run, or a sentence.
  Result<std::unique_ptr<Scheduler>> scheduler(const Spec& spec) const;
  // Lets a scheduler go on from here: it learns of everything that is pending as if that had just
  // happened.
  Played let(Scheduler& scheduler, std::uint64_t seed, std::uint32_t steps);
  // The fair tail, then `eventually` is judged.
  Played calm();

  // The run up to here, event by event.
  Trace trace() const;

 private:
  void on_pending(World&, Do, std::uint32_t) override {}
  std::uint32_t on_choice(World& world, std::uint32_t n) override;
  void begin();
  void know_death(std::optional<Death> death);
  void revive();
  void forget_after(std::uint32_t step);
  std::optional<Death> try_out(const std::function<void()>& play);
  Played play(Scheduler& scheduler, std::uint32_t steps);
  Played serve(FairTail& tail);
  bool play_one(Scheduler& scheduler, Played& played);  // false: it has no more to do

  RunConfig config_;
  RunPlan plan_;
  Game game_;
  std::unique_ptr<guard::BlackBox> box_;  // of a fragile system
  Recorded start_;                        // the choices of the nodes' start
  std::vector<Recorded> line_;            // all steps, those ahead included
  std::deque<std::uint32_t> answers_;
  std::optional<std::uint32_t> fair_at_;  // the step with which a fair tail ended
  std::optional<std::pair<std::uint32_t, Refusal>> refused_;
};

}  // namespace schism
