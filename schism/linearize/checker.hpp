// Can these operations on one register be ordered, each between its invocation and its answer, so
// that every answer is right? The question is Herlihy and Wing's (1990, "Linearizability: a
// correctness condition for concurrent objects"), the search Wing and Gong's (1993) with Lowe's
// memory of configurations (2017, "Testing for linearizability"); that keys can be judged apart is
// locality, as a speed-up Horn and Kroening's P-compositionality (2015).
//
//   for (const Partition& p : partition(history)) check(p, {}).verdict == Verdict::linearizable;
//
// A configuration is the set of operations ordered so far and the register's value. The search
// walks them depth first over a doubly linked list of events, from which an ordered operation is
// lifted, and never enters one twice: the memory compares whole configurations, not hashes.
//
// Registers allow more than the general algorithm. Each rule keeps the answer, because every order
// that it leaves out has a twin that it keeps:
//   - a read that fits now is ordered now: it changes nothing, and later it may fit no more
//     (likewise a cas that missed);
//   - an operation without an answer is ordered only when one that can come next looks at its
//   value,
//     for otherwise the order is as good without it;
//   - of several that do the same, the one that answers first is taken, and those without an answer
//     last, by age: they can change places;
//   - a write whose value nobody will look at is ordered just before any other write: unseen;
//   - a value that must still be seen is not overwritten when nobody can write it again;
//   - a value that nobody will look at is the same value as any other such;
//   - a configuration is skipped where an earlier one had the same value and the same writes
//   ordered,
//     no read more to place and no operation without an answer more used up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schism/linearize/history.hpp"

namespace schism::linearize {

SCHISM_ENUM(Verdict, linearizable, violation, unknown);

// What an operation does to a register: see `first`; set `first`; see `first` and set `second`; see
// anything but `first`.
SCHISM_ENUM(Effect, see, set, swap, miss);

struct RegisterOp {
  Effect effect = Effect::see;
  std::uint32_t first = 0, second = 0;  // values of the partition
  std::uint32_t invoked = 0;
  std::uint32_t returned = kNever;  // kNever: it takes effect at any time later, or never
  OpId op = 0;                      // in the history

  bool optional() const { return returned == kNever; }
  bool observes() const { return effect != Effect::set; }
  bool sets() const { return effect == Effect::set || effect == Effect::swap; }
  std::uint32_t product() const { return effect == Effect::swap ? second : first; }  // if it sets
};

// The operations of one key in order of invocation. Value 0 is the register's first one.
struct Partition {
  Id key = 0;
  std::uint32_t values = 1;  // they are numbered below this
  std::vector<RegisterOp> ops;
};

// Keys in order of first appearance. Operations that failed, and reads that never answered, say
// nothing and are left out. `initial` is the value that every register holds before the first
// write.
std::vector<Partition> partition(const History& history, const Value& initial = {});
Partition partition_of(const History& history, Id key, const Value& initial = {});  // one of them
// The same history cut before an event: what came later is gone, what was open has no answer.
Partition cut(const Partition& whole, std::uint32_t events);
// Those operations alone, by index.
Partition select(const Partition& whole, std::span<const std::uint32_t> ops);

// Beyond a limit the verdict is unknown. Only the first two are deterministic.
struct Limits {
  std::uint64_t configurations = 20'000'000;
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  double seconds = 0;  // 0: none
};

struct Finding {
  Verdict verdict = Verdict::unknown;
  std::uint64_t configurations = 0;
  std::vector<std::uint32_t> order;  // if linearizable: a witness, indices into the partition
  // An answer (its position) such that the history before it is linearizable: how far it got.
  std::uint32_t deepest = 0;
};

// One search of everything.
Finding search(const Partition& partition, const Limits& limits);

// The same verdict, sooner where there is a violation: to exhaust a long history is costly, but
// what breaks it mostly happens within a short time. So a search that takes long is interrupted,
// and the last few operations before the answer that it could not get past are tried alone, then
// more of them, each time with those that make them count as evidence (evidence.hpp); then it goes
// on.
Finding check(const Partition& partition, const Limits& limits);

// Whether `order` proves the partition linearizable: all completed operations once, in an order
// that respects real time, with the answers that they gave.
bool is_witness(const Partition& partition, std::span<const std::uint32_t> order);

}  // namespace schism::linearize
