// Quantifiers, CHOOSE, comprehensions and functions; and rules, which are functions and sets whose
// elements are computed when somebody asks.
#include <fmt/format.h>

#include "schism/tla/frames.hpp"

namespace schism::tla {
namespace {

constexpr std::size_t kChunk = 1 << 15;

// Sets of which only membership may be wanted: not built before somebody needs the elements.
bool is_large(const ValueNode& n) {
  return n.kind == Kind::subset || n.kind == Kind::function_set || n.kind == Kind::record_set ||
         n.kind == Kind::product || n.kind == Kind::infinite || n.kind == Kind::sequences ||
         n.kind == Kind::filter || n.kind == Kind::cup || n.kind == Kind::minus ||
         n.kind == Kind::cap;
}

}  // namespace

Value* Evaluator::push_slots(std::size_t n) {
  if (chunks_.empty() || used_ + n > std::max(kChunk, n)) {
    if (!chunks_.empty()) ++chunk_;
    used_ = 0;
  }
  while (chunks_.size() <= chunk_) chunks_.push_back(std::make_unique<Value[]>(kChunk));
  if (n > kChunk) throw Failure({}, "the specification has an expression that is too large");
  Value* at = chunks_[chunk_].get() + used_;
  used_ += n;
  return at;
}

void Evaluator::bind_tuple(const Group& g, Value v, Frame& f) {
  v = normal(v);
  if (!is_kind(v, Kind::tuple) || v.node()->size != g.slots.size())
    throw Failure({},
                  fmt::format("expected a tuple of {} values, not {}", g.slots.size(), show(v)));
  for (std::size_t i = 0; i < g.slots.size(); ++i) f.slots[g.slots[i]] = (*v.node())[i];
}

// The last variable runs fastest; false from the body ends it.
bool Evaluator::each_binding(const Node& n, std::size_t group, std::size_t name, Frame& f,
                             Value* sets, absl::FunctionRef<bool()> body) {
  const std::vector<Group>& groups = n.extra->groups;
  if (group == groups.size()) return body();
  const Group& g = groups[group];
  return each(sets[group], [&](Value v) {
    if (g.tuple) {
      bind_tuple(g, v, f);
      return each_binding(n, group + 1, 0, f, sets, body);
    }
    f.slots[g.slots[name]] = v;
    if (name + 1 < g.slots.size()) return each_binding(n, group, name + 1, f, sets, body);
    return each_binding(n, group + 1, 0, f, sets, body);
  });
}

bool Evaluator::each_binding(const Node& n, Frame& f, absl::FunctionRef<bool()> body) {
  absl::InlinedVector<Value, 4> sets;
  for (const Group& g : n.extra->groups) sets.push_back(eval(*g.set, f));
  return each_binding(n, 0, 0, f, sets.data(), body);
}

Value Evaluator::choose(const Node& n, Frame& f) {
  const Group& g = n.extra->groups[0];
  Value chosen;
  const Value set = eval(*g.set, f);
  each(set, [&](Value v) {
    if (g.tuple) bind_tuple(g, v, f);
    else f.slots[g.slots[0]] = v;
    if (!test(n.kid(0), f)) return true;
    chosen = v;
    return false;
  });
  if (!chosen.is_set())
    throw Failure(n.where, fmt::format("CHOOSE finds no such element in {}", show(set)));
  return chosen;
}

Value Evaluator::filter(const Node& n, Frame& f) {
  const Group& g = n.extra->groups[0];
  const Value set = eval(*g.set, f);
  need_set(set);
  if (is_large(*set.node())) return make_rule(n, f, Kind::filter, set);
  std::vector<Value> out;
  each(set, [&](Value v) {
    if (g.tuple) bind_tuple(g, v, f);
    else f.slots[g.slots[0]] = v;
    const bool stays = test(n.kid(0), f);
    if (!stays) return true;
    if (out.size() == kBuiltMax) too_many(kBuiltMax);
    return out.push_back(v), true;
  });
  return store().sorted_set(out);
}

Value Evaluator::map(const Node& n, Frame& f) {
  std::vector<Value> out;
  each_binding(n, f, [&] {
    if (out.size() == kBuiltMax) too_many(kBuiltMax);
    return out.push_back(normal(eval(n.kid(0), f))), true;
  });
  return store().set(out);
}

// UNION {[S -> Nat], T} and UNION {[1..n -> S] : n \in T}: what is only described stays so.
Value Evaluator::union_of(const Node& n, Frame& f) {
  if (n.op == Op::global && !caches_[n.slot].is_set() &&
      (n.kid(0).op == Op::set || n.kid(0).op == Op::map)) {
    FrameGuard alone(*this, f.layout, f.up);
    return union_of(n.kid(0), alone.frame);
  }
  std::vector<Value> sets;
  if (n.op == Op::set)
    for (std::uint32_t i = 0; i < n.count; ++i) sets.push_back(eval(n.kid(i), f));
  else if (n.op == Op::map)
    each_binding(n, f, [&] { return sets.push_back(eval(n.kid(0), f)), true; });
  else return big_union(eval(n, f));
  Value out = store().empty_set();
  bool described = false;
  for (const Value s : sets) {
    need_set(s);
    described = described || is_large(*s.node());
  }
  if (described) {
    for (const Value s : sets) out = cup(out, s);
    return out;
  }
  for (Value& s : sets) s = normal(s);
  return big_union(store().set(sets));
}

Value Evaluator::function(const Node& n, Frame& f) {
  const std::vector<Group>& groups = n.extra->groups;
  std::vector<Value> sets;
  for (const Group& g : groups) {
    const Value s = eval(*g.set, f);
    need_set(s);
    for (std::size_t i = 0; i < (g.tuple ? 1 : g.slots.size()); ++i) sets.push_back(s);
  }
  const Value keys = sets.size() == 1 ? sets[0] : product(sets);
  if (n.extra->recursive || !is_finite(keys)) return make_rule(n, f, Kind::lambda, keys);
  const Value built = normal(keys);
  std::vector<Value> values;
  values.reserve(built.node()->size);
  const bool single = sets.size() == 1 && !groups[0].tuple;
  for (const Value k : built.node()->words()) {
    if (single) f.slots[groups[0].slots[0]] = k;
    else bind_key(n, k, f);
    values.push_back(normal(eval(n.kid(0), f)));
  }
  return store().function(built, values);
}

// The variables of a function of several, from the tuple that it is applied to.
void Evaluator::bind_key(const Node& n, Value key, Frame& f) {
  const std::vector<Group>& groups = n.extra->groups;
  if (groups.size() == 1 && groups[0].tuple) return bind_tuple(groups[0], key, f);
  if (groups.size() == 1 && groups[0].slots.size() == 1) {
    f.slots[groups[0].slots[0]] = key;
    return;
  }
  std::size_t i = 0;
  for (const Group& g : groups) {
    if (g.tuple) {
      bind_tuple(g, (*key.node())[i++], f);
      continue;
    }
    for (const std::uint32_t slot : g.slots) f.slots[slot] = (*key.node())[i++];
  }
}

// --- Rules ---------------------------------------------------------------------------------------

Value Evaluator::make_rule(const Node& n, Frame& f, Kind kind, Value domain) {
  auto rule = std::make_unique<Closure>();
  rule->head = ValueNode{0, 0, kind, {}};
  rule->node = &n;
  rule->domain = domain;
  for (Frame* at = &f; at != nullptr; at = at->up) {
    std::vector<Value>& copy = rule->slots.emplace_back(at->slots, at->slots + at->layout->size);
    // An argument that could not be computed refers to a caller that will be gone.
    for (Value& v : copy)
      if (v.tag() == Tag::special) v = Value();
    rule->frames.push_back({nullptr, nullptr, at->layout});
  }
  for (std::size_t i = 0; i < rule->frames.size(); ++i) {
    rule->frames[i].slots = rule->slots[i].data();
    rule->frames[i].up = i + 1 < rule->frames.size() ? &rule->frames[i + 1] : nullptr;
  }
  const Value v = Value::node(&rule->head);
  (keeping_ > 0 ? kept_rules_ : rules_).push_back(std::move(rule));
  return v;
}

// Of such a function no table can be made.
bool Evaluator::is_endless(Value v) {
  return is_kind(v, Kind::lambda) && !is_finite(rule_domain(*v.node()));
}

Value Evaluator::endless_with(Value function, Value x, Value v) {
  const auto& old = reinterpret_cast<const Closure&>(*function.node());
  auto rule = std::make_unique<Closure>();
  rule->head = old.head;
  rule->node = old.node;
  rule->domain = old.domain;
  rule->base = function.node();
  rule->memo.emplace(x.bits(), v);
  const Value made = Value::node(&rule->head);
  (keeping_ > 0 ? kept_rules_ : rules_).push_back(std::move(rule));
  return made;
}

Value Evaluator::rule_domain(const ValueNode& lambda) {
  return reinterpret_cast<const Closure&>(lambda).domain;
}

Value Evaluator::rule_base(const ValueNode& filter) {
  return reinterpret_cast<const Closure&>(filter).domain;
}

Value Evaluator::call(const ValueNode& lambda, Value x) {
  auto& rule = const_cast<Closure&>(reinterpret_cast<const Closure&>(lambda));
  if (const auto found = rule.memo.find(x.bits()); found != rule.memo.end()) return found->second;
  check_stack(rule.node->where);
  if (!contains(rule.domain, x))
    throw Failure({}, fmt::format("{} is outside the domain of the function", show(x)));
  if (rule.base != nullptr) return call(*rule.base, x);
  FrameGuard frame(*this, rule.frames[0]);
  if (rule.node->extra->recursive) frame.frame.slots[rule.node->extra->self] = Value::node(&lambda);
  bind_key(*rule.node, x, frame.frame);
  const Value v = eval(rule.node->kid(0), frame.frame);
  rule.memo.emplace(x.bits(), v);
  return v;
}

bool Evaluator::rule_holds(const ValueNode& filter, Value v) {
  auto& rule = const_cast<Closure&>(reinterpret_cast<const Closure&>(filter));
  FrameGuard frame(*this, rule.frames[0]);
  bind_key(*rule.node, v, frame.frame);
  return test(rule.node->kid(0), frame.frame);
}

}  // namespace schism::tla
