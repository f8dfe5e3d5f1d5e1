#include "schism/schema/where.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "schism/schema/shape.hpp"

namespace schism {
namespace {

// Whole numbers against fractions without rounding: 2^53 + 1 is not 2^53.
std::partial_ordering order(I128 whole, double number) {
  if (std::isnan(number)) return std::partial_ordering::unordered;
  constexpr double most = 0x1p100;  // beyond every field
  if (number >= most) return std::partial_ordering::less;
  if (number <= -most) return std::partial_ordering::greater;
  const double below = std::floor(number);
  const auto floor = static_cast<I128>(below);
  if (whole != floor)
    return whole < floor ? std::partial_ordering::less : std::partial_ordering::greater;
  return number > below ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

std::partial_ordering order_numbers(const FieldType& a, const Value& x, const FieldType& b,
                                    const Value& y) {
  if (x.as_int() && y.as_int()) {
    const I128 l = whole_number(a, *x.as_int()), r = whole_number(b, *y.as_int());
    return l < r   ? std::partial_ordering::less
           : l > r ? std::partial_ordering::greater
                   : std::partial_ordering::equivalent;
  }
  if (!x.as_number() || !y.as_number()) return std::partial_ordering::unordered;
  if (x.as_int()) return order(whole_number(a, *x.as_int()), *y.as_number());
  if (y.as_int()) {
    const auto turned = order(whole_number(b, *y.as_int()), *x.as_number());
    return turned == std::partial_ordering::unordered ? turned : 0 <=> turned;
  }
  return *x.as_number() <=> *y.as_number();
}

// What another process tells of itself may be of another kind: then the field is not there.
bool is_there(FieldKind kind, const Value& value) {
  switch (kind) {
    case FieldKind::boolean: return value.as_bool() != nullptr;
    case FieldKind::integer:
    case FieldKind::node: return value.as_int() != nullptr;
    case FieldKind::number: return value.as_number().has_value();
    case FieldKind::word:
    case FieldKind::text: return value.as_text() != nullptr;
    case FieldKind::record: return value.as_object() != nullptr;
    default: return value.as_array() != nullptr;
  }
}

static_assert(std::endian::native == std::endian::little);
I128 load_bytes(const FieldType& type, const char* at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, type.bytes);
  if (type.natural) return bits;
  const int unused = 64 - 8 * type.bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace

std::optional<I128> Where::load(const Path& path, const void* object) const {
  const std::int32_t offset = path.offset();
  if (offset < 0) return std::nullopt;
  return load_bytes(path.type(), static_cast<const char*>(object) + offset);
}

namespace {

template <class Order>
bool stands(Order order, std::partial_ordering found) {
  switch (order) {
    case Order::equal: return found == 0;
    case Order::unequal: return found != 0;
    case Order::less: return found < 0;
    case Order::at_most: return found <= 0;
    case Order::greater: return found > 0;
    case Order::at_least: return found >= 0;
  }
  return false;
}

const Value& read(const Value& constant, const void*) { return constant; }
const Value& read(const Value& constant, const Value&) { return constant; }
Value read(const Path& path, const void* object) { return path.read(object); }
Value read(const Path& path, const Value& value) { return path.read(value); }

std::partial_ordering order_values(const FieldType& a, const Value& x, const FieldType& b,
                                   const Value& y) {
  if (is_numeric(a.kind)) return order_numbers(a, x, b, y);
  if (x.as_text() && y.as_text()) return x.as_text()->compare(*y.as_text()) <=> 0;
  return x == y ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

}  // namespace

template <class Source>
bool Where::compare(const Term& term, const Source& source) const {
  const Path& path = paths_[term.left];
  if (term.quick)
    if (const auto number = load(path, source))
      return stands(term.order, *number <=> term.constant);
  const Value left = path.read(source);
  return std::visit(
      [&](const auto& other) {
        constexpr bool constant = std::is_same_v<std::decay_t<decltype(other)>, Value>;
        const Value& right = read(other, source);
        const bool there = is_there(path.type().kind, left);
        if constexpr (constant)
          if (right.is_null()) return there != (term.order == Order::equal);
        const FieldType* type = &path.type();
        if constexpr (!constant) type = &other.type();
        if (!there || (!constant && !is_there(type->kind, right))) return false;
        static constexpr FieldType plain;  // a constant is what it says
        return stands(term.order, order_values(path.type(), left, constant ? plain : *type, right));
      },
      term.other);
}

template <class Source>
bool Where::has(const Term& term, const Source& source) const {
  const Path& path = paths_[term.left];
  const Value all = path.read(source);
  const Value::Array* items = all.as_array();
  if (!items) return false;
  const bool map = path.type().kind == FieldKind::map;
  const FieldType& type = map ? *path.type().key : *path.type().item;
  return std::visit(
      [&](const auto& other) {
        const Value& wanted = read(other, source);
        static constexpr FieldType plain;
        const FieldType* wanted_type = &plain;
        if constexpr (!std::is_same_v<std::decay_t<decltype(other)>, Value>)
          wanted_type = &other.type();
        for (const Value& item : *items) {
          const auto* pair = map ? item.as_array() : nullptr;
          if (map && (!pair || pair->empty())) continue;
          const Value& found = map ? (*pair)[0] : item;
          if (is_there(type.kind, found) && order_values(type, found, *wanted_type, wanted) == 0)
            return true;
        }
        return false;
      },
      term.other);
}

template <class Source>
bool Where::holds_at(std::uint32_t number, const Source& source) const {
  const Term& term = terms_[number];
  switch (term.test) {
    case Test::both: return holds_at(term.left, source) && holds_at(term.right, source);
    case Test::either: return holds_at(term.left, source) || holds_at(term.right, source);
    case Test::negation: return !holds_at(term.left, source);
    case Test::has: return has(term, source);
    case Test::compare: return compare(term, source);
  }
  return false;
}

template bool Where::holds_at(std::uint32_t, const Value&) const;
template bool Where::holds_at(std::uint32_t, const void* const&) const;

}  // namespace schism
