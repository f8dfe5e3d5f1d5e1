// Sets and functions as TLA+ uses them, whether they are built or only described. Membership never
// builds a set; elements come one by one, in the order of values, so that the first that satisfies
// a predicate is the same wherever the set was written.
#pragma once

#include <memory>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "schism/tla/store.hpp"

namespace schism::tla {

// Elements that a set may be built of (TLC's -maxSetSize), and that are gone through one by one.
inline constexpr std::uint64_t kBuiltMax = 1'000'000, kVisitedMax = 20'000'000;
[[noreturn]] void too_many(std::uint64_t most);

class Algebra {
 public:
  explicit Algebra(Store& store) : store_(store) {}
  virtual ~Algebra() = default;

  Store& store() { return store_; }
  const Symbols& symbols() const { return store_.symbols(); }

  // The one form of a value: descriptions of finite sets and functions become the things.
  Value normal(Value v) { return is_description(v) ? build(v) : v; }
  bool equal(Value a, Value b);
  bool contains(Value set, Value v);
  bool is_finite(Value set);
  bool is_empty(Value set);
  std::uint64_t cardinality(Value set);
  void need_few(Value set);  // a Failure, if to go through all of them would never end
  // In order, until the visitor says false; returns whether it never did.
  using Visitor = absl::FunctionRef<bool(Value)>;
  bool each(Value set, Visitor visit);

  Value cup(Value a, Value b);
  Value cap(Value a, Value b);
  Value minus(Value a, Value b);
  Value big_union(Value sets);
  bool subset(Value a, Value b);
  Value powerset(Value s);
  Value function_set(Value domain, Value range);
  Value product(std::span<const Value> sets);

  Value domain(Value f);
  Value apply(Value f, Value x);
  // f with f[x] = v, and f itself where x is outside its domain.
  Value updated(Value f, Value x, Value v);
  Value left_merge(Value f, Value g);  // f @@ g
  std::span<const Value> items(Value tuple,
                               const char* what);  // of a sequence; a Failure otherwise
  const ValueNode& set_node(Value v);              // normal, and a set; a Failure otherwise
  void need_set(Value v);
  std::string show(Value v) const;  // for sentences

 protected:
  void forget_built() { built_.clear(); }
  Value part(Value set);
  // A description that holds a rule must not outlive it: it is nobody else's, and goes with the
  // rules.
  Value described(Kind kind, std::span<const Value> words);
  void forget_loose() { loose_.clear(); }
  void forget_kept_loose() { kept_loose_.clear(); }
  int keeping_ = 0;  // inside something that is computed once for all

  // Rules: a lambda applied, a filter's base and predicate.
  virtual Value call(const ValueNode& lambda, Value x) = 0;
  virtual Value rule_domain(const ValueNode& lambda) = 0;
  virtual Value rule_base(const ValueNode& filter) = 0;
  virtual bool rule_holds(const ValueNode& filter, Value v) = 0;

 private:
  bool is_some_function(Value set);
  Value build(Value v);
  Value build_lambda(const ValueNode& lambda);
  bool contains_described(const ValueNode& set, Value v);
  bool each_described(const ValueNode& set, Visitor visit);
  bool each_subset(Value base, Visitor visit);
  bool each_function(Value domain, Value range, Visitor visit);
  // All combinations, the last position fastest.
  bool each_choice(std::span<const Value> sets, absl::FunctionRef<bool(std::span<const Value>)> f);

  Store& store_;
  absl::flat_hash_map<const ValueNode*, Value> built_;
  std::vector<std::unique_ptr<std::uint64_t[]>> loose_, kept_loose_;
};

}  // namespace schism::tla
