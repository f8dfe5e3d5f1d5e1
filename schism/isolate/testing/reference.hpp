// The definitions again, as slowly and literally as the paper states them, for tests: one predicate
// at a time, sets as sets, statistics from sets of names. Shares nothing with the fast ways but the
// data and the predicates' order.
#pragma once

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "schism/isolate/predicates.hpp"
#include "schism/isolate/run.hpp"

namespace schism::isolate::reference {

struct Received {
  int verb;
  std::vector<std::int64_t> fields;
  friend auto operator<=>(const Received&, const Received&) = default;
};
using Senders = std::set<int>;

inline bool includes(const Senders& a, const Senders& b) {  // b in a
  for (const int s : b)
    if (!a.contains(s)) return false;
  return true;
}

inline bool holds(int relation, const Senders& l, const Senders& r) {
  bool common = false;
  for (const int s : l) common = common || r.contains(s);
  switch (relation) {
    case kSame: return l == r;
    case kNotSame: return l != r;
    case kDisjoint: return !common;
    case kSubset: return includes(r, l);
    default: return includes(l, r);
  }
}

inline bool holds(Operator op, std::int64_t l, std::int64_t r) {
  switch (op) {
    case kEqual: return l == r;
    case kUnequal: return l != r;
    case kLess: return l < r;
    default: return l > r;
  }
}

inline bool assertions_hold(const VerbPair& pair, std::uint64_t mask, const Received& l,
                            const Senders& ls, const Received& r, const Senders& rs) {
  for (const Comparable& c : pair.comparables) {
    const int n =
        c.left == kSenders ? static_cast<int>(kRelations) : static_cast<int>(c.operators.size());
    for (int i = 0; i < n; ++i) {
      if (!(mask >> (c.first_bit + i) & 1)) continue;
      const bool good = c.left == kSenders ? holds(i, ls, rs)
                                           : holds(c.operators[static_cast<std::size_t>(i)],
                                                   l.fields[static_cast<std::size_t>(c.left)],
                                                   r.fields[static_cast<std::size_t>(c.right)]);
      if (!good) return false;
    }
  }
  return true;
}

// At one process.
inline bool observed_true(const Predicates& predicates, const Run& run, int process, int threshold,
                          std::uint32_t set) {
  const Schema& schema = predicates.schema();
  const VerbPair& pair = predicates.pair_of(set);
  const std::uint64_t mask = predicates.assertions(set).mask;
  std::map<Received, Senders> seen;
  for (const Message& m : run.inbox(static_cast<std::size_t>(process))) {
    if (m.sender < 0 || !(schema.heard_by(process) >> m.sender & 1)) continue;
    const std::int64_t* f = run.fields(m);
    const Received now{m.verb, {f, f + schema.verbs[m.verb].fields.size()}};
    Senders senders = seen.contains(now) ? seen[now] : Senders{};
    senders.insert(m.sender);
    for (const auto& [before, by] : seen)
      if (before.verb == pair.left && now.verb == pair.right &&
          static_cast<int>(by.size()) >= threshold &&
          assertions_hold(pair, mask, before, by, now, senders))
        return true;
    seen[now] = senders;
  }
  return false;
}

// In the run, for a number of processes in one of the groups.
inline bool observed_true(const Predicates& predicates, const Run& run, const PredicateId& id) {
  const Schema& schema = predicates.schema();
  for (const Group& group : schema.groups) {
    int processes = 0;
    for (int p = 0; p < schema.processes; ++p)
      if (group.members >> p & 1)
        processes += observed_true(predicates, run, p, id.threshold, id.set);
    if (processes > id.tolerance) return true;
  }
  return false;
}

// Which candidates hold in which runs, and which runs failed, by name.
struct Evidence {
  std::vector<std::set<std::string>> holds;
  std::set<std::string> failing, passing;
};

inline std::set<std::string> both(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> out;
  for (const std::string& x : a)
    if (b.contains(x)) out.insert(x);
  return out;
}

struct Step {
  std::size_t candidate;
  std::set<std::string> failing;
  std::size_t passing;
};

// Section 3.4, where every candidate is observed in every run.
inline std::vector<Step> eliminate(Evidence e) {
  std::vector<Step> out;
  std::set<std::size_t> used;
  for (;;) {
    const double f = static_cast<double>(e.failing.size());
    const double n = f + static_cast<double>(e.passing.size());
    double best = -1;
    Step step{};
    for (std::size_t c = 0; c < e.holds.size(); ++c) {
      if (used.contains(c)) continue;
      const auto failing = both(e.holds[c], e.failing);
      const auto passing = both(e.holds[c], e.passing);
      const double t = static_cast<double>(failing.size() + passing.size());
      if (t == 0) continue;
      const double increase = static_cast<double>(failing.size()) / t - f / n;
      if (increase <= 0) continue;
      const double importance =
          failing.size() == 1 || e.failing.size() == 1
              ? 0
              : 2 / (1 / increase +
                     1 / (std::log(static_cast<double>(failing.size())) / std::log(f)));
      if (importance > best) best = importance, step = {c, failing, passing.size()};
    }
    if (best < 0) return out;
    for (const std::string& run : step.failing) e.failing.erase(run);
    used.insert(step.candidate);
    out.push_back(std::move(step));
  }
}

}  // namespace schism::isolate::reference
