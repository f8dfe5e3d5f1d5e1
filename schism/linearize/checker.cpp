#include "schism/linearize/checker.hpp"

#include <algorithm>

#include "schism/linearize/evidence.hpp"

namespace schism::linearize {
namespace {

constexpr std::uint64_t kPatience = 50'000;  // configurations, before and in each narrow search
constexpr std::size_t kNarrowest = 16;       // operations

}  // namespace

Finding check(const Partition& partition, const Limits& limits) {
  Limits patience = limits;
  patience.configurations = std::min(limits.configurations, kPatience);
  const Finding first = search(partition, patience);
  if (first.verdict != Verdict::unknown || limits.configurations <= kPatience) return first;

  std::uint64_t spent = first.configurations;
  const Partition prefix = cut(partition, first.deepest + 1);
  for (std::size_t count = kNarrowest; count < prefix.ops.size(); count *= 2) {
    const Finding narrow = search(select(prefix, last_operations(prefix, count)), patience);
    spent += narrow.configurations;
    if (narrow.verdict == Verdict::violation) return {Verdict::violation, spent, {}, first.deepest};
    if (narrow.verdict == Verdict::unknown) break;
  }
  Limits rest = limits;
  rest.configurations -= std::min(rest.configurations, spent);
  Finding last = search(partition, rest);
  last.configurations += spent;
  return last;
}

}  // namespace schism::linearize
