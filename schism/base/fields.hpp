// Fields declared once. A message, an announcement or a node's observable state names its members
// (or any expression over them); hashing, equality, printing, JSON, conditions and mutation follow.
//
//   struct Proposal { int value, round; FIELDS(value, round) };
//   struct Server { ... FIELDS(term, role, log.size()) };
//
// type_info<T>() (type_info.hpp) is the erased form that the world and the tools work with.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/base/hash.hpp"
#include "schism/base/renaming.hpp"
#include "schism/base/value.hpp"

// The marker is not a template: asking whether a type has fields must not instantiate their visit.
#define SCHISM_FIELDS(...)                                                        \
  static constexpr std::string_view schism_field_names() { return #__VA_ARGS__; } \
  template <class Visit>                                                          \
  constexpr decltype(auto) schism_visit_fields(Visit&& visit) const {             \
    return visit(__VA_ARGS__);                                                    \
  }                                                                               \
  template <class Visit>                                                          \
  constexpr decltype(auto) schism_visit_fields(Visit&& visit) {                   \
    return visit(__VA_ARGS__);                                                    \
  }

// A node's members that decide nothing: counters for a reader, caches of what its fields say. All
// others are fields, because equal fields must promise equal futures; who forgets one finds out
// when compiling, or from `schism doctor`.
#define SCHISM_NOT_STATE(...)                                                      \
  static constexpr std::string_view schism_hidden_names() { return #__VA_ARGS__; } \
  template <class Visit>                                                           \
  constexpr void schism_visit_hidden(Visit&& visit) const {                        \
    visit(__VA_ARGS__);                                                            \
  }

#ifndef SCHISM_NO_SHORT_MACROS
#define FIELDS(...) SCHISM_FIELDS(__VA_ARGS__)
#define NOT_STATE(...) SCHISM_NOT_STATE(__VA_ARGS__)
#endif

namespace schism {

template <class T>
concept HasFields = requires {
  { T::schism_field_names() } -> std::same_as<std::string_view>;
};

namespace detail {

template <class T>
concept Range = requires(const T& t) {
  t.begin(), t.end(), t.size();
};
template <class T>
concept MapLike = Range<T> && requires {
  typename T::mapped_type;
};
template <class T>
concept Pushable = Range<T> && requires(T& t, typename T::value_type v) {
  t.push_back(v);
};
template <class T>
concept Insertable = Range<T> && requires(T& t, typename T::value_type v) {
  t.insert(v);
};
template <class T>
concept Unordered = Range<T> && requires {  // in an order of its own, which means nothing
  typename T::hasher;
};
template <class T>
concept Digested = requires(const T& t) {
  { t.digest() } -> std::same_as<Hash128>;
};
template <class T>
concept Number = requires {  // a type of its own that looks like its number
  T::schism_is_number;
};
template <class T>
concept Sealed = requires {  // an item with a signature: node/signed.hpp
  T::schism_is_sealed;
};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsTuple : std::false_type {};
template <class... T>
struct IsTuple<std::tuple<T...>> : std::true_type {};
template <class A, class B>
struct IsTuple<std::pair<A, B>> : std::true_type {};
template <class T>
concept Text = std::is_convertible_v<const T&, std::string_view>;

// Converts to anything: how many of them initialise an aggregate is its number of members.
struct AnyMember {
  template <class T>
  operator T() const {  // never called: it has a body because some compilers insist
    __builtin_unreachable();
  }
};
template <class T, std::size_t... I>
constexpr bool takes_members(std::index_sequence<I...>) {
  return requires { T{((void)I, AnyMember{})...}; };
}
template <class T, std::size_t N = 0>
constexpr std::size_t member_count() {
  if constexpr (N > 63 || !takes_members<T>(std::make_index_sequence<N + 1>{})) return N;
  else return member_count<T, N + 1>();
}

// Converts to what T inherits from, and to nothing else: bases come first among its members.
template <class T>
struct AnyBase {
  template <class U>
  requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T>) operator U() const {
    __builtin_unreachable();
  }
};
template <class T, std::size_t... I>
constexpr bool takes_bases(std::index_sequence<I...>) {
  return requires { T{((void)I, AnyBase<T>{})...}; };
}
template <class T, std::size_t N = 0>
constexpr std::size_t base_count() {
  if constexpr (!takes_bases<T>(std::make_index_sequence<N + 1>{})) return N;
  else return base_count<T, N + 1>();
}

}  // namespace detail

// ---- hashing: the content, 128 bits, lengths included --------------------------------------

template <class T>
Hash128 absorb_field(Hash128 h, const T& v) {
  if constexpr (detail::Digested<T>) {
    return absorb(h, v.digest());
  } else if constexpr (detail::Number<T>) {
    return absorb(h, static_cast<std::uint64_t>(std::int64_t{v}));
  } else if constexpr (HasFields<T>) {
    return v.schism_visit_fields([&](const auto&... f) {
      ((h = absorb_field(h, f)), ...);
      return h;
    });
  } else if constexpr (std::is_floating_point_v<T>) {
    const double d = v == 0 ? 0.0 : static_cast<double>(v);  // one zero
    std::uint64_t bits = 0;
    std::memcpy(&bits, &d, sizeof bits);
    return absorb(h, bits);
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return absorb(h, static_cast<std::uint64_t>(v));
  } else if constexpr (detail::Text<T>) {
    return absorb_text(h, v);
  } else if constexpr (detail::IsOptional<T>::value) {
    return v ? absorb_field(absorb(h, 1), *v) : absorb(h, 0);
  } else if constexpr (detail::IsTuple<T>::value) {
    std::apply([&](const auto&... f) { ((h = absorb_field(h, f)), ...); }, v);
    return h;
  } else if constexpr (detail::Unordered<T>) {  // equal sets are equal, however they came about
    Hash128 sum;
    for (const auto& item : v) sum += absorb_field(scatter(0x756e6f7264ULL), item);
    return absorb(absorb(h, v.size()), sum);
  } else {
    static_assert(detail::Range<T>, "this type cannot be a field: give it FIELDS(...)");
    h = absorb(h, v.size());
    for (auto&& item : v)  // a copy for vector<bool>'s proxies
      h = absorb_field(h, static_cast<const typename T::value_type&>(item));
    return h;
  }
}

// The same with nodes called otherwise. What is kept in the order of a key loses it, because the
// key may be a node; so this hash is not the one above, even where every node keeps its name.
template <class T>
Hash128 absorb_renamed(Hash128 h, const T& v, const Renaming& r) {
  if constexpr (detail::Renamable<T>) {
    return v.renamed(h, r);
  } else if constexpr (detail::Digested<T> || detail::Text<T>) {
    return absorb_field(h, v);
  } else if constexpr (HasFields<T>) {
    return v.schism_visit_fields([&](const auto&... f) {
      ((h = absorb_renamed(h, f, r)), ...);
      return h;
    });
  } else if constexpr (detail::IsOptional<T>::value) {
    return v ? absorb_renamed(absorb(h, 1), *v, r) : absorb(h, 0);
  } else if constexpr (detail::IsTuple<T>::value) {
    std::apply([&](const auto&... f) { ((h = absorb_renamed(h, f, r)), ...); }, v);
    return h;
  } else if constexpr (detail::Insertable<T> && !detail::Pushable<T>) {
    Hash128 sum;
    for (const auto& item : v) sum += absorb_renamed(Hash128{}, item, r);
    return absorb(absorb(h, v.size()), sum);
  } else if constexpr (detail::Range<T>) {
    h = absorb(h, v.size());
    for (auto&& item : v)
      h = absorb_renamed(h, static_cast<const typename T::value_type&>(item), r);
    return h;
  } else {
    return absorb_field(h, v);
  }
}

// ---- to and from values ------------------------------------------------------------------

template <class T>
Value to_value(const T& v) {
  if constexpr (detail::Number<T>) {
    return std::int64_t{v};
  } else if constexpr (HasFields<T>) {
    Value::Object out;
    v.schism_visit_fields([&](const auto&... f) {
      std::size_t i = 0;
      (out.emplace_back(std::string(nth_word(T::schism_field_names(), i++)), to_value(f)), ...);
    });
    return out;
  } else if constexpr (std::is_same_v<T, bool>) {
    return v;
  } else if constexpr (NamedEnum<T>) {
    return enum_name(v);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(v);
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return static_cast<std::int64_t>(v);
  } else if constexpr (detail::Text<T>) {
    return std::string_view(v);
  } else if constexpr (detail::IsOptional<T>::value) {
    return v ? to_value(*v) : Value();
  } else if constexpr (detail::IsTuple<T>::value) {
    Value::Array out;
    std::apply([&](const auto&... f) { (out.push_back(to_value(f)), ...); }, v);
    return out;
  } else {
    Value::Array out;
    for (auto&& item : v) out.push_back(to_value(static_cast<const typename T::value_type&>(item)));
    if constexpr (detail::Unordered<T>) sort_by_text(out);
    return out;
  }
}

// False, and `v` in an unspecified state, when the value has another shape or is out of range.
template <class T>
bool from_value(const Value& value, T& v) {
  if constexpr (detail::Number<T>) {
    return from_value(value, v.schism_number());
  } else if constexpr (HasFields<T>) {
    if (!value.as_object()) return false;
    return v.schism_visit_fields([&](auto&&... f) {
      std::size_t i = 0;
      bool good = true;
      [[maybe_unused]] const auto read = [&](auto& field) {
        const Value* part = value.find(nth_word(T::schism_field_names(), i++));
        good = good && part && from_value(*part, field);
      };
      (read(f), ...);
      return good;
    });
  } else if constexpr (std::is_same_v<T, bool>) {
    if (const bool* b = value.as_bool()) return v = *b, true;
    return false;
  } else if constexpr (NamedEnum<T>) {
    const auto* text = value.as_text();
    const auto e = text ? enum_value<T>(*text) : std::nullopt;
    if (e) v = *e;
    return e.has_value();
  } else if constexpr (std::is_floating_point_v<T>) {
    const auto d = value.as_number();
    if (d) v = static_cast<T>(*d);
    return d.has_value();
  } else if constexpr (std::is_enum_v<T>) {
    auto number = static_cast<std::underlying_type_t<T>>(v);
    const bool good = from_value(value, number);
    v = static_cast<T>(number);
    return good;
  } else if constexpr (std::is_integral_v<T>) {
    const auto* i = value.as_int();
    if (!i) return false;
    v = static_cast<T>(*i);
    // The upper half of the large natural numbers is shown as negative ones.
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(*i)) return true;
    return static_cast<std::int64_t>(v) == *i && (*i < 0) == (v < T{});
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (const auto* text = value.as_text()) return v = *text, true;
    return false;
  } else if constexpr (detail::IsOptional<T>::value) {
    if (value.is_null()) return v.reset(), true;
    return from_value(value, v.emplace());
  } else if constexpr (detail::IsTuple<T>::value) {
    const auto* items = value.as_array();
    if (!items || items->size() != std::tuple_size_v<T>) return false;
    std::size_t i = 0;
    bool good = true;
    std::apply([&](auto&... f) { ((good = good && from_value((*items)[i++], f)), ...); }, v);
    return good;
  } else if constexpr (detail::MapLike<T> || detail::Insertable<T> || detail::Pushable<T>) {
    const auto* items = value.as_array();
    if (!items) return false;
    v.clear();
    for (const Value& item : *items) {
      if constexpr (detail::MapLike<T>) {
        std::pair<typename T::key_type, typename T::mapped_type> entry{};
        if (!from_value(item, entry)) return false;
        v.insert(std::move(entry));
      } else {
        typename T::value_type entry{};
        if (!from_value(item, entry)) return false;
        if constexpr (detail::Pushable<T>) v.push_back(std::move(entry));
        else v.insert(std::move(entry));
      }
    }
    return true;
  } else if constexpr (detail::Range<T>) {  // std::array
    const auto* items = value.as_array();
    if (!items || items->size() != v.size()) return false;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (!from_value((*items)[i], v[i])) return false;
    return true;
  } else {
    return false;  // an expression in FIELDS(...): it cannot be assigned
  }
}

}  // namespace schism

#include "schism/base/type_info.hpp"  // IWYU pragma: export
