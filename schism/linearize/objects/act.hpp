// The operations on one object other than a plain register (a queue, a mutex, a set, a list, or
// registers that are touched together), as the search sees them.
//
//   for (const ObjectHistory& h : split_objects(history)) check(h, limits).verdict;
//
// Keys are judged apart; of a set that nobody reads as a whole, elements too. What failed is left
// out, and so are operations without an answer that would only have looked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schism/linearize/checker.hpp"

namespace schism::linearize {

// A register that an operation looks at, or sets.
struct Touch {
  bool sets = false;
  std::uint32_t place = 0, value = 0;
};

struct Act {
  Function function = Function::read;
  Told told = Told::nothing;            // of a dequeue: no, it was empty
  std::uint32_t element = 0;            // of a mutex with an owner: the client
  std::vector<std::uint32_t> elements;  // what a read saw; of a set: ascending
  std::vector<Touch> touches;           // of a transaction, in its order
  std::uint32_t invoked = 0;
  std::uint32_t returned = kNever;  // kNever: it takes effect at any time later, or never
  OpId op = 0;

  bool optional() const { return returned == kNever; }
  // It changes nothing, so that it can be ordered as soon as its answer is right.
  bool only_looks() const;
  // Does the same, but for the time.
  bool is_twin_of(const Act& other) const;
};

struct ObjectHistory {
  Object object = Object::queue;
  Id key = 0;
  std::uint32_t elements = 0;  // they are numbered below this; of registers: how many there are
  std::uint32_t values = 1;    // of registers; value 0 is the first one
  std::vector<Act> acts;       // in order of invocation
};

// Keys in order of first appearance. `initial` is what every register holds at first.
std::vector<ObjectHistory> split_objects(const History& history, const Value& initial = {});
// The same history cut before an event: what came later is gone, what was open has no answer.
ObjectHistory cut(const ObjectHistory& whole, std::uint32_t events);

// The plain search with the object's own rules (rules.hpp).
Finding check(const ObjectHistory& history, const Limits& limits);
// Whether `order` proves it: all completed operations once, in an order that respects real time,
// with the answers that they gave.
bool is_witness(const ObjectHistory& history, std::span<const std::uint32_t> order);

}  // namespace schism::linearize
