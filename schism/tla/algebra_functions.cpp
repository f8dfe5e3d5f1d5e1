// Set operators that build, and functions: application, change, merging.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "schism/tla/algebra.hpp"

namespace schism::tla {

// --- Sets ----------------------------------------------------------------------------------------

// A set as a part of a description: a rule only where nothing else will do.
Value Algebra::part(Value set) {
  need_set(set);
  return is_loose(set) && is_finite(set) ? normal(set) : set;
}

Value Algebra::described(Kind kind, std::span<const Value> words) {
  if (std::none_of(words.begin(), words.end(), is_loose)) return store_.description(kind, words);
  auto& to = keeping_ > 0 ? kept_loose_ : loose_;
  const std::size_t head = sizeof(ValueNode) / sizeof(std::uint64_t);
  auto& memory = to.emplace_back(std::make_unique<std::uint64_t[]>(head + words.size()));
  const ValueNode node{0, static_cast<std::uint32_t>(words.size()), kind, {1}};
  std::memcpy(memory.get(), &node, sizeof node);
  std::memcpy(memory.get() + head, words.data(), words.size_bytes());
  return Value::node(reinterpret_cast<const ValueNode*>(memory.get()));
}

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
    const Value w[] = {part(a), part(b)};
    if (w[0] != a || w[1] != b) return cup(w[0], w[1]);
    return described(Kind::cup, w);
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
    return described(Kind::cap, w);
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
  a = part(a);
  if (!is_kind(a, Kind::set) && !is_kind(a, Kind::interval)) {
    const Value w[] = {a, part(b)};
    return described(Kind::minus, w);
  }
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
    return described(Kind::big_union, w);
  }
  each(sets,
       [&](Value s) { return each(s, [&](Value v) { return all.push_back(normal(v)), true; }); });
  return store_.set(all);
}

Value Algebra::powerset(Value s) {
  need_set(s);
  const Value w[] = {is_kind(s, Kind::interval) ? normal(s) : part(s)};
  return described(Kind::subset, w);
}

Value Algebra::function_set(Value domain, Value range) {
  need_set(domain);
  need_set(range);
  const Value w[] = {is_finite(domain) ? normal(domain) : domain, part(range)};
  return described(Kind::function_set, w);
}

Value Algebra::product(std::span<const Value> sets) {
  std::vector<Value> w;
  for (const Value s : sets) w.push_back(part(s));
  return described(Kind::product, w);
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
