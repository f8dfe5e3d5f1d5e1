#include "systems/xrpl/lies.hpp"

#include <algorithm>

#include "schism/system/audience.hpp"
#include "systems/xrpl/validator.hpp"

namespace schism::xrpl {
namespace {

// The first ledger that the rounds of a strategy count: that of the payment of the case `byzzfuzz`.
constexpr std::int64_t kFirstCounted = 6;
enum Verb : int { kNoVerb = 0, kProposes = 1, kValidates = 2, kVerbs = 2 };

// A ledger has two rounds: in the first its set is proposed, in the second it is validated. Which
// ledger a proposal is about it does not say, nor do the messages that fetch something: these are
// of the round in which their sender is, which status messages and validations move on.
std::optional<OrderKey> order_of(const TypeInfo& type, const void* content) {
  const auto of = [](Seq seq, Verb verb) { return OrderKey{0, seq - kFirstCounted, verb}; };
  if (&type == &type_info<StatusChange>()) {
    const auto& m = *static_cast<const StatusChange*>(content);
    if (m.event == NodeEvent::CLOSING_LEDGER) return of(m.seq + 1, kProposes);
    if (m.event == NodeEvent::ACCEPTED_LEDGER) return of(m.seq, kProposes);
  }
  if (&type == &type_info<Validation>())
    return of((*static_cast<const Validation*>(content)->vote).seq, kValidates);
  return OrderKey{0, -1, kNoVerb};
}

// The payment that nobody but the liar knows of.
const Tx& other_payment() {
  static const Tx tx = find_test_case("byzzfuzz")->payments[1].tx;
  return tx;
}
SetId other_set() {
  static const SetId id = TxSet({other_payment()}).id();
  return id;
}

template <class M, class F>
void lie(System& system, const char* name, F make, bool far = false) {
  system.lies.push_back({&type_info<M>(), name, far, false, [make](void* message, Rng& random) {
                           return make(*static_cast<M*>(message), random);
                         }});
}

Seq any_seq(Rng& random) { return static_cast<Seq>(random.below(1 << 30)); }

// The ledger that one who hears it has accepted at this sequence, and none where he is not so far;
// as built from the other payment.
bool another_ledger(void* message, Rng& random, const World& world, std::span<const NodeId> to) {
  const Validator* hearer = world.as<Validator>(to[random.below(to.size())]);
  Vote& vote = static_cast<Validation*>(message)->vote.value;
  vote.ledger = hearer ? hearer->lcl->ancestor(vote.seq) : 0;
  vote.set = other_set();
  return true;
}
const Registration told_to_hearers =
    lie_to_hearers("xrpl", {&type_info<Validation>(), "a hearer's ledger", false, another_ledger});

// Whom somebody trusts, each list once.
std::vector<std::vector<NodeId>> lists_of(const Setup& setup) {
  const auto& trust = static_cast<const Config*>(setup.config.get())->trust;
  std::vector<std::vector<NodeId>> out;
  for (NodeId id = 0; id < setup.nodes; ++id) {
    std::vector<NodeId> list;
    for (NodeId other = 0; other < setup.nodes; ++other)
      if (contains(trust.trusted_by(id, setup.nodes), other)) list.push_back(other);
    if (std::find(out.begin(), out.end(), list) == out.end()) out.push_back(std::move(list));
  }
  return out;
}
const Registration lists = trusts("xrpl", lists_of);

}  // namespace

void add_lies(System& system) {
  system.verbs = kVerbs;
  system.order_of = order_of;
  const auto other_tx = [](Transaction& m, Rng&) {
    const bool is_it = m.tx.id == other_payment().id;
    m.tx = other_payment();
    return !is_it;
  };
  lie<Transaction>(system, "another payment", other_tx);
  lie<Transaction>(system, "another payment", other_tx, true);
  lie<ProposeSet>(system, "sequence + 1", [](ProposeSet& m, Rng&) {
    if (m.proposal.value.seq >= kSeqLeave - 1) return false;  // it bows out
    ++m.proposal.value.seq;
    return true;
  });
  lie<ProposeSet>(system, "the other payment's set",
                  [](ProposeSet& m, Rng&) { return m.proposal.value.set = other_set(), true; });
  lie<ProposeSet>(
      system, "any sequence",
      [](ProposeSet& m, Rng& random) { return m.proposal.value.seq = any_seq(random), true; },
      true);
  lie<ProposeSet>(
      system, "no set", [](ProposeSet& m, Rng&) { return m.proposal.value.set = 0, true; }, true);
  lie<Validation>(system, "sequence + 1",
                  [](Validation& m, Rng&) { return ++m.vote.value.seq, true; });
  lie<Validation>(
      system, "any sequence",
      [](Validation& m, Rng& random) { return m.vote.value.seq = any_seq(random), true; }, true);
  lie<Validation>(
      system, "any ledger",
      [](Validation& m, Rng& random) { return m.vote.value.ledger = random.next() >> 1, true; },
      true);
}

}  // namespace schism::xrpl
