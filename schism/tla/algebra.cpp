#include "schism/tla/algebra.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/tla/print.hpp"

namespace schism::tla {
namespace {

Infinite which(const ValueNode& n) { return static_cast<Infinite>(n[0].as_integer()); }

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
}

}  // namespace

std::string Algebra::show(Value v) const { return describe(v, symbols()); }

void Algebra::need_set(Value v) {
  if (!is_set_value(v)) throw Failure({}, fmt::format("expected a set, not {}", show(v)));
}

const ValueNode& Algebra::set_node(Value v) {
  need_set(v);
  return *normal(v).node();
}

std::span<const Value> Algebra::items(Value v, const char* what) {
  v = normal(v);
  if (!is_kind(v, Kind::tuple))
    throw Failure({}, fmt::format("{} needs a sequence, not {}", what, show(v)));
  return v.node()->words();
}

bool Algebra::equal(Value a, Value b) {
  if (a == b) return true;
  if (is_description(a) || is_description(b)) {
    // Whether two infinite sets are equal is not found out by building them.
    const bool sets = is_set_value(a) && is_set_value(b);
    if (sets && is_finite(a) != is_finite(b)) return false;
    a = normal(a), b = normal(b);
  }
  return store_.equal(a, b);
}

// --- Size ----------------------------------------------------------------------------------------

// Known to have no elements, without looking at any.
bool Algebra::is_empty(Value set) {
  need_set(set);
  const ValueNode& n = *set.node();
  switch (n.kind) {
    case Kind::set: return n.size == 0;
    case Kind::function_set: {  // of anything into nothing, where there is anything
      const Kind domain = n[0].node()->kind;
      const bool some =
          (domain == Kind::set && n[0].node()->size > 0) || domain == Kind::subset ||
          domain == Kind::infinite || domain == Kind::sequences || domain == Kind::interval ||
          (domain == Kind::function_set && is_some_function(n[0])) ||
          ((domain == Kind::record_set || domain == Kind::product) && !is_finite(n[0]));
      return some && is_empty(n[1]);
    }
    case Kind::record_set:
    case Kind::product:
      for (std::size_t i = n.kind == Kind::record_set ? 1 : 0; i < n.size; ++i)
        if (is_empty(n[i])) return true;
      return false;
    default: return false;
  }
}

// [S -> T] where T is known to have elements.
bool Algebra::is_some_function(Value set) {
  const Value range = (*set.node())[1];
  const Kind kind = range.node()->kind;
  return kind == Kind::interval || kind == Kind::infinite || kind == Kind::subset ||
         (kind == Kind::set && range.node()->size > 0);
}

bool Algebra::is_finite(Value set) {
  need_set(set);
  const ValueNode& n = *set.node();
  const auto empty = [this](Value s) { return is_kind(s, Kind::set) && s.node()->size == 0; };
  switch (n.kind) {
    case Kind::infinite: return false;
    case Kind::sequences: return empty(n[0]);
    case Kind::subset: return is_finite(n[0]);
    case Kind::function_set:
    case Kind::product:
    case Kind::record_set: {
      if (is_empty(set)) return true;
      if (n.kind == Kind::function_set && is_empty(n[0])) return true;
      const std::size_t from = n.kind == Kind::record_set ? 1 : 0;
      for (std::size_t i = from; i < n.size; ++i)
        if (!is_finite(n[i])) return false;
      return true;
    }
    case Kind::cup: return is_finite(n[0]) && is_finite(n[1]);
    case Kind::cap: return is_finite(n[0]) || is_finite(n[1]);
    case Kind::minus: return is_finite(n[0]);
    case Kind::filter: return is_finite(rule_base(n));
    default: return true;
  }
}

void too_many(std::uint64_t most) {
  throw Failure(
      {}, fmt::format("this set has more than {} elements, and they are needed one by one", most));
}

