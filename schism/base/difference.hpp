// A lie as what it changes of the honest content. The honest content is another one as soon as a
// run is made smaller; the difference stays what it was: "n one more than it is", "the second vote
// left out".
//
//   difference({"view":0,"n":1}, {"view":0,"n":2})   is   {"~":[[["n"],"by",1]]}
//   told({"view":3,"n":7}, that)                     is   {"view":3,"n":8}
//
// Each part is a path, a word and an operand: `by` (a number is so much more), `to` (it is this
// instead; the honest value stands behind, for people), `without` (a list lacks the element there).
#pragma once

#include <optional>

#include "schism/base/value.hpp"

namespace schism {

Value difference(const Value& honest, const Value& told);
bool is_difference(const Value& value);
// Nothing: the honest content has no such place.
std::optional<Value> told(const Value& honest, const Value& difference);

// How far a lie is from the truth: parts changed, and the sum of how much (numbers by their
// distance, everything else 1 more than any of them up to a bound).
struct Untruth {
  std::uint64_t parts = 0, distance = 0;
};
Untruth untruth_of(const Value& difference);

// The parts, and a difference without one of them or with another in its place.
struct Change {
  std::vector<Value> path;  // keys and places
  std::string word;
  Value operand;
  Value was = {};  // of `to`: the honest value
};
std::vector<Change> changes_of(const Value& difference);
Value difference_of(const std::vector<Change>& changes);

// "n = 2 instead of 1, votes without [0]": for people, of what was told. At most so many parts are
// spelled out.
std::string in_words(const Value& told, const Value& difference, std::size_t most = 3);

}  // namespace schism
