// How the words travel between processes (base/codec.hpp).
#pragma once

#include "schism/base/codec.hpp"
#include "schism/words/action.hpp"

namespace schism {

template <>
struct Coding<Name> {
  static constexpr std::string_view shape = "name";
  static void put(Encoder& e, const Name& name) { e.fixed(name.bits()); }
  static bool get(Decoder& d, Name& name) {
    std::uint64_t bits = 0;
    if (!d.fixed(bits)) return false;
    name = Name(bits);
    return true;
  }
};

template <>
inline constexpr std::uint64_t kEnumCount<Do> = kActionKindCount;

template <>
struct Coding<Action> {
  static constexpr std::string_view shape = "action: kind, name, arg, hint, free";
  static void put(Encoder& e, const Action& action) {
    encode_into(e, action.kind), encode_into(e, action.name);
    e.number(action.arg()), e.number(action.hint), e.number(action.free);
  }
  static bool get(Decoder& d, Action& action) {
    Do kind{};
    Name name;
    std::uint32_t arg = 0, hint = 0, free = 0;
    if (!decode_from(d, kind) || !decode_from(d, name) || !decode_from(d, arg) ||
        !decode_from(d, hint) || !decode_from(d, free))
      return false;
    if (arg > kArgMax) return d.fail("an action's argument is too large");
    if (hint > kHintMax || free > 1) return d.fail("an action's hint is too large");
    action = make_action(kind, name, arg, hint);
    action.free = free != 0;
    return true;
  }
};

}  // namespace schism