void Algebra::need_few(Value set) {
  need_set(set);
  switch (set.node()->kind) {
    case Kind::interval:
    case Kind::subset:
    case Kind::function_set:
    case Kind::product:
    case Kind::record_set:
      if (!is_empty(set) && is_finite(set) && cardinality(set) > kVisitedMax) too_many(kVisitedMax);
      break;
    default: break;
  }
}

std::uint64_t Algebra::cardinality(Value set) {
  need_set(set);
  const ValueNode& n = *set.node();
  switch (n.kind) {
    case Kind::set: return n.size;
    case Kind::interval:
      return static_cast<std::uint64_t>(n[1].as_integer() - n[0].as_integer()) + 1;
    case Kind::subset: {
      const std::uint64_t k = cardinality(n[0]);
      return k < 62 ? std::uint64_t{1} << k : UINT64_MAX;
    }
    case Kind::function_set: {
      if (is_empty(set)) return 0;
      if (is_empty(n[0])) return 1;
      const std::uint64_t keys = cardinality(n[0]), values = cardinality(n[1]);
      std::uint64_t out = 1;
      for (std::uint64_t i = 0; i < keys && out != 0 && out != UINT64_MAX; ++i) {
        out = times(out, values);
        if (values <= 1) break;
      }
      return keys > 0 && values == 0 ? 0 : out;
    }
    case Kind::product:
    case Kind::record_set: {
      if (is_empty(set)) return 0;
      std::uint64_t out = 1;
      for (std::size_t i = n.kind == Kind::record_set ? 1 : 0; i < n.size; ++i)
        out = times(out, cardinality(n[i]));
      return out;
    }
    default:
      if (!is_finite(set))
        throw Failure({}, fmt::format("{} is infinite: it has no number of elements", show(set)));
      return normal(set).node()->size;
  }
}

Value Algebra::build(Value v) {
  const ValueNode& n = *v.node();
  if (n.kind == Kind::lambda) return build_lambda(n);
  const bool rule = is_loose(v);
  if (!rule)
    if (const auto found = built_.find(&n); found != built_.end()) return found->second;
  if (!is_finite(v))
    throw Failure({}, fmt::format("the elements of {} are needed, and it is infinite", show(v)));
  std::uint64_t size = 0;
  switch (n.kind) {
    case Kind::interval:
    case Kind::subset:
    case Kind::function_set:
    case Kind::product:
    case Kind::record_set: size = cardinality(v); break;
    default: break;
  }
  if (size > kBuiltMax)
    throw Failure({}, fmt::format("{} has too many elements to be built", show(v)));
  std::vector<Value> elements;
  elements.reserve(size);
  const auto add = [&](Value e) {
    if (elements.size() == kBuiltMax) too_many(kBuiltMax);
    return elements.push_back(e), true;
  };
  if (n.kind == Kind::cup) each(n[0], add), each(n[1], add);
  else each(v, add);
  const Value built = store_.set(elements);
  if (!rule) built_.emplace(&n, built);
  return built;
}

Value Algebra::build_lambda(const ValueNode& lambda) {
  const Value keys = normal(rule_domain(lambda));
  std::vector<Value> values;
  for (const Value k : keys.node()->words()) values.push_back(normal(call(lambda, k)));
  return store_.function(keys, values);
}

// --- Membership ----------------------------------------------------------------------------------

bool Algebra::contains(Value set, Value v) {
  need_set(set);
  const ValueNode& n = *set.node();
  if (n.kind == Kind::set) return store_.find(n, normal(v)) >= 0;
  return contains_described(n, v);
}

