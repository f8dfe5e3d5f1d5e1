#include "schism/linearize/transactions/cycles.hpp"

#include <algorithm>
#include <deque>

namespace schism::linearize {
namespace {

using Kinds = unsigned;
constexpr Kinds bit(Dependency d) { return 1U << static_cast<unsigned>(d); }
constexpr Kinds kWw = bit(Dependency::ww), kWr = bit(Dependency::wr), kRw = bit(Dependency::rw),
                kRt = bit(Dependency::rt);
bool counts(const Edge& e, Kinds kinds) {
  return (bit(e.kind) & kinds) != 0 && (!e.timed || (kinds & kRt) != 0);
}
constexpr std::size_t kStartsMax = 500;  // searches for a short cycle

class Cycles {
 public:
  explicit Cycles(const Dependencies& all) : edges_(all.edges), transactions_(all.transactions()) {}

  std::optional<Cycle> find() {
    for (const Kinds real_time : {Kinds{0}, kRt}) {
      const std::string suffix = real_time ? "-realtime" : "";
      if (auto steps = shortest(kWw | real_time)) return Cycle{"G0" + suffix, *steps};
      if (auto steps = shortest(kWw | kWr | real_time)) return Cycle{"G1c" + suffix, *steps};
      if (auto steps = with_one_rw(kWw | kWr | real_time))
        return Cycle{"G-single" + suffix, *steps};
      if (auto steps = shortest(kWw | kWr | kRw | real_time))
        return Cycle{"G2-item" + suffix, *steps};
    }
    return std::nullopt;
  }

 private:
  using Path = std::vector<CycleStep>;

  // The strong component of every node (Tarjan), 0 for those that are alone.
  std::vector<std::uint32_t> components(Kinds kinds) const {
    const std::size_t n = edges_.size();
    struct Frame {
      std::uint32_t node;
      std::size_t next;
    };
    std::vector<std::uint32_t> number(n), low(n), component(n), stack;
    std::vector<char> on_stack(n);
    std::vector<Frame> frames;
    std::uint32_t count = 0, found = 0;
    for (std::uint32_t root = 0; root < n; ++root) {
      if (number[root]) continue;
      frames.push_back({root, 0});
      while (!frames.empty()) {
        Frame& f = frames.back();
        const std::uint32_t v = f.node;
        if (f.next == 0 && !number[v]) {
          number[v] = low[v] = ++count;
          stack.push_back(v);
          on_stack[v] = 1;
        }
        if (f.next < edges_[v].size()) {
          const Edge& e = edges_[v][f.next++];
          if (!counts(e, kinds)) continue;
          if (!number[e.to]) frames.push_back({e.to, 0});
          else if (on_stack[e.to]) low[v] = std::min(low[v], number[e.to]);
          continue;
        }
        frames.pop_back();
        if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[v]);
        if (low[v] != number[v]) continue;
        const auto at = std::find(stack.rbegin(), stack.rend(), v).base() - 1;
        const bool alone = stack.end() - at == 1;
        if (!alone) ++found;
        for (auto i = at; i != stack.end(); ++i) {
          on_stack[*i] = 0;
          component[*i] = alone ? 0 : found;
        }
        stack.erase(at, stack.end());
      }
    }
    return component;
  }

  // The shortest way from one node to another within a component; moments are free of charge.
  std::optional<Path> path(std::uint32_t from, std::uint32_t to, Kinds kinds,
                           const std::vector<std::uint32_t>& component, std::size_t limit) {
    came_.assign(edges_.size(), {kNever, 0});
    std::vector<std::uint32_t> distance(edges_.size(), 0);
    std::deque<std::uint32_t> queue{from};
    while (!queue.empty()) {
      const std::uint32_t v = queue.front();
      queue.pop_front();
      if (distance[v] >= limit) continue;
      for (std::size_t i = 0; i < edges_[v].size(); ++i) {
        const Edge& e = edges_[v][i];
        if (!counts(e, kinds) || component[e.to] != component[from]) continue;
        if (came_[e.to].first != kNever || (e.to == from && to != from)) continue;
        came_[e.to] = {v, i};
        const bool moment = e.to >= transactions_;
        distance[e.to] = distance[v] + (moment ? 0 : 1);
        if (e.to == to) return trace(from, to);
        if (moment) queue.push_front(e.to);
        else queue.push_back(e.to);
      }
    }
    return std::nullopt;
  }

  Path trace(std::uint32_t from, std::uint32_t to) const {
    Path steps;
    std::uint32_t at = to, goal = to;  // goal: the transaction that the step leads to
    do {
      const auto [v, i] = came_[at];
      if (v < transactions_) {
        Edge e = edges_[v][i];
        e.to = goal;
        steps.push_back({v, e});
        goal = v;
      }
      at = v;
    } while (at != from);
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  std::optional<Path> shortest(Kinds kinds) {
    const auto component = components(kinds);
    std::optional<Path> best;
    std::size_t starts = 0;
    for (std::uint32_t v = 0; v < transactions_ && starts < kStartsMax; ++v) {
      if (component[v] == 0) continue;
      ++starts;
      const std::size_t limit = best ? best->size() - 1 : edges_.size() + 1;
      if (auto cycle = path(v, v, kinds, component, limit);
          cycle && (!best || cycle->size() < best->size()))
        best = std::move(cycle);
      if (best && best->size() == 2) break;
    }
    return best;
  }

  // One rw and then only the others; short where that can be told soon.
  std::optional<Path> with_one_rw(Kinds others) {
    const auto component = components(others | kRw);
    std::optional<Path> best;
    std::size_t starts = 0;
    for (std::uint32_t v = 0; v < transactions_; ++v) {
      if (component[v] == 0) continue;
      for (const Edge& e : edges_[v]) {
        if (e.kind != Dependency::rw || !counts(e, others | kRw)) continue;
        if (component[e.to] != component[v]) continue;
        if (best && ++starts > kStartsMax) return best;
        const std::size_t limit = best ? best->size() - 1 : edges_.size() + 1;
        auto back = path(e.to, v, others, component, limit);
        if (!back || (best && back->size() + 1 >= best->size())) continue;
        back->insert(back->begin(), CycleStep{v, e});
        best = std::move(back);
        if (best->size() == 2) return best;
      }
    }
    return best;
  }

  const std::vector<std::vector<Edge>>& edges_;
  std::uint32_t transactions_;
  std::vector<std::pair<std::uint32_t, std::size_t>> came_;
};

}  // namespace

std::optional<Cycle> find_cycle(const Dependencies& dependencies) {
  return Cycles(dependencies).find();
}

}  // namespace schism::linearize
