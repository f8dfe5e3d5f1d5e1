// What validators say to each other (the spec's section 6, under rippled's names), what they keep
// on disk, and what they announce to oracles. Proposals and validations are signed: a relayed one
// keeps the signature of the node that made it.
#pragma once

#include <vector>

#include "schism/node/signed.hpp"
#include "systems/xrpl/ledger.hpp"

namespace schism::xrpl {

// ---- messages ------------------------------------------------------------------------------

struct Transaction {
  Tx tx;
  FIELDS(tx)
};

inline constexpr std::uint32_t kSeqJoin = 0;
inline constexpr std::uint32_t kSeqLeave = 0xffffffff;  // bows out

struct Proposal {
  NodeId node = 0;
  LedgerId prev_ledger = 0;
  std::uint32_t seq = 0;
  SetId set = 0;
  NetTime close_time = 0;
  FIELDS(node, prev_ledger, seq, set, close_time)
};
struct ProposeSet {
  Signed<Proposal> proposal;
  FIELDS(proposal)
};

SCHISM_ENUM(NodeEvent, CLOSING_LEDGER, ACCEPTED_LEDGER, SWITCHED_LEDGER, LOST_SYNC);

struct StatusChange {
  NodeEvent event{};
  Seq seq = 0;
  LedgerId ledger = 0, parent = 0;
  FIELDS(event, seq, ledger, parent)
};

struct HaveTransactionSet {
  SetId set = 0;
  FIELDS(set)
};

// `set`: from which it was built; `validated`: the last ledger that its signer has fully validated.
// Nobody acts on those two.
struct Vote {
  NodeId node = 0;
  LedgerId ledger = 0;
  Seq seq = 0;
  NetTime sign_time = 0;
  bool full = true;
  SetId set = 0;
  LedgerId validated = 0;
  FIELDS(node, ledger, seq, sign_time, full, set, validated)
};
struct Validation {
  Signed<Vote> vote;
  FIELDS(vote)
};

SCHISM_ENUM(Item, liTS_CANDIDATE, liBASE, liAS_NODE, liTX_NODE);

// `requester`: for whom it was passed on; -1: for its sender.
struct GetLedger {
  Item item{};
  std::uint64_t hash = 0;
  bool indirect = false;
  NodeId requester = -1;
  FIELDS(item, hash, indirect, requester)
};

struct LedgerData {
  Item item{};
  std::uint64_t hash = 0;
  NodeId requester = -1;
  std::vector<Tx> txs;              // of a set
  Header header;                    // base
  std::vector<Account> accounts;    // state, with
  std::vector<Recorded> recorded;   // the payments it knows of
  std::vector<LedgerId> ancestors;  // and the hashes of earlier ledgers
  std::vector<TxId> applied;        // transactions
  FIELDS(item, hash, requester, txs, header, accounts, recorded, ancestors, applied)
};

// ---- on disk -------------------------------------------------------------------------------

// The last fully validated ledger, and the highest sequence that this node ever validated.
struct SavedLedger {
  Header header;
  std::vector<Account> accounts;
  std::vector<Recorded> recorded;
  std::vector<LedgerId> ancestors;
  std::vector<TxId> applied;
  FIELDS(header, accounts, recorded, ancestors, applied)
};
struct SavedSequence {
  Seq seq = 0;
  FIELDS(seq)
};

// ---- announcements -------------------------------------------------------------------------

// `round` counts this node's rounds, those begun anew after a switch included.
struct RoundStarted {
  std::uint32_t round;
  LedgerId prev_ledger;
  Seq seq;  // that the round would build
  Mode mode;
  FIELDS(round, prev_ledger, seq, mode)
};
struct ModeChanged {
  Mode from, to;
  FIELDS(from, to)
};
// A position of its own, whether it is broadcast or not.
struct Positioned {
  std::uint32_t round;
  LedgerId prev_ledger;
  Seq ledger_seq;
  std::uint32_t seq;
  TxSetRef set;
  bool broadcast;
  FIELDS(round, prev_ledger, ledger_seq, seq, set, broadcast)
};
struct BowedOut {
  LedgerId prev_ledger;
  FIELDS(prev_ledger)
};
// The proposal that is held for a peer; `epoch` changes whenever all are forgotten. Sequence -1:
// it is held no longer.
struct Held {
  std::uint32_t epoch;
  NodeId peer;
  std::int64_t seq;
  FIELDS(epoch, peer, seq)
};
struct Disputed {
  LedgerId prev_ledger;
  TxId tx;
  bool ours;
  FIELDS(prev_ledger, tx, ours)
};
// Consensus was declared; the ledger is what it built from it.
SCHISM_ENUM(Consensus, No, Yes, MovedOn);
struct Accepted {
  std::uint32_t round;
  LedgerId prev_ledger;
  Seq seq;
  TxSetRef set;
  LedgerId ledger;
  Consensus state;
  Micros round_time;
  FIELDS(round, prev_ledger, seq, set, ledger, state, round_time)
};
struct Validated {  // it sent a validation
  LedgerId ledger;
  Seq seq;
  bool full;
  FIELDS(ledger, seq, full)
};
struct FullyValidated {
  LedgerId ledger;
  Seq seq;
  FIELDS(ledger, seq)
};
// A quorum says that this ledger is valid and has this sequence; it need not be at hand.
struct TakenForValid {
  LedgerId ledger;
  Seq seq;
  FIELDS(ledger, seq)
};
// It goes on from another ledger than the one it built.
struct Switched {
  LedgerId from, to;
  Seq seq;
  FIELDS(from, to, seq)
};
struct NotValidating {
  LedgerId ledger;
  Seq seq;
  FIELDS(ledger, seq)
};  // an incompatible ledger
struct AcquireFailed {
  Item item;
  std::uint64_t hash;
  FIELDS(item, hash)
};
struct Submitted {
  std::int32_t payment;
  TxResult result;  // preliminary, from the last validated ledger
  FIELDS(payment, result)
};
SCHISM_ENUM(End, validated, failed, cancelled);
struct PaymentEnded {
  std::int32_t payment;
  End end;
  Seq seq;
  FIELDS(payment, end, seq)
};
struct Stopped {  // the test case is over for this node
  Seq seq;
  FIELDS(seq)
};

}  // namespace schism::xrpl
