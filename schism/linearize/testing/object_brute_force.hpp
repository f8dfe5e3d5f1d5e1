// The definition of linearizability for every object, as slow and plain as it can be, and random
// histories to compare with: it shares nothing with the search but the history.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "schism/base/random.hpp"
#include "schism/linearize/history.hpp"

namespace schism::linearize {

// A world in which every object is what its name says, all keys together.
struct PlainObjects {
  std::map<Id, std::deque<Id>> queues;
  std::map<Id, std::optional<std::int64_t>> holders;
  std::map<Id, std::set<Id>> sets;
  std::map<Id, std::vector<Id>> lists;
  std::map<Id, Id> registers;  // absent: nil

  // Whether the operation can happen, and with that answer if it has one.
  bool apply(const History& h, const Operation& op) {
    const bool ok = op.outcome == Outcome::ok;
    switch (op.function) {
      case Function::enqueue: queues[op.key].push_back(op.first); return true;
      case Function::dequeue: {
        auto& queue = queues[op.key];
        if (ok && op.missed) return queue.empty();
        if (queue.empty()) return !ok;  // without an answer: it found nothing
        if (ok && queue.front() != op.first) return false;
        queue.pop_front();
        return true;
      }
      case Function::acquire:
        if (holders[op.key]) return false;
        holders[op.key] = op.client;
        return true;
      case Function::release: {
        auto& holder = holders[op.key];
        if (!holder || (h.object() == Object::owned_mutex && *holder != op.client)) return false;
        holder.reset();
        return true;
      }
      case Function::add: {
        const bool fresh = sets[op.key].insert(op.first).second;
        return !ok || op.told() == Told::nothing || fresh == (op.told() == Told::yes);
      }
      case Function::remove: {
        const bool was = sets[op.key].erase(op.first) != 0;
        return !ok || op.told() == Told::nothing || was == (op.told() == Told::yes);
      }
      case Function::contains:
        return !ok || (sets[op.key].count(op.first) != 0) == (op.told() == Told::yes);
      case Function::append: lists[op.key].push_back(op.first); return true;
      case Function::read: {
        if (!ok) return true;
        const auto seen = h.elements(op);
        if (h.object() == Object::set)
          return std::set<Id>(seen.begin(), seen.end()) == sets[op.key];
        return std::vector<Id>(seen.begin(), seen.end()) == lists[op.key];
      }
      case Function::txn: return apply_steps(h, op);
      default: return false;
    }
  }

  bool apply_steps(const History& h, const Operation& op) {
    const bool ok = op.outcome == Outcome::ok;
    for (const Step& s : h.steps(op)) {
      if (s.function == Function::write) registers[s.key] = s.value;
      if (s.function == Function::append) lists[s.key].push_back(s.value);
      if (s.function != Function::read || !ok) continue;
      if (h.object() != Object::list_append) {
        if (registers[s.key] != s.value) return false;
        continue;
      }
      const auto seen = h.elements(s);
      if (std::vector<Id>(seen.begin(), seen.end()) != lists[s.key]) return false;
    }
    return true;
  }
};

// All orders of all completed operations with any of those without an answer; respecting real time
// if it is asked for.
inline bool brute_force_objects(const History& history, bool real_time = true) {
  const auto& ops = history.operations();
  std::vector<bool> ordered(ops.size());
  const std::function<bool(const PlainObjects&)> extend = [&](const PlainObjects& now) {
    bool all = true;
    std::uint32_t first_answer = kNever;
    for (OpId i = 0; i < ops.size(); ++i) {
      if (ordered[i] || ops[i].outcome != Outcome::ok) continue;
      all = false;
      first_answer = std::min(first_answer, ops[i].answered);
    }
    if (all) return true;
    for (OpId i = 0; i < ops.size(); ++i) {
      if (ordered[i] || ops[i].outcome == Outcome::fail) continue;
      if (real_time && ops[i].invoked > first_answer) continue;
      PlainObjects then = now;
      if (!then.apply(history, ops[i])) continue;
      ordered[i] = true;
      if (extend(then)) return true;
      ordered[i] = false;
    }
    return false;
  };
  return extend({});
}

// Clients of objects that really are what they claim, each operation taking effect between its
// invocation and its answer; some answers are then spoilt.
struct ObjectMix {
  Object object = Object::queue;
  int operations = 6;
  std::size_t open = 3;  // at most, at a time
  int keys = 1, elements = 3;
  double info = 0.15, fail = 0.05, pending = 0.05;
  double spoilt = 0.1;
};

class ObjectGenerator {
 public:
  ObjectGenerator(const ObjectMix& mix, std::uint64_t seed)
      : mix_(mix), rng_(seed), history_(mix.object) {}

