#include "schism/tla/symmetry.hpp"

#include <algorithm>

#include "schism/base/hash.hpp"

namespace schism::tla {

Symmetry::Symmetry(Store& store, std::span<const Value> permutations) : store_(store) {
  std::vector<Value> moved;  // everything that some permutation names
  for (const Value p : permutations) {
    if (is_kind(p, Kind::tuple) && p.node()->size == 0) continue;
    if (!is_kind(p, Kind::function))
      throw Failure({}, "SYMMETRY needs permutations of model values");
    for (const Value v : (*p.node())[0].node()->words()) moved.push_back(v);
  }
  const auto before = [](Value a, Value b) { return a.bits() < b.bits(); };
  std::sort(moved.begin(), moved.end(), before);
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
  const auto place = [&](Value v) {
    const auto at = std::lower_bound(moved.begin(), moved.end(), v, before);
    if (!v.is_model() || at == moved.end() || *at != v)
      throw Failure({}, "SYMMETRY needs permutations of model values");
    return static_cast<std::uint16_t>(at - moved.begin());
  };
  Table identity(moved.size());
  for (std::size_t i = 0; i < moved.size(); ++i) identity[i] = static_cast<std::uint16_t>(i);
  std::set<Table> all = {identity};
  std::vector<Table> generators;
  for (const Value p : permutations) {
    if (!is_kind(p, Kind::function)) continue;
    Table t = identity;
    const ValueNode& keys = *(*p.node())[0].node();
    for (std::uint32_t i = 0; i < keys.size; ++i) t[place(keys[i])] = place((*p.node())[i + 1]);
    if (all.contains(t)) continue;  // made of those before it
    generators.push_back(std::move(t));
    close_under(generators, all);
  }
  for (const Table& t : all) {
    if (t == identity) continue;
    Renaming& r = group_.emplace_back();
    for (std::size_t i = 0; i < t.size(); ++i)
      if (t[i] != i) r.emplace(moved[i].bits(), moved[t[i]]);
  }
  hashes_.resize(group_.size());
  values_.resize(group_.size());
}

// All that the generators make of what is there.
void Symmetry::close_under(const std::vector<Table>& generators, std::set<Table>& all) {
  std::vector<Table> open(all.begin(), all.end());
  Table both;
  while (!open.empty()) {
    const Table t = std::move(open.back());
    open.pop_back();
    for (const Table& g : generators) {
      both.resize(t.size());
      for (std::size_t i = 0; i < t.size(); ++i) both[i] = g[t[i]];
      if (!all.insert(both).second) continue;
      if (all.size() > 50'000) throw Failure({}, "the symmetry group is too large");
      open.push_back(both);
    }
  }
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

// The renamings by which a value's hash becomes the least; the last number is the identity.
const Symmetry::Least& Symmetry::least_of(Value v) {
  const auto [at, is_new] = least_of_.try_emplace(v.bits());
  Least& least = at->second;
  if (!is_new) return least;
  least.hash = store_.hash(v);
  least.by = {static_cast<std::uint16_t>(group_.size())};
  for (std::size_t p = 0; p < group_.size(); ++p) {
    const std::uint64_t hash = renamed_hash(v, p);
    if (hash > least.hash) continue;
    if (hash < least.hash) least.by.clear();
    least.hash = hash;
    least.by.push_back(static_cast<std::uint16_t>(p));
  }
  if (least.by.size() == group_.size() + 1) least.by.clear();  // all of them
  return least;
}

// Variable by variable; most values leave few renamings, and those are remembered.
void Symmetry::canonical(std::span<const Value> state, std::vector<Value>& out) {
  const auto identity = static_cast<std::uint16_t>(group_.size());
  by_.clear();
  for (const Value v : state) {
    if (by_.empty()) {
      by_ = least_of(v).by;
      continue;
    }
    if (by_.size() == 1) break;
    std::uint64_t least = UINT64_MAX;
    std::size_t kept = 0;
    for (const std::uint16_t p : by_) {
      const std::uint64_t hash = p == identity ? store_.hash(v) : renamed_hash(v, p);
      if (hash > least) continue;
      if (hash < least) kept = 0;
      least = hash;
      by_[kept++] = p;
    }
    by_.resize(kept);
  }
  out.assign(state.begin(), state.end());
  if (by_.empty() || std::find(by_.begin(), by_.end(), identity) != by_.end()) return;
  for (std::size_t i = 0; i < state.size(); ++i) out[i] = renamed(state[i], by_.front());
}

void Symmetry::least(std::span<const Value> state, std::vector<Value>& out) {
  out.assign(state.begin(), state.end());
  std::vector<Value> other(state.size());
  for (std::size_t p = 0; p < group_.size(); ++p) {
    int order = 0;
    for (std::size_t i = 0; i < state.size() && order <= 0; ++i) {
      other[i] = renamed(state[i], p);
      if (order == 0) order = store_.compare(other[i], out[i]);
    }
    if (order < 0) out = other;
  }
}

}  // namespace schism::tla
