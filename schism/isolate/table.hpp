// What statistics work on: which candidate holds in which run, a bit each, a row of bits a
// candidate. Made from message predicates or from branches; statistics do not know which.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schism/isolate/evaluate.hpp"

namespace schism::isolate {

using Bits = std::vector<std::uint64_t>;  // a bit a run
using BitsView = std::span<const std::uint64_t>;

inline std::uint32_t count(BitsView a) {
  std::uint32_t n = 0;
  for (const std::uint64_t w : a) n += static_cast<std::uint32_t>(std::popcount(w));
  return n;
}
inline std::uint32_t count_both(BitsView a, BitsView b) {
  std::uint32_t n = 0;
  for (std::size_t w = 0; w < a.size(); ++w)
    n += static_cast<std::uint32_t>(std::popcount(a[w] & b[w]));
  return n;
}
inline bool test(BitsView a, std::size_t i) { return a[i / 64] >> i % 64 & 1; }
inline void set(std::span<std::uint64_t> a, std::size_t i) {
  a[i / 64] |= std::uint64_t{1} << i % 64;
}

class Table {
 public:
  explicit Table(std::vector<RunInfo> runs);

  const std::vector<RunInfo>& runs() const { return runs_; }
  std::size_t words() const { return words_; }
  std::size_t size() const { return holds_.size() / std::max<std::size_t>(words_, 1); }
  BitsView failed() const { return failed_; }
  BitsView passed() const { return passed_; }
  Bits none() const { return Bits(words_); }

  BitsView holds(std::size_t candidate) const {
    return {holds_.data() + candidate * words_, words_};
  }
  // The runs that could have shown it; for message predicates these are all of them.
  BitsView observed(std::size_t candidate) const {
    return observed_.empty() ? BitsView(all_)
                             : BitsView(observed_.data() + candidate * words_, words_);
  }

  // A new candidate that holds nowhere; with `observed`, all of them need it.
  std::span<std::uint64_t> add();
  std::pair<std::span<std::uint64_t>, std::span<std::uint64_t>> add_observed();

  // The same, with the other runs neither failing nor passing.
  Table restricted(BitsView runs) const;

  // The runs with this bug as ground truth; the bugs there are, sorted.
  Bits with_bug(const std::string& bug) const;
  std::vector<std::string> bugs() const;

 private:
  std::vector<RunInfo> runs_;
  std::size_t words_;
  Bits failed_, passed_, all_;
  std::vector<std::uint64_t> holds_, observed_;
};

// Runs as they are read, and then a table of those predicates that hold in a failing run at all:
// others explain nothing.
class Observations {
 public:
  explicit Observations(const Predicates& predicates) : predicates_(predicates) {}

  void add(RunInfo info, const RunBits& bits);
  std::size_t runs() const { return runs_.size(); }
  std::size_t failing() const;
  Table table(std::vector<PredicateId>& ids) const;  // in the order of the predicates

 private:
  const Predicates& predicates_;
  std::vector<RunInfo> runs_;
  std::vector<std::uint64_t> rows_;  // as in RunBits, run after run
};

}  // namespace schism::isolate
