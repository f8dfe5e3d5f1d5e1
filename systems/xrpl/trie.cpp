#include "systems/xrpl/trie.hpp"

#include <algorithm>

namespace schism::xrpl {

Seq mismatch(const Ledger& a, const Ledger& b) {
  const Seq upper = std::min(a.seq(), b.seq());
  const Seq longest = std::max(a.seq(), b.seq());
  const Seq lower = longest > kAncestorsKnown ? longest - kAncestorsKnown : 0;
  for (Seq s = upper; s >= lower; --s) {
    if (a.ancestor(s) == b.ancestor(s)) return s + 1;
    if (s == 0) break;
  }
  return 1;
}

namespace {

using Group = std::vector<const LedgerRef*>;

// Tips that agree up to and including `start`, as one node of the trie.
struct Branch {
  Group tips;
  Seq start = 0, end = 1;  // its span: the ledgers from start to end - 1
  LedgerId start_id = 0;

  int support() const { return static_cast<int>(tips.size()); }
};

Branch branch_of(Group tips, Seq start) {
  Branch b{std::move(tips), start, 0, 0};
  const Ledger& first = **b.tips.front();
  b.start_id = first.ancestor(start);
  b.end = first.seq() + 1;
  for (const LedgerRef* tip : b.tips)
    b.end = std::min({b.end, (*tip)->seq() + 1, mismatch(first, **tip)});
  b.end = std::max(b.end, start + 1);
  return b;
}

std::vector<Branch> children_of(const Branch& parent) {
  std::vector<Group> groups;
  for (const LedgerRef* tip : parent.tips) {
    if ((*tip)->seq() < parent.end) continue;  // it is the tip of this span
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      return mismatch(**g.front(), **tip) > parent.end;
    });
    if (same != groups.end()) same->push_back(tip);
    else groups.push_back({tip});
  }
  std::vector<Branch> children;
  for (Group& g : groups) children.push_back(branch_of(std::move(g), parent.end));
  std::sort(children.begin(), children.end(), [](const Branch& a, const Branch& b) {
    return std::pair(a.support(), a.start_id) > std::pair(b.support(), b.start_id);
  });
  return children;
}

Preferred tip_before(const Branch& branch, Seq end) {
  const LedgerRef& some = *branch.tips.front();
  return {end - 1, some->ancestor(end - 1), some};
}

// Tips in order of their sequence: those below where the walk is do not count as committed.
class Uncommitted {
 public:
  explicit Uncommitted(std::span<const LedgerRef> tips) {
    for (const LedgerRef& tip : tips) seqs_.push_back(tip->seq());
    std::sort(seqs_.begin(), seqs_.end());
  }
  void add_below(Seq bound) {
    while (at_ < seqs_.size() && seqs_[at_] < bound) ++at_;
  }
  // The next sequence with support, if it is below the bound: all support there is added.
  std::optional<Seq> step(Seq bound) {
    if (at_ >= seqs_.size() || seqs_[at_] >= bound) return std::nullopt;
    const Seq seq = seqs_[at_];
    add_below(seq + 1);
    return seq;
  }
  int count() const { return static_cast<int>(at_); }

 private:
  std::vector<Seq> seqs_;
  std::size_t at_ = 0;
};

// All tips hold one ledger, as is usual: the walk ends there, whatever is uncommitted, unless this
// node has issued beyond it.
bool all_at_one(std::span<const LedgerRef> tips) {
  return std::all_of(tips.begin(), tips.end(),
                     [&](const LedgerRef& tip) { return tip.id() == tips.front().id(); });
}

}  // namespace

std::optional<Preferred> preferred_branch(std::span<const LedgerRef> tips, Seq largest_issued) {
  if (tips.empty()) return std::nullopt;
  if (largest_issued <= tips.front().seq() && all_at_one(tips))
    return Preferred{tips.front().seq(), tips.front().id(), tips.front()};
  Uncommitted uncommitted(tips);
  Group all;
  for (const LedgerRef& tip : tips) all.push_back(&tip);
  Branch at{std::move(all), 0, 1, 0};  // the root: before the first ledger
  for (;;) {
    Seq next = at.start + 1;
    uncommitted.add_below(std::max(next, largest_issued));
    while (next < at.end && at.support() > uncommitted.count()) {
      const auto seq = uncommitted.step(at.end);
      next = seq ? *seq + 1 : at.end;
    }
    if (next < at.end) return tip_before(at, next);
    std::vector<Branch> children = children_of(at);
    if (children.empty()) return tip_before(at, at.end);
    int margin = children[0].support();
    if (children.size() > 1) {
      margin -= children[1].support();
      if (children[0].start_id > children[1].start_id) ++margin;
    }
    if (margin <= uncommitted.count() && uncommitted.count() > 0) return tip_before(at, at.end);
    at = std::move(children[0]);
  }
}

}  // namespace schism::xrpl
