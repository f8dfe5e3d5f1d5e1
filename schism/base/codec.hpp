// Declared fields as bytes and back: the way between processes of one program and into its own
// files. Bytes from elsewhere are never trusted: lengths are bounded by the bytes that are left,
// nesting by a constant, nothing is allocated before its bytes are there, every value has exactly
// one form. They begin with a hash of the type's shape (names and kinds of its fields,
// recursively), so that a reader of another version refuses them with one line.
//
//   struct Order { std::uint64_t run = 0; std::vector<Action> actions; FIELDS(run, actions) };
//   std::string bytes = encode(order);
//   Result<Order> back = decode<Order>(bytes);
//
// Fields are whole numbers, bool, floating point, enumerations, strings, Hash128, Value, optional,
// pair, tuple, variant, array, sequences, sets, maps, and structs with FIELDS that are all members.
// Any other type says how it travels: see Coding.
#pragma once

#include <limits>
#include <variant>

#include "schism/base/coder.hpp"
#include "schism/base/fields.hpp"
#include "schism/base/result.hpp"

namespace schism {

// Specialised for types that have no FIELDS, or that promise more than their fields do:
//
//   template <> struct Coding<Name> {
//     static constexpr std::string_view shape = "name";   // another one when the bytes change
//     static void put(Encoder& e, const Name& n) { e.number(n.bits()); }
//     static bool get(Decoder& d, Name& n);                // false, or d.fail("why"): refused
//   };
// encode_into() and decode_from() do the parts. A type takes one byte at least.
template <class T>
struct Coding {};

template <class T>
void encode_into(Encoder& e, const T& v);
template <class T>
bool decode_from(Decoder& d, T& v);

// How many values an enumeration without words has; 0: any number of its underlying type.
//   template <> inline constexpr std::uint64_t kEnumCount<Finished> = 4;
template <class E>
inline constexpr std::uint64_t kEnumCount = 0;

}  // namespace schism

#include "schism/base/codec_parts.hpp"  // IWYU pragma: export

namespace schism {

// A hash of names and kinds. The same on every machine.
template <class T>
inline constexpr std::uint64_t kShape = detail::shape_of<T>(detail::kShapeSeed);

template <class T>
std::string encode(const T& v) {
  Encoder e;
  e.head(kShape<T>);
  encode_into(e, v);
  return e.take();
}

// An error is one line that says where the bytes go wrong, or that they are another version's.
template <class T>
Status decode(std::string_view bytes, T& v) {
  Decoder d(bytes);
  if (d.head(kShape<T>) && decode_from(d, v)) d.end();
  if (!d.good()) return tl::unexpected(d.problem());
  return {};
}

template <class T>
Result<T> decode(std::string_view bytes) {
  Result<T> out(T{});
  if (auto read = decode(bytes, *out); !read) return tl::unexpected(std::move(read.error()));
  return out;
}

}  // namespace schism
