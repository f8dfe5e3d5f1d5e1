// Message predicates, generated exhaustively (Algorithm 1 of "Statistical Bug Isolation for
// Consensus Systems"): a threshold, a pair of verbs, up to so many assertions that compare a left
// message's fields with a right one's, and a tolerance.
//
// All comparisons of a pair of messages are one word, its signature; a set of assertions is a mask,
// and holds if its bits are in the signature. Predicates are numbered in the paper's order:
// threshold, verbs, number of assertions, fields, operators, tolerance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schism/isolate/schema.hpp"

namespace schism::isolate {

inline constexpr int kSenders = -1;  // in place of a field

// Bits of a signature, in this order, for the senders.
enum SenderRelation : std::uint8_t { kSame, kNotSame, kDisjoint, kSubset, kSuperset, kRelations };

struct Comparable {
  int left = kSenders, right = kSenders;  // fields
  int first_bit = 0;
  std::vector<Operator> operators;  // of fields; a bit each
  std::uint64_t when[3] = {};       // bits if left < right, equal, greater
  bool leave_out = false;
};

struct AssertionSet {
  std::uint64_t mask = 0;
  bool leave_out = false;
};

// All sets of assertions about one pair of verbs.
struct VerbPair {
  int left = 0, right = 0;
  std::vector<Comparable> comparables;  // the senders first
  std::vector<AssertionSet> sets;
  std::uint32_t first_set = 0;  // the number of its first set among all
};

// The senders of the left and of the right message against each other.
inline std::uint64_t compare_senders(std::uint64_t left, std::uint64_t right) {
  const bool same = left == right;
  return std::uint64_t{same} << kSame | std::uint64_t{!same} << kNotSame |
         std::uint64_t{(left & right) == 0} << kDisjoint |
         std::uint64_t{(left & ~right) == 0} << kSubset |
         std::uint64_t{(right & ~left) == 0} << kSuperset;
}

// A predicate in its parts. `set` counts over all pairs.
struct PredicateId {
  int threshold = 1, tolerance = 0;
  std::uint32_t set = 0;
  friend bool operator==(const PredicateId&, const PredicateId&) = default;
};

class Predicates {
 public:
  static Result<Predicates> generate(const Schema& schema);

  const Schema& schema() const { return schema_; }
  const std::vector<VerbPair>& pairs() const { return pairs_; }  // left verb * verbs + right verb
  const VerbPair& pair(int left, int right) const {
    return pairs_[static_cast<std::size_t>(left) * schema_.verbs.size() +
                  static_cast<std::size_t>(right)];
  }
  std::uint32_t sets() const { return sets_; }
  std::uint64_t without_tolerance() const { return std::uint64_t{sets_} * schema_.thresholds(); }
  std::uint64_t size() const { return without_tolerance() * schema_.tolerances(); }

  const VerbPair& pair_of(std::uint32_t set) const;
  const AssertionSet& assertions(std::uint32_t set) const {
    const VerbPair& p = pair_of(set);
    return p.sets[set - p.first_set];
  }

  // 2 x VAL -> VAL for more than 2 processes: ledger(l) != ledger(r), sequence(l) = sequence(r)
  std::string notation(const PredicateId& id) const;
  // "More than 2 processes received the same VAL from at least 2 senders and later a VAL with ..."
  std::string sentence(const PredicateId& id) const;
  // "ledger !=", "senders disjoint", "ledger = previous"
  std::vector<std::string> assertion_texts(std::uint32_t set) const;

 private:
  Schema schema_;
  std::vector<VerbPair> pairs_;
  std::uint32_t sets_ = 0;
};

}  // namespace schism::isolate
