#include "schism/learn/splits.hpp"

#include <algorithm>
#include <set>

namespace schism::learn {
namespace {

// A split up to exchange of equal nodes: its blocks as sorted lists of colours, sorted.
using Form = std::vector<std::vector<int>>;

Form form_of(const Split& split, std::span<const int> colours) {
  Form out(1U + *std::max_element(split.begin(), split.end()));
  for (std::size_t i = 0; i < split.size(); ++i) out[split[i]].push_back(colours[i]);
  for (auto& block : out) std::sort(block.begin(), block.end());
  std::sort(out.begin(), out.end());
  return out;
}

// The next restricted growth string: no block is numbered before the one below it appears.
bool advance(Split& split) {
  for (std::size_t i = split.size(); i-- > 1;) {
    const auto begin = split.begin();
    const std::uint8_t most = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(i));
    if (split[i] > most) continue;
    ++split[i];
    std::fill(begin + static_cast<std::ptrdiff_t>(i) + 1, split.end(), std::uint8_t{0});
    return true;
  }
  return false;
}

std::vector<Split> candidates(std::size_t nodes) {
  std::vector<Split> out;
  Split split(nodes, 0);
  if (nodes <= Splits::kAllUpTo) {
    do out.push_back(split);
    while (advance(split));
    return out;
  }
  out.push_back(split);
  for (std::size_t alone = 0; alone < nodes; ++alone) {
    Split one(nodes, alone == 0 ? 1 : 0);
    one[alone] = alone == 0 ? 0 : 1;
    out.push_back(one);
  }
  for (std::size_t first = 2; first + 1 < nodes; ++first) {
    Split two(nodes, 1);
    std::fill_n(two.begin(), first, std::uint8_t{0});
    out.push_back(two);
  }
  return out;
}

}  // namespace

const std::vector<Split>& Splits::of(std::span<const std::uint64_t> colours) {
  std::vector<bool> pattern;
  for (std::size_t i = 0; i < colours.size(); ++i)
    pattern.push_back(i > 0 && colours[i] == colours[i - 1]);
  const auto [known, fresh] = known_.try_emplace(pattern);
  if (!fresh || colours.empty()) return known->second;
  std::vector<int> ranks;
  for (const bool same : pattern)
    ranks.push_back(ranks.empty() ? 0 : ranks.back() + (same ? 0 : 1));
  std::set<Form> seen;
  for (const Split& split : candidates(colours.size()))
    if (seen.insert(form_of(split, ranks)).second) known->second.push_back(split);
  return known->second;
}

}  // namespace schism::learn
