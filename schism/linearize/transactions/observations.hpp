// What transactions did to each key, taken apart: what they saw of others, and what they left.
#pragma once

#include "absl/container/flat_hash_map.h"
#include "schism/linearize/transactions/dependencies.hpp"

namespace schism::linearize {

// Who wrote a value to a key.
struct Writer {
  OpId op = 0;
  bool last = false;     // it wrote no other to that key afterwards
  bool several = false;  // somebody else wrote the same: who is meant cannot be told
};

class Writers {
 public:
  explicit Writers(const History& history);
  const Writer* find(Id key, Id value) const {
    const auto at = map_.find(std::uint64_t{key} << 32 | value);
    return at == map_.end() ? nullptr : &at->second;
  }

 private:
  absl::flat_hash_map<std::uint64_t, Writer> map_;
};

// The first read of a key in a transaction, before it wrote there itself.
struct ExternalRead {
  OpId op = 0;
  Id key = 0;
  Id value = 0;                  // of a register
  std::span<const Id> elements;  // of a list
  bool writes_too = false;       // the transaction goes on to write that key
};

// Of all that are ok, in order. What contradicts a transaction's own steps becomes an anomaly.
std::vector<ExternalRead> external_reads(const History& history, std::vector<Anomaly>& anomalies);

// Transactions that took part: ok, or seen by one that is.
std::vector<OpId> participants(const History& history, const Writers& writers,
                               const std::vector<ExternalRead>& reads);

// Adds the first anomaly of its kind, and counts the others.
void add_anomaly(std::vector<Anomaly>& all, Anomaly anomaly);

}  // namespace schism::linearize
