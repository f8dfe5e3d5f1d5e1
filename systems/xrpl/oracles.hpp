// What must hold of the XRP Ledger (DiscoTest's properties, by its names; the spec's section 8),
// and what Groot looks at. All but Termination are functions of the set of announcements, so they
// hold for a whole class of runs or for none.
//
//   I1 decides-once       a node declares consensus once a round
//   I2 validates-once     a node sends one validation a sequence, unless it sent none for ten
//   minutes A1 same-sets          all accept one transaction set a sequence. Correct code breaks
//   this, and
//      same-accepted      the one about the ledgers built from them, when messages take 2 s: judged
//                         only where asked for
//   A2 same-validated     all fully validate one ledger a sequence
//   V1 proposed-sets      what is accepted was proposed
//   V2 built-validations  what is validated was built
//   V3 built-switches     a node switches only to what somebody built
//   held-sequence         the sequence held for a peer never goes down
//   termination           in a fair end a ledger is validated within 65 s
//   true-sequence         what a node takes for valid has the sequence that it was built with (B4)
//   compatible            nobody refuses to validate what it built (B4's symptom); where asked for
//   stalled               all reach as many ledgers as asked for; stalled-...: what the run shows
//                         instead (ISOLATION's labels, of which several may hold)
//   healed                after some ledgers of a fair end all have the same validated ledger
//   test-case             the rules of the test case hold
#pragma once

#include <string>
#include <vector>

#include "schism/oracle/oracle.hpp"
#include "systems/xrpl/by_seq.hpp"
#include "systems/xrpl/validator.hpp"

namespace schism::xrpl {

template <class A>
const A* announced_as(const Event& event) {
  return event.kind == Happened::announced ? event.as<A>() : nullptr;
}

// Whether nobody may lie in these runs.
bool is_honest(const Setup& setup);

class DecidesOnce final : public Oracle {
 public:
  std::string_view name() const override { return "decides-once"; }
  EventMask wakes_on() const override {
    return announcements_of<Accepted>() | mask_of(Happened::restarted);
  }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Last {
    std::uint32_t round = 0, step = 0;
  };
  std::vector<Last> last_;  // by node
};

class ValidatesOnce final : public Oracle {
 public:
  std::string_view name() const override { return "validates-once"; }
  EventMask wakes_on() const override { return announcements_of<Validated>(); }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  BySeq<Members> who_;
  std::vector<Micros> last_;  // validation, by node
};

// No two nodes say different things about one sequence.
SCHISM_ENUM(About, sets, accepted, validated);

class Same final : public Oracle {
 public:
  Same(About what, bool wanted) : what_(what), wanted_(wanted) {}

  std::string_view name() const override;
  EventMask wakes_on() const override;
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;
  // Where nobody asks for it there is nothing that was left unjudged.
  bool judged() const override { return true; }

 private:
  struct First {
    std::uint64_t id = 0;
    std::uint32_t step = 0;
    int node = 0;
  };
  struct Said {
    Seq seq = 0;
    std::uint64_t id = 0;
  };
  std::optional<Said> said(const Event& event) const;

  About what_;
  bool wanted_;
  BySeq<First> first_;
};

// V1. What a liar proposed is not known: runs with forged messages are not judged.
class ProposedSets final : public Oracle {
 public:
  explicit ProposedSets(const Setup& setup);
  std::string_view name() const override { return "proposed-sets"; }
  EventMask wakes_on() const override {
    return announcements_of<Positioned>() | announcements_of<Accepted>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;
  bool judged() const override { return honest_; }

 private:
  struct Proposed {
    std::vector<SetId> sets;
    std::vector<TxId> txs;
  };
  bool honest_;
  BySeq<Proposed> proposed_;
};

// V2 and V3.
class Built final : public Oracle {
 public:
  // What only a liar built is not known: switches are not judged where somebody lies.
  Built(bool of_switches, bool honest)
      : of_switches_(of_switches), wanted_(!of_switches || honest) {}
  std::string_view name() const override {
    return of_switches_ ? "built-switches" : "built-validations";
  }
  EventMask wakes_on() const override {
    if (!wanted_) return 0;
    return announcements_of<Accepted>() |
           (of_switches_ ? announcements_of<Switched>() : announcements_of<Validated>());
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  void judge(const World& world, const Event& event, LedgerId id, Seq seq);
  bool of_switches_, wanted_;
  BySeq<std::vector<LedgerId>> built_;
};

// A ledger's sequence is part of it: fewer liars than a quorum cannot make anybody believe another.
class TrueSequence final : public Oracle {
 public:
  std::string_view name() const override { return "true-sequence"; }
  EventMask wakes_on() const override {
    return announcements_of<Accepted>() | announcements_of<TakenForValid>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  static constexpr std::size_t kKept = 64;
  struct Built {
    LedgerId ledger = 0;
    Seq seq = 0;
  };
  const Built* find(LedgerId id) const;
  std::vector<Built> built_;  // the last ones, oldest first
};

// A node built a ledger and did not validate it, because it takes another one for validated; from
// that sequence on, as a network does not begin in agreement.
class Compatible final : public Oracle {
 public:
  explicit Compatible(int from) : from_(from) {}
  std::string_view name() const override { return "compatible"; }
  EventMask wakes_on() const override { return from_ > 0 ? announcements_of<NotValidating>() : 0; }
  void begin(const World&) override { absolve(); }
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override { return Hash128{}; }
  bool judged() const override { return true; }

