#include "schism/tla/fair_cycles.hpp"

#include <algorithm>

#include "schism/tla/product.hpp"

namespace schism::tla {
namespace {

// The states from an initial one to `to`, without it, by a shortest way.
std::vector<std::uint32_t> way_to(const BehaviourGraph& graph, std::uint32_t to) {
  constexpr std::uint32_t kUnseen = UINT32_MAX, kFirst = UINT32_MAX - 1;
  std::vector<std::uint32_t> from(graph.states(), kUnseen), queue;
  for (const std::uint32_t s : graph.initial)
    if (from[s] == kUnseen) from[s] = kFirst, queue.push_back(s);
  for (std::size_t i = 0; i < queue.size() && from[to] == kUnseen; ++i)
    for (std::size_t e = graph.begin[queue[i]]; e < graph.begin[queue[i] + 1]; ++e)
      if (from[graph.targets[e]] == kUnseen)
        from[graph.targets[e]] = queue[i], queue.push_back(graph.targets[e]);
  std::vector<std::uint32_t> way;
  for (std::uint32_t s = from[to]; s != kFirst; s = from[s]) way.push_back(s);
  std::reverse(way.begin(), way.end());
  return way;
}

// A walk around a fair part that does everything it is fair for.
class Round {
 public:
  Round(Product& product, const std::vector<std::uint32_t>& part,
        std::span<const Fairness> fairness)
      : product_(product), fairness_(fairness), inside_(product.size()) {
    for (const std::uint32_t n : part) inside_[n] = true;
    const std::size_t all = product.eventualities().size() + fairness.size();
    done_.assign(all, false);
    for (std::size_t i = 0; i < fairness.size(); ++i)  // never enabled there: nothing to do
      if (fairness[i].strong && std::none_of(part.begin(), part.end(), [&](std::uint32_t n) {
            return product.enabled(fairness[i], n);
          }))
        done_[product.eventualities().size() + i] = true;
  }

  // Nodes from `entry` on; after the last comes the entry again.
  std::vector<std::uint32_t> walk(std::uint32_t entry) {
    nodes_ = {entry};
    visit(entry);
    for (std::size_t i = 0; i < done_.size(); ++i)
      if (!done_[i]) go([&](std::uint32_t n, const Product::Edge* e) { return serves(i, n, e); });
    if (nodes_.size() == 1 || nodes_.back() != entry)
      go([&](std::uint32_t n, const Product::Edge* e) { return e != nullptr && n == entry; });
    nodes_.pop_back();
    return nodes_;
  }

 private:
  // Whether coming to a node (by an edge) does what is wanted.
  bool serves(std::size_t want, std::uint32_t node, const Product::Edge* by) {
    if (want < product_.eventualities().size())
      return !product_.puts_off(node, product_.eventualities()[want]);
    const Fairness& f = fairness_[want - product_.eventualities().size()];
    if (!f.strong && !product_.enabled(f, node)) return true;
    return by != nullptr && product_.takes(f, *by);
  }

  void visit(std::uint32_t node, const Product::Edge* by = nullptr) {
    for (std::size_t i = 0; i < done_.size(); ++i)
      if (!done_[i]) done_[i] = serves(i, node, by);
  }

  // By a shortest way to the nearest node that the goal accepts.
  template <class Goal>
  void go(const Goal& goal) {
    const std::uint32_t from = nodes_.back();
    if (goal(from, nullptr)) return;
    std::vector<std::pair<std::uint32_t, const Product::Edge*>> queue = {{0, nullptr}};
    const auto node = [&](std::size_t i) {
      return queue[i].second == nullptr ? from : queue[i].second->to;
    };
    std::vector<bool> seen(product_.size());
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const Product::Edge& e : product_.edges(node(i))) {
        if (!inside_[e.to]) continue;
        const bool there = goal(e.to, &e);
        if (!there && seen[e.to]) continue;
        seen[e.to] = true;
        queue.emplace_back(static_cast<std::uint32_t>(i), &e);
        if (!there) continue;
        std::vector<const Product::Edge*> way;
        for (std::size_t k = queue.size() - 1; k != 0; k = queue[k].first)
          way.push_back(queue[k].second);
        for (auto step = way.rbegin(); step != way.rend(); ++step) {
          nodes_.push_back((*step)->to);
          visit((*step)->to, *step);
        }
        return;
      }
    }
  }

  Product& product_;
  std::span<const Fairness> fairness_;
  std::vector<bool> inside_, done_;
  std::vector<std::uint32_t> nodes_;
};

// Without steps that change nothing.
Lasso without_stuttering(const std::vector<std::uint32_t>& way,
                         const std::vector<std::uint32_t>& cycle) {
  Lasso out;
  for (const std::uint32_t s : way)
    if (out.states.empty() || out.states.back() != s) out.states.push_back(s);
  while (!out.states.empty() && out.states.back() == cycle[0]) out.states.pop_back();
  out.back_to = out.states.size();
  for (const std::uint32_t s : cycle)
    if (out.states.size() == out.back_to || out.states.back() != s) out.states.push_back(s);
  while (out.states.size() > out.back_to + 1 && out.states.back() == cycle[0])
    out.states.pop_back();
  return out;
}

}  // namespace

std::optional<Lasso> fair_lasso(BehaviourGraph& graph, const Formulas& formulas, Formula what,
                                std::span<const Fairness> fairness) {
  // Of <>P it is enough to find P from any state on: all of them can be reached.
  const bool anywhere = formulas[what].op == Temporal::eventually;
  Product product(graph, formulas, anywhere ? formulas[what].kids[0] : what, anywhere);
  const auto part = product.fair_part(fairness);
  if (!part) return std::nullopt;
  const std::uint32_t entry = *std::min_element(part->begin(), part->end());
  std::vector<std::uint32_t> nodes = product.way_to(entry), way, cycle;
  if (anywhere) way = way_to(graph, product.state(nodes.front()));
  for (const std::uint32_t n : nodes) way.push_back(product.state(n));
  for (const std::uint32_t n : Round(product, *part, fairness).walk(entry))
    cycle.push_back(product.state(n));
  return without_stuttering(way, cycle);
}

}  // namespace schism::tla
