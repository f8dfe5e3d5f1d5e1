// The validations of trusted nodes (the spec's sections 4 and 5): the latest of each, which ledger
// each supports in the trie, who validated which ledger, and which ledgers are still being fetched.
#pragma once

#include <vector>

#include "systems/xrpl/messages.hpp"
#include "systems/xrpl/trie.hpp"

namespace schism::xrpl {

SCHISM_ENUM(ValStatus, current, stale, badSeq, conflicting, multiple);

class Validations {
 public:
  void begin(int nodes);

  // Of a trusted node. `now` is network time, `clock` the steady one. What is not `current` is not
  // stored.
  ValStatus add(const Vote& v, NetTime now, Micros clock);
  // Where a current validation's ledger goes: into the trie if it is at hand, else it waits.
  void support(const Vote& v, const LedgerRef& ledger);
  // A ledger has come: those who wait for it support it now.
  void arrived(const LedgerRef& ledger);
  bool is_awaited(LedgerId id) const;
  // Forgets nodes whose last validation is no longer current, and old ledgers.
  void expire(NetTime now, Micros clock);

  // How many validated this ledger in full; with a sequence: and said that it has this one.
  int full_for(LedgerId id) const;
  int full_for(LedgerId id, Seq seq) const;
  // Nodes whose last validated ledger is a proper descendant.
  int after(const Ledger& ledger) const;
  // The ledger that this node should work on from now, itself or another; see section 5.
  struct Choice {
    Seq seq = 0;
    LedgerId id = 0;
  };
  std::optional<Choice> preferred(const Ledger& current, Seq largest_issued);
  struct Lag {
    int laggards = 0, offline = 0;
  };
  // Among the trusted: fresh validations of older ledgers, and no fresh ones.
  Lag lag(Seq seq, Members trusted, Micros clock) const;
  // Of the ledgers that are the latest of more than so many nodes the one with the highest
  // sequence, as one of them says it; null: there is none.
  const Vote* latest_of_more_than(int nodes) const;

  FIELDS(visible(), enforced_, by_ledger_, awaited_)

 private:
  struct Latest {
    Vote validation;
    NetTime seen = 0;
    Micros clock = 0;
    FIELDS(validation, seen, clock)
  };
  struct Enforced {  // a node's sequences only go up, within ten minutes
    Seq seq = 0;
    Micros when = 0;
    FIELDS(seq, when)
  };
  struct OfLedger {
    LedgerId ledger = 0;
    Micros touched = 0;
    std::vector<Vote> list;
    FIELDS(ledger, touched, list)
  };
  struct Awaited {
    Seq seq = 0;
    LedgerId ledger = 0;
    Members nodes = 0;
    FIELDS(seq, ledger, nodes)
  };
  struct Shown {
    NodeId node = 0;
    Latest latest;
    LedgerId tip = 0;
    FIELDS(node, latest, tip)
  };
  const OfLedger* find(LedgerId id) const;
  OfLedger& of_ledger(LedgerId id, Micros clock);
  ValStatus refuse(const Vote& v) const;
  void forget_awaited(NodeId node);
  void set_tip(NodeId node, const LedgerRef& ledger);
  std::vector<Shown> visible() const;
  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }

  Members have_ = 0;            // a latest validation
  std::vector<Latest> latest_;  // by node
  std::vector<LedgerRef> tips_;
  std::vector<Enforced> enforced_;
  std::vector<OfLedger> by_ledger_;  // oldest first
  std::vector<Awaited> awaited_;
  // The walk's last result: nothing but a memory of what the rest implies.
  std::optional<Preferred> walked_;
  Seq walked_issued_ = 0;
  bool walk_valid_ = false;
};

}  // namespace schism::xrpl
