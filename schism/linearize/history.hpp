// What clients saw: operations on registers, each with a key, an interval and an outcome.
//
//   History h;
//   OpId w = h.invoke(0, write("x", 3));      // client 0 begins; events are in real-time order
//   OpId r = h.invoke(1, read("x"));
//   h.done(w);                                // the write was acknowledged
//   h.saw(r, 3);                              // the read answered 3
//
// Keys and values are interned: an operation is 40 bytes. The history owns them; ids stay valid
// while it lives. An event costs two hash lookups, so that an oracle can feed it in a run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "schism/base/enum.hpp"
#include "schism/base/value.hpp"

namespace schism::linearize {

SCHISM_ENUM(Function, read, write, cas);
// ok: took effect between invocation and answer. fail: did not take effect, and nothing else
// follows from it. info: the client does not know; pending: no answer yet. An operation of the last
// two kinds takes effect at any time after its invocation, or never.
SCHISM_ENUM(Outcome, pending, ok, fail, info);

using OpId = std::uint32_t;
using Id = std::uint32_t;  // an interned key or value; 0 is nil
inline constexpr std::uint32_t kNever = UINT32_MAX;

struct Call {
  Function function = Function::read;
  Value key;
  Value first;   // write: the new value; cas: the expected one
  Value second;  // cas: the new value
};
inline Call read(Value key) { return {Function::read, std::move(key), {}, {}}; }
inline Call write(Value key, Value value) {
  return {Function::write, std::move(key), std::move(value), {}};
}
inline Call cas(Value key, Value expected, Value value) {
  return {Function::cas, std::move(key), std::move(expected), std::move(value)};
}

struct Operation {
  std::int64_t client = 0;
  Id key = 0;
  Id first = 0;               // read: the value seen; write: the new one; cas: the expected one
  Id second = 0;              // cas: the new value
  std::uint32_t invoked = 0;  // positions count the history's events from 0
  std::uint32_t answered = kNever;
  std::uint32_t invoke_mark = 0;  // the caller's own numbers for the two events: a line, a step
  std::uint32_t answer_mark = 0;
  Function function = Function::read;
  Outcome outcome = Outcome::pending;
  bool missed = false;  // an ok cas that found another value than the expected one

  friend bool operator==(const Operation&, const Operation&) = default;
};

// Equal values get equal numbers, in order of first appearance. Maps are equal in any order.
class Names {
 public:
  Names() { id(Value()); }
  Id id(const Value& value);
  const Value& operator[](Id id) const { return values_[id]; }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<Value> values_;
  absl::flat_hash_map<std::int64_t, Id> integers_;
  absl::flat_hash_map<std::string, Id> others_;
};

class History {
 public:
  OpId invoke(std::int64_t client, const Call& call, std::uint32_t mark = 0);

  // The answers. The first one counts, but one that comes after `info` is merely late.
  void done(OpId op, std::uint32_t mark = 0);                     // a write, or a cas that swapped
  void saw(OpId op, const Value& value, std::uint32_t mark = 0);  // a read
  void missed(OpId op, std::uint32_t mark = 0);   // a cas whose expected value was not there
  void failed(OpId op, std::uint32_t mark = 0);   // it did not take effect
  void unknown(OpId op, std::uint32_t mark = 0);  // the client gave up waiting: info

  const std::vector<Operation>& operations() const { return operations_; }
  const Operation& operator[](OpId op) const { return operations_[op]; }
  const Names& keys() const { return keys_; }
  const Names& values() const { return values_; }
  std::uint32_t events() const { return events_; }
  void clear();  // for the next run; keeps memory

  // "write 3", "cas 1 -> 2", "cas 1 -> 2 missed", "read nil".
  std::string describe(OpId op) const;

 private:
  bool answer(OpId op, Outcome outcome, std::uint32_t mark);

  std::vector<Operation> operations_;
  Names keys_, values_;
  std::uint32_t events_ = 0;
};

// A value as people write it in a history: nil, 3, "x" without quotes.
std::string print_value(const Value& value);

}  // namespace schism::linearize
