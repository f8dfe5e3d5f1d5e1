// How each kind of field travels, and what its shape is. Included by codec.hpp alone.
#pragma once

#include <bit>

namespace schism::detail {

template <class T>
concept Coded = requires {
  { Coding<T>::shape } -> std::convertible_to<std::string_view>;
};
template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};
template <class T>
concept Empty = std::is_same_v<T, std::monostate> || std::is_same_v<T, std::tuple<>>;
template <class T>
concept FixedArray = Range<T> && !Pushable<T> && !Insertable<T>;
template <class T>
concept Tree = Insertable<T> && requires(const T& t) {  // sorted by a key
  t.key_comp();
};

template <class... F>
constexpr bool all_members(TypeList<F...>) {
  return ((std::is_lvalue_reference_v<F> && !std::is_const_v<std::remove_reference_t<F>>)&&...);
}
template <class T>
constexpr void check_members() {
  static_assert(all_members(FieldTypes<T>{}),
                "what is computed in FIELDS(...) cannot be read back");
  if constexpr (std::is_aggregate_v<T>)
    static_assert(FieldTypes<T>::size >= member_count<T>(),
                  "FIELDS(...) lists fewer names than the type has members");
}

// ---- shapes --------------------------------------------------------------------------------

inline constexpr std::uint64_t kShapeSeed = 0xcbf29ce484222325ULL;

constexpr std::uint64_t fold(std::uint64_t h, std::string_view text) {  // FNV-1a, with its end
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return (h ^ 0x100) * 0x100000001b3ULL;
}
constexpr std::uint64_t fold(std::uint64_t h, std::uint64_t number) {
  for (int i = 0; i < 64; i += 8) h = (h ^ (number >> i & 0xff)) * 0x100000001b3ULL;
  return h;
}

template <class T, class... Above>
constexpr std::uint64_t shape_of(std::uint64_t h);

template <class... Above, class... F>
constexpr std::uint64_t shape_of_each(std::uint64_t h, TypeList<F...>) {
  ((h = shape_of<std::remove_cvref_t<F>, Above...>(h)), ...);
  return h;
}
template <class... Above, class... F>
constexpr std::uint64_t shape_of_alternatives(std::uint64_t h, const std::variant<F...>*) {
  return shape_of_each<Above...>(h, TypeList<F...>{});
}
template <class T, class... Above, std::size_t... I>
constexpr std::uint64_t shape_of_tuple(std::uint64_t h, std::index_sequence<I...>) {
  return shape_of_each<Above...>(h, TypeList<std::tuple_element_t<I, T>...>{});
}

