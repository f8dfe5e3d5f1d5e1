// One run: a world, a scheduler that drives it, and oracles that watch. Rebuilt in place between
// runs; the hot loop of every hunt.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "schism/guard/black_box.hpp"
#include "schism/run/jury.hpp"
#include "schism/schedule/fair_tail.hpp"
#include "schism/schedule/scheduler.hpp"
#include "schism/words/plan.hpp"
#include "schism/world/world.hpp"

namespace schism {

struct RunLimits {
  std::uint32_t steps = 1000;  // of the part before the fair tail
  Micros tail = 60'000'000;    // simulated; 0: the run has none
  std::uint32_t tail_steps = 100'000;
};

// What counts as a fair end of a recorded run. It is found out by playing it: whoever wrote the
// recording may say what he likes.
enum class FairEnd : std::uint8_t {
  never,    // it is a part of a run: only its steps are judged
  healed,   // nothing is left to do and no fault is the reason, or a fair tail has come to its end
  stopped,  // nothing is left to do; whoever is down stays down, as in `check`
};

// Whether runs play in forked children.
bool is_guarded(const Setup& setup);

class Runner {
 public:
  Runner(const Setup& setup, const RunLimits& limits);
  ~Runner();

  // What is left of the last run, decisions included where it violated something.
  RunResult result(const RunSummary& summary, const Scheduler& scheduler) const;

  // The world stays as it ended, until the next run. A guarded run is played in a child first: if
  // that dies, this one ends there, with the death as its violation.
  RunSummary run(Scheduler& scheduler, const RunPlan& plan);

  // A run that is known to die there: up to there, without the handler that kills.
  RunSummary run_to_death(Scheduler& scheduler, const RunPlan& plan, const Death& death);

  // Follows a recorded run to its end. Actions that do not apply are skipped.
  RunSummary replay(Scheduler& recorded, const RunPlan& plan, FairEnd end);

  World& world() { return *world_; }
  // The first action of the last run that did not apply: the step it would have been, and why.
  const std::optional<std::pair<std::uint32_t, Refusal>>& first_refusal() const { return refused_; }
  bool fair() const { return fair_; }  // how the last run ended
  // The violation was seen when the run had ended, not at one of its steps.
  bool violated_by_the_end() const { return by_the_end_; }
  // The first step before which a fair tail had gone on for the system's patience; 0: never.
  std::uint32_t patient_since() const { return patient_since_; }
  const std::vector<std::unique_ptr<Oracle>>& oracles() const { return jury_.oracles(); }
  const std::optional<Violation>& violation() const { return violation_; }
  // Looks on from the next run on; not ours, and alive as long as this.
  void attach(Watcher& watcher) { watchers_.push_back(&watcher); }
  // Called after every applied step, the beginning (step 0) included. For recorders; slow paths.
  void on_step(std::function<void(const World&)> watch) { watch_ = std::move(watch); }
  // No scouts: this process may die.
  void risk_it() { expendable_ = true; }
  // A guarded run whose scout came back without a violation is not played again: what is left of
  // it is that there is none.
  void skip_what_is_fine() { skips_ = true; }
  // What the world must tell even if no oracle asks.
  void listen_to(EventMask mask) { extra_ = mask; }

 private:
  bool scout(const std::function<void()>& play);  // false: nothing is left to be played
  void run_here(Scheduler& scheduler, const RunPlan& plan);
  void replay_here(Scheduler& recorded, const RunPlan& plan, FairEnd end);
  void begin(Scheduler& scheduler, const RunPlan& plan);
  void end();
  RunSummary summarise() const;
  bool look();  // false: violated
  enum class Tail : std::uint8_t { none, watched, played };
  bool play(Scheduler& scheduler, std::uint32_t steps, Tail tail);
  bool no_more_comes() const;
  void finish(bool fair);

  Setup setup_;
  RunLimits limits_;
  std::unique_ptr<guard::BlackBox> box_;  // where runs are guarded
  std::unique_ptr<World> world_;
  Jury jury_;
  FairTail tail_;
  bool ready_ = false;  // the world has this setup
  bool skips_ = false, expendable_ = false;
  EventMask extra_ = 0;
  std::optional<Violation> violation_;
  std::optional<std::pair<std::uint32_t, Refusal>> refused_;
  bool fair_ = false, by_the_end_ = false;
  std::uint32_t patient_since_ = 0;
  std::function<void(const World&)> watch_;
  std::vector<Watcher*> watchers_;
  std::vector<Watcher*> lookers_;  // they, and the scheduler's own: of this run
  EventMask watched_ = 0;          // by them
  bool looked_at_ = false;         // at every step
};

}  // namespace schism
