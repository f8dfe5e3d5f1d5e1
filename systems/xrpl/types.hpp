// The words of the XRP Ledger that every file here uses.
#pragma once

#include <bit>
#include <cstdint>

#include "schism/base/fields.hpp"
#include "schism/base/time.hpp"
#include "schism/node/ids.hpp"

namespace schism::xrpl {

// Hashes of content, 63 bits, so that they are positive in files: two that are equal by chance are
// not a thing to wait for. 0: none.
using LedgerId = std::uint64_t;
using SetId = std::uint64_t;
using TxId = std::uint64_t;
using Seq = std::uint32_t;      // of a ledger
using NetTime = std::int64_t;   // network time: whole seconds, adjusted towards the others'
using Drops = std::int64_t;     // a millionth of an XRP
using Members = std::uint64_t;  // a bit a node

inline constexpr int kValidatorsMax = 60;
inline constexpr Drops kXrp = 1'000'000;
inline constexpr Drops kFee = 10;
// The clock of every run begins here, so that no close time is 0, which means "no agreement".
inline constexpr NetTime kEpoch = 86'400;

// An identity from a hash; never 0.
constexpr std::uint64_t identity(const Hash128& h) { return h.lo >> 1 | 1; }

constexpr Members bit_of(NodeId id) { return Members{1} << (id & 63); }
constexpr bool contains(Members members, NodeId id) { return (members & bit_of(id)) != 0; }
constexpr int count(Members members) { return std::popcount(members); }
constexpr Members first_nodes(int n) { return n >= 64 ? ~Members{0} : bit_of(n) - 1; }

SCHISM_ENUM(Mode, proposing, observing, wrongLedger, switchedLedger);
SCHISM_ENUM(Phase, open, establish, accepted);

}  // namespace schism::xrpl
