// What conditions mean.
#include <algorithm>
#include <numeric>

#include "schism/base/random.hpp"
#include "schism/scenario/program.hpp"

namespace schism::scenario {
namespace {

const Path* path_for(const std::vector<std::pair<const TypeInfo*, Path>>& paths,
                     const TypeInfo* type) {
  for (const auto& [of, path] : paths)
    if (of == type) return &path;
  return nullptr;
}

Value plus(Value value, std::int64_t by) {
  if (by == 0) return value;
  const std::int64_t* n = value.as_int();
  return n ? Value(*n + by) : Value();
}

Value node_value(NodeId node) { return node < 0 ? Value() : Value(std::int64_t{node}); }

}  // namespace

Value BoundTerm::read(const State& state, const Moment& m) const {
  switch (term.kind) {
    case Term::nothing: return {};
    case Term::number: return term.value;
    case Term::word:
      if (term.name == "true" || term.name == "false") return term.name == "true";
      return term.name;
    case Term::text: return term.name;
    case Term::variable: {
      const auto i = static_cast<std::size_t>(index);
      return plus(state.variables[i], term.value);
    }
    case Term::field: {
      const Path* path = m.body ? path_for(paths, m.type) : nullptr;
      return path ? plus(path->read(m.body), term.value) : Value();
    }
    case Term::from: return plus(node_value(m.from), term.value);
    case Term::to: return plus(node_value(m.to), term.value);
    case Term::at: return plus(node_value(m.at), term.value);
    case Term::count: {
      const auto found = state.counters.find(counter_key(*this, state, m));
      return Value((found == state.counters.end() ? 0 : found->second) + term.value);
    }
    case Term::size: {
      const auto i = static_cast<std::size_t>(index);
      return Value(static_cast<std::int64_t>(state.sets[i].size()) + term.value);
    }
    case Term::quorum: return Value(state.world->setup().nodes / 2 + 1 + term.value);
    case Term::nodes: return Value(state.world->setup().nodes + term.value);
  }
  return {};
}

std::string counter_key(const BoundTerm& counter, const State& state, const Moment& m) {
  std::string out = counter.term.name;
  for (const BoundTerm& key : counter.keys) out += "," + to_json(key.read(state, m));
  return out;
}

// With what is not there only "nothing" is compared, and only for being so.
bool compare(const Value& left, Order order, const Value& right) {
  if (left.is_null() || right.is_null()) {
    const bool both = left.is_null() && right.is_null();
    return order == Order::equal ? both : order == Order::unequal && !both;
  }
  if (order == Order::equal) return left == right;
  if (order == Order::unequal) return !(left == right);
  const std::int64_t *a = left.as_int(), *b = right.as_int();
  if (!a || !b) return false;
  switch (order) {
    case Order::less: return *a < *b;
    case Order::at_most: return *a <= *b;
    case Order::greater: return *a > *b;
    default: return *a >= *b;
  }
}

namespace {

// Roles have no value before the script needs them.
void unset(State& state, int variable) {
  if (!state.program->roles.contains(variable)) state.unset.insert(variable);
}

bool is_node(const BoundTerm& term, State& state, const Moment& m, NodeId node) {
  if (node < 0) return false;
  const Value v = term.read(state, m);
  if (v.is_null() && term.term.kind == Term::variable) unset(state, term.index);
  return v.as_int() && *v.as_int() == node;
}

bool compared(const Check& c, std::size_t left, State& state, const Moment& m) {
  const Value a = c.terms[left].read(state, m), b = c.terms[left + 1].read(state, m);
  for (std::size_t i : {left, left + 1})
    if (c.terms[i].term.kind == Term::variable && (i == left ? a : b).is_null())
      unset(state, c.terms[i].index);
  // A variable that has no value yet is compared with nothing.
  const bool meant = c.terms[left + 1].term.kind == Term::nothing;
  if (!meant && (a.is_null() || b.is_null())) return false;
  return compare(a, c.order, b);
}

bool event_fits(const Check& c, const Moment& m) {
  if (m.asked ? !c.asked : !(mask_of(m.kind) & c.happenings)) return false;
  if (!c.types.empty() && std::find(c.types.begin(), c.types.end(), m.type) == c.types.end())
    return false;
  return c.details.empty() ||
         std::find(c.details.begin(), c.details.end(), m.detail) != c.details.end();
}

bool state_fits(const Check& c, const World& world, State& state, const Moment& m) {
  const Value who = c.terms[0].read(state, m);
  if (!who.as_int() || *who.as_int() < 0 || *who.as_int() >= world.setup().places()) return false;
  const auto node = static_cast<NodeId>(*who.as_int());
  const void* object = world.node(node);
  if (!object) return false;
  const TypeInfo* type = &world.node_type(node);
  for (const auto& [of, where] : c.wheres)
    if (of == type) return where.holds(object);
  if (c.terms.size() < 3) return false;
  const Path* path = path_for(c.terms[1].paths, type);
  if (!path) return false;
  const Value right = c.terms[2].read(state, m);
  return !right.is_null() && compare(path->read(object), c.order, right);
}

int part(const State& state, NodeId node) {
  return node < 0 || state.part_of.empty() ? -1 : state.part_of[static_cast<std::size_t>(node)];
}

}  // namespace

bool Check::holds(const World& world, State& state, const Moment& m) const {
  switch (kind) {
    case Cond::always: return true;
    case Cond::all:
      return std::all_of(parts.begin(), parts.end(),
                         [&](const Check& c) { return c.holds(world, state, m); });
    case Cond::any:
      return std::any_of(parts.begin(), parts.end(),
                         [&](const Check& c) { return c.holds(world, state, m); });
    case Cond::negation: return !parts[0].holds(world, state, m);
    case Cond::event: return event_fits(*this, m);
    case Cond::from: return is_node(terms[0], state, m, m.from);
    case Cond::to: return is_node(terms[0], state, m, m.to);
    case Cond::at: return is_node(terms[0], state, m, m.at);
    case Cond::between:
      return (is_node(terms[0], state, m, m.from) && is_node(terms[1], state, m, m.to)) ||
             (is_node(terms[1], state, m, m.from) && is_node(terms[0], state, m, m.to));
    case Cond::from_part: return part(state, m.from) == index;
    case Cond::to_part: return part(state, m.to) == index;
    case Cond::across: return part(state, m.from) != part(state, m.to) && m.to >= 0;
    case Cond::within: return part(state, m.from) == part(state, m.to) && part(state, m.to) >= 0;
    case Cond::compare: {
      if (wheres.empty()) return compared(*this, 0, state, m);
      for (const auto& [type, where] : wheres)
        if (type == m.type && m.body) return where.holds(m.body);
      return false;
    }
    case Cond::state_of: return state_fits(*this, world, state, m);
    case Cond::in_state: return state.state == index;
    case Cond::once: {
      const auto flag = static_cast<std::size_t>(index);
      if (state.once[flag] || !parts[0].holds(world, state, m)) return false;
      return state.once[flag] = true;
    }
    case Cond::in_set: {
      const auto& set = state.sets[static_cast<std::size_t>(index)];
      return std::any_of(set.begin(), set.end(), [&](const Kept& k) { return k.name == m.name; });
    }
    case Cond::named: return false;  // spelled out when it was bound
    case Cond::custom: return state.tests[static_cast<std::size_t>(index)](world, m);
  }
  return false;
}

int step(const BoundMachine& machine, int& at, const World& world, State& state, const Moment& m) {
  for (std::size_t i = 0; i < machine.transitions.size(); ++i) {
    const BoundTransition& t = machine.transitions[i];
    if (t.from != at || !t.check.holds(world, state, m)) continue;
    for (const Deed& deed : t.records) note(deed, state, m);
    at = t.to;
    return static_cast<int>(i);
  }
  return -1;
}

void note(const Deed& deed, State& state, const Moment& m) {
  if (deed.kind == Act::record)
    state.variables[static_cast<std::size_t>(deed.index)] = deed.terms[0].read(state, m);
  if (deed.kind == Act::increment) ++state.counters[counter_key(deed.terms[0], state, m)];
}

// What is random in a scenario follows from the run's node seed, which its trace has: a property is
// judged the same in a replay.
void State::begin(const Program& of, const World& of_world) {
  program = &of;
  world = &of_world;
  variables.assign(of.variables.size(), {});
  counters.clear();
  once.assign(static_cast<std::size_t>(of.once_flags), false);
  sets.assign(of.sets.size(), {});
  state = 0;
  tests.clear();
  deeds.clear();
  for (const auto& make : of.tests) tests.push_back(make());
  for (const auto& make : of.deeds) deeds.push_back(make());
  const auto nodes = static_cast<std::uint64_t>(of_world.setup().nodes);
  Rng rng(keyed(of_world.setup().node_seed, 0x7363656e6172696fULL));
  for (std::size_t i = 0; i < of.source.lets.size(); ++i) {
    const Let& let = of.source.lets[i];
    variables[i] = let.random_node ? Value(static_cast<std::int64_t>(rng.below(nodes)))
                                   : BoundTerm{let.value, {}, {}, -1}.read(*this, {});
  }
  part_of.clear();
  if (of.source.parts.empty()) return;
  std::vector<std::size_t> order(nodes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = nodes; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  part_of.assign(static_cast<std::size_t>(of_world.setup().places()), -1);  // a twin is in none
  std::size_t next = 0;
  for (std::size_t p = 0; p < of.source.parts.size(); ++p)
    for (int k = 0; k < of.source.parts[p].size && next < nodes; ++k)
      part_of[order[next++]] = static_cast<int>(p);
}

}  // namespace schism::scenario
