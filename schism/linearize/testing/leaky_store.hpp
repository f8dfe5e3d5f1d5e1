// A store that keeps transactions apart as well as its level says, and no better: histories to
// judge by their dependencies.
#pragma once

#include <algorithm>
#include <map>

#include "schism/base/random.hpp"
#include "schism/linearize/history.hpp"

namespace schism::linearize {

// serial: one after the other. stale: the same, but who only reads may read the past. snapshot:
// reads of the moment it began, writes at its end, lost updates and all. committed: reads of what
// is committed at each step, writes at its end. uncommitted: every step at once, and what is taken
// back stays.
SCHISM_ENUM(Level, serial, stale, snapshot, committed, uncommitted);

struct LeakyMix {
  Object object = Object::list_append;
  Level level = Level::serial;
  int transactions = 5, steps = 3, keys = 2;
  std::size_t open = 3;
  int values = 0;  // 0: each write has a value of its own
  double fail = 0.1, info = 0.1;
};

class LeakyStore {
 public:
  LeakyStore(const LeakyMix& mix, std::uint64_t seed)
      : mix_(mix), rng_(seed), history_(mix.object) {}

  History run() {
    for (int left = mix_.transactions; left > 0 || !open_.empty();) {
      if (left > 0 && (open_.empty() || (open_.size() < mix_.open && rng_.chance(0.6)))) {
        begin();
        --left;
        continue;
      }
      const std::size_t at = rng_.below(open_.size());
      if (go_on(open_[at])) open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return std::move(history_);
  }

 private:
  using State = std::map<std::string, Value>;  // lists are arrays
  struct Transaction {
    OpId op;
    std::vector<Part> parts;
    State snapshot = {}, own = {};  // own: as it sees its writes
    std::size_t at = 0;
    double fate = 0;
    bool done = false;
  };

  void begin() {
    std::vector<Part> parts(static_cast<std::size_t>(rng_.between(1, mix_.steps)));
    for (Part& part : parts) {
      part.key = Value(rng_.between(0, mix_.keys - 1));
      if (rng_.chance(0.5)) continue;
      part.function = lists() ? Function::append : Function::write;
      part.value = mix_.values == 0 ? Value(++fresh_) : Value(rng_.between(1, mix_.values));
    }
    const OpId op = history_.invoke(next_client_++, transact(parts));
    open_.push_back({op, std::move(parts), {}, {}, 0, rng_.unit(), false});
  }

  bool lists() const { return mix_.object == Object::list_append; }

  void step(State& reads, State& writes, Part& part) {
    const std::string key = to_json(part.key);
    if (part.function == Function::read) {
      part.value = reads[key];
      if (lists() && part.value.is_null()) part.value = Value(Value::Array{});
    } else if (part.function == Function::write) {
      writes[key] = part.value;
    } else {
      writes[key].push(part.value);
    }
  }

  // One step, or the answer; true when it is over.
  bool go_on(Transaction& t) {
    if (t.done) return answer(t), true;
    if (t.at == 0) t.snapshot = state_;
    if (mix_.level == Level::serial || mix_.level == Level::stale) {
      const bool looks = std::all_of(t.parts.begin(), t.parts.end(), [](const Part& part) {
        return part.function == Function::read;
      });
      State past = looks && mix_.level == Level::stale && !past_.empty()
                       ? past_[rng_.below(past_.size())]
                       : State();
      if (t.fate >= mix_.fail)
        for (Part& part : t.parts) step(past.empty() ? state_ : past, state_, part);
      if (mix_.level == Level::stale) past_.push_back(state_);
      t.done = true;
      return false;
    }
    if (t.at == t.parts.size()) {
      commit(t);
      t.done = true;
      return false;
    }
    Part& part = t.parts[t.at++];
    if (mix_.level == Level::uncommitted) {
      step(state_, state_, part);
      return false;
    }
    // What it wrote itself it sees on top of what it reads.
    State& base = mix_.level == Level::snapshot ? t.snapshot : state_;
    const std::string key = to_json(part.key);
    if (part.function != Function::read) {
      step(t.own, t.own, part);
    } else if (!lists()) {
      step(t.own.count(key) ? t.own : base, t.own, part);
    } else {
      step(base, t.own, part);
      if (const auto own = t.own.find(key); own != t.own.end() && own->second.as_array())
        for (const Value& element : *own->second.as_array()) part.value.push(element);
    }
    return false;
  }

  void commit(const Transaction& t) {
    if (mix_.level == Level::uncommitted || t.fate < mix_.fail) return;
    for (Part part : t.parts)
      if (part.function != Function::read) step(state_, state_, part);
  }

  void answer(Transaction& t) {
    if (t.fate < mix_.fail) history_.failed(t.op);
    else if (t.fate < mix_.fail + mix_.info) history_.unknown(t.op);
    else history_.committed(t.op, t.parts);
  }

  LeakyMix mix_;
  Rng rng_;
  History history_;
  State state_;
  std::vector<State> past_;
  std::vector<Transaction> open_;
  std::int64_t next_client_ = 0, fresh_ = 0;
};

}  // namespace schism::linearize
