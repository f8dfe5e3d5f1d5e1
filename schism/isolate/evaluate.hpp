// Where all predicates hold in a run (Algorithm 2 of the paper), at once. At a process every
// message is compared with the different ones before it; a message equal to an earlier one first
// adds its sender to that one's senders. Each pair gives a signature, and each signature, seen from
// then on, its list of predicates: the pairs cost one table lookup each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "schism/isolate/predicates.hpp"
#include "schism/isolate/run.hpp"

namespace schism::isolate {

// A bit a (tolerance, threshold, set): the predicate is observed to be true in the run.
class RunBits {
 public:
  RunBits(int tolerances, int thresholds, std::uint32_t sets)
      : thresholds_(thresholds),
        words_((sets + 63) / 64),
        bits_(static_cast<std::size_t>(tolerances * thresholds) * words_) {}

  std::span<std::uint64_t> level(int tolerance, int threshold) {
    return {bits_.data() + static_cast<std::size_t>(tolerance * thresholds_ + threshold) * words_,
            words_};
  }
  std::span<const std::uint64_t> level(int tolerance, int threshold) const {
    return {bits_.data() + static_cast<std::size_t>(tolerance * thresholds_ + threshold) * words_,
            words_};
  }
  void clear() { std::fill(bits_.begin(), bits_.end(), 0); }
  std::span<const std::uint64_t> words() const { return bits_; }

 private:
  int thresholds_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// Messages that made a predicate true at a process: in the inbox, those that brought the left one's
// senders together, and the right one.
struct Witness {
  int process = 0;
  std::vector<std::uint32_t> left;
  std::uint32_t right = 0;
};

class Evaluator {
 public:
  explicit Evaluator(const Predicates& predicates);

  RunBits fresh_bits() const;
  void evaluate(const Run& run, RunBits& out);
  std::uint64_t pairs_compared() const { return pairs_compared_; }

  // The first witness at each process where it is observed to be true.
  std::vector<Witness> witnesses(const Run& run, const PredicateId& id);

 private:
  struct Seen {
    std::uint64_t hash = 0, senders = 0;
    const std::int64_t* fields = nullptr;
    int verb = 0;
    std::vector<std::uint32_t> arrivals;  // only for witnesses
  };
  struct Signature {
    std::uint32_t first_word = 0;
    std::vector<std::uint64_t> satisfied;  // sets, from that word on
    std::uint64_t stamp = 0;               // the process that saw it last
    int senders = 0;                       // most senders of the left message there
  };
  struct Signatures {
    absl::flat_hash_map<std::uint64_t, std::uint32_t> index;
    std::vector<Signature> list;
    std::vector<std::uint32_t> touched;  // by this process
    std::uint64_t last_key = 0;
    std::uint32_t last = 0;
    bool any = false;
  };

  static std::uint64_t signature_of(const VerbPair& pair, const Seen& left, const Seen& right);
  // Calls `pair(left, right)` for every left before right; `right` has its senders merged.
  template <class Pair>
  void walk(const Run& run, int process, bool arrivals, Pair&& pair);
  void note(const VerbPair& pair, std::uint64_t signature, int senders);
  Signature& find(Signatures& known, const VerbPair& pair, std::uint64_t signature);
  void collect();  // what the process saw, into held_

  const Predicates& predicates_;
  std::vector<std::uint64_t> heard_;
  std::vector<Signatures> known_;  // a pair of verbs each
  std::vector<Seen> seen_;
  std::size_t seen_count_ = 0;
  std::uint64_t stamp_ = 0, pairs_compared_ = 0;
  RunBits held_;                 // at the process: one tolerance
  std::vector<RunBits> groups_;  // counted within each group
};

}  // namespace schism::isolate
