#include "schism/campaign/performer.hpp"

#include <utility>

#include "schism/campaign/cpu_time.hpp"
#include "schism/finds/examine.hpp"
#include "schism/guard/child.hpp"

namespace schism {
namespace {

// From here on a death is the death of that run.
void begin_run(std::uint64_t place) {
  if (auto* box = guard::BlackBox::active()) box->begin_run(place);
}

// Plays of a closer look go into processes of their own where they may kill; nobody records this
// one.
class Unrecorded {
 public:
  Unrecorded() : box_(guard::BlackBox::active()) { guard::BlackBox::forget(); }
  ~Unrecorded() {
    if (box_) box_->record();
  }
  Unrecorded(const Unrecorded&) = delete;
  Unrecorded& operator=(const Unrecorded&) = delete;

 private:
  guard::BlackBox* box_;
};

}  // namespace

void Performer::carry_out(std::string_view text, guard::Outbox& out,
                          const std::atomic<bool>& over) {
  if (book_) book_->protect();
  const auto order = decode<Order>(text);
  if (!order) return;  // a stray write has hit it: the director misses the answers
  std::visit([&](const auto& own) { carry_out(own, out, over); }, *order);
}

void Performer::carry_out(const PlayRuns& order, guard::Outbox& out,
                          const std::atomic<bool>& over) {
  policy_ = order.policy;
  for (auto& [arm, scheduler] : given_.schedulers) scheduler->heed(policy_);
  StopWatch watch(order.clocked);
  for (std::size_t i = 0; i < order.plans.size() && !over; ++i) {
    begin_run(i);
    const RunPlan& plan = order.plans[i];
    Stage& on = stage(plan);
    Scheduler& by = scheduler(on, plan.arm);
    const RunSummary summary = on.runner->run(by, plan);
    RunResult result = result_of(*on.runner, summary, by);
    if (plan.world != 0) result.report = on.drawn.about;
    result.cpu_us = watch.lap_us();
    out.put(encode(PlayedRun{std::move(result), counts_of(*on.runner)}));
  }
}

void Performer::carry_out(const PlayEpisodes& order, guard::Outbox& out,
                          const std::atomic<bool>& over) {
  auto& agent = agents_[order.agent];
  if (!agent || !order.goes_on) {
    agent = explorer().make_agent(order.agent, order.seed);
    if (!agent) return;
    if (!order.state.empty() && !agent->load(order.state)) return;
  }
  if (!given_.runner) given_.runner = make_runner(config_);
  Runner& runner = *given_.runner;
  auto dead = order.deaths.begin();
  while (dead != order.deaths.end() && dead->first < order.first) ++dead;
  StopWatch watch(order.clocked);
  for (std::uint64_t i = 0; i < order.count && !over; ++i) {
    begin_run(i);
    const RunPlan plan = agent->plan(order.first + i);
    Scheduler& by = agent->scheduler();
    const bool dies = dead != order.deaths.end() && dead->first == order.first + i;
    const RunSummary summary =
        dies ? runner.run_to_death(by, plan, (dead++)->second) : runner.run(by, plan);
    RunResult result = result_of(runner, summary, by);
    // What others have covered meanwhile depends on who was quick: an agent does not hear of it.
    auto fresh = std::exchange(result.fresh, {}), rare = std::exchange(result.rare, {});
    agent->learn(plan, result);
    result.fresh = std::move(fresh), result.rare = std::move(rare);
    result.cpu_us = watch.lap_us();  // its learning too
    out.put(encode(PlayedEpisode{plan, {std::move(result), counts_of(runner)}}));
  }
  if (order.save) out.put(agent->save());
}

void Performer::carry_out(const LookClosely& order, guard::Outbox& out,
                          const std::atomic<bool>& over) {
  const Unrecorded unrecorded;
  guard::set_wary(order.wary);
  if (order.plan.world == 0) {
    examine(config_, order, out, over);
  } else {  // a run of a configuration like any other, whoever drew it
    LookClosely own = order;
    own.plan.world = 0;
    own.policy.clear();
    const DrawnConfig drawn = draw_config(config_, explorer(), order.plan.world, order.policy);
    examine(drawn.config, own, out, over);
  }
  guard::set_wary(false);
}

NamedCounts Performer::counts_of(const Runner& runner) const {
  NamedCounts out;
  const auto ask = [&](const Watcher* watcher) {
    if (const auto* counting = dynamic_cast<const Counting*>(watcher)) counting->count(out);
  };
  for (const auto& oracle : runner.oracles()) ask(oracle.get());
  for (const auto& coverage : coverages_) ask(coverage.get());
  return out;
}

RunResult Performer::result_of(Runner& runner, const RunSummary& summary, const Scheduler& by) {
  RunResult out = runner.result(summary, by);
  if (!book_) return out;
  book_->report(coverages_, out);
  if (wants_decisions_ && !out.fresh.empty() && out.decisions.empty()) {
    const World& world = runner.world();
    out.decisions.assign(world.decisions().begin(), world.decisions().end());
    out.contents.assign(world.contents().begin(), world.contents().end());
  }
  return out;
}

const Explorer& Performer::explorer() {
  if (!explorer_) explorer_ = make_explorer(config_);
  return *explorer_;
}

std::unique_ptr<Runner> Performer::make_runner(const RunConfig& config) {
  auto runner = std::make_unique<Runner>(config.setup, config.limits);
  for (Watcher* watcher : watchers_) runner->attach(*watcher);
  if (book_ && coverages_.empty()) coverages_ = book_->make();
  for (const auto& coverage : coverages_) runner->attach(*coverage);
  return runner;
}

Performer::Stage& Performer::stage(const RunPlan& plan) {
  Stage& on = plan.world == 0 ? given_ : last_;
  if (plan.world != on.world || (plan.world != 0 && on.policy != policy_)) {
    on = Stage{};
    on.world = plan.world;
    on.policy = policy_;
    on.drawn = draw_config(config_, explorer(), plan.world, policy_);
  }
  if (!on.runner) on.runner = make_runner(on.drawn.config);
  return on;
}

Scheduler& Performer::scheduler(Stage& stage, std::uint32_t arm) {
  auto& own = stage.schedulers[arm];
  if (!own) {
    own = make_scheduler(stage.drawn.config, arm);
    own->heed(policy_);
  }
  return *own;
}

}  // namespace schism
