#include <algorithm>

#include "schism/linearize/evidence.hpp"

namespace schism::linearize {
namespace {

// The latest answer among setters invoked before a moment, of two different values: so it can be
// asked for all values but one.
struct Latest {
  std::uint32_t invoked = 0;
  std::uint32_t returned = 0, value = kNever;  // no setter yet
  std::uint32_t returned_other = 0;
  bool other = false;
};

class Sources {
 public:
  explicit Sources(const Partition& whole) : ops_(whole.ops), values_(whole.values) {}

  std::vector<std::uint32_t> closed(std::span<const std::uint32_t> part) {
    std::vector<std::uint32_t> rest(part.begin(), part.end());
    for (;;) {
      index(rest);
      const std::size_t before = rest.size();
      std::erase_if(rest, [&](std::uint32_t o) { return ops_[o].observes() && lacks(ops_[o]); });
      if (rest.size() == before) return rest;
    }
  }

 private:
  // Sorts the setters: those in the part by answer, those outside it by value and invocation.
  void index(const std::vector<std::uint32_t>& part) {
    std::vector<char> inside(ops_.size());
    for (const std::uint32_t i : part) inside[i] = 1;
    between_.clear();
    outside_.assign(values_, {});
    outside_any_.clear();
    first_inside_.assign(values_, kNever);
    first_.assign(values_, kNever);
    for (std::size_t i = 0; i < ops_.size(); ++i) {  // in order of invocation
      const RegisterOp& x = ops_[i];
      if (!x.sets()) continue;
      const std::uint32_t value = x.product();
      first_[value] = std::min(first_[value], x.invoked);
      if (inside[i]) {
        first_inside_[value] = std::min(first_inside_[value], x.invoked);
        if (!x.optional()) between_.emplace_back(x.returned, x.invoked);
        continue;
      }
      append(outside_[value], x);
      append(outside_any_, x);
    }
    std::sort(between_.begin(), between_.end());
    for (std::size_t i = 1; i < between_.size(); ++i)
      between_[i].second = std::max(between_[i].second, between_[i - 1].second);
  }

  static void append(std::vector<Latest>& list, const RegisterOp& x) {
    Latest next = list.empty() ? Latest{} : list.back();
    next.invoked = x.invoked;
    if (next.value == x.product() || next.value == kNever) {
      next.value = x.product();
      next.returned = std::max(next.returned, x.returned);
    } else if (x.returned > next.returned) {
      next.returned_other = next.returned;
      next.other = true;
      next.returned = x.returned;
      next.value = x.product();
    } else {
      next.returned_other = std::max(next.returned_other, x.returned);
      next.other = true;
    }
    list.push_back(next);
  }

  static const Latest* before(const std::vector<Latest>& list, std::uint32_t moment) {
    const auto at = std::partition_point(list.begin(), list.end(),
                                         [&](const Latest& l) { return l.invoked < moment; });
    return at == list.begin() ? nullptr : &*std::prev(at);
  }

  bool lacks(const RegisterOp& o) const {
    const auto at = std::lower_bound(between_.begin(), between_.end(), std::pair(o.invoked, 0u));
    // What answered before this moment cannot have been seen.
    const std::uint32_t since = at == between_.begin() ? 0 : std::prev(at)->second;
    if (o.effect == Effect::miss) {
      const Latest* latest = before(outside_any_, o.returned);
      if (!latest) return false;
      if (latest->value != o.first) return latest->returned >= since;
      return latest->other && latest->returned_other >= since;
    }
    const Latest* latest = before(outside_[o.first], o.returned);
    if (latest && latest->returned >= since) return true;
    return o.first != 0 && first_[o.first] < o.returned && first_inside_[o.first] >= o.returned;
  }

  const std::vector<RegisterOp>& ops_;
  std::uint32_t values_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      between_;  // answer; latest invocation so far
  std::vector<std::vector<Latest>> outside_;
  std::vector<Latest> outside_any_;
  std::vector<std::uint32_t> first_inside_, first_;  // invocation of the first setter, by value
};

}  // namespace

std::vector<std::uint32_t> last_operations(const Partition& whole, std::size_t count) {
  std::vector<std::uint32_t> part;
  const std::size_t n = whole.ops.size();
  const std::uint32_t since = count >= n ? 0 : whole.ops[n - count].invoked;
  for (std::uint32_t i = 0; i < n; ++i)
    if (whole.ops[i].returned >= since) part.push_back(i);
  return holding_sources(whole, part);
}

std::vector<std::uint32_t> holding_sources(const Partition& whole,
                                           std::span<const std::uint32_t> part) {
  return Sources(whole).closed(part);
}

}  // namespace schism::linearize