bool Algebra::contains_described(const ValueNode& n, Value v) {
  const auto wrong = [&](const char* what) {
    throw Failure({}, fmt::format("whether {} is in {} has no answer: it is no {}", show(v),
                                  show(Value::node(&n)), what));
  };
  switch (n.kind) {
    case Kind::interval:
      if (!v.is_integer()) {
        if (v.is_model()) return false;
        wrong("integer");
      }
      return v.as_integer() >= n[0].as_integer() && v.as_integer() <= n[1].as_integer();
    case Kind::infinite:
      if (which(n) == Infinite::anything) return true;
      if (v.is_model()) return false;
      if (which(n) == Infinite::strings) {
        if (!v.is_string()) wrong("string");
        return true;
      }
      if (!v.is_integer()) wrong("number");
      return which(n) != Infinite::naturals || v.as_integer() >= 0;
    case Kind::subset: {
      if (v.is_model()) return false;
      if (!is_set_value(v)) wrong("set");
      return subset(v, n[0]);
    }
    case Kind::function_set: {
      if (v.is_model()) return false;
      if (!is_function_value(v)) wrong("function");
      if (is_kind(v, Kind::lambda) && !is_finite(rule_domain(*v.node())))
        throw Failure({}, "a function with an infinite domain is tested for membership");
      v = normal(v);
      if (!equal(domain(v), n[0])) return false;
      const std::size_t first = v.node()->kind == Kind::function ? 1 : 0;
      for (const Value x : v.node()->words().subspan(first))
        if (!contains(n[1], x)) return false;
      return true;
    }
    case Kind::record_set: {
      if (v.is_model()) return false;
      if (!is_function_value(v)) wrong("record");
      v = normal(v);
      if (v.node()->kind != Kind::function || !(v.node()->begin()[0] == n[0])) return false;
      for (std::uint32_t i = 1; i < n.size; ++i)
        if (!contains(n[i], (*v.node())[i])) return false;
      return true;
    }
    case Kind::product: {
      if (v.is_model()) return false;
      if (!is_function_value(v)) wrong("tuple");
      v = normal(v);
      if (v.node()->kind != Kind::tuple || v.node()->size != n.size) return false;
      for (std::uint32_t i = 0; i < n.size; ++i)
        if (!contains(n[i], (*v.node())[i])) return false;
      return true;
    }
    case Kind::sequences: {
      if (v.is_model()) return false;
      if (!is_function_value(v)) wrong("sequence");
      v = normal(v);
      if (v.node()->kind != Kind::tuple) return false;
      for (const Value x : v.node()->words())
        if (!contains(n[0], x)) return false;
      return true;
    }
    case Kind::cup: return contains(n[0], v) || contains(n[1], v);
    case Kind::cap: return contains(n[0], v) && contains(n[1], v);
    case Kind::minus: return contains(n[0], v) && !contains(n[1], v);
    case Kind::big_union: {
      bool found = false;
      each(n[0], [&](Value s) { return found = contains(s, v), !found; });
      return found;
    }
    case Kind::filter: return contains(rule_base(n), v) && rule_holds(n, normal(v));
    default: break;
  }
  throw Failure({}, fmt::format("expected a set, not {}", show(Value::node(&n))));
}

bool Algebra::subset(Value a, Value b) {
  need_set(a);
  need_set(b);
  if (a == b) return true;
  const ValueNode& n = *a.node();
  const ValueNode& m = *b.node();
  if (n.kind == Kind::subset && m.kind == Kind::subset) return subset(n[0], m[0]);
  if (n.kind == Kind::infinite && m.kind == Kind::infinite)
    return m[0] == n[0] || which(m) == Infinite::anything ||
           (which(n) == Infinite::naturals && which(m) != Infinite::strings) ||
           (which(n) == Infinite::integers && which(m) == Infinite::reals);
  return each(a, [&](Value x) { return contains(b, x); });
}

// --- Elements ------------------------------------------------------------------------------------

bool Algebra::each(Value set, Visitor visit) {
  need_set(set);
  const ValueNode& n = *set.node();
  if (n.kind != Kind::set) return each_described(n, visit);
  for (std::uint32_t i = 0; i < n.size; ++i)
    if (!visit(n[i])) return false;
  return true;
}

