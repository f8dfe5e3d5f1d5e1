// The graph of states walked together with the tableau of a formula: a node is a state and an
// option taken there.
#pragma once

#include <optional>

#include "schism/tla/fair_cycles.hpp"

namespace schism::tla {

class Product {
 public:
  struct Edge {
    std::uint32_t from, to;
    std::size_t edge;  // of the graph; kStutter: a step that changes nothing
  };
  static constexpr std::size_t kStutter = SIZE_MAX;

  // From the initial states, or from all of them.
  Product(BehaviourGraph& graph, const Formulas& formulas, Formula what, bool anywhere);

  std::size_t size() const { return nodes_.size(); }
  std::uint32_t state(std::uint32_t node) const { return nodes_[node].state; }
  std::span<const Edge> edges(std::uint32_t node) const {
    return std::span(edges_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }
  const std::vector<Formula>& eventualities() const { return eventualities_; }
  bool puts_off(std::uint32_t node, Formula f) const;
  bool enabled(const Fairness& f, std::uint32_t node);
  bool takes(const Fairness& f, const Edge& e);

  // Strongly connected, fair, and with no <>P put off for ever; the one that begins nearest.
  std::optional<std::vector<std::uint32_t>> fair_part(std::span<const Fairness> fairness);
  // From a node where a walk begins to this one, by a shortest way.
  std::vector<std::uint32_t> way_to(std::uint32_t node) const;

 private:
  struct Position {
    std::uint32_t state, option, parent;
  };
  using Nodes = std::vector<std::uint32_t>;
  std::uint32_t add(std::uint32_t state, std::uint32_t option, std::uint32_t parent);
  void add_all(std::uint32_t state, std::uint32_t set, std::uint32_t parent, std::size_t edge);
  void expand(std::uint32_t node);
  bool allows(const Option& option, std::uint32_t state, std::size_t edge);
  std::uint64_t atoms_of(std::uint32_t state);
  // The strongly connected parts among these nodes.
  std::vector<Nodes> parts(const Nodes& among);
  std::optional<Nodes> fair_part_of(Nodes part, std::span<const Fairness> fairness);
  bool has_cycle(const Nodes& part) const;
  bool any_taken(const Nodes& part, const Fairness& f);

  BehaviourGraph& graph_;
  std::vector<std::uint32_t> atoms_;  // of states, by bit
  Tableau tableau_;
  std::vector<Formula> eventualities_;
  std::vector<Position> nodes_;
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index_;
  std::vector<std::size_t> begin_ = {0};
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> part_;  // which part a node is in, while it is judged
  std::uint32_t parts_ = 0;
  std::vector<std::uint32_t> order_, low_;  // Tarjan's
};

}  // namespace schism::tla
