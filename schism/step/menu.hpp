// What can be done next, as a numbered list that a person picks from, by number or by words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schism/base/result.hpp"
#include "schism/world/world.hpp"

namespace schism {

struct MenuItem {
  Action action;
  std::string title;    // "deliver Commit 0->1 #2"
  std::string content;  // "Commit(value=1, round=0)", "due 150ms"; may be empty
};

// Everything that is enabled, progress before faults, the oldest first.
std::vector<MenuItem> menu_of(const World& world);

// Those that have all the words, each at the beginning of one of theirs: "deliver Com 0->1". Where
// some match whole words only these.
std::vector<std::size_t> matching(const std::vector<MenuItem>& menu,
                                  const std::vector<std::string>& words);
// The one that is meant; among several of one kind on one way the oldest.
Result<std::size_t> pick(const std::vector<MenuItem>& menu, const std::vector<std::string>& words);

// Words of a line, by spaces; a JSON object or list at its end is one word.
// Nobody types a longer one.
inline constexpr std::size_t kTypedMax = std::size_t{1} << 16;
std::vector<std::string> words_of_line(std::string_view line);

}  // namespace schism
