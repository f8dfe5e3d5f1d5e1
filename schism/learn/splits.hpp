// The ways to split a multiset of colours into blocks. Nodes of one colour are interchangeable, so
// three nodes of three colours have five splits, with two colours four, with one three.
//
// Nodes are sorted by colour; a split says for each of them, in that order, in which block it is.
// Which splits there are depends only on who has the colour of the one before: it is worked out
// once a pattern.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace schism::learn {

using Split = std::vector<std::uint8_t>;  // a block each, blocks numbered as they first appear

class Splits {
 public:
  // Up to so many nodes all splits are offered. For more: all together, one alone, and the first so
  // many apart from the rest.
  static constexpr std::size_t kAllUpTo = 6;

  // `colours` are sorted.
  const std::vector<Split>& of(std::span<const std::uint64_t> colours);

 private:
  std::map<std::vector<bool>, std::vector<Split>> known_;  // by pattern
};

}  // namespace schism::learn
