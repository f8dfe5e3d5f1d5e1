#include "schism/tla/product.hpp"

#include <algorithm>

namespace schism::tla {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;

std::vector<std::uint32_t> state_atoms(const BehaviourGraph& graph, const Formulas& formulas,
                                       Formula what) {
  std::vector<std::uint32_t> out;
  std::vector<Formula> open = {what};
  while (!open.empty()) {
    const FormulaNode& n = formulas[open.back()];
    open.pop_back();
    if (n.op == Temporal::atom && graph.of_state(n.atom)) out.push_back(n.atom);
    open.insert(open.end(), n.kids.begin(), n.kids.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

absl::flat_hash_map<std::uint32_t, unsigned> bits_of(const std::vector<std::uint32_t>& atoms) {
  absl::flat_hash_map<std::uint32_t, unsigned> bits;
  for (unsigned i = 0; i < atoms.size(); ++i) bits[atoms[i]] = i;
  return bits;
}

}  // namespace

Product::Product(BehaviourGraph& graph, const Formulas& formulas, Formula what, bool anywhere)
    : graph_(graph),
      atoms_(state_atoms(graph, formulas, what)),
      tableau_(formulas, bits_of(atoms_)),
      eventualities_(tableau_.eventualities(what)) {
  const std::uint32_t first = tableau_.set_of({what});
  if (anywhere)
    for (std::uint32_t s = 0; s < graph.states(); ++s) add_all(s, first, kNobody, kStutter);
  else
    for (const std::uint32_t s : graph.initial) add_all(s, first, kNobody, kStutter);
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) expand(n);
  part_.assign(nodes_.size(), 0);
  order_.resize(nodes_.size());
  low_.resize(nodes_.size());
}

std::uint64_t Product::atoms_of(std::uint32_t state) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < atoms_.size(); ++i)
    if (graph_.in_state(atoms_[i], state)) bits |= std::uint64_t{1} << i;
  return bits;
}

