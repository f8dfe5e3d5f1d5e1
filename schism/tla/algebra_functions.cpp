// Set operators that build, and functions: application, change, merging.
#include <fmt/format.h>

#include <algorithm>

#include "schism/tla/algebra.hpp"

namespace schism::tla {

// --- Sets ----------------------------------------------------------------------------------------

Value Algebra::cup(Value a, Value b) {
  need_set(a);
  need_set(b);
  if (a == b) return a;
  const auto small = [](Value v) {
    return v.node()->kind == Kind::set || v.node()->kind == Kind::interval;
  };
  if (!small(a) || !small(b)) {
    if (is_kind(a, Kind::set) && a.node()->size == 0) return b;
    if (is_kind(b, Kind::set) && b.node()->size == 0) return a;
    const Value w[] = {a, b};
    if (is_kind(a, Kind::filter)) return cup(normal(a), b);
    if (is_kind(b, Kind::filter)) return cup(a, normal(b));
    return store_.description(Kind::cup, w);
  }
  const ValueNode &x = *normal(a).node(), &y = *normal(b).node();
  if (x.size == 0) return Value::node(&y);
  if (y.size == 0) return Value::node(&x);
  std::vector<Value> out;
  out.reserve(x.size + y.size);
  std::uint32_t i = 0, j = 0;
  while (i < x.size && j < y.size) {
    const int c = store_.compare(x[i], y[j]);
    out.push_back(c <= 0 ? x[i] : y[j]);
    i += c <= 0;
    j += c >= 0;
  }
  for (; i < x.size; ++i) out.push_back(x[i]);
  for (; j < y.size; ++j) out.push_back(y[j]);
  return store_.sorted_set(out);
}

Value Algebra::cap(Value a, Value b) {
  need_set(a);
  need_set(b);
  if (!is_finite(a) && !is_finite(b)) {
    const Value w[] = {a, b};
    return store_.description(Kind::cap, w);
  }
  if (!is_finite(a) || (!is_kind(a, Kind::set) && is_kind(b, Kind::set))) std::swap(a, b);
  std::vector<Value> out;
  each(a, [&](Value v) {
    if (contains(b, v)) out.push_back(v);
    return true;
  });
  return store_.set(out);
}

Value Algebra::minus(Value a, Value b) {
  need_set(a);
  need_set(b);
  if (!is_kind(a, Kind::set) && !is_kind(a, Kind::interval) && !is_kind(a, Kind::filter)) {
    const Value w[] = {a, is_kind(b, Kind::filter) ? normal(b) : b};
    return store_.description(Kind::minus, w);
  }
  if (is_kind(a, Kind::filter)) a = normal(a);
  std::vector<Value> out;
  each(a, [&](Value v) {
    if (!contains(b, v)) out.push_back(v);
    return true;
  });
  return store_.sorted_set(out);
}

Value Algebra::big_union(Value sets) {
  need_set(sets);
  // UNION SUBSET S is S; of anything else that is only described membership is enough.
  if (is_kind(sets, Kind::subset)) return (*sets.node())[0];
  std::vector<Value> all;
  bool finite = is_finite(sets);
  if (finite && is_kind(sets, Kind::set))
    for (const Value s : sets.node()->words()) finite = finite && is_finite(s);
  if (!finite) {
    const Value w[] = {sets};
    return store_.description(Kind::big_union, w);
  }
  each(sets,
       [&](Value s) { return each(s, [&](Value v) { return all.push_back(normal(v)), true; }); });
  return store_.set(all);
}

Value Algebra::powerset(Value s) {
  need_set(s);
  const Value w[] = {is_kind(s, Kind::filter) || is_kind(s, Kind::interval) ? normal(s) : s};
  return store_.description(Kind::subset, w);
}

// A description must not hold a rule: it would outlive what the rule refers to.
Value Algebra::function_set(Value domain, Value range) {
  need_set(domain);
  need_set(range);
  const Value w[] = {is_finite(domain) ? normal(domain) : domain,
                     is_kind(range, Kind::filter) ? normal(range) : range};
  return store_.description(Kind::function_set, w);
}

Value Algebra::product(std::span<const Value> sets) {
  std::vector<Value> w;
  for (const Value s : sets) {
    need_set(s);
    w.push_back(is_kind(s, Kind::filter) ? normal(s) : s);
  }
  return store_.description(Kind::product, w);
}

// --- Functions -----------------------------------------------------------------------------------

Value Algebra::domain(Value f) {
  if (!is_function_value(f))
    throw Failure({}, fmt::format("DOMAIN needs a function, not {}", show(f)));
  const ValueNode& n = *f.node();
  if (n.kind == Kind::tuple) return store_.interval(1, n.size);
  return n.kind == Kind::function ? n[0] : rule_domain(n);
}

Value Algebra::apply(Value f, Value x) {
  if (!is_function_value(f)) {
    throw Failure({}, fmt::format("expected a function to apply to {}, not {}", show(x), show(f)));
  }
  const ValueNode& n = *f.node();
  if (n.kind == Kind::tuple) {
    if (x.is_integer() && x.as_integer() >= 1 && x.as_integer() <= n.size)
      return n[static_cast<std::size_t>(x.as_integer() - 1)];
  } else if (n.kind == Kind::function) {
    const std::int64_t at = store_.find(*n[0].node(), normal(x));
    if (at >= 0) return n[static_cast<std::size_t>(at) + 1];
  } else {
    return call(n, normal(x));
  }
  throw Failure({}, fmt::format("{} is outside the domain of {}", show(x), show(f)));
}

Value Algebra::updated(Value f, Value x, Value v) {
  f = normal(f);
  v = normal(v);
  if (!is_function_value(f))
    throw Failure({}, fmt::format("EXCEPT needs a function, not {}", show(f)));
  const ValueNode& n = *f.node();
  std::size_t at = 0;
  if (n.kind == Kind::tuple) {
    if (!x.is_integer() || x.as_integer() < 1 || x.as_integer() > n.size) return f;
    at = static_cast<std::size_t>(x.as_integer() - 1);
  } else {
    const std::int64_t found = store_.find(*n[0].node(), normal(x));
    if (found < 0) return f;
    at = static_cast<std::size_t>(found) + 1;
  }
  if (n[at] == v) return f;
  Value small[24];
  std::vector<Value> large;
  Value* words = small;
  const std::size_t count = n.words_count();
  if (count > 24) {
    large.resize(count);
    words = large.data();
  }
  std::copy(n.begin(), n.begin() + count, words);
  words[at] = v;
  if (n.kind == Kind::tuple) return store_.tuple({words, count});
  return store_.function(n[0], {words + 1, count - 1});
}

Value Algebra::left_merge(Value f, Value g) {
  f = normal(f), g = normal(g);
  if (!is_function_value(f) || !is_function_value(g))
    throw Failure({}, fmt::format("@@ needs functions, not {} and {}", show(f), show(g)));
  const Value df = normal(domain(f)), dg = normal(domain(g));
  const Value keys = cup(df, dg);
  std::vector<Value> values;
  values.reserve(keys.node()->size);
  for (const Value k : keys.node()->words())
    values.push_back(store_.find(*df.node(), k) >= 0 ? apply(f, k) : apply(g, k));
  return store_.function(keys, values);
}

}  // namespace schism::tla
