// Something for each of the last 4,096 ledger sequences: what oracles remember, without growing
// with the length of the run. What is older is forgotten, and then not judged.
#pragma once

#include <vector>

#include "systems/xrpl/types.hpp"

namespace schism::xrpl {

template <class T>
class BySeq {
 public:
  void clear() { entries_.clear(); }
  // Made where it is not there yet; null where it is long forgotten.
  T* at(Seq seq) {
    if (entries_.empty()) entries_.resize(kKept);
    Entry& entry = entries_[seq % kKept];
    if (seq < entry.seq) return nullptr;
    if (seq > entry.seq) entry = {seq, {}};
    return &entry.value;
  }
  template <class See>
  void each(See see) const {
    for (const Entry& entry : entries_)
      if (entry.seq != 0) see(entry.value);
  }
  template <class Change>
  void change(Change change) {
    for (Entry& entry : entries_)
      if (entry.seq != 0) change(entry.value);
  }
  // An order-free hash of all that is remembered.
  template <class HashOf>
  Hash128 digest(HashOf hash_of) const {
    Hash128 sum;
    for (const Entry& entry : entries_)
      if (entry.seq != 0) sum += absorb(scatter(entry.seq), hash_of(entry.value));
    return sum;
  }

 private:
  static constexpr Seq kKept = 4096;
  struct Entry {
    Seq seq = 0;
    T value{};
  };
  std::vector<Entry> entries_;
};

}  // namespace schism::xrpl
