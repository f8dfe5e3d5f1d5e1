#include "schism/linearize/evidence.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace schism::linearize {
namespace {

constexpr std::size_t kExhaustiveMax = 14;  // operations of which all parts are tried

class Shrinker {
 public:
  Shrinker(const Limits& limits, std::uint64_t work) : limits_(limits), left_(work) {}

  // Unknown counts as no: nothing is dropped on a guess.
  bool fails(const Partition& partition) { return verdict(partition) == Verdict::violation; }
  bool fails(const Partition& whole, const std::vector<std::uint32_t>& part) {
    return fails(select(whole, part));
  }
  Verdict verdict(const Partition& partition) {
    if (left_ == 0) return exhausted_ = true, Verdict::unknown;
    Limits limits = limits_;
    limits.configurations = std::min(limits.configurations, left_);
    const Finding finding = check(partition, limits);
    const std::uint64_t cost = finding.configurations + 1;
    left_ -= std::min(left_, cost);
    spent_ += cost;
    if (finding.verdict == Verdict::unknown) exhausted_ = true;
    deepest_ = finding.deepest;
    return finding.verdict;
  }
  std::uint32_t deepest() const { return deepest_; }  // of the last check
  bool exhausted() const { return exhausted_; }
  std::uint64_t spent() const { return spent_; }

 private:
  const Limits& limits_;
  std::uint64_t left_, spent_ = 0;
  bool exhausted_ = false;
  std::uint32_t deepest_ = 0;
};

// What holds its sources in `part` without the operations [begin, end) of it.
std::vector<std::uint32_t> without(const Partition& whole, const std::vector<std::uint32_t>& part,
                                   std::size_t begin, std::size_t end) {
  std::vector<std::uint32_t> rest(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(begin));
  rest.insert(rest.end(), part.begin() + static_cast<std::ptrdiff_t>(end), part.end());
  return holding_sources(whole, rest);
}

// Ever smaller pieces, as in delta debugging; single operations until none can go.
std::vector<std::uint32_t> drop_pieces(const Partition& whole, Shrinker& shrinker) {
  // Mostly it happens within a short time.
  std::vector<std::uint32_t> part;
  for (std::size_t count = 8; count < whole.ops.size(); count *= 2) {
    part = last_operations(whole, count);
    if (shrinker.fails(whole, part)) break;
    part.clear();
  }
  if (part.empty()) {
    part.resize(whole.ops.size());
    std::iota(part.begin(), part.end(), 0u);
  }
  for (std::size_t size = part.size() / 2 + 1; size >= 1;) {
    bool shrunk = false;
    for (std::size_t begin = 0; begin < part.size() && !shrinker.exhausted();) {
      const std::size_t end = std::min(part.size(), begin + size);
      std::vector<std::uint32_t> rest = without(whole, part, begin, end);
      if (!rest.empty() && shrinker.fails(whole, rest)) {
        part = std::move(rest);
        shrunk = true;  // and the next piece has moved to `begin`
      } else {
        begin = end;
      }
    }
    if (shrinker.exhausted() || (size == 1 && !shrunk)) break;
    size = size == 1 ? 1 : std::min((size + 1) / 2, part.size());
  }
  return part;
}

// All parts that hold their sources, the small ones first. Whether they do is asked within the few
// operations of `part` alone: that is rule 1 for sources in `part`, and a necessary condition for
// the rest, so that few are left for the full test.
bool take_smallest(const Partition& whole, std::vector<std::uint32_t>& part, Shrinker& shrinker) {
  const std::size_t n = part.size();
  if (n > kExhaustiveMax) return false;
  const Partition small = select(whole, part);
  for (std::size_t size = 1; size < n; ++size) {
    for (std::uint32_t set = 1; set < 1u << n; ++set) {
      if (static_cast<std::size_t>(std::popcount(set)) != size) continue;
      std::vector<std::uint32_t> inner, some;
      for (std::uint32_t i = 0; i < n; ++i)
        if (set >> i & 1) inner.push_back(i), some.push_back(part[i]);
      if (holding_sources(small, inner).size() != size) continue;
      if (!shrinker.fails(small, inner) || holding_sources(whole, some).size() != size) {
        if (shrinker.exhausted()) return false;
        continue;
      }
      part = std::move(some);
      return true;
    }
  }
  return true;
}

}  // namespace

Evidence explain(const Partition& whole, const Limits& limits, std::uint64_t work) {
  Shrinker shrinker(limits, work);
  Evidence out;

  // The first answer after which it fails: to the left of it all is well. A search says how far it
  // got, and mostly that is it.
  std::vector<std::uint32_t> answers;
  for (const RegisterOp& op : whole.ops)
    if (!op.optional()) answers.push_back(op.returned);
  std::sort(answers.begin(), answers.end());
  shrinker.verdict(whole);
  const auto reached = std::lower_bound(answers.begin(), answers.end(), shrinker.deepest());
  auto low = static_cast<std::size_t>(reached - answers.begin()), high = answers.size() - 1;
  for (std::size_t middle = low; low < high && !shrinker.exhausted();
       middle = low + (high - low) / 2) {
    if (shrinker.fails(cut(whole, answers[middle] + 1))) high = middle;
    else if (!shrinker.exhausted()) low = middle + 1;
  }
  out.located = !shrinker.exhausted();
  out.event = answers[high];  // the first one known to fail
  const Partition prefix = cut(whole, out.event + 1);

  std::vector<std::uint32_t> part = drop_pieces(prefix, shrinker);
  out.minimal = !shrinker.exhausted();
  if (out.minimal) out.smallest = take_smallest(prefix, part, shrinker);
  out.part = select(prefix, part);
  out.configurations = shrinker.spent();
  return out;
}

}  // namespace schism::linearize