  History run() {
    for (int left = mix_.operations; left > 0 || !flying_.empty();) {
      if (left > 0 && (flying_.empty() || (flying_.size() < mix_.open && rng_.chance(0.5)))) {
        invoke();
        --left;
        continue;
      }
      const std::size_t at = rng_.below(flying_.size());
      if (!flying_[at].applied && rng_.chance(0.7)) {
        apply(flying_[at]);
        continue;
      }
      finish(flying_[at]);
      flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return std::move(history_);
  }

 private:
  struct Flying {
    OpId op;
    std::int64_t client;
    Call call;
    bool applied = false;
    bool yes = false;  // of an answer
    bool happened = true;
    std::vector<Value> seen = {};
    std::vector<Part> parts = {};
  };

  Value element() {
    if (mix_.elements == 0) return Value(++fresh_);
    return Value(rng_.between(1, mix_.elements));
  }

  Call random_call(std::int64_t client) {
    const Value key(rng_.between(0, mix_.keys - 1));
    const double kind = rng_.unit();
    switch (mix_.object) {
      case Object::queue: return kind < 0.5 ? enqueue(key, element()) : dequeue(key);
      case Object::mutex:
      case Object::owned_mutex: {
        auto& holder = holders_[to_json(key)];
        const bool mine = holder && (*holder == client || rng_.chance(0.4));
        return mine || kind < 0.1 ? release(key) : acquire(key);
      }
      case Object::set:
        if (kind < 0.35) return add(key, element());
        if (kind < 0.55) return remove(key, element());
        return kind < 0.75 ? contains(key, element()) : read(key);
      case Object::list: return kind < 0.55 ? append(key, element()) : read(key);
      default: break;
    }
    std::vector<Part> parts(static_cast<std::size_t>(rng_.between(1, 3)));
    for (Part& part : parts) {
      const bool sets = rng_.chance(0.5);
      part.function = !sets                                ? Function::read
                      : mix_.object == Object::list_append ? Function::append
                                                           : Function::write;
      part.key = Value(rng_.between(0, mix_.keys - 1));
      if (sets) part.value = element();
    }
    return transact(std::move(parts));
  }

  void invoke() {
    const std::int64_t client = rng_.chance(0.5) ? next_client_++ : rng_.between(0, 1) - 2;
    if (gone_.count(client) != 0) return invoke_as(next_client_++);
    for (const Flying& f : flying_)
      if (f.client == client) return invoke_as(next_client_++);
    invoke_as(client);
  }
  void invoke_as(std::int64_t client) {
    Call call = random_call(client);
    const OpId op = history_.invoke(client, call);
    flying_.push_back({op, client, std::move(call)});
  }

  // On values, not on ids: the generator has its own idea of every object.
  void apply(Flying& f) {
    f.applied = true;
    const std::string key = to_json(f.call.key);
    const std::string name = to_json(f.call.first);
    switch (f.call.function) {
      case Function::enqueue: queues_[key].push_back(f.call.first); break;
      case Function::dequeue:
        f.yes = !queues_[key].empty();
        if (!f.yes) break;
        f.seen = {queues_[key].front()};
        queues_[key].pop_front();
        break;
      case Function::acquire:
        f.happened = !holders_[key];
        if (f.happened) holders_[key] = f.client;
        break;
      case Function::release:
        f.happened = holders_[key] && (mix_.object == Object::mutex || *holders_[key] == f.client);
        if (f.happened) holders_[key].reset();
        break;
      case Function::add: f.yes = sets_[key].emplace(name, f.call.first).second; break;
      case Function::remove: f.yes = sets_[key].erase(name) != 0; break;
      case Function::contains: f.yes = sets_[key].count(name) != 0; break;
      case Function::append: lists_[key].push_back(f.call.first); break;
      case Function::txn: apply_parts(f); break;
      default:
        if (mix_.object == Object::list) f.seen = lists_[key];
        else
          for (const auto& [n, value] : sets_[key]) f.seen.push_back(value);
    }
  }
  void apply_parts(Flying& f) {
    f.parts = f.call.parts;
    for (Part& part : f.parts) {
      const std::string key = to_json(part.key);
      if (part.function == Function::append) lists_[key].push_back(part.value);
      else if (part.function == Function::write) registers_[key] = part.value;
      else if (mix_.object == Object::list_append) part.value = Value(lists_[key]);
      else part.value = registers_[key];
    }
  }

  void finish(Flying& f) {
    const double fate = rng_.unit();
    if (!f.applied) {
      if (fate < 0.5) return history_.failed(f.op);
      if (fate < 0.8) return history_.unknown(f.op);
      apply(f);
    }
    if (!f.happened && !rng_.chance(mix_.spoilt)) return history_.failed(f.op);
    if (fate < mix_.pending) {
      gone_.insert(f.client);
      return;
    }
    if (fate < mix_.pending + mix_.info) return history_.unknown(f.op);
    if (rng_.chance(mix_.spoilt)) spoil(f);
    switch (f.call.function) {
      case Function::dequeue: return f.yes ? history_.saw(f.op, f.seen[0]) : history_.missed(f.op);
      case Function::add:
      case Function::remove:
        return rng_.chance(0.5) ? history_.done(f.op) : history_.told(f.op, f.yes);
      case Function::contains: return history_.told(f.op, f.yes);
      case Function::read: return history_.saw_all(f.op, f.seen);
      case Function::txn: return history_.committed(f.op, f.parts);
      default: return history_.done(f.op);
    }
  }

  void spoil(Flying& f) {
    f.yes = !f.yes;
    if (f.call.function == Function::dequeue && f.yes) f.seen = {element()};
    if (f.call.function == Function::read) {
      if (f.seen.empty() || rng_.chance(0.4)) f.seen.push_back(element());
      else if (f.seen.size() > 1 && rng_.chance(0.3)) std::swap(f.seen[0], f.seen[1]);
      else f.seen.pop_back();
    }
    for (Part& part : f.parts) {
      if (part.function != Function::read || rng_.chance(0.4)) continue;
      if (mix_.object != Object::list_append) {
        part.value = rng_.chance(0.2) ? Value() : element();
        continue;
      }
      Value::Array list = part.value.as_array() ? *part.value.as_array() : Value::Array();
      if (list.empty() || rng_.chance(0.2)) list.push_back(element());
      else if (list.size() > 1 && rng_.chance(0.3)) std::swap(list[0], list[1]);
      else list.pop_back();
      part.value = Value(std::move(list));
    }
  }

  ObjectMix mix_;
  Rng rng_;
  History history_;
  std::vector<Flying> flying_;
  std::set<std::int64_t> gone_;  // clients whose operation never answers
  std::map<std::string, std::deque<Value>> queues_;
  std::map<std::string, std::optional<std::int64_t>> holders_;
  std::map<std::string, std::map<std::string, Value>> sets_;
  std::map<std::string, std::vector<Value>> lists_;
  std::map<std::string, Value> registers_;
  std::int64_t next_client_ = 0, fresh_ = 0;
};

inline History generate_objects(const ObjectMix& mix, std::uint64_t seed) {
  return ObjectGenerator(mix, seed).run();
}

}  // namespace schism::linearize