// `Above` are the records that T is in: one that holds itself has a shape too.
template <class T, class... Above>
constexpr std::uint64_t shape_of(std::uint64_t h) {
  if constexpr (Coded<T>) {
    return fold(h, Coding<T>::shape);
  } else if constexpr (std::is_same_v<T, Hash128>) {
    return fold(h, "hash");
  } else if constexpr (std::is_same_v<T, Value>) {
    return fold(h, "value");
  } else if constexpr (Number<T>) {
    return shape_of<std::remove_cvref_t<decltype(std::declval<T&>().schism_number())>>(h);
  } else if constexpr (HasFields<T>) {
    if constexpr ((std::is_same_v<T, Above> || ...)) {
      return fold(h, "itself");
    } else {
      check_members<T>();
      h = fold(fold(h, "record"), T::schism_field_names());
      return fold(shape_of_each<T, Above...>(h, FieldTypes<T>{}), "end");
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    return fold(h, "bool");
  } else if constexpr (NamedEnum<T>) {
    return fold(fold(h, "words"), schism_enum_words(T{}));
  } else if constexpr (std::is_enum_v<T>) {
    return fold(shape_of<std::underlying_type_t<T>>(h), kEnumCount<T>);
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) <= 8, "a number of this size does not travel");
    return fold(fold(h, "number"), sizeof(T));
  } else if constexpr (std::is_integral_v<T>) {
    static_assert(sizeof(T) <= 8, "a number of this size does not travel");
    return fold(fold(h, std::is_signed_v<T> ? "integer" : "natural"), sizeof(T));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return fold(h, "text");
  } else if constexpr (IsOptional<T>::value) {
    return shape_of<typename T::value_type, Above...>(fold(h, "optional"));
  } else if constexpr (IsVariant<T>::value) {
    return fold(shape_of_alternatives<Above...>(fold(h, "one of"), static_cast<T*>(nullptr)),
                "end");
  } else if constexpr (Empty<T>) {
    return fold(h, "nothing");
  } else if constexpr (IsTuple<T>::value) {
    h = fold(fold(h, "tuple"), std::tuple_size_v<T>);
    return shape_of_tuple<T, Above...>(h, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else {
    static_assert(Range<T> && !Digested<T> && !Text<T>,
                  "this type does not travel: give it FIELDS(...) or a Coding");
    if constexpr (MapLike<T>) {
      h = shape_of<typename T::key_type, Above...>(fold(h, "map"));
      return shape_of<typename T::mapped_type, Above...>(h);
    } else if constexpr (FixedArray<T>) {
      h = fold(fold(h, "array"), std::tuple_size_v<T>);
      return shape_of<typename T::value_type, Above...>(h);
    } else {
      h = fold(h, Pushable<T> ? "list" : "set");
      return shape_of<typename T::value_type, Above...>(h);
    }
  }
}

// ---- writing -------------------------------------------------------------------------------

// In the order of their bytes: their own means nothing.
template <class T>
void encode_unordered(Encoder& e, const T& v) {
  std::vector<std::string> items;
  for (const auto& item : v) {
    Encoder one;
    encode_into(one, item);
    items.push_back(one.take());
  }
  std::sort(items.begin(), items.end());
  for (const std::string& item : items) e.raw(item);
}

template <class T>
void encode_range(Encoder& e, const T& v) {
  if constexpr (!FixedArray<T>) e.number(v.size());
  else if (v.size() == 0) e.byte(0);
  if constexpr (!FixedArray<T> && !Pushable<T> && !Tree<T>) {
    encode_unordered(e, v);
  } else {
    for (auto&& item : v)  // a copy for vector<bool>'s proxies
      encode_into(e, static_cast<const typename T::value_type&>(item));
  }
}

// ---- reading -------------------------------------------------------------------------------

template <class T, std::size_t I = 0>
bool decode_alternative(Decoder& d, std::uint64_t index, T& v) {
  if constexpr (I == std::variant_size_v<T>) return d.fail("no such alternative");
  else if (index != I) return decode_alternative<T, I + 1>(d, index, v);
  else return decode_from(d, v.template emplace<I>());
}

template <class T>
bool decode_integer(Decoder& d, T& v) {
  if constexpr (sizeof(T) == 1) {
    std::uint8_t b = 0;
    if (!d.byte(b)) return false;
    v = static_cast<T>(b);
    return true;
  } else {
    std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t> n = 0;
    if constexpr (std::is_signed_v<T>) {
      if (!d.integer(n)) return false;
    } else {
      if (!d.number(n)) return false;
    }
    v = static_cast<T>(n);
    return v == n || d.fail("a number is too large for its field");
  }
}

template <class E>
bool decode_enum(Decoder& d, E& v) {
  std::uint64_t most = kEnumCount<E>;
  if constexpr (NamedEnum<E>) most = enum_count<E>();
  auto number = std::underlying_type_t<E>{};
  if (!decode_integer(d, number)) return false;
  if (most > 0 && (number < 0 || static_cast<std::uint64_t>(number) >= most))
    return d.fail("no word of its enumeration");
  v = static_cast<E>(number);
  return true;
}

template <class T>
struct ItemOf : std::type_identity<typename T::value_type> {};
template <MapLike T>
struct ItemOf<T> : std::type_identity<std::pair<typename T::key_type, typename T::mapped_type>> {};

// Where the next of a set or map belongs: after those that are there.
template <class T, class Item>
bool in_order(const T& v, const Item& item) {
  if (v.empty()) return true;
  if constexpr (MapLike<T>) return !v.key_comp()(item.first, std::prev(v.end())->first);
  else return !v.key_comp()(item, *std::prev(v.end()));
}

template <class T>
bool decode_item(Decoder& d, T& v, std::string_view& before) {
  typename ItemOf<T>::type item{};
  const std::size_t from = d.at();
  if (!decode_from(d, item)) return false;
  if constexpr (Pushable<T>) {
    v.push_back(std::move(item));
    return true;
  } else {
    if constexpr (Tree<T>) {
      if (!in_order(v, item)) return d.fail("a set is not in order");
    } else {
      if (before > d.since(from)) return d.fail("a set is not in order");
      before = d.since(from);
    }
    const std::size_t size = v.size();
    if constexpr (Tree<T>) v.insert(v.end(), std::move(item));
    else v.insert(std::move(item));
    return v.size() > size || d.fail("a set holds something twice, or what it cannot hold");
  }
}

template <class T>
bool decode_range(Decoder& d, T& v) {
  if constexpr (FixedArray<T>) {
    std::uint8_t none = 0;
    if (v.size() == 0) return d.byte(none) && (none == 0 || d.fail("something in nothing"));
    for (auto& item : v)
      if (!decode_from(d, item)) return false;
    return true;
  } else {
    std::uint64_t count = 0;
    if (!d.count(count)) return false;
    v.clear();
    std::string_view before;
    for (; count > 0; --count)
      if (!decode_item(d, v, before)) return false;
    return true;
  }
}

}  // namespace schism::detail

