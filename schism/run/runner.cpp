#include "schism/run/runner.hpp"

#include <algorithm>

#include "schism/guard/child.hpp"
#include "schism/run/make_world.hpp"
#include "schism/schedule/tail_watch.hpp"
#include "schism/system/system.hpp"

namespace schism {
namespace {

// How long events may take to come; a handler that hangs is noticed by its world long before.
constexpr Micros kSettle = 60'000'000;

// Nothing can happen any more.
bool idle(const Pending& pending) {
  return pending.deliverable.size() + pending.completable.size() + pending.armed_total +
             pending.count(Do::submit) ==
         0;
}

// And no fault is the reason, nor the scheduler; what a scenario holds back is how things are,
// unless it does so until calm alone.
bool quiescent(const Pending& pending, const WorldOptions& options) {
  const bool waits = options.until_calm && pending.any_held_by(Holder::scenario);
  return !waits && !pending.any_held_by(Holder::scheduler) && pending.broken() == 0 &&
         idle(pending);
}

}  // namespace

Runner::Runner(const Setup& setup, const RunLimits& limits)
    : setup_(setup),
      limits_(limits),
      world_(make_world(setup_)),
      jury_(setup_),
      tail_(limits.tail) {
  world_->observe(jury_.observers());
}

Runner::~Runner() = default;

bool is_guarded(const Setup& setup) {
  if (setup.options.place == Place::processes) return false;  // their deaths are not ours
  return setup.system->fragile || setup.options.forked || setup.death || guard::wary();
}

// The child is a copy of this process, so what it survives this one survives.
bool Runner::scout(const std::function<void()>& play) {
  if (!is_guarded(setup_) || expendable_ || guard::BlackBox::active()) return true;
  if (setup_.death && guard::trusting()) return true;
  if (!box_) box_ = std::make_unique<guard::BlackBox>();
  if (setup_.death) ready_ = false;  // the world must hear of it
  setup_.death = nullptr;
  const auto death = guard::scout(*box_, setup_.options.hang, [&] {
    watch_ = nullptr;
    play();
  });
  if (!death) {
    violation_.reset();
    return box_->violated() || !skips_;
  }
  setup_.death = std::make_shared<const Death>(*death);
  ready_ = false;
  return true;
}

RunSummary Runner::run(Scheduler& scheduler, const RunPlan& plan) {
  if (!scout([&] { run_here(scheduler, plan); })) return {};
  run_here(scheduler, plan);
  return summarise();
}

RunSummary Runner::replay(Scheduler& recorded, const RunPlan& plan, FairEnd end) {
  if (!scout([&] { replay_here(recorded, plan, end); })) return {};
  replay_here(recorded, plan, end);
  return summarise();
}

RunSummary Runner::run_to_death(Scheduler& scheduler, const RunPlan& plan, const Death& death) {
  setup_.death = std::make_shared<const Death>(death);
  ready_ = false;  // the world must hear of it
  run_here(scheduler, plan);
  setup_.death = nullptr;
  ready_ = false;
  return summarise();
}

void Runner::run_here(Scheduler& scheduler, const RunPlan& plan) {
  begin(scheduler, plan);
  if (look()) play(scheduler, limits_.steps, Tail::none);
  if (!violation_) {
    fair_ = quiescent(world_->pending(), setup_.options);
    if (!fair_ && limits_.tail > 0 && jury_.wants_fair_tail()) {
      tail_.begin(setup_, plan.seed);
      tail_.listen_to(scheduler.liar());
      Scheduler& server = scheduler.in_tail(tail_);
      world_->attend(&server, server.sees_pending());
      fair_ = play(server, limits_.tail_steps, Tail::played);
    }
    if (!violation_) finish(fair_);
  }
  end();
}

void Runner::replay_here(Scheduler& recorded, const RunPlan& plan, FairEnd how) {
  TailWatch watch(recorded, tail_);
  begin(watch, plan);
  tail_.begin(setup_, plan.seed);
  if (look()) play(watch, UINT32_MAX, Tail::watched);
  if (!violation_) {
    const Pending& left = world_->pending();
    if (how == FairEnd::stopped)
      fair_ = left.paused.size() + left.severed.size() == 0 && idle(left);
    if (how == FairEnd::healed)
      fair_ = quiescent(left, setup_.options) || watch.over() ||
              (watch.in_the_tail() && jury_.satisfied()) ||
              watch.idle_rounds() >= setup_.system->patience;
    finish(fair_);
  }
  end();
}

void Runner::end() {
  for (Watcher* watcher : lookers_) watcher->finish(*world_, {fair_});
  world_->attend(nullptr, false);
  auto* const box = guard::BlackBox::active();
  if (!box) return;
  box->conclude(violation_.has_value());
  world_->end_run();  // its destructors are a part of this run
}

RunSummary Runner::summarise() const {
  RunSummary summary;
  summary.run_class = world_->causal_hash();
  summary.steps = world_->step();
  summary.deliveries = world_->deliveries();
  summary.simulated_us = static_cast<std::uint64_t>(world_->clock());
  summary.met = jury_.met();
  summary.judged = jury_.judged();
  summary.muted = jury_.muted();
  summary.violated = violation_.has_value();
  if (violation_) summary.oracle = jury_.violated_by();
  return summary;
}

RunResult Runner::result(const RunSummary& summary, const Scheduler& scheduler) const {
  RunResult out;
  out.summary = summary;
  out.report = scheduler.report();
  if (!summary.violated) return out;
  out.decisions.assign(world_->decisions().begin(), world_->decisions().end());
  out.contents.assign(world_->contents().begin(), world_->contents().end());
  return out;
}

void Runner::begin(Scheduler& scheduler, const RunPlan& plan) {
  violation_.reset();
  refused_.reset();
  fair_ = by_the_end_ = false;
  patient_since_ = 0;
  watched_ = 0;
  looked_at_ = watch_ != nullptr;
  scheduler.prepare(plan);
  lookers_ = watchers_;
  if (Watcher* own = scheduler.watcher()) lookers_.push_back(own);
  for (const Watcher* watcher : lookers_) {
    watched_ |= watcher->wakes_on();
    looked_at_ = looked_at_ || watcher->wakes_on() == kEveryEvent;
  }
  world_->listen(jury_.wakes_on() | extra_ | watched_ | scheduler.listens_to());
  world_->attend(&scheduler, scheduler.sees_pending());
  setup_.node_seed = plan.node_seed;
  const bool same = ready_ && setup_.options.time == scheduler.time_use();
  setup_.options.time = scheduler.time_use();
  scheduler.begin(setup_, plan.seed);
  if (same) world_->reset(plan.node_seed);
  else world_->reset(setup_);
  ready_ = true;
  jury_.begin(*world_);
  for (Watcher* watcher : lookers_) watcher->begin(*world_);
}

bool Runner::look() {
  if (watch_) watch_(*world_);
  for (Watcher* watcher : lookers_) {
    const EventMask wanted = watcher->wakes_on();
    if (wanted == kEveryEvent || (world_->step_mask() & wanted))
      watcher->look(*world_, world_->events());
  }
  if (jury_.look(*world_)) return true;
  violation_ = jury_.violation();
  return false;
}

// A fair tail without progress for longer than the system's patience: what holds now is believed,
// what does not is given more time.
bool Runner::no_more_comes() const {
  return tail_.idle_rounds() >= setup_.system->patience * kSurely ||
         (tail_.round_over() && jury_.holds_now(*world_));
}

// True: there was no more to do, or no progress in a fair tail for so long that none comes. False:
// out of steps, or violated.
bool Runner::play(Scheduler& scheduler, std::uint32_t steps, Tail tail) {
  const bool settles = world_->settles();
  const std::uint32_t patience = setup_.system->patience;
  for (std::uint32_t i = 0; i < steps; ++i) {
    const Action action = scheduler.next(*world_);
    if (action.kind == Do::nothing) return true;
    if (const Refusal refusal = world_->apply(action); refusal != Refusal::none) {
      if (!refused_) refused_ = {world_->step() + 1, refusal};
      continue;
    }
    if (settles) world_->settle(kSettle);
    if (tail != Tail::none && tail_.idle_rounds() >= patience) {
      if (patient_since_ == 0) patient_since_ = world_->step();
      if (tail == Tail::played && no_more_comes()) return true;
    }
    const bool woken = (world_->step_mask() & (jury_.wakes_on() | watched_)) || looked_at_;
    if (!woken && action.kind != Do::calm) continue;
    if (woken && !look()) return false;
    if (tail == Tail::none) continue;
    if (world_->step_mask() & jury_.wakes_on() & kProgress) {
      tail_.made_progress();
      patient_since_ = 0;
    }
    if (tail == Tail::played && world_->calm() && jury_.satisfied()) return true;
  }
  return false;
}

void Runner::finish(bool fair) {
  if (jury_.finish(*world_, fair)) return;
  violation_ = jury_.violation();
  by_the_end_ = true;
}

}  // namespace schism
