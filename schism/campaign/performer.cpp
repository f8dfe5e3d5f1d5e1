#include "schism/campaign/performer.hpp"

#include <utility>

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
  for (auto& [arm, scheduler] : schedulers_) scheduler->heed(policy_);
  for (std::size_t i = 0; i < order.plans.size() && !over; ++i) {
    begin_run(i);
    Scheduler& by = scheduler(order.plans[i].arm);
    const RunSummary summary = runner().run(by, order.plans[i]);
    out.put(encode(result_of(summary, by)));
  }
}

void Performer::carry_out(const PlayEpisodes& order, guard::Outbox& out,
                          const std::atomic<bool>& over) {
  auto& agent = agents_[order.agent];
  if (!agent || !order.goes_on) {
    if (!explorer_) explorer_ = make_explorer(config_);
    agent = explorer_->make_agent(order.agent, order.seed);
    if (!agent) return;
    if (!order.state.empty() && !agent->load(order.state)) return;
  }
  auto dead = order.deaths.begin();
  while (dead != order.deaths.end() && dead->first < order.first) ++dead;
  for (std::uint64_t i = 0; i < order.count && !over; ++i) {
    begin_run(i);
    const RunPlan plan = agent->plan(order.first + i);
    Scheduler& by = agent->scheduler();
    const bool dies = dead != order.deaths.end() && dead->first == order.first + i;
    const RunSummary summary =
        dies ? runner().run_to_death(by, plan, (dead++)->second) : runner().run(by, plan);
    RunResult result = result_of(summary, by);
    // What others have covered meanwhile depends on who was quick: an agent does not hear of it.
    auto fresh = std::exchange(result.fresh, {}), rare = std::exchange(result.rare, {});
    agent->learn(plan, result);
    result.fresh = std::move(fresh), result.rare = std::move(rare);
    out.put(encode(result));
  }
  if (order.save) out.put(agent->save());
}

void Performer::carry_out(const LookClosely& order, guard::Outbox& out,
                          const std::atomic<bool>& over) {
  const Unrecorded unrecorded;
  guard::set_wary(order.wary);
  examine(config_, order, out, over);
  guard::set_wary(false);
}

RunResult Performer::result_of(const RunSummary& summary, const Scheduler& by) {
  RunResult out = runner().result(summary, by);
  if (!book_) return out;
  book_->report(coverages_, out);
  if (wants_decisions_ && !out.fresh.empty() && out.decisions.empty()) {
    const World& world = runner().world();
    out.decisions.assign(world.decisions().begin(), world.decisions().end());
    out.contents.assign(world.contents().begin(), world.contents().end());
  }
  return out;
}

Runner& Performer::runner() {
  if (!runner_) {
    runner_ = std::make_unique<Runner>(config_.setup, config_.limits);
    for (Watcher* watcher : watchers_) runner_->attach(*watcher);
    if (book_) coverages_ = book_->make();
    for (const auto& coverage : coverages_) runner_->attach(*coverage);
  }
  return *runner_;
}

Scheduler& Performer::scheduler(std::uint32_t arm) {
  auto& own = schedulers_[arm];
  if (!own) {
    own = make_scheduler(config_, arm);
    own->heed(policy_);
  }
  return *own;
}

}  // namespace schism
