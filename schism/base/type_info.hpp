// What is known of a type at run time: how to build, hash, print and read it, and its schema, that
// is the kind of each declared field, however deep. Included by fields.hpp.
//
//   for (const FieldInfo& field : type_info<Vote>().fields) field.name, field.type->kind
//
// schema/schema.hpp is the way in for those who read, set and compare fields by name.
#pragma once

#include <iterator>
#include <limits>

#include "schism/base/fields.hpp"
#include "schism/base/seals.hpp"

namespace schism {

// ---- the schema ----------------------------------------------------------------------------

SCHISM_ENUM(FieldKind, boolean, integer, number, word, text, node, optional, list, set, map, tuple,
            record);

struct FieldInfo;

// A kind of field, the same for all fields of one type. The functions work on an object in memory;
// where there is none (a decoded value), they are null and the rest holds all the same.
struct FieldType {
  FieldKind kind = FieldKind::text;
  // boolean, integer, number, word, node: how many bytes, and whether they are a natural number.
  // 0: it cannot be told from its bytes.
  std::uint8_t bytes = 0;
  bool natural = false;
  std::uint32_t size = 0;             // of an object
  std::string_view words;             // of a word, separated by commas
  const FieldType* key = nullptr;     // of a map
  const FieldType* item = nullptr;    // of an optional, list, set or map
  std::optional<std::size_t> length;  // of a list that cannot grow
  std::span<const FieldInfo> fields;  // of a record; of a tuple, without names
  Value (*get)(const void*) = nullptr;
  bool (*set)(void*, const Value&) = nullptr;   // null: it cannot be assigned
  std::size_t (*count)(const void*) = nullptr;  // items
  // Where an item is, counted from 0 as in the value; null: there is none. A null function: they
  // have no place in memory, or stand there in another order.
  const void* (*at)(const void*, std::size_t) = nullptr;
  // Of a record or tuple: take(self, field) for each, in order. What is computed lives so long.
  void (*visit)(const void*, void* self, void (*take)(void* self, const void* field)) = nullptr;
  bool sealed = false;  // a record that is an item with its signature
};

struct FieldInfo {
  std::string_view name;  // as declared: "term", "log.size()"
  const FieldType* type = nullptr;
  bool member = false;  // at the same place in every object; else it is computed
};

// ---- the erased form -----------------------------------------------------------------------

// A function with what it has to know: the same code serves all types that a schema describes.
template <class Signature>
struct Erased;
template <class R, class... Args>
struct Erased<R(Args...)> {
  R (*function)(const void* context, Args...) = nullptr;
  const void* context = nullptr;

