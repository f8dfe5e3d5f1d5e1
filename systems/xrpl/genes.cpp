// What evolution needs to know of the XRP Ledger: which messages share a gene, DiscoTest's 13
// classes and Groot's 8, and by what a run is worth breeding from.
#include "schism/evolve/gauge.hpp"
#include "schism/evolve/message_classes.hpp"
#include "systems/xrpl/oracles.hpp"

namespace schism::xrpl {
namespace {

using evolve::Gauge;
using evolve::gauge;
using M = Validator::Messages;

// ---- classes of messages ---------------------------------------------------------------------

// DiscoTest's Table 3.1: proposals by their sequence; one above 5 counts as 0.
int discotest_class(int type, const void* content) {
  if (type == M::index<ProposeSet>()) {
    const std::uint32_t seq = static_cast<const ProposeSet*>(content)->proposal->seq;
    return seq == kSeqLeave ? 6 : seq <= 5 ? static_cast<int>(seq) : 0;
  }
  if (type == M::index<StatusChange>()) return 7;
  if (type == M::index<Validation>()) return 8;
  if (type == M::index<Transaction>()) return 9;
  if (type == M::index<HaveTransactionSet>()) return 10;
  return type == M::index<GetLedger>() ? 11 : 12;
}

// Groot says eight types and does not name them; a validator here sends seven. Bow-outs are the
// eighth.
int groot_class(int type, const void* content) {
  const bool bows_out = type == M::index<ProposeSet>() &&
                        static_cast<const ProposeSet*>(content)->proposal->seq == kSeqLeave;
  return bows_out ? 7 : type;
}

const Registration discotest = evolve::message_classes(
    "xrpl", {"discotest",
             "DiscoTest's 13: proposals by their sequence",
             {"ProposeSet0", "ProposeSet1", "ProposeSet2", "ProposeSet3", "ProposeSet4",
              "ProposeSet5", "ProposeSetBowOut", "StatusChange", "Validation", "Transaction",
              "HaveTransactionSet", "GetLedger", "LedgerData"},
             discotest_class});

const Registration groot = evolve::message_classes(
    "xrpl", {"groot",
             "eight: the types of messages, and bow-outs",
             {"Transaction", "ProposeSet", "StatusChange", "HaveTransactionSet", "Validation",
              "GetLedger", "LedgerData", "ProposeSetBowOut"},
             groot_class});

// ---- gauges ----------------------------------------------------------------------------------

class XrplGauge : public Gauge {
 public:
  struct Options {};
  Status check(const Setup& setup) const override {
    if (setup.system->name != "xrpl")
      return error("gauges that begin with xrpl- are of xrpl, not of {}", setup.system->name);
    return {};
  }
};

// Counts announcements of one type.
template <class A>
class Count final : public XrplGauge {
 public:
  explicit Count(const Options&) {}
  EventMask wakes_on() const override { return announcements_of<A>(); }
  void start(const World&) override { count_ = 0; }
  void take(const World&, std::span<const Event> events) override {
    for (const Event& event : events) count_ += announced_as<A>(event) != nullptr;
  }
  double value() const override { return static_cast<double>(count_); }

 private:
  std::uint64_t count_ = 0;
};

// DiscoTest's proposal fitness (3.5): nodes times the highest sequence of a proposal, and bow-outs.
class Proposal final : public XrplGauge {
 public:
  explicit Proposal(const Options&) {}
  EventMask wakes_on() const override {
    return announcements_of<Positioned>() | announcements_of<BowedOut>();
  }
  void start(const World& world) override {
    nodes_ = world.setup().nodes;
    highest_ = 0;
    bow_outs_ = 0;
  }
  void take(const World&, std::span<const Event> events) override {
    for (const Event& event : events) {
      bow_outs_ += announced_as<BowedOut>(event) != nullptr;
      const auto* p = announced_as<Positioned>(event);
      if (p && p->broadcast && p->seq != kSeqLeave) highest_ = std::max(highest_, p->seq);
    }
  }
  double value() const override {
    return static_cast<double>(nodes_) * highest_ + static_cast<double>(bow_outs_);
  }

 private:
  int nodes_ = 0;
  std::uint32_t highest_ = 0;
  std::uint64_t bow_outs_ = 0;
};

// When ledgers are validated for the first time by anybody: the mean time a ledger (Groot's time
// fitness), or the longest that nothing was.
class Gaps : public XrplGauge {
 public:
  EventMask wakes_on() const override { return kEveryEvent; }
  void start(const World& world) override {
    begun_ = last_ = now_ = world.clock();
    longest_ = 0;
    ledgers_ = 0;
    highest_ = 1;
  }
  void take(const World& world, std::span<const Event> events) override {
    now_ = world.clock();
    longest_ = std::max(longest_, now_ - last_);
    for (const Event& event : events) {
      const auto* v = announced_as<FullyValidated>(event);
      if (!v || v->seq <= highest_) continue;
      ledgers_ += v->seq - highest_;
      highest_ = v->seq;
      last_ = now_;
    }
  }

 protected:
  Micros begun_ = 0, last_ = 0, now_ = 0, longest_ = 0;
  std::uint64_t ledgers_ = 0;
  Seq highest_ = 1;
};

class LedgerTime final : public Gaps {
 public:
  explicit LedgerTime(const Options&) {}
  // Without a ledger: all the time that it took to get none.
  double value() const override {
    if (ledgers_ == 0) return static_cast<double>(now_ - begun_) * 1e-6;
    return static_cast<double>(last_ - begun_) * 1e-6 / static_cast<double>(ledgers_);
  }
};

class ValidatedGap final : public Gaps {
 public:
  explicit ValidatedGap(const Options&) {}
  double value() const override { return static_cast<double>(longest_) * 1e-6; }
};

const Registration proposal = gauge<Proposal>(
    "xrpl-proposal", "nodes times the highest sequence of a proposal, and bow-outs (DiscoTest)");
const Registration ledger_time =
    gauge<LedgerTime>("xrpl-ledger-time", "mean seconds to a validated ledger (Groot)");
const Registration gap =
    gauge<ValidatedGap>("xrpl-gap", "longest time without a newly validated ledger, in seconds");
const Registration disputes = gauge<Count<Disputed>>("xrpl-disputes", "disputed transactions");
const Registration switches =
    gauge<Count<Switched>>("xrpl-switches", "switches to another branch of the ledger");

}  // namespace
}  // namespace schism::xrpl
