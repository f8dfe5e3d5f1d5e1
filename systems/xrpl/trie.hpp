// The preferred branch (the spec's section 5): which ledger the trusted nodes' last validated
// ledgers support, when some of those nodes might still change to another branch. rippled keeps a
// compressed trie over ledger ancestry for it; there are few tips here, so the same walk is done
// over groups of tips that agree so far, and nothing has to be kept up to date.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "systems/xrpl/ledger.hpp"

namespace schism::xrpl {

// A ledger named by a descendant that is at hand.
struct Preferred {
  Seq seq = 0;
  LedgerId id = 0;
  LedgerRef below;

  LedgerId ancestor(Seq s) const { return s == seq ? id : below ? below->ancestor(s) : 0; }
};

// The first sequence at which the two have different ancestors, as far as both are known; one more
// than the shorter one's where it is an ancestor of the other. 1: nothing in common is known.
Seq mismatch(const Ledger& a, const Ledger& b);

// `largest_issued` is the biggest sequence that the asking node has validated itself: support below
// it may still move. Nothing: there are no tips.
std::optional<Preferred> preferred_branch(std::span<const LedgerRef> tips, Seq largest_issued);

}  // namespace schism::xrpl
