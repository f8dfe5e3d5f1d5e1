// Which transaction must come before which, in every serial order that explains what they read; and
// what no serial order explains at all. The method is that of Elle (Kingsbury and Alvaro 2020,
// "Elle: inferring isolation anomalies from experimental observations"), the names of anomalies
// are Adya's (1999).
//
//   ww   it wrote a later version of a key        wr   it read what the other wrote
//   rw   it wrote what the other did not see yet  rt   it began after the other had answered
//
// A transaction without an answer takes part if somebody saw what it wrote, and is left out
// otherwise; one that failed never takes part. Edges are conclusions, never guesses: where a value
// was written twice, nothing is concluded from who read it, and `doubts` says so.
#pragma once

#include <string>
#include <vector>

#include "schism/linearize/history.hpp"

namespace schism::linearize {

SCHISM_ENUM(Dependency, ww, wr, rw, rt);

struct Edge {
  std::uint32_t to = 0;
  Dependency kind = Dependency::ww;
  Id key = 0;
  Id before = 0, after = 0;  // values: what the first one wrote or read, what the second one wrote
  bool from_first = false;   // the first one read the key before anybody wrote it
  bool timed = false;        // it follows only with real time
};

// What is wrong by itself, without a cycle.
struct Anomaly {
  std::string name;      // "G1a (aborted read)"
  std::string sentence;  // about T1, T2, ... in the order of:
  std::vector<OpId> transactions;
  std::vector<std::string> steps;  // of a cycle: why each comes before the next
};

struct Dependencies {
  std::vector<OpId> nodes;  // transactions in order of invocation; nodes beyond them are moments
  std::vector<std::vector<Edge>> edges;
  std::vector<Anomaly> anomalies;
  std::vector<std::string> doubts;  // what could not be concluded, a few of them

  std::uint32_t transactions() const { return static_cast<std::uint32_t>(nodes.size()); }
};

// Complete for lists whose elements are all different: without anomaly and cycle, every order that
// follows the edges is serial. Registers do not say in which order they were written; there the
// edges are what follows from first values, from reads before writes within a transaction, and from
// what these imply.
Dependencies dependencies(const History& history, const Value& initial, bool strict);

// The same, in parts.
void follow_lists(const History& history, Dependencies& out);
void follow_registers(const History& history, const Value& initial, Dependencies& out);
// More edges between writers and readers of registers, as long as there is no cycle: if a writer
// comes after the one that was read from, it comes after the reader; if it comes before the reader,
// before the one that was read from. For up to some thousand transactions.
void saturate(const History& history, Dependencies& out, const Value& initial, bool timed);
void follow_real_time(const History& history, Dependencies& out);

}  // namespace schism::linearize