namespace schism {

template <class T>
void encode_into(Encoder& e, const T& v) {
  if constexpr (detail::Coded<T>) {
    Coding<T>::put(e, v);
  } else if constexpr (std::is_same_v<T, Hash128>) {
    e.fixed(v.lo), e.fixed(v.hi);
  } else if constexpr (std::is_same_v<T, Value>) {
    e.value(v);
  } else if constexpr (detail::Number<T>) {
    encode_into(e, const_cast<T&>(v).schism_number());
  } else if constexpr (HasFields<T>) {
    v.schism_visit_fields([&](const auto&... f) {
      if constexpr (sizeof...(f) == 0) e.byte(0);
      (encode_into(e, f), ...);
    });
  } else if constexpr (std::is_same_v<T, bool>) {
    e.byte(v ? 1 : 0);
  } else if constexpr (std::is_enum_v<T>) {
    encode_into(e, static_cast<std::underlying_type_t<T>>(v));
  } else if constexpr (std::is_same_v<T, float>) {
    e.fixed(std::bit_cast<std::uint32_t>(v), 4);
  } else if constexpr (std::is_floating_point_v<T>) {
    e.fixed(std::bit_cast<std::uint64_t>(v));
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 1) {
    e.byte(static_cast<std::uint8_t>(v));
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    e.integer(v);
  } else if constexpr (std::is_integral_v<T>) {
    e.number(v);
  } else if constexpr (std::is_same_v<T, std::string>) {
    e.text(v);
  } else if constexpr (detail::IsOptional<T>::value) {
    e.byte(v ? 1 : 0);
    if (v) encode_into(e, *v);
  } else if constexpr (detail::IsVariant<T>::value) {
    e.number(v.index());
    std::visit([&](const auto& one) { encode_into(e, one); }, v);
  } else if constexpr (detail::Empty<T>) {
    e.byte(0);
  } else if constexpr (detail::IsTuple<T>::value) {
    std::apply([&](const auto&... f) { (encode_into(e, f), ...); }, v);
  } else {
    detail::encode_range(e, v);
  }
}

template <class T>
bool decode_from(Decoder& d, T& v) {
  if constexpr (detail::Coded<T>) {
    return Coding<T>::get(d, v) || d.fail("no such value");
  } else if constexpr (std::is_same_v<T, Hash128>) {
    return d.fixed(v.lo) && d.fixed(v.hi);
  } else if constexpr (std::is_same_v<T, Value>) {
    return d.value(v);
  } else if constexpr (detail::Number<T>) {
    return decode_from(d, v.schism_number());
  } else if constexpr (HasFields<T>) {
    const Decoder::Level level(d);
    if (!level) return false;
    return v.schism_visit_fields([&](auto&... f) {
      if constexpr (sizeof...(f) == 0) {
        std::uint8_t none = 0;
        return d.byte(none) && (none == 0 || d.fail("something in nothing"));
      } else {
        return (decode_from(d, f) && ...);
      }
    });
  } else if constexpr (std::is_same_v<T, bool>) {
    return d.flag(v);
  } else if constexpr (std::is_enum_v<T>) {
    return detail::decode_enum(d, v);
  } else if constexpr (std::is_floating_point_v<T>) {
    std::uint64_t bits = 0;
    if (!d.fixed(bits, sizeof(T))) return false;
    if constexpr (sizeof(T) == 4) v = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    else v = std::bit_cast<double>(bits);
    return true;
  } else if constexpr (std::is_integral_v<T>) {
    return detail::decode_integer(d, v);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return d.text(v);
  } else if constexpr (detail::IsOptional<T>::value) {
    bool there = false;
    v.reset();
    return d.flag(there) && (!there || decode_from(d, v.emplace()));
  } else if constexpr (detail::IsVariant<T>::value) {
    std::uint64_t index = 0;
    return d.number(index) && detail::decode_alternative(d, index, v);
  } else if constexpr (detail::Empty<T>) {
    std::uint8_t none = 0;
    return d.byte(none) && (none == 0 || d.fail("something in nothing"));
  } else if constexpr (detail::IsTuple<T>::value) {
    return std::apply([&](auto&... f) { return (decode_from(d, f) && ...); }, v);
  } else {
    const Decoder::Level level(d);
    return level && detail::decode_range(d, v);
  }
}

}  // namespace schism
