// A whole history judged, and said in words: what `schism linearize` prints.
//
//   Report report = judge_history(history, {});
//   std::cout << print(report);
//   return exit_code(report);      // 0 linearizable, 1 violation, 3 unknown
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schism/linearize/checker.hpp"

namespace schism::linearize {

struct Options {
  Value initial;        // what every register holds before the first write
  Limits limits;        // configurations and memory for each key, seconds for all together
  bool strict = false;  // transactions: in an order that respects real time
  bool explain = true;  // look for the smallest set of operations that cannot be ordered
  std::uint64_t explain_work = 5'000'000;  // configurations
};

struct Offence {
  Value key;
  std::string anomaly;           // of transactions: its name
  std::vector<OpId> operations;  // those that cannot be ordered, by invocation
  OpId culprit = 0;              // the operation whose answer left no order
  std::uint32_t event = 0;       // the position of that answer; its mark is the culprit's
  bool located = false;          // no shorter prefix fails
  bool minimal = false;          // none of them can be spared (evidence.hpp says how that is meant)
  bool smallest = false;         // and there is no smaller set among them
  std::string_view quality;      // of other objects than registers: how few they are, if minimal
  std::string sentence;          // one sentence
  std::string picture;           // lines of at most 100 columns
};

struct Report {
  Verdict verdict = Verdict::linearizable;
  std::string_view condition = "linearizable";  // or serializable, or strictly serializable
  std::size_t operations = 0, ok = 0, failed = 0, info = 0, pending = 0;
  std::size_t clients = 0, keys = 0;
  std::size_t violating_keys = 0, unknown_keys = 0;
  std::uint64_t configurations = 0;  // explored, without those of the explanation
  double seconds = 0;
  std::optional<Offence> offence;  // of the first such key, in order of appearance
  std::vector<Value> unknown;      // the first few keys beyond a limit
  // Of transactions: other anomalies by name with their number; what could not be concluded.
  std::vector<std::pair<std::string, std::size_t>> more;
  std::vector<std::string> doubts;
};

// By what the history is of: keys that are registers, other objects, or transactions.
Report judge_history(const History& history, const Options& options);
std::string print(const Report& report);
constexpr int exit_code(Verdict verdict) {
  return verdict == Verdict::linearizable ? 0 : verdict == Verdict::violation ? 1 : 3;
}
inline int exit_code(const Report& report) { return exit_code(report.verdict); }

}  // namespace schism::linearize
