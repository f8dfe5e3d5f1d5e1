#include "schism/coverage/coverage.hpp"

#include <cassert>

namespace schism {

// Function-local, so that it exists before the first static object that registers.
Table<Coverage>& coverages() {
  static Table<Coverage> table;
  return table;
}

Status may_teach(std::string_view coverage) {
  const auto made = coverages().make({std::string(coverage)}, "coverage");
  if (!made) return tl::unexpected(made.error());
  if ((*made)->exact()) return {};
  return error("{} may differ from process to process: it is shown, and nobody learns from it",
               coverage);
}

std::uint64_t tag_of(std::string_view coverage) {
  const auto& all = coverages().sorted();
  assert(all.size() <= Coverage::kTagMask);
  std::uint64_t tag = 0;
  while (tag < all.size() && all[tag].name != coverage) ++tag;
  return tag;
}

// A word without a name before its first "=" is one more parameter of the word before it.
Result<std::vector<Spec>> parse_coverages(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string word(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const bool goes_on = word.find('=') < word.find(':');
    if (goes_on && !words.empty()) words.back() += "," + word;
    else words.push_back(word);
  }
  std::vector<Spec> out;
  for (const std::string& word : words) {
    const auto spec = parse_spec(word);
    if (!spec) return tl::unexpected(spec.error());
    auto whole = coverages().complete(*spec, "coverage");
    if (!whole) return tl::unexpected(whole.error());
    for (const Spec& other : out)
      if (other.name == whole->name) return error("coverage {} is asked for twice", other.name);
    out.push_back(*std::move(whole));
  }
  return out;
}

}  // namespace schism
