// What a liar may say instead of the truth: the changes that a system declares for its messages,
// or, where it declares none, one made from the fields of the message. A signature is never changed
// by itself: the world signs a liar's own items anew, and items of others are left out, not
// changed.
#pragma once

#include <optional>
#include <span>

#include "schism/base/random.hpp"
#include "schism/world/world.hpp"

namespace schism::byzantine {

enum class Scope : std::uint8_t { near, any };

// The how-manieth change of the message in flight is drawn from `seed` alone, so that all receivers
// of one broadcast are told the same; nothing: there is none.
std::optional<Value> lie_about(const World& world, const Flight& flight, Scope scope,
                               std::uint64_t seed);
// How many different changes are declared for messages of this type; 0: none, fields serve.
std::size_t lies_declared(const System& system, const TypeInfo& type, Scope scope);
// `to`: all who hear it, for lies that depend on them; empty: the receiver of this message.
std::optional<Value> declared_lie(const World& world, const Flight& flight, Scope scope,
                                  std::size_t which, std::uint64_t seed,
                                  std::span<const NodeId> to = {});
// Whether a liar has signed something in it; where its type holds no signed items, nothing.
std::optional<bool> signed_by_a_liar(const World& world, const Flight& flight);

// One number of the message, of those that stand in no item of somebody else, by so much.
std::optional<Value> shifted(const World& world, const Flight& flight, std::uint64_t which,
                             std::int64_t by);
// The vote for nothing that the system declares for messages of this type.
std::optional<Value> nothing_voted(const World& world, const Flight& flight);
// One of its lists empty.
std::optional<Value> emptied(const World& world, const Flight& flight, std::uint64_t which);
// One element of one of its lists left out.
std::optional<Value> shortened(const World& world, const Flight& flight, std::uint64_t which);

// Earlier messages of the same type, told with some of the numbers of this one: another proposal
// for the same place.
class Blend {
 public:
  Blend(const World& world, const Flight& flight);
  std::optional<Value> with(const Value& earlier, std::uint64_t seed) const;

 private:
  const World& world_;
  const TypeInfo& type_;
  Value honest_;
  std::vector<Value> numbers_;  // all that may be changed in it
};

// One part of an earlier message of the same type in this one: the collects of an earlier view, the
// votes of an earlier round. What others have signed in it stays signed.
std::optional<Value> spliced(const Flight& flight, const Value& earlier, std::uint64_t which);

// A message with all that `from` has signed in it signed by `liar` (by the world, when it is said):
// what somebody else said, as the liar's own.
Value as_own(const TypeInfo& type, Value content, NodeId from, NodeId liar);

// Actions for the content.
Action mutation(World& world, std::uint32_t slot, Value content);
Action omission(const World& world, std::uint32_t slot);
Action invention(World& world, NodeId from, NodeId to, int type, Value content);

}  // namespace schism::byzantine