  explicit constexpr operator bool() const { return function != nullptr; }
  friend constexpr bool operator==(const Erased& f, std::nullptr_t) { return !f.function; }
  R operator()(Args... args) const { return function(context, args...); }
};

struct TypeInfo {
  std::string_view name;         // unqualified: "Proposal"
  std::string_view field_names;  // as declared: "value, round"
  std::uint64_t name_hash;
  std::uint32_t size, align;
  std::span<const FieldInfo> fields;
  const FieldType* schema;                        // the record as a whole
  Erased<void(void*)> destroy;                    // null when there is nothing to do
  Erased<void(void* to, void* from)> move;        // null when the bytes can be copied
  Erased<void(void* to, const void* from)> copy;  // null when it cannot be copied
  Erased<void(void*)> construct;                  // null when it has no default
  Erased<Hash128(const void*)> hash;
  Erased<Hash128(const void*, const Renaming&)> renamed;
  Erased<Value(const void*)> to_value;
  Erased<bool(const Value&, void*)> from_value;
  // Calls take(self, item) for every signed item inside, inner ones first; null: it holds none.
  void (*seals)(void* object, void* self, TakeSeal take) = nullptr;
};

// Whether a message of this type can have this content.
bool accepts(const TypeInfo& type, const Value& content);

// How a person would write it: a map is {1: [0, 1]}, a set {0, 2}, a record (term=1, log=[]). What
// does not look like its type is printed as any other value is.
std::string print(const FieldType& type, const Value& value);
std::string print(const TypeInfo& type, const Value& fields);  // Vote(term=1, granted=true)

namespace detail {

// The types of what FIELDS(...) names, as references where they are members.
template <class... F>
struct TypeList {
  static constexpr std::size_t size = sizeof...(F);
};
struct ListTypes {
  template <class... F>
  constexpr TypeList<F...> operator()(F&&...) const {
    return {};
  }
};
template <class T>
using FieldTypes = decltype(std::declval<T&>().schism_visit_fields(ListTypes{}));

constexpr bool plain_name(std::string_view name) {
  for (const char c : name)
    if (!(c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
          (c >= 'A' && c <= 'Z')))
      return false;
  return true;
}

template <class T>
constexpr FieldType make_field_type();
template <class T>
inline constexpr FieldType field_type_of = make_field_type<T>();

template <class T, class... F>
constexpr auto make_fields(TypeList<F...>) {
  std::array<FieldInfo, sizeof...(F)> out{};
  std::size_t i = 0;
  [[maybe_unused]] const auto add = [&](const FieldType* type, bool lasting) {
    const std::string_view name = nth_word(T::schism_field_names(), i);
    out[i++] = {name, type, lasting && plain_name(name)};
  };
  (add(&field_type_of<std::remove_cvref_t<F>>, std::is_lvalue_reference_v<F>), ...);
  return out;
}
template <class T>
inline constexpr auto fields_of = make_fields<T>(FieldTypes<T>{});

template <class T, std::size_t... I>
constexpr auto make_parts(std::index_sequence<I...>) {
  return std::array<FieldInfo, sizeof...(I)>{
      FieldInfo{"", &field_type_of<std::remove_cvref_t<std::tuple_element_t<I, T>>>, true}...};
}
template <class T>
inline constexpr auto parts_of = make_parts<T>(std::make_index_sequence<std::tuple_size_v<T>>{});

template <class T>
struct ItemType : std::type_identity<typename T::value_type> {};
template <class T>
requires requires { typename T::schism_item; }
struct ItemType<T> : std::type_identity<typename T::schism_item> {};
template <MapLike T>
struct ItemType<T> : std::type_identity<typename T::mapped_type> {};

template <class T>
constexpr void describe_number(FieldType& out) {
  if constexpr (std::is_enum_v<T>) return describe_number<std::underlying_type_t<T>>(out);
  out.bytes = sizeof(T), out.natural = std::is_unsigned_v<T>;
}

template <class T>
constexpr void describe_range(FieldType& out) {
  constexpr bool keyed = Insertable<T> && !Pushable<T>;
  out.kind = MapLike<T> ? FieldKind::map : keyed ? FieldKind::set : FieldKind::list;
  out.item = &field_type_of<typename ItemType<T>::type>;
  if constexpr (MapLike<T>) out.key = &field_type_of<typename T::key_type>;
  if constexpr (!Pushable<T> && !Insertable<T>) out.length = std::tuple_size_v<T>;
  out.count = [](const void* p) { return std::size_t{static_cast<const T*>(p)->size()}; };
  using Place = decltype(*std::declval<const T&>().begin());
  if constexpr (!MapLike<T> && !Unordered<T> && std::is_lvalue_reference_v<Place>)
    out.at = [](const void* p, std::size_t i) -> const void* {
      const T& v = *static_cast<const T*>(p);
      return i < v.size() ? &*std::next(v.begin(), static_cast<std::ptrdiff_t>(i)) : nullptr;
    };
}

template <class T>
constexpr FieldType make_field_type() {
  FieldType out;
  out.size = sizeof(T);
  out.get = [](const void* p) { return schism::to_value(*static_cast<const T*>(p)); };
  if constexpr (!Text<T> || std::is_same_v<T, std::string>)
    out.set = [](void* p, const Value& v) { return schism::from_value(v, *static_cast<T*>(p)); };
  if constexpr (Number<T>) {
    out.kind = Renamable<T> ? FieldKind::node : FieldKind::integer;
    using N = std::remove_cvref_t<decltype(std::declval<T&>().schism_number())>;
    if constexpr (sizeof(N) == sizeof(T)) describe_number<N>(out);
  } else if constexpr (HasFields<T>) {
    out.kind = FieldKind::record;
    out.sealed = Sealed<T>;
    out.fields = fields_of<T>;
    out.visit = [](const void* p, void* self, void (*take)(void*, const void*)) {
      static_cast<const T*>(p)->schism_visit_fields(
          [&](const auto&... f) { (take(self, std::addressof(f)), ...); });
    };
  } else if constexpr (std::is_same_v<T, bool>) {
    out.kind = FieldKind::boolean;
    out.bytes = 1, out.natural = true;
  } else if constexpr (NamedEnum<T>) {
    out.kind = FieldKind::word;
    out.words = schism_enum_words(T{});
    describe_number<T>(out);
  } else if constexpr (std::is_floating_point_v<T>) {
    out.kind = FieldKind::number;
    out.bytes = sizeof(T);
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    out.kind = FieldKind::integer;
    describe_number<T>(out);
  } else if constexpr (Text<T>) {
    out.kind = FieldKind::text;
  } else if constexpr (IsOptional<T>::value) {
    out.kind = FieldKind::optional;
    out.item = &field_type_of<typename T::value_type>;
    out.count = [](const void* p) -> std::size_t { return static_cast<const T*>(p)->has_value(); };
    out.at = [](const void* p, std::size_t i) -> const void* {
      const T& v = *static_cast<const T*>(p);
      return i == 0 && v ? std::addressof(*v) : nullptr;
    };
  } else if constexpr (IsTuple<T>::value) {
    out.kind = FieldKind::tuple;
    out.fields = parts_of<T>;
    out.visit = [](const void* p, void* self, void (*take)(void*, const void*)) {
      std::apply([&](const auto&... f) { (take(self, std::addressof(f)), ...); },
                 *static_cast<const T*>(p));
    };
  } else {
    describe_range<T>(out);
  }
  return out;
}

template <class T>
constexpr std::string_view type_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  const auto colon = text.substr(0, text.find('<')).rfind("::");
  return colon == std::string_view::npos ? text : text.substr(colon + 2);
}

template <class T>
constexpr TypeInfo make_type_info() {
  static_assert(HasFields<T>, "declare its fields: FIELDS(first, second)");
  // A member that is forgotten in FIELDS would silently be left out of hashes and traces.
  // (Nodes choose what they show.)
  if constexpr (std::is_aggregate_v<T> && !requires { typename T::Context; })
    static_assert(count_words(T::schism_field_names()) >= member_count<T>(),
                  "FIELDS(...) lists fewer names than the type has members");
  constexpr bool bytes = std::is_trivially_copyable_v<T>;
  TypeInfo info{};
  if constexpr (requires { T::schism_type_name(); }) info.name = T::schism_type_name();
  else info.name = type_name<T>();
  info.field_names = T::schism_field_names();
  info.name_hash = hash_text(info.name);
  info.size = sizeof(T), info.align = alignof(T);
  info.fields = fields_of<T>, info.schema = &field_type_of<T>;
  if constexpr (!std::is_trivially_destructible_v<T>)
    info.destroy.function = [](const void*, void* p) { static_cast<T*>(p)->~T(); };
  if constexpr (!bytes && std::is_move_constructible_v<T>)
    info.move.function = [](const void*, void* to, void* from) {
      new (to) T(std::move(*static_cast<T*>(from)));
    };
  if constexpr (std::is_copy_constructible_v<T>)
    info.copy.function = [](const void*, void* to, const void* from) {
      new (to) T(*static_cast<const T*>(from));
    };
  if constexpr (std::is_default_constructible_v<T>)
    info.construct.function = [](const void*, void* p) { new (p) T{}; };
  info.hash.function = [](const void*, const void* p) {
    constexpr std::uint64_t seed = hash_text(type_name<T>());
    return absorb_field(Hash128{seed, 1}, *static_cast<const T*>(p));
  };
  info.renamed.function = [](const void*, const void* p, const Renaming& r) {
    constexpr std::uint64_t seed = hash_text(type_name<T>());
    return absorb_renamed(Hash128{seed, 1}, *static_cast<const T*>(p), r);
  };
  info.to_value.function = [](const void*, const void* p) {
    return schism::to_value(*static_cast<const T*>(p));
  };
  info.from_value.function = [](const void*, const Value& v, void* p) {
    return schism::from_value(v, *static_cast<T*>(p));
  };
  if constexpr (holds_seals<T>())
    info.seals = [](void* p, void* self, TakeSeal take) {
      each_seal(*static_cast<T*>(p), self, take);
    };
  return info;
}

}  // namespace detail

template <class T>
inline constexpr TypeInfo type_info_of = detail::make_type_info<T>();

template <class T>
constexpr const TypeInfo& type_info() {
  return type_info_of<T>;
}

}  // namespace schism
