#include "schism/tla/waypoints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "schism/base/hash.hpp"
#include "schism/tla/print.hpp"

namespace schism::tla {
namespace {

constexpr std::size_t kAtomsMax = 4000;
constexpr std::size_t kPartsMax = 64;  // elements or keys of one value that are looked at
constexpr std::size_t kKeysMax = 3;    // f[a][b][c]

// One comparison about a variable, or about the part of it that the keys lead to.
struct Atom {
  enum class Test : std::uint8_t { equals, at_least, has, size, length, some_equals } test;
  std::size_t variable = 0;
  std::vector<Value> keys;
  Value value;
};

class Graph {
 public:
  std::vector<State> states;
  std::vector<bool> goal;
  std::size_t initial = 0;

  void add(std::uint32_t from, std::uint32_t to) {
    if (next_.size() <= from) next_.resize(from + 1);
    next_[from].push_back(to);
  }
  // After the last step was added.
  void close() {
    next_.resize(states.size());
    depth_.assign(states.size(), 0);
  }

  // The states of a shortest way to the goal, without the goal itself; nothing: there is none.
  std::vector<std::uint32_t> shortest() {
    std::vector<std::uint32_t> queue, parent(states.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < initial; ++i) queue.push_back(i), depth_[i] = 1;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::uint32_t s = queue[at];
      if (goal[s]) {
        reached_ = depth_[s];
        std::vector<std::uint32_t> way;
        for (std::uint32_t w = parent[s]; w != UINT32_MAX; w = parent[w]) way.push_back(w);
        return way;
      }
      for (const std::uint32_t t : next_[s])
        if (depth_[t] == 0) depth_[t] = depth_[s] + 1, parent[t] = s, queue.push_back(t);
    }
    return {};
  }
  std::uint64_t reached() const { return reached_; }

  // Whether the goal can be reached through states that are not in the cut.
  bool passes(const std::vector<bool>& cut) const {
    std::vector<bool> seen(states.size());
    std::vector<std::uint32_t> open;
    const auto enter = [&](std::uint32_t s) {
      if (seen[s] || cut[s]) return;
      seen[s] = true;
      open.push_back(s);
    };
    for (std::uint32_t i = 0; i < initial; ++i) enter(i);
    while (!open.empty()) {
      const std::uint32_t s = open.back();
      open.pop_back();
      if (goal[s]) return true;
      for (const std::uint32_t t : next_[s]) enter(t);
    }
    return false;
  }

  // Where the first of these is; they lie on every way, so that one was seen on the shortest.
  std::uint64_t first_of(const std::vector<bool>& where) const {
    std::uint64_t least = UINT64_MAX;
    for (std::size_t s = 0; s < states.size(); ++s)
      if (where[s] && depth_[s] != 0) least = std::min(least, depth_[s]);
    return least;
  }

 private:
  std::vector<std::vector<std::uint32_t>> next_;
  std::vector<std::uint64_t> depth_;
  std::uint64_t reached_ = 0;
};

class Atoms {
 public:
  explicit Atoms(Spec& spec) : spec_(spec), eval_(spec.evaluator()) {}

  const std::vector<Atom>& all() const { return all_; }

  void gather(const State& s) {
    for (std::size_t v = 0; v < s.size(); ++v) {
      std::vector<Value> keys;
      about(v, keys, s[v]);
    }
  }

  // What cannot be compared, or is not there, does not hold.
  bool holds(const Atom& a, const State& s) {
    try {
      return compare(a, s);
    } catch (const Failure&) {
      return false;
    }
  }

  std::string text(const Atom& a) const {
    std::string place = spec_.symbols().text(spec_.variables()[a.variable]);
    for (const Value k : a.keys)
      place += k.is_string() ? "." + spec_.symbols().text(k.symbol())
                             : fmt::format("[{}]", spec_.print(k));
    const std::string value = spec_.print(a.value);
    switch (a.test) {
      case Atom::Test::equals: return fmt::format("{} = {}", place, value);
      case Atom::Test::at_least: return fmt::format("{} >= {}", place, value);
      case Atom::Test::has: return fmt::format("{} \\in {}", value, place);
      case Atom::Test::size: return fmt::format("Cardinality({}) >= {}", place, value);
      case Atom::Test::length: return fmt::format("Len({}) >= {}", place, value);
      case Atom::Test::some_equals:
        return fmt::format("\\E k \\in DOMAIN {} : {}[k] = {}", place, place, value);
    }
    return place;
  }

 private:
  static std::span<const Value> values_of(Value v) {
    if (is_kind(v, Kind::tuple)) return v.node()->words();
    if (is_kind(v, Kind::function)) return v.node()->words().subspan(1);
    return {};
  }

  bool compare(const Atom& a, const State& s) {
    Value v = s[a.variable];
    for (const Value k : a.keys) {
      if (!is_function_value(v) || !eval_.contains(eval_.domain(v), k)) return false;
      v = eval_.apply(v, k);
    }
    const auto many = [&](Kind kind) {
      return is_kind(v, kind) && v.node()->size >= static_cast<std::uint64_t>(a.value.as_integer());
    };
    switch (a.test) {
      case Atom::Test::equals: return v == a.value;
      case Atom::Test::at_least: return v.is_integer() && v.as_integer() >= a.value.as_integer();
      case Atom::Test::has: return is_kind(v, Kind::set) && eval_.contains(v, a.value);
      case Atom::Test::size: return many(Kind::set);
      case Atom::Test::length: return many(Kind::tuple);
      case Atom::Test::some_equals: {
        const auto values = values_of(v);
        return std::find(values.begin(), values.end(), a.value) != values.end();
      }
    }
    return false;
  }