bool Algebra::each_described(const ValueNode& n, Visitor visit) {
  if (is_empty(Value::node(&n))) return true;
  switch (n.kind) {
    case Kind::interval:
      for (std::int64_t i = n[0].as_integer(), end = n[1].as_integer(); i <= end; ++i) {
        if (i - n[0].as_integer() >= static_cast<std::int64_t>(kVisitedMax)) too_many(kVisitedMax);
        if (!visit(Value::integer(i))) return false;
      }
      return true;
    case Kind::subset: return each_subset(n[0], visit);
    case Kind::function_set: return each_function(n[0], n[1], visit);
    case Kind::product:
      return each_choice(n.words(),
                         [&](std::span<const Value> t) { return visit(store_.tuple(t)); });
    case Kind::record_set:
      return each_choice(n.words().subspan(1),
                         [&](std::span<const Value> t) { return visit(store_.function(n[0], t)); });
    case Kind::filter:
      return each(rule_base(n), [&](Value v) { return !rule_holds(n, v) || visit(v); });
    case Kind::minus: return each(n[0], [&](Value v) { return contains(n[1], v) || visit(v); });
    case Kind::cap: {
      const std::size_t from = is_finite(n[0]) ? 0 : 1;
      return each(n[from], [&](Value v) { return !contains(n[1 - from], v) || visit(v); });
    }
    case Kind::sequences:
      if (is_finite(Value::node(&n))) return visit(store_.empty_tuple());
      break;
    case Kind::cup:
      if (is_finite(n[0]) && is_finite(n[1])) return each(normal(Value::node(&n)), visit);
      break;
    case Kind::big_union: {
      std::vector<Value> all;
      each(n[0], [&](Value s) {
        return each(s, [&](Value v) { return all.push_back(normal(v)), true; });
      });
      return each(store_.set(all), visit);
    }
    default: break;
  }
  throw Failure(
      {}, fmt::format("the elements of {} are needed, and it is infinite", show(Value::node(&n))));
}

// By size, and within a size in order: the order of sets.
bool Algebra::each_subset(Value base, Visitor visit) {
  const ValueNode& all = set_node(base);
  const std::size_t n = all.size;
  std::vector<std::size_t> at;
  std::vector<Value> chosen;
  std::uint64_t seen = 0;
  for (std::size_t k = 0; k <= n; ++k) {
    at.resize(k);
    chosen.resize(k);
    for (std::size_t i = 0; i < k; ++i) at[i] = i, chosen[i] = all[i];
    for (;;) {
      if (++seen > kVisitedMax) too_many(kVisitedMax);
      if (!visit(store_.sorted_set(chosen))) return false;
      std::size_t i = k;
      while (i > 0 && at[i - 1] == n - k + i - 1) --i;
      if (i == 0) break;
      ++at[--i];
      chosen[i] = all[at[i]];
      for (++i; i < k; ++i) at[i] = at[i - 1] + 1, chosen[i] = all[at[i]];
    }
  }
  return true;
}

bool Algebra::each_function(Value domain, Value range, Visitor visit) {
  const Value keys = normal(domain);
  const std::vector<Value> sets(keys.node()->size, range);
  return each_choice(sets,
                     [&](std::span<const Value> v) { return visit(store_.function(keys, v)); });
}

bool Algebra::each_choice(std::span<const Value> sets,
                          absl::FunctionRef<bool(std::span<const Value>)> f) {
  std::vector<const ValueNode*> choices;
  for (const Value s : sets) {
    choices.push_back(&set_node(s));
    if (choices.back()->size == 0) return true;
  }
  const std::size_t n = choices.size();
  std::vector<std::uint32_t> at(n, 0);
  std::vector<Value> now(n);
  for (std::size_t i = 0; i < n; ++i) now[i] = (*choices[i])[0];
  for (std::uint64_t seen = 1;; ++seen) {
    if (seen > kVisitedMax) too_many(kVisitedMax);
    if (!f(now)) return false;
    std::size_t i = n;
    while (i > 0 && at[i - 1] + 1 == choices[i - 1]->size) {
      --i;
      at[i] = 0;
      now[i] = (*choices[i])[0];
    }
    if (i == 0) return true;
    --i;
    now[i] = (*choices[i])[++at[i]];
  }
}

}  // namespace schism::tla
