// A value of TLA+ in one word. Numbers, Booleans, strings and model values are in the word itself;
// sets, tuples and functions are nodes that exist once, so that equality is one comparison and a
// state is a row of words. Tuples are functions on 1..n and records functions on strings: each
// function has exactly one form, whoever made it.
//
// Sets that are large or infinite stay descriptions (SUBSET S, [S -> T], 1..n, Nat): they are built
// only where somebody needs their elements, and never stand inside another value.
#pragma once

#include <cstdint>
#include <span>

#include "schism/tla/symbols.hpp"

namespace schism::tla {

struct ValueNode;

enum class Tag : std::uint8_t { node, integer, boolean, string, model, special };

class Value {
 public:
  constexpr Value() = default;  // no value: an unassigned variable
  static constexpr Value integer(std::int64_t i) {
    return Value((static_cast<std::uint64_t>(i) << 3) | 1);
  }
  static constexpr Value boolean(bool b) { return Value((b ? 8u : 0u) | 2u); }
  static constexpr Value string(Symbol s) { return Value((std::uint64_t{s} << 3) | 3); }
  static constexpr Value model(Symbol s) { return Value((std::uint64_t{s} << 3) | 4); }
  static constexpr Value special(std::uint64_t n) { return Value((n << 3) | 5); }
  static Value node(const ValueNode* n) { return Value(reinterpret_cast<std::uint64_t>(n)); }
  static constexpr Value raw(std::uint64_t bits) { return Value(bits); }

  constexpr Tag tag() const { return static_cast<Tag>(bits_ & 7); }
  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool is_set() const { return bits_ != kNone; }  // there is a value
  constexpr bool is_node() const { return (bits_ & 7) == 0; }
  constexpr bool is_integer() const { return (bits_ & 7) == 1; }
  constexpr bool is_boolean() const { return (bits_ & 7) == 2; }
  constexpr bool is_string() const { return (bits_ & 7) == 3; }
  constexpr bool is_model() const { return (bits_ & 7) == 4; }
  constexpr std::int64_t as_integer() const { return static_cast<std::int64_t>(bits_) >> 3; }
  constexpr bool as_boolean() const { return (bits_ >> 3) != 0; }
  constexpr Symbol symbol() const { return static_cast<Symbol>(bits_ >> 3); }
  const ValueNode* node() const { return reinterpret_cast<const ValueNode*>(bits_); }

  friend constexpr bool operator==(Value a, Value b) { return a.bits_ == b.bits_; }

 private:
  explicit constexpr Value(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t kNone = 5;
  std::uint64_t bits_ = kNone;
};

constexpr Value kTrue = Value::boolean(true), kFalse = Value::boolean(false);
constexpr std::int64_t kIntegerMax = (std::int64_t{1} << 60) - 1;

enum class Kind : std::uint8_t {
  set,
  tuple,
  function,      // elements in order; items; domain, then values in its order
  big,           // an integer that a packed word cannot hold
  interval,      // low, high
  subset,        // SUBSET of words[0]
  function_set,  // [words[0] -> words[1]]
  record_set,    // words[0] the set of fields, then a set a field in its order
  product,       // sets
  sequences,     // Seq(words[0])
  infinite,      // words[0] is an Infinite
  cup,
  cap,
  minus,      // of two sets, one of them a description
  big_union,  // UNION words[0]
  lambda,
  filter,  // a function or set by its rule; made anew, never equal by identity
};

enum class Infinite : std::uint8_t { naturals, integers, reals, strings, anything };

struct ValueNode {
  std::uint64_t hash;
  std::uint32_t size;
  Kind kind;
  std::uint8_t loose[3];  // the first one: a description that is not in the store

  const Value* begin() const { return reinterpret_cast<const Value*>(this + 1); }
  std::span<const Value> words() const { return {begin(), words_count()}; }
  std::size_t words_count() const { return kind == Kind::function ? size + 1 : size; }
  Value operator[](std::size_t i) const { return begin()[i]; }
};
static_assert(sizeof(ValueNode) == 16);

inline bool is_kind(Value v, Kind kind) { return v.is_node() && v.node()->kind == kind; }
inline bool is_description(Value v) { return v.is_node() && v.node()->kind > Kind::big; }
// Made anew each time, so equal only by what it contains: a rule, or a description with one inside.
inline bool is_loose(Value v) {
  return v.is_node() && (v.node()->kind == Kind::lambda || v.node()->kind == Kind::filter ||
                         v.node()->loose[0] != 0);
}
inline bool is_set_value(Value v) {
  return v.is_node() && v.node()->kind != Kind::tuple && v.node()->kind != Kind::function &&
         v.node()->kind != Kind::lambda;
}
inline bool is_function_value(Value v) {
  return v.is_node() && (v.node()->kind == Kind::tuple || v.node()->kind == Kind::function ||
                         v.node()->kind == Kind::lambda);
}

}  // namespace schism::tla
