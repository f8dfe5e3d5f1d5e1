// What clients saw: operations on registers or other objects, each with a key, an interval and an
// outcome.
//
//   History h;
//   OpId w = h.invoke(0, write("x", 3));      // client 0 begins; events are in real-time order
//   OpId r = h.invoke(1, read("x"));
//   h.done(w);                                // the write was acknowledged
//   h.saw(r, 3);                              // the read answered 3
//
//   History q(Object::queue);
//   OpId d = q.invoke(2, dequeue("jobs"));    // saw(d, 3), or missed(d): it was empty
//
// Keys and values are interned: an operation is 40 bytes. The history owns them; ids stay valid
// while it lives. An event costs two hash lookups, so that an oracle can feed it in a run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "schism/base/enum.hpp"
#include "schism/base/value.hpp"

namespace schism::linearize {

// What a key names (object.hpp says what each does). The last three take whole transactions.
SCHISM_ENUM(Object, registers, queue, mutex, owned_mutex, set, list, multi_register, list_append,
            rw_register);
SCHISM_ENUM(Function, read, write, cas, enqueue, dequeue, acquire, release, add, remove, contains,
            append, txn);
// ok: took effect between invocation and answer. fail: did not take effect, and nothing else
// follows from it. info: the client does not know; pending: no answer yet. An operation of the last
// two kinds takes effect at any time after its invocation, or never.
SCHISM_ENUM(Outcome, pending, ok, fail, info);

using OpId = std::uint32_t;
using Id = std::uint32_t;  // an interned key or value; 0 is nil
inline constexpr std::uint32_t kNever = UINT32_MAX;

// A step of a transaction: read, write or append.
struct Part {
  Function function = Function::read;
  Value key;
  Value value;  // of a read: what it saw; of an invocation's read: nothing
};

struct Call {
  Function function = Function::read;
  Value key;
  Value first;   // write: the new value; cas: the expected one; else: the element
  Value second;  // cas: the new value
  std::vector<Part> parts = {};
};
inline Call read(Value key) { return {Function::read, std::move(key), {}, {}}; }
inline Call write(Value key, Value value) {
  return {Function::write, std::move(key), std::move(value), {}};
}
inline Call cas(Value key, Value expected, Value value) {
  return {Function::cas, std::move(key), std::move(expected), std::move(value)};
}
inline Call enqueue(Value key, Value element) {
  return {Function::enqueue, std::move(key), std::move(element), {}};
}
inline Call dequeue(Value key) { return {Function::dequeue, std::move(key), {}, {}}; }
inline Call acquire(Value key) { return {Function::acquire, std::move(key), {}, {}}; }
inline Call release(Value key) { return {Function::release, std::move(key), {}, {}}; }
inline Call add(Value key, Value element) {
  return {Function::add, std::move(key), std::move(element), {}};
}
inline Call remove(Value key, Value element) {
  return {Function::remove, std::move(key), std::move(element), {}};
}
inline Call contains(Value key, Value element) {
  return {Function::contains, std::move(key), std::move(element), {}};
}
inline Call append(Value key, Value element) {
  return {Function::append, std::move(key), std::move(element), {}};
}
inline Call transact(std::vector<Part> parts) {
  return {Function::txn, {}, {}, {}, std::move(parts)};
}

// Whether the answer of an add, a remove or a contains said yes: it changed the set; it is there.
SCHISM_ENUM(Told, nothing, yes, no);

struct Operation {
  std::int64_t client = 0;
  Id key = 0;
  // read, dequeue: the value seen; write: the new one; cas: the expected one; else the element. Of
  // reads of a whole set or list, and of transactions: where their elements or steps begin.
  Id first = 0;
  Id second = 0;  // cas: the new value; add, remove, contains: Told; else how many there are
  std::uint32_t invoked = 0;  // positions count the history's events from 0
  std::uint32_t answered = kNever;
  std::uint32_t invoke_mark = 0;  // the caller's own numbers for the two events: a line, a step
  std::uint32_t answer_mark = 0;
  Function function = Function::read;
  Outcome outcome = Outcome::pending;
  bool missed = false;  // an ok cas that found another value; an ok dequeue that found none