std::uint32_t Product::add(std::uint32_t state, std::uint32_t option, std::uint32_t parent) {
  const auto [at, fresh] =
      index_.try_emplace({state, option}, static_cast<std::uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back({state, option, parent});
  return at->second;
}

void Product::add_all(std::uint32_t state, std::uint32_t set, std::uint32_t parent,
                      std::size_t edge) {
  for (const std::uint32_t option : tableau_.options(set, atoms_of(state))) {
    const std::uint32_t to = add(state, option, parent);
    if (parent != kNobody) edges_.push_back({parent, to, edge});
  }
}

bool Product::allows(const Option& option, std::uint32_t state, std::size_t edge) {
  return std::all_of(option.step.begin(), option.step.end(), [&](const auto& wanted) {
    const auto [atom, truth] = wanted;
    return (edge == kStutter ? graph_.when_stuttering(atom) : graph_.in_step(atom, state, edge)) ==
           truth;
  });
}

void Product::expand(std::uint32_t node) {
  const std::uint32_t state = nodes_[node].state;
  const Option option = tableau_.option(nodes_[node].option);
  if (allows(option, state, kStutter)) add_all(state, option.next, node, kStutter);
  for (std::size_t e = graph_.begin[state]; e < graph_.begin[state + 1]; ++e)
    if (allows(option, state, e)) add_all(graph_.targets[e], option.next, node, e);
  begin_.push_back(edges_.size());
}

bool Product::puts_off(std::uint32_t node, Formula f) const {
  const std::vector<Formula>& off = tableau_.option(nodes_[node].option).put_off;
  return std::binary_search(off.begin(), off.end(), f);
}

bool Product::enabled(const Fairness& f, std::uint32_t node) {
  return graph_.in_state(f.enabled, nodes_[node].state);
}

bool Product::takes(const Fairness& f, const Edge& e) {
  return e.edge == kStutter ? graph_.when_stuttering(f.taken)
                            : graph_.in_step(f.taken, nodes_[e.from].state, e.edge);
}

std::vector<std::uint32_t> Product::way_to(std::uint32_t node) const {
  std::vector<std::uint32_t> way;
  for (; node != kNobody; node = nodes_[node].parent) way.push_back(node);
  std::reverse(way.begin(), way.end());
  return way;
}

// --- Strongly connected parts --------------------------------------------------------------------

// Tarjan's algorithm with a stack of its own: behaviours may be long.
std::vector<Product::Nodes> Product::parts(const Nodes& among) {
  const std::uint32_t here = ++parts_;
  for (const std::uint32_t n : among) part_[n] = here;
  struct Visit {
    std::uint32_t node;
    std::size_t edge;
  };
  std::vector<Nodes> out;
  for (const std::uint32_t n : among) order_[n] = kNobody;
  std::uint32_t entered = 0;
  std::vector<std::uint32_t> stack;
  std::vector<Visit> visits;
  const auto enter = [&](std::uint32_t n) {
    order_[n] = low_[n] = entered++;
    stack.push_back(n);
    visits.push_back({n, begin_[n]});
  };
  for (const std::uint32_t root : among) {
    if (order_[root] != kNobody) continue;
    enter(root);
    while (!visits.empty()) {
      const std::uint32_t n = visits.back().node;
      if (visits.back().edge < begin_[n + 1]) {
        const std::uint32_t to = edges_[visits.back().edge++].to;
        if (part_[to] != here) continue;  // elsewhere, or in a part that is complete
        if (order_[to] == kNobody) enter(to);
        else low_[n] = std::min(low_[n], order_[to]);
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) {
        std::uint32_t& outer = low_[visits.back().node];
        outer = std::min(outer, low_[n]);
      }
      if (low_[n] != order_[n]) continue;
      Nodes& part = out.emplace_back();
      do {
        part.push_back(stack.back());
        part_[stack.back()] = 0;
        stack.pop_back();
      } while (part.back() != n);
      std::sort(part.begin(), part.end());
    }
  }
  return out;
}

bool Product::has_cycle(const Nodes& part) const {
  if (part.size() > 1) return true;
  const auto out = edges(part[0]);
  return std::any_of(out.begin(), out.end(), [&](const Edge& e) { return e.to == part[0]; });
}

bool Product::any_taken(const Nodes& part, const Fairness& f) {
  const std::uint32_t here = part_[part[0]];
  for (const std::uint32_t n : part)
    for (const Edge& e : edges(n))
      if (part_[e.to] == here && takes(f, e)) return true;
  return false;
}

std::optional<Product::Nodes> Product::fair_part_of(Nodes part,
                                                    std::span<const Fairness> fairness) {
  if (!has_cycle(part)) return std::nullopt;
  for (const Formula f : eventualities_)
    if (std::all_of(part.begin(), part.end(), [&](std::uint32_t n) { return puts_off(n, f); }))
      return std::nullopt;
  const std::uint32_t here = ++parts_;
  for (const std::uint32_t n : part) part_[n] = here;
  for (const Fairness& f : fairness) {
    if (f.strong) continue;
    const bool always_enabled =
        std::all_of(part.begin(), part.end(), [&](std::uint32_t n) { return enabled(f, n); });
    if (always_enabled && !any_taken(part, f)) return std::nullopt;
  }
  for (const Fairness& f : fairness) {
    if (!f.strong || any_taken(part, f)) continue;
    Nodes rest;
    for (const std::uint32_t n : part)
      if (!enabled(f, n)) rest.push_back(n);
    if (rest.size() == part.size()) continue;
    std::optional<Nodes> best;
    for (Nodes& smaller : parts(rest)) {
      auto found = fair_part_of(std::move(smaller), fairness);
      if (found && (!best || found->front() < best->front())) best = std::move(found);
    }
    return best;
  }
  return part;
}

std::optional<Product::Nodes> Product::fair_part(std::span<const Fairness> fairness) {
  Nodes all(nodes_.size());
  for (std::uint32_t n = 0; n < all.size(); ++n) all[n] = n;
  std::optional<Nodes> best;
  for (Nodes& part : parts(all)) {
    if (best && part.front() > best->front()) continue;
    auto found = fair_part_of(std::move(part), fairness);
    if (found && (!best || found->front() < best->front())) best = std::move(found);
  }
  return best;
}

}  // namespace schism::tla
