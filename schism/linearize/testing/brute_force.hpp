// Slow and plain judges to test the checker against, and histories to do it with.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "schism/base/random.hpp"
#include "schism/linearize/checker.hpp"

namespace schism::linearize {

// The definition, word by word: try all orders that respect real time, of all keys together.
inline bool brute_force(const History& history) {
  const auto& ops = history.operations();
  std::vector<bool> ordered(ops.size());
  std::map<Id, Id> registers;  // absent: nil
  const auto answer_of = [&](const Operation& op) {
    return op.outcome == Outcome::ok ? op.answered : kNever;
  };
  const std::function<bool()> extend = [&] {
    bool all = true;
    std::uint32_t first_answer = kNever;
    for (OpId i = 0; i < ops.size(); ++i) {
      if (ordered[i] || ops[i].outcome != Outcome::ok) continue;
      all = false;
      first_answer = std::min(first_answer, ops[i].answered);
    }
    if (all) return true;
    for (OpId i = 0; i < ops.size(); ++i) {
      const Operation& op = ops[i];
      if (ordered[i] || op.outcome == Outcome::fail || op.invoked > first_answer) continue;
      if (answer_of(op) == kNever && op.function == Function::read) continue;
      const Id before = registers[op.key];
      if (op.function == Function::read && before != op.first) continue;
      if (op.function == Function::cas && (before == op.first) == op.missed) continue;
      if (op.function == Function::write) registers[op.key] = op.first;
      if (op.function == Function::cas && !op.missed) registers[op.key] = op.second;
      ordered[i] = true;
      if (extend()) return true;
      ordered[i] = false;
      registers[op.key] = before;
    }
    return false;
  };
  return extend();
}

// The search of Wing and Gong with a memory and none of the checker's rules: for up to 64
// operations.
inline bool wing_gong(const Partition& partition) {
  const auto& ops = partition.ops;
  std::set<std::pair<std::uint64_t, std::uint32_t>> entered;
  const std::function<bool(std::uint64_t, std::uint32_t)> extend = [&](std::uint64_t done,
                                                                       std::uint32_t value) {
    if (!entered.emplace(done, value).second) return false;
    std::uint32_t first_answer = kNever;
    for (std::size_t i = 0; i < ops.size(); ++i)
      if (!(done >> i & 1)) first_answer = std::min(first_answer, ops[i].returned);
    if (first_answer == kNever) return true;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const RegisterOp& op = ops[i];
      if (done >> i & 1 || op.invoked > first_answer) continue;
      if (op.observes() && (value == op.first) == (op.effect == Effect::miss)) continue;
      if (extend(done | std::uint64_t{1} << i, op.sets() ? op.product() : value)) return true;
    }
    return false;
  };
  return extend(0, 0);
}

struct Mix {
  int operations = 6;
  std::size_t open = 4;                 // at most, at a time
  int values = 3;                       // and nil
  double read = 1, write = 1, cas = 1;  // relative
  double missed = 0.4, fail = 0.1, info = 0.15;
};

// A register with arbitrary answers, so that nothing is right but by chance.
inline History random_answers(std::uint64_t seed, const Mix& mix) {
  Rng rng(seed);
  History history;
  std::vector<OpId> open;
  std::int64_t next_client = 0;
  const auto value = [&] { return rng.chance(0.15) ? Value() : Value(rng.between(1, mix.values)); };
  for (int left = mix.operations; left > 0 || (!open.empty() && rng.chance(0.9));) {
    if (left > 0 && (open.empty() || (open.size() < mix.open && rng.chance(0.55)))) {
      const double kind = rng.unit() * (mix.read + mix.write + mix.cas);
      const Call call = kind < mix.read               ? read("x")
                        : kind < mix.read + mix.write ? write("x", value())
                                                      : cas("x", value(), value());
      open.push_back(history.invoke(next_client++, call));
      --left;
      continue;
    }
    const std::size_t at = rng.below(open.size());
    const OpId op = open[at];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    const double fate = rng.unit();
    if (fate < mix.fail) history.failed(op);
    else if (fate < mix.fail + mix.info) history.unknown(op);
    else if (history[op].function == Function::read) history.saw(op, value());
    else if (history[op].function == Function::cas && rng.chance(mix.missed)) history.missed(op);
    else history.done(op);
  }
  return history;
}

}  // namespace schism::linearize