  Told told() const { return static_cast<Told>(second); }
  friend bool operator==(const Operation&, const Operation&) = default;
};

// A step with interned names. A read of a list has elements, `begin` and `count` of them.
struct Step {
  Function function = Function::read;
  bool seen = false;  // a read whose value is known
  Id key = 0, value = 0;
  std::uint32_t begin = 0, count = 0;
};

// Equal values get equal numbers, in order of first appearance. Maps are equal in any order.
class Names {
 public:
  Names() { id(Value()); }
  Id id(const Value& value);
  Id id(std::int64_t integer);
  Id id(std::string_view text);
  const Value& operator[](Id id) const { return values_[id]; }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<Value> values_;
  Id other();  // the value whose bytes are in scratch_

  absl::flat_hash_map<std::int64_t, Id> integers_;
  absl::flat_hash_map<std::string, Id> others_;
  std::string scratch_;
};

class History {
 public:
  explicit History(Object object = Object::registers) : object_(object) {}
  Object object() const { return object_; }

  OpId invoke(std::int64_t client, const Call& call, std::uint32_t mark = 0);

  // The answers. The first one counts, but one that comes after `info` is merely late.
  void done(OpId op, std::uint32_t mark = 0);                     // it took effect, nothing to see
  void saw(OpId op, const Value& value, std::uint32_t mark = 0);  // a read, or a dequeue
  // A cas whose expected value was not there; a dequeue that found the queue empty.
  void missed(OpId op, std::uint32_t mark = 0);
  void told(OpId op, bool yes, std::uint32_t mark = 0);  // contains; add and remove that say so
  void saw_all(OpId op, std::span<const Value> elements, std::uint32_t mark = 0);  // set or list
  // A transaction with what it read; of a list, the value of a read is an array.
  void committed(OpId op, std::span<const Part> parts, std::uint32_t mark = 0);
  void failed(OpId op, std::uint32_t mark = 0);   // it did not take effect
  void unknown(OpId op, std::uint32_t mark = 0);  // the client gave up waiting: info

  const std::vector<Operation>& operations() const { return operations_; }
  const Operation& operator[](OpId op) const { return operations_[op]; }
  const Names& keys() const { return keys_; }
  const Names& values() const { return values_; }
  std::span<const Id> elements(const Operation& read) const {  // of a whole set or list
    return std::span(elements_).subspan(read.first, read.second);
  }
  std::span<const Step> steps(const Operation& txn) const {
    return std::span(steps_).subspan(txn.first, txn.second);
  }
  std::span<const Id> elements(const Step& read) const {
    return std::span(elements_).subspan(read.begin, read.count);
  }
  std::uint32_t events() const { return events_; }
  void clear();  // for the next run; keeps memory

  // "write 3", "cas 1 -> 2", "cas 1 -> 2 missed", "read nil", "dequeue empty", "read [1 2]".
  std::string describe(OpId op) const;

 private:
  bool answer(OpId op, Outcome outcome, std::uint32_t mark);
  bool reads_whole() const { return object_ == Object::set || object_ == Object::list; }
  void put_steps(Operation& op, std::span<const Part> parts, bool answered);
  std::string describe_steps(const Operation& op) const;
  std::string describe_list(std::span<const Id> elements) const;

  Object object_;
  std::vector<Operation> operations_;
  std::vector<Id> elements_;
  std::vector<Step> steps_;
  Names keys_, values_;
  std::uint32_t events_ = 0;
};

// A value as people write it in a history: nil, 3, "x" without quotes.
std::string print_value(const Value& value);

}  // namespace schism::linearize
