// The order of values, which is TLC's: numbers ascending, strings and model values by their first
// occurrence, sets and functions by size and then by elements. Comparing a number with a string has
// no answer in TLA+, and none here.
#include <fmt/format.h>

#include "schism/tla/print.hpp"
#include "schism/tla/store.hpp"

namespace schism::tla {
namespace {

// "p_one" is a model value of type p, comparable only with others of that type.
char type_of_model(const std::string& name) {
  return name.size() > 2 && name[1] == '_' &&
                 ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'))
             ? name[0]
             : '\0';
}

}  // namespace

void Store::incomparable(Value a, Value b) const {
  throw Failure(
      {}, fmt::format("cannot compare {} with {}", describe(a, symbols_), describe(b, symbols_)));
}

int Store::compare(Value a, Value b) const {
  if (a == b) return 0;
  if (a.is_integer() && b.is_integer()) return a.as_integer() < b.as_integer() ? -1 : 1;
  if (a.is_model() || b.is_model()) {
    const char ta = a.is_model() ? type_of_model(symbols_.text(a.symbol())) : '\0';
    const char tb = b.is_model() ? type_of_model(symbols_.text(b.symbol())) : '\0';
    if (a.is_model() && b.is_model()) {
      if (ta != tb && ta != '\0' && tb != '\0') incomparable(a, b);
      return symbols_.compare(a.symbol(), b.symbol());
    }
    if (ta != '\0' || tb != '\0') incomparable(a, b);
    return a.is_model() ? -1 : 1;
  }
  if (a.tag() != b.tag()) incomparable(a, b);
  if (a.is_string()) return symbols_.compare(a.symbol(), b.symbol());
  if (a.is_boolean()) return a.as_boolean() ? 1 : -1;
  return compare_nodes(*a.node(), *b.node());
}

int Store::compare_nodes(const ValueNode& a, const ValueNode& b) const {
  const auto is_function = [](const ValueNode& n) {
    return n.kind == Kind::tuple || n.kind == Kind::function;
  };
  if (is_function(a) && is_function(b)) return compare_functions(a, b);
  if (a.kind != Kind::set || b.kind != Kind::set) incomparable(Value::node(&a), Value::node(&b));
  if (a.size != b.size) return a.size < b.size ? -1 : 1;
  for (std::uint32_t i = 0; i < a.size; ++i)
    if (const int c = compare(a[i], b[i]); c != 0) return c;
  return 0;
}

int Store::compare_functions(const ValueNode& a, const ValueNode& b) const {
  if (a.size != b.size) {
    const bool records = a.size > 0 && b.size > 0 && a.kind != b.kind &&
                         ((a.kind == Kind::function && (*a[0].node())[0].is_string()) ||
                          (b.kind == Kind::function && (*b[0].node())[0].is_string()));
    if (records) incomparable(Value::node(&a), Value::node(&b));
    return a.size < b.size ? -1 : 1;
  }
  const auto key = [](const ValueNode& f, std::uint32_t i) {
    return f.kind == Kind::tuple ? Value::integer(i + 1) : (*f[0].node())[i];
  };
  const auto value = [](const ValueNode& f, std::uint32_t i) {
    return f.kind == Kind::tuple ? f[i] : f[i + 1];
  };
  const bool same_keys =
      (a.kind == Kind::tuple && b.kind == Kind::tuple) || (a.kind == b.kind && a[0] == b[0]);
  for (std::uint32_t i = 0; i < a.size; ++i) {
    if (!same_keys)
      if (const int c = compare(key(a, i), key(b, i)); c != 0) return c;
    if (const int c = compare(value(a, i), value(b, i)); c != 0) return c;
  }
  return 0;
}

std::int64_t Store::find(const ValueNode& set, Value key) const {
  const Value* begin = set.begin();
  if (set.size <= 8) {
    for (std::uint32_t i = 0; i < set.size; ++i)
      if (begin[i] == key) return i;
    if (set.size > 0) static_cast<void>(compare(key, begin[0]));  // they must be comparable
    return -1;
  }
  std::uint32_t low = 0, high = set.size;
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    const int c = compare(begin[middle], key);
    if (c == 0) return middle;
    if (c < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

}  // namespace schism::tla