 private:
  int from_;
};

// A run that ends before all correct nodes have validated so many ledgers, and ISOLATION's labels
// of it: more than one node that trusts the same list refused to validate what it built
// (`incompatible`); of the members of two lists at least three each built different ledgers at one
// sequence (`insufficient`); two nodes fully validated different ones (`agreement`, which fails a
// run that has all its ledgers, too). Several may hold: to hear of all, mute them, and not `any`.
class Stalled final : public Oracle {
 public:
  enum class Why : std::uint8_t { incompatible, insufficient, agreement, any };
  static constexpr Seq kFirst = 6;  // before it the network is still coming together

  Stalled(Why why, int ledgers) : why_(why), ledgers_(ledgers) {}
  std::string_view name() const override;
  EventMask wakes_on() const override {
    if (ledgers_ == 0) return 0;
    return announcements_of<NotValidating>() | announcements_of<Accepted>() |
           announcements_of<FullyValidated>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  void finish(const World& world, const Ending& ending) override;
  std::optional<Hash128> digest() const override { return std::nullopt; }
  bool judged() const override { return true; }

 private:
  struct Built {
    LedgerId ledger = 0;
    Members by = 0;
  };
  bool incompatible(const World& world) const;
  bool insufficient(const World& world) const;
  bool holds(const World& world) const;

  Why why_;
  int ledgers_;
  Members refused_ = 0;
  bool forked_ = false;
  BySeq<std::vector<Built>> built_;
  BySeq<LedgerId> validated_;
};

class HeldSequence final : public Oracle {
 public:
  std::string_view name() const override { return "held-sequence"; }
  EventMask wakes_on() const override {
    return announcements_of<Held>() | mask_of(Happened::restarted);
  }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Last {
    std::uint32_t epoch = 0, step = 0;
    std::int64_t seq = -1;
  };
  Last& of(int node, NodeId peer) {
    return last_[static_cast<std::size_t>(node) * nodes_ + static_cast<std::size_t>(peer)];
  }
  std::size_t nodes_ = 0;
  std::vector<Last> last_;
};

// Judged in the fair end that every timed run has: messages come at once there, and two ledgers
// more must be validated before 65 s have gone by without one. (Before it, under delays of seconds,
// correct code, too, may go without a ledger for a minute; it promises nothing there.)
//
// A node validates no sequence twice. Where a branch was given up that had come further than the
// one that is left, ledgers are built in vain until they are past it, an idle one every 20 s: each
// of these counts as going on, too. Correct code was accused without that, once in 2,000 runs.
//
// Nor is it a stop when nodes that came apart build on different ledgers. How long it takes until
// they are together again has no bound: at one pace for all, as in a fair end, two branches of
// which one is a ledger ahead may go on for ever, and so may nodes that follow the others some
// ledgers behind; the first change of pace ends it. So nothing is judged then, unless one of the
// nodes stands still. (A round may take as long as the one before, when those who proposed in that
// one are gone.)
class Termination final : public Oracle {
 public:
  static constexpr Micros kBound = 65_s;
  static constexpr int kLedgers = 2;

  explicit Termination(bool wanted) : wanted_(wanted) {}
  std::string_view name() const override { return "termination"; }
  EventMask wakes_on() const override {
    if (!wanted_) return 0;
    return mask_of(Happened::calmed) | announcements_of<FullyValidated>() |
           announcements_of<Validated>() | announcements_of<Accepted>() |
           announcements_of<RoundStarted>() | announcements_of<Stopped>();
  }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;
  void finish(const World& world, const Ending& ending) override;
  bool wants_fair_tail() const override { return wanted_; }
  bool satisfied() const override { return !wanted_ || !timed_ || over_ || ledgers_ >= kLedgers; }
  bool holds_now(const World& world) const override {
    return satisfied() || world.clock() - since_ <= kBound;
  }
  bool judged() const override { return judged_ || over_ || !wanted_; }

 private:
  bool go_on_apart(const World& world) const;

  bool wanted_;
  bool timed_ = false, over_ = false, judged_ = false;
  Micros since_ = 0;
  Seq highest_ = 0;
  Seq used_up_ = 0;            // up to which somebody had sent validations before the fair end
  std::vector<Seq> reached_;   // by node: built in the fair end, up to there
  std::vector<Micros> round_;  // by node: since when its round lasts, in the fair end
  int ledgers_ = 0;            // validated in the fair end
  std::uint32_t step_ = 0;
};

// Groot's agreement: some ledgers after the disturbance the validated ledgers are compared, where
// the nodes have a sequence in common.
class Healed final : public Oracle {
 public:
  explicit Healed(int ledgers) : ledgers_(ledgers) {}
  std::string_view name() const override { return "healed"; }
  EventMask wakes_on() const override {
    return ledgers_ > 0 ? announcements_of<FullyValidated>() | mask_of(Happened::calmed) : 0;
  }
  bool wants_fair_tail() const override { return ledgers_ > 0; }
  bool satisfied() const override { return satisfied_; }
  bool judged() const override { return judged_ || ledgers_ == 0; }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  void finish(const World& world, const Ending& ending) override;
  std::optional<Hash128> digest() const override { return Hash128{}; }

 private:
  int ledgers_;
  bool satisfied_ = false, judged_ = false;
  Seq due_ = 0;  // that all must have validated
};

// The rules of the test case, over what nodes say about its payments.
class CaseRules final : public Oracle {
 public:
  explicit CaseRules(std::shared_ptr<const TestCase> test_case) : case_(std::move(test_case)) {}
  std::string_view name() const override { return "test-case"; }
  EventMask wakes_on() const override { return announcements_of<PaymentEnded>(); }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Ended {
    bool yes = false;
    End end{};
    int node = 0;
    std::uint32_t step = 0;
  };
  void note(const World& world, const Event& event, const PaymentEnded& p);
  void judge(const World& world, const Rule& rule);

  std::shared_ptr<const TestCase> case_;
  std::vector<Ended> ended_;
};

}  // namespace schism::xrpl
