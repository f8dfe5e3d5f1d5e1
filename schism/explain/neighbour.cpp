#include "schism/explain/neighbour.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/explain/causality.hpp"
#include "schism/explain/relevance.hpp"

namespace schism::draw {
namespace {

using Order = std::vector<std::uint32_t>;  // steps of the failing run, in their new order

struct Candidate {
  Change change = Change::dropped;
  std::uint32_t step = 0, other = 0;
};

class Search {
 public:
  // As it goes now: whether it ended fairly decides which neighbours pass.
  Search(Trace failing, const NeighbourLimits& limits)
      : failing_(std::move(failing)), limits_(limits), bounds_(failing_.config.limits) {
    end_ = static_cast<std::uint32_t>(failing_.steps.size());
    // A fair tail belongs to the run before it: it is found anew for every candidate.
    if (failing_.fair)
      for (std::uint32_t i = 0; i < end_; ++i)
        if (failing_.steps[i].action.kind == Do::calm) end_ = i;
    bounds_.steps = UINT32_MAX;
    at_node_.resize(static_cast<std::size_t>(failing_.config.setup.places()));
    for (std::uint32_t i = 1; i < end_; ++i)
      if (const NodeId id = place_of(failing_.steps[i].action); id >= 0)
        at_node_[static_cast<std::size_t>(id)].push_back(i);
  }

  std::optional<Neighbour> find() {
    for (const Candidate& candidate : candidates()) {
      if (replays_ >= limits_.replays || steps_ >= limits_.steps) break;
      // Moves leave a quarter of the limits to drops.
      const bool spent = replays_ >= limits_.replays / 4 * 3 || steps_ >= limits_.steps / 4 * 3;
      if (candidate.change != Change::dropped && spent) continue;
      if (candidate.change == Change::dropped && best_) break;
      attempt(candidate);
      if (best_ && best_->skipped == 0) break;
    }
    if (best_) best_->replays = replays_;
    return std::move(best_);
  }

 private:
  // Nearest first; drops after all moves.
  std::vector<Candidate> candidates() const {
    const Causality causality(failing_);
    const std::vector<bool> relevant = causality.past(evidence_steps(failing_, causality));
    std::vector<std::vector<Candidate>> by_distance(1);
    std::vector<Candidate> drops;
    for (std::uint32_t i = end_; i-- > 1;) {
      if (failing_.steps[i].action.kind != Do::deliver || !relevant[i]) continue;
      drops.push_back({Change::dropped, i, i});
      const NodeId id = failing_.steps[i].action.name.to();
      const auto& here = at_node_[static_cast<std::size_t>(id)];
      const auto at = std::lower_bound(here.begin(), here.end(), i) - here.begin();
      for (std::ptrdiff_t k = 1; k < static_cast<std::ptrdiff_t>(here.size()); ++k) {
        auto& row = by_distance.size() > static_cast<std::size_t>(k)
                        ? by_distance[static_cast<std::size_t>(k)]
                        : by_distance.emplace_back();
        if (at + k < static_cast<std::ptrdiff_t>(here.size()))
          row.push_back({Change::moved_later, i, here[static_cast<std::size_t>(at + k)]});
        if (at - k >= 0)
          row.push_back({Change::moved_earlier, i, here[static_cast<std::size_t>(at - k)]});
        if (static_cast<std::uint32_t>(k) >= limits_.replays) break;
      }
    }
    std::vector<Candidate> out;
    for (const auto& row : by_distance) out.insert(out.end(), row.begin(), row.end());
    out.insert(out.end(), drops.begin(), drops.end());
    return out;
  }

  Order order_of(const Candidate& c) const {
    Order order;
    for (std::uint32_t i = 0; i < end_; ++i) {
      if (c.change == Change::moved_earlier && i == c.other) order.push_back(c.step);
      if (i != c.step) order.push_back(i);
      if (c.change == Change::moved_later && i == c.other) order.push_back(c.step);
    }
    return order;
  }

  void attempt(const Candidate& c) {
    const Order order = order_of(c);
    std::vector<Recorded> list;
    for (const std::uint32_t i : order) {
      const Recorded& step = failing_.steps[i];
      list.push_back({step.action, step.at, step.choices, {}, step.content, {}});
    }
    Runner runner(failing_.config.setup, bounds_);
    Replay scheduler(std::move(list), failing_.config.setup.options.time);
    std::vector<std::int64_t> origin;
    std::size_t position = 0;
    // The replay stands behind the entry it has just given; what comes in the tail is none of them,
    // even where the last ones were skipped just before.
    runner.on_step([&](const World& world) {
      const std::size_t now = std::max<std::size_t>(scheduler.position(), 1);
      const bool in_tail = failing_.fair && world.calm();
      origin.push_back(now > position && !in_tail ? std::int64_t{order[now - 1]} : -1);
      position = now;
    });
    const RunSummary summary = failing_.fair
                                   ? runner.run(scheduler, failing_.plan)
                                   : runner.replay(scheduler, failing_.plan, FairEnd::never);
    ++replays_;
    steps_ += summary.steps + 1;
    if (runner.violation() || (failing_.fair && !runner.fair())) return;
    const auto kept = std::count_if(origin.begin(), origin.end(), [](auto i) { return i >= 0; });
    const auto skipped = static_cast<std::uint32_t>(order.size() - static_cast<std::size_t>(kept));
    // A move that did not happen is a drop under another name.
    const bool moved = c.change == Change::dropped ||
                       std::find(origin.begin(), origin.end(), c.step) != origin.end();
    if (!moved || (best_ && best_->skipped <= skipped)) return;
    Trace passing = make_trace(failing_.config, failing_.plan, failing_.run,
                               record(runner.world().decisions(), runner.world().contents()));
    best_ = Neighbour{std::move(passing), c.change, c.step, c.other, std::move(origin), skipped, 0};
  }

  Trace failing_;
  const NeighbourLimits& limits_;
  RunLimits bounds_;
  std::uint32_t end_ = 0;  // of the part that is changed
  std::vector<std::vector<std::uint32_t>> at_node_;
  std::uint32_t replays_ = 0;
  std::uint64_t steps_ = 0;
  std::optional<Neighbour> best_;
};

}  // namespace

std::optional<Neighbour> nearest_passing(const Trace& failing, const NeighbourLimits& limits) {
  if (!failing.violation || failing.steps.empty()) return std::nullopt;
  ReplayReport report = replay(failing);
  const auto& is = report.now.violation;
  if (report.difference || !is || is->property != failing.violation->property) return std::nullopt;
  return Search(std::move(report.now), limits).find();
}

std::string describe(const Neighbour& n) {
  std::string text =
      n.change == Change::dropped
          ? fmt::format("the message delivered in step {} is not delivered", n.step)
          : fmt::format("the delivery of step {} happens {} step {}", n.step,
                        n.change == Change::moved_later ? "after" : "before", n.other);
  if (n.skipped > 0)
    text +=
        fmt::format("; {} other step{} cannot happen then", n.skipped, n.skipped == 1 ? "" : "s");
  return text;
}

}  // namespace schism::draw