  void add(Atom::Test test, std::size_t variable, const std::vector<Value>& keys, Value value) {
    if (all_.size() >= kAtomsMax) return;
    std::uint64_t h = mix64(variable * 8 + static_cast<std::uint64_t>(test));
    for (const Value k : keys) h = mix64(h ^ k.bits());
    if (known_.insert(mix64(h ^ value.bits())).second)
      all_.push_back({test, variable, keys, value});
  }

  void about(std::size_t variable, std::vector<Value>& keys, Value v) {
    add(Atom::Test::equals, variable, keys, v);
    if (v.is_integer()) add(Atom::Test::at_least, variable, keys, v);
    const bool is_set = is_kind(v, Kind::set);
    if (is_set || is_kind(v, Kind::tuple))
      add(is_set ? Atom::Test::size : Atom::Test::length, variable, keys,
          Value::integer(v.node()->size));
    if (is_kind(v, Kind::set))
      for (std::size_t i = 0; i < v.node()->size && i < kPartsMax; ++i)
        add(Atom::Test::has, variable, keys, (*v.node())[i]);
    if (!is_function_value(v) || keys.size() >= kKeysMax) return;
    const auto values = values_of(v);
    const Value domain = eval_.normal(eval_.domain(v));
    for (std::size_t i = 0; i < values.size() && i < kPartsMax; ++i) {
      const Value key = (*domain.node())[i];
      if (!key.is_string()) add(Atom::Test::some_equals, variable, keys, values[i]);
      keys.push_back(key);
      about(variable, keys, values[i]);
      keys.pop_back();
    }
  }

  Spec& spec_;
  Evaluator& eval_;
  std::vector<Atom> all_;
  absl::flat_hash_set<std::uint64_t> known_;
};

// All states with their steps. What the specification claims is not asked here: a way to the goal
// may go through states that break it.
CheckReport explore(Spec& spec, CheckLimits limits, const std::atomic<bool>& interrupted,
                    Graph& graph) {
  spec.invariants.clear();
  spec.implied_inits.clear();
  spec.implied_steps.clear();
  spec.temporal = {};
  limits.deadlock = false;
  limits.edge = [&](std::uint32_t from, std::uint32_t to, const Node*) { graph.add(from, to); };
  Checker checker(spec, std::move(limits), interrupted);
  CheckReport report = checker.run();
  for (std::uint32_t i = 0; i < checker.states(); ++i) graph.states.push_back(checker.state(i));
  graph.initial = report.initial;
  graph.close();
  return report;
}

// The earliest first. Two that hold in the same states say the same: the shorter one stays.
std::vector<Waypoint> cuts(Spec& spec, Graph& graph, const std::vector<std::uint32_t>& way) {
  Atoms atoms(spec);
  for (const std::uint32_t s : way) atoms.gather(graph.states[s]);
  std::vector<std::pair<std::vector<bool>, Waypoint>> found;
  for (const Atom& atom : atoms.all()) {
    std::vector<bool> where(graph.states.size());
    for (std::size_t s = 0; s < where.size(); ++s)
      where[s] = !graph.goal[s] && atoms.holds(atom, graph.states[s]);
    const auto begins = where.begin() + static_cast<std::ptrdiff_t>(graph.initial);
    if (std::find(where.begin(), begins, true) != begins) continue;  // it need not be reached
    if (graph.passes(where)) continue;
    Waypoint w{atoms.text(atom), graph.first_of(where)};
    const auto same = std::find_if(found.begin(), found.end(),
                                   [&](const auto& other) { return other.first == where; });
    if (same == found.end()) found.emplace_back(std::move(where), std::move(w));
    else if (w.text.size() < same->second.text.size()) same->second = std::move(w);
  }
  std::vector<Waypoint> out;
  for (auto& [where, w] : found) out.push_back(std::move(w));
  std::stable_sort(out.begin(), out.end(),
                   [](const Waypoint& a, const Waypoint& b) { return a.depth < b.depth; });
  return out;
}

}  // namespace

Result<Waypoints> find_waypoints(Spec& spec, const std::string& goal, CheckLimits limits,
                                 const std::atomic<bool>& interrupted) {
  if (!spec.has_behaviour) return error("the specification has no behaviour to look at");
  if (spec.view || !spec.symmetry.empty())
    return error("waypoints cannot be told with {}: a step between representatives is no step",
                 spec.view ? "VIEW" : "SYMMETRY");
  const auto predicate = spec.predicate(goal);
  if (!predicate) return tl::unexpected(predicate.error());
  Graph graph;
  const CheckReport report = explore(spec, std::move(limits), interrupted, graph);
  Waypoints out;
  out.outcome = report.outcome;
  out.what = report.what;
  out.states = graph.states.size();
  if (report.outcome != Outcome::holds) return out;
  try {
    for (const State& s : graph.states)
      graph.goal.push_back(spec.evaluator().holds(predicate->code, s));
    const auto way = graph.shortest();
    out.depth = graph.reached();
    if (out.depth > 0) out.found = cuts(spec, graph, way);
  } catch (const Failure& f) {
    return tl::unexpected(spec.explain(f));
  }
  return out;
}

}  // namespace schism::tla
