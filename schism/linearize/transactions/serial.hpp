// Are transactions serializable? A cycle of dependencies proves that they are not, an order in
// which all of them read what they read proves that they are; what is left is searched like
// registers that are touched together, and unknown beyond the limits.
//
//   SerialFinding found = check_serial(history, {}, /*strict=*/false, limits);
#pragma once

#include "schism/linearize/checker.hpp"
#include "schism/linearize/transactions/dependencies.hpp"

namespace schism::linearize {

struct SerialFinding {
  Verdict verdict = Verdict::unknown;  // linearizable: there is a serial order
  std::vector<Anomaly> anomalies;      // the worst first
  std::vector<std::string> doubts;     // why it is unknown
  std::uint64_t configurations = 0;    // of the search, where there was one
  std::size_t transactions = 0;        // that took part
};

SerialFinding check_serial(const History& history, const Value& initial, bool strict,
                           const Limits& limits);

// The worst anomaly for a person: its transactions, and why each comes before the next.
std::string tell(const History& history, const Anomaly& anomaly);

// An order along the edges in which every transaction reads what it read; empty: none was found,
// which proves nothing unless the transactions are of lists.
std::vector<OpId> serial_order(const History& history, const Dependencies& dependencies,
                               const Value& initial);
// Whether it is one: the definition.
bool is_serial(const History& history, std::span<const OpId> order, const Value& initial);

}  // namespace schism::linearize
