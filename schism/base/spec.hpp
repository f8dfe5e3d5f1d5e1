// Something that has a name, with its parameters and what it is built around, in one word:
//
//   pctcp:depth=3                                      a name, parameters after a colon
//   mix(random;pctcp:depth=3)                          children in parentheses
//   portfolio:lag=2(random;fuzz:coverage=colours(pos)) both, parameters first
//
// A value that holds one of `,;()"` stands in double quotes, where \ keeps the next character from
// meaning anything: file="a,b.tla".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schism/base/result.hpp"

namespace schism {

struct Spec {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values = {};
  std::vector<Spec> children = {};

  friend bool operator==(const Spec&, const Spec&) = default;
};

// How far children may be nested: a word is written by a person.
inline constexpr int kSpecDepthMax = 16;

// An error is a sentence with the part that is wrong, and where it stands.
Result<Spec> parse_spec(std::string_view text);
// What parse_spec reads as the same. Names and parameters' names are words without `:=,;()"`.
std::string print_spec(const Spec& spec);

}  // namespace schism
