// The predicates of a leader change, against their definitions by sets, and what they are for: no
// report of a liar and no choice of reports lets go of what may have been decided.
#include "systems/bft_smart/predicates.hpp"

#include <gtest/gtest.h>

namespace bft_smart {
namespace {

constexpr int kReplicas = 4;
constexpr std::size_t kQuorum = 3, kOneCorrect = 2;

Batch value(int i) { return {i, {}}; }
int digest(int i) { return digest_of(value(i)); }

using Reports = std::vector<Collect>;

Collect random_collect(Rng& rng) {
  Collect c{1, 3, static_cast<int>(rng.below(4)) - 1, 0, {}};
  if (c.quorum_epoch >= 0) c.quorum_digest = digest(static_cast<int>(rng.below(3)));
  for (std::uint64_t i = rng.below(4); i > 0; --i)
    c.written.push_back({static_cast<int>(rng.below(3)), value(static_cast<int>(rng.below(3)))});
  return c;
}

template <class Holds>
bool some_subset(const Reports& of, std::size_t least, Holds holds) {
  for (unsigned mask = 0; mask < 1U << of.size(); ++mask) {
    std::size_t size = 0;
    bool all = true;
    for (std::size_t i = 0; i < of.size(); ++i)
      if (mask >> i & 1) ++size, all = all && holds(of[i]);
    if (all && size >= least) return true;
  }
  return false;
}

bool binds(const Reports& of, int epoch, int v) {
  const auto same = [&](const Collect& c) {
    return c.quorum_epoch == epoch && c.quorum_digest == digest(v);
  };
  const auto wrote = [&](const Collect& c) {
    for (const Written& w : c.written)
      if (w.epoch >= epoch && w.batch.nonce == v) return true;
    return false;
  };
  return of.size() >= kQuorum && some_subset(of, 1, same) && some_subset(of, kOneCorrect, wrote) &&
         some_subset(of, kQuorum,
                     [&](const Collect& c) { return same(c) || c.quorum_epoch < epoch; });
}

TEST(Predicates, AreAsDefinedBySets) {
  const Predicates say{kReplicas};
  Rng rng(7);
  int bound = 0, unbound = 0;
  for (int i = 0; i < 20'000; ++i) {
    Reports of;
    for (std::uint64_t n = 2 + rng.below(3); n > 0; --n) of.push_back(random_collect(rng));
    const bool empty = of.size() >= kQuorum && some_subset(of, kQuorum, [](const Collect& c) {
                         return c.quorum_epoch == -1;
                       });
    EXPECT_EQ(say.unbound(of), empty);
    bool any = false;
    for (int epoch = 0; epoch < 3; ++epoch)
      for (int v = 0; v < 3; ++v) any = any || binds(of, epoch, v);
    const auto chosen = say.bound(of);
    EXPECT_EQ(chosen.has_value(), any);
    if (chosen) {
      bool good = false;
      for (int epoch = 0; epoch < 3; ++epoch) good = good || binds(of, epoch, chosen->nonce);
      EXPECT_TRUE(good);
    }
    bound += any ? 1 : 0;
    unbound += empty ? 1 : 0;
  }
  EXPECT_GT(bound, 200);
  EXPECT_GT(unbound, 50);
}

// Replicas 0 to 2 are correct, 3 lies. A value was decided in epoch 0 with the ACCEPTs of at least
// two of them; each of the two wrote it and saw a quorum write it.
Signed<Collect> correct_report(NodeId who, bool accepted, bool wrote, bool zero_is_none) {
  Collect c{1, 1, zero_is_none ? 0 : -1, 0, {}};
  if (accepted) c.quorum_epoch = 0, c.quorum_digest = digest(1);
  if (accepted || wrote) c.written = {{0, value(1)}};
  return signed_by(who, c);
}

// How often somebody else's value could be chosen though the value was decided.
int let_go(const Predicates& say) {
  Rng rng(3);
  int lost = 0;
  for (int i = 0; i < 20'000; ++i) {
    const NodeId without = static_cast<NodeId>(rng.below(4));
    const NodeId slow = static_cast<NodeId>(rng.below(3));
    const bool wrote = rng.chance(0.5);
    std::vector<Signed<Collect>> all;
    for (NodeId id = 0; id < 3; ++id)
      if (id != without) all.push_back(correct_report(id, id != slow, wrote, say.zero_is_none));
    Collect lie = random_collect(rng);
    lie.cid = static_cast<int>(rng.below(3));
    if (without != 3) all.push_back(signed_by(3, lie));
    const auto of = say.of_instance(all, 1);
    const auto chosen = say.bound(of);
    if (chosen ? chosen->nonce != 1 : say.unbound(of)) ++lost;
  }
  return lost;
}

TEST(Predicates, LetGoOfNothingThatMayBeDecided) {
  EXPECT_EQ(let_go({kReplicas}), 0);
  EXPECT_GT(let_go({kReplicas, true}), 0) << "epoch 0 and nothing are told apart";
  EXPECT_GT(let_go({kReplicas, false, false, true}), 0) << "one liar certifies what it likes";
}

// The collects of the incident: 1 lacks the PROPOSE, 2 and 3 have accepted h in epoch 0.
TEST(Predicates, OfEpochZeroAreUnboundAsTheLibraryHasThem) {
  for (const bool library : {false, true}) {
    const Predicates say{kReplicas, library};
    const std::vector<Signed<Collect>> all = {correct_report(1, false, false, library),
                                              correct_report(2, true, true, library),
                                              correct_report(0, true, true, library)};
    const auto of = say.of_instance(all, 1);
    EXPECT_EQ(say.unbound(of), library);
    EXPECT_EQ(say.bound(of).has_value(), !library);
  }
}

// Whoever is at a later instance has decided this one, and does not say how.
TEST(Predicates, CollectsOfOtherInstances) {
  const std::vector<Signed<Collect>> all = {signed_by(0, Collect{1, 1, -1, 0, {}}),
                                            signed_by(1, Collect{2, 1, -1, 0, {}}),
                                            signed_by(2, Collect{3, 1, -1, 0, {}})};
  EXPECT_EQ((Predicates{kReplicas}.of_instance(all, 2).size()), 2U);
  EXPECT_EQ((Predicates{kReplicas, false, true}.of_instance(all, 2).size()), 3U);
}

}  // namespace
}  // namespace bft_smart
