#include "schism/tla/symmetry.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "schism/base/hash.hpp"

namespace schism::tla {

Symmetry::Symmetry(Store& store, std::span<const Value> permutations) : store_(store) {
  using Table = std::map<std::uint64_t, std::uint64_t>;
  std::vector<Table> generators;
  std::vector<std::uint64_t> moved;
  for (const Value p : permutations) {
    if (!is_kind(p, Kind::function)) {
      if (is_kind(p, Kind::tuple) && p.node()->size == 0) continue;
      throw Failure({}, "SYMMETRY needs permutations of model values");
    }
    Table t;
    const ValueNode& keys = *(*p.node())[0].node();
    for (std::uint32_t i = 0; i < keys.size; ++i) {
      if (!keys[i].is_model() || !(*p.node())[i + 1].is_model())
        throw Failure({}, "SYMMETRY needs permutations of model values");
      t[keys[i].bits()] = (*p.node())[i + 1].bits();
      moved.push_back(keys[i].bits());
    }
    generators.push_back(std::move(t));
  }
  std::sort(moved.begin(), moved.end());
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
  for (Table& t : generators)
    for (const std::uint64_t m : moved) t.try_emplace(m, m);
  Table identity;
  for (const std::uint64_t m : moved) identity[m] = m;
  // Closed under composition.
  std::set<Table> all = {identity};
  std::vector<Table> open = {identity};
  while (!open.empty()) {
    const Table t = std::move(open.back());
    open.pop_back();
    for (const Table& g : generators) {
      Table both;
      for (const auto& [from, to] : t) both[from] = g.at(to);
      if (all.insert(both).second) open.push_back(std::move(both));
      if (all.size() > 50'000) throw Failure({}, "the symmetry group is too large");
    }
  }
  for (const Table& t : all) {
    if (t == identity) continue;
    Renaming& r = group_.emplace_back();
    for (const auto& [from, to] : t)
      if (from != to) r.emplace(from, Value::raw(to));
  }
  hashes_.resize(group_.size());
  values_.resize(group_.size());
}

Value Symmetry::atom(Value v, std::size_t p) const {
  if (!v.is_model()) return v;
  const auto found = group_[p].find(v.bits());
  return found == group_[p].end() ? v : found->second;
}

// The hash that the renamed value would have, without making it.
std::uint64_t Symmetry::renamed_hash(Value v, std::size_t p) {
  if (!v.is_node()) return store_.hash(atom(v, p));
  const ValueNode& n = *v.node();
  if (n.size == 0) return n.hash;
  if (const auto found = hashes_[p].find(&n); found != hashes_[p].end()) return found->second;
  std::uint64_t sum = 0;
  if (n.kind == Kind::set) {
    for (const Value e : n.words()) sum += mix64(renamed_hash(e, p));
  } else if (n.kind == Kind::tuple) {
    std::uint64_t i = 0;
    for (const Value e : n.words()) sum += Store::hash_pair(mix64(++i), renamed_hash(e, p));
  } else {
    const ValueNode& keys = *n[0].node();
    for (std::uint32_t i = 0; i < n.size; ++i)
      sum += Store::hash_pair(renamed_hash(keys[i], p), renamed_hash(n[i + 1], p));
  }
  const std::uint64_t h = Store::hash_of_sum(n.kind, n.size, sum);
  hashes_[p].emplace(&n, h);
  return h;
}

Value Symmetry::renamed(Value v, std::size_t p) {
  if (!v.is_node()) return atom(v, p);
  const ValueNode& n = *v.node();
  if (n.size == 0) return v;
  if (const auto found = values_[p].find(&n); found != values_[p].end()) return found->second;
  Value out;
  if (n.kind == Kind::set) {
    std::vector<Value> elements;
    for (const Value e : n.words()) elements.push_back(renamed(e, p));
    out = store_.set(elements);
  } else if (n.kind == Kind::tuple) {
    std::vector<Value> items;
    for (const Value e : n.words()) items.push_back(renamed(e, p));
    out = store_.tuple(items);
  } else {
    const ValueNode& keys = *n[0].node();
    std::vector<std::pair<Value, Value>> pairs;
    for (std::uint32_t i = 0; i < n.size; ++i)
      pairs.emplace_back(renamed(keys[i], p), renamed(n[i + 1], p));
    std::sort(pairs.begin(), pairs.end(),
              [&](const auto& a, const auto& b) { return store_.compare(a.first, b.first) < 0; });
    std::vector<Value> sorted, values;
    for (const auto& [k, value] : pairs) sorted.push_back(k), values.push_back(value);
    out = store_.function(store_.sorted_set(sorted), values);
  }
  values_[p].emplace(&n, out);
  return out;
}

void Symmetry::canonical(std::span<const Value> state, std::vector<Value>& out) {
  std::size_t best = group_.size();  // the identity
  std::vector<std::uint64_t> least(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) least[i] = store_.hash(state[i]);
  std::vector<std::uint64_t> mine(state.size());
  for (std::size_t p = 0; p < group_.size(); ++p) {
    bool less = false;
    std::size_t i = 0;
    for (; i < state.size(); ++i) {
      mine[i] = renamed_hash(state[i], p);
      if (!less && mine[i] > least[i]) break;
      less = less || mine[i] < least[i];
    }
    if (less && i == state.size()) {
      best = p;
      least = mine;
    }
  }
  out.assign(state.begin(), state.end());
  if (best < group_.size())
    for (std::size_t i = 0; i < state.size(); ++i) out[i] = renamed(state[i], best);
}

}  // namespace schism::tla
