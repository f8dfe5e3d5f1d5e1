// Why a register's history is not linearizable: as few of its operations as still cannot be
// ordered.
//
// Not every part S of a history H speaks for the whole: without the write, a read of its value
// cannot be ordered, and that proves nothing. So a part must *hold its sources*. Call x a possible
// source of an observer o (a read, a cas) if x sets what o found (of a cas that missed: anything
// but what it expected) and o had not answered when x was invoked. S holds its sources if for every
// o in S
//   1. each possible source x in H is in S, or some completed setter y in S lies between the two:
//      invoked after x answered, answered before o was invoked; and
//   2. if o's value has possible sources at all, one of them is in S. (Not for the first value.)
// By rule 1, if such an S cannot be ordered then H cannot: take S alone in an order of H; the last
// setter before each observer is still the same one, or none as before, so the answers are still
// right. Rule 2 only makes it readable: a stale read is shown with the write that it should not
// see.
//
// `explain` cuts H after the first answer that makes it fail (a prefix of a linearizable history is
// linearizable), then drops operations, with the observers that thereby lack a source, while the
// rest still fails. The result is *minimal*: whichever operation one drops, what holds its sources
// in the rest can be ordered. If it is small, all its parts are tried by size: it then is the
// *smallest* evidence within itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schism/linearize/checker.hpp"

namespace schism::linearize {

struct Evidence {
  Partition part;           // the operations as they stood when it failed: open ones are optional
  std::uint32_t event = 0;  // position of the answer after which no order was left
  bool located = false;     // `event` is the very first such; else a limit came first
  bool minimal = false;     // else a limit came first
  bool smallest = false;
  std::uint64_t configurations = 0;  // the work it took
};

// `whole` must have been found in violation. `limits` hold for each check, `work` for all together,
// in configurations.
Evidence explain(const Partition& whole, const Limits& limits, std::uint64_t work = 5'000'000);

// What holds its sources among the last `count` operations and all that had not answered when the
// first of these was invoked: indices.
std::vector<std::uint32_t> last_operations(const Partition& whole, std::size_t count);

// The largest part of `part` (indices, ascending) that holds its sources in `whole`.
std::vector<std::uint32_t> holding_sources(const Partition& whole,
                                           std::span<const std::uint32_t> part);

}  // namespace schism::linearize
