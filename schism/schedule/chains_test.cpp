#include "schism/schedule/chains.hpp"

#include <gtest/gtest.h>

#include <bitset>

#include "schism/schedule/testing/pctcp_game.hpp"

namespace schism {
namespace {

using namespace pctcp;

// A random linear extension.
std::vector<int> presentation(const Poset& poset, Rng& rng) {
  std::vector<int> order;
  std::uint32_t done = 0;
  while (static_cast<int>(order.size()) < poset.size()) {
    std::vector<int> minimal;
    for (int e = 0; e < poset.size(); ++e)
      if (!(done >> e & 1) && !(poset.below[static_cast<std::size_t>(e)] & ~done))
        minimal.push_back(e);
    order.push_back(minimal[rng.below(minimal.size())]);
    done |= 1U << order.back();
  }
  return order;
}

void expect_chains(const Poset& poset, const std::vector<std::uint32_t>& chain_of,
                   std::uint32_t chains) {
  for (int a = 0; a < poset.size(); ++a)
    for (int b = 0; b < a; ++b) {
      if (chain_of[static_cast<std::size_t>(a)] != chain_of[static_cast<std::size_t>(b)]) continue;
      ASSERT_TRUE(poset.less(a, b) || poset.less(b, a)) << a << " and " << b;
    }
  const int w = width(poset);
  ASSERT_LE(static_cast<int>(chains), w * (w + 1) / 2);
}

TEST(Chains, AreChainsAndFewInUpGrowingOrders) {
  Rng rng(1);
  int wide = 0;
  for (int i = 0; i < 6000; ++i) {
    const Poset poset = random_poset(1 + static_cast<int>(rng.below(14)), 0.7 * rng.unit(), rng);
    ChainPartition chains;
    std::vector<std::uint32_t> chain_of(poset.below.size());
    for (const int e : presentation(poset, rng)) {
      bool opened = false;
      const std::uint32_t before = chains.size();
      const auto knows = knowledge(poset, e);
      const std::uint32_t chain =
          chains.add(knows, opened, [&](std::uint64_t k) { return rng.below(k); });
      ASSERT_EQ(chains.size(), before + (opened ? 1 : 0));
      chains.delivered(chain, e, 1);
      chain_of[static_cast<std::size_t>(e)] = chain;
    }
    ASSERT_NO_FATAL_FAILURE(expect_chains(poset, chain_of, chains.size()));
    wide += width(poset) >= 4;
  }
  EXPECT_GT(wide, 2000);
}

TEST(Chains, AreChainsAndFewAsTheSchedulerServesThem) {
  Rng rng(2);
  for (int i = 0; i < 4000; ++i) {
    const Poset poset = random_poset(1 + static_cast<int>(rng.below(14)), 0.7 * rng.unit(), rng);
    Drawn luck{Rng(rng.next())};
    const Played played = play(poset, {1 + rng.below(14), 1 + rng.below(14)}, luck);
    ASSERT_NO_FATAL_FAILURE(expect_chains(poset, played.chain_of, played.chains));
    for (int a = 0; a < poset.size(); ++a)
      for (int b = 0; b < poset.size(); ++b) ASSERT_TRUE(!poset.less(a, b) || hits(played, {a, b}));
  }
}

// Partitions with one chain, of a message to node 0; `then` happens, and another message comes from
// a sender that knows so many deliveries there. Whether it joins the chain.
template <class Then>
bool joins(Then&& then, std::uint32_t knows) {
  ChainPartition chains;
  bool opened = false;
  const auto add = [&](std::uint32_t known) {
    const std::vector<std::uint32_t> clock{known};
    return chains.add(clock, opened, [](std::uint64_t) { return 0; });
  };
  EXPECT_EQ(add(0), 0U);
  EXPECT_TRUE(opened);
  then(chains, add);
  const std::uint32_t chain = add(knows);
  EXPECT_EQ(opened, chain != 0);
  return chain == 0;
}

TEST(Chains, AMessageFollowsWhatItsSenderKnows) {
  const auto in_flight = [](auto&, auto&) {};
  const auto delivered = [](auto& chains, auto&) { chains.delivered(0, 0, 1); };
  const auto lost = [](auto& chains, auto&) { chains.lost(0); };
  const auto second_lost = [](auto& chains, auto& add) {
    chains.delivered(0, 0, 1);
    EXPECT_EQ(add(1), 0U);
    chains.lost(0);
  };
  EXPECT_FALSE(joins(in_flight, 1));
  EXPECT_FALSE(joins(delivered, 0));
  EXPECT_TRUE(joins(delivered, 1));
  EXPECT_TRUE(joins(lost, 0)) << "nothing is left in the chain";
  EXPECT_FALSE(joins(second_lost, 0));
  EXPECT_TRUE(joins(second_lost, 1)) << "above the message before";
}

// Clocks against the definition: which deliveries happened before a send.
TEST(Chains, ClocksSayWhichDeliveriesASenderKnows) {
  using Deliveries = std::bitset<256>;
  Rng rng(3);
  int known = 0, unknown = 0;
  for (int run = 0; run < 100; ++run) {
    const int nodes = 1 + static_cast<int>(rng.below(6));
    DeliveryClocks clocks;
    clocks.reset(nodes);
    struct Message {
      int to;
      Deliveries past;
    };
    std::vector<Message> flying;  // a slot each
    std::vector<Deliveries> past(static_cast<std::size_t>(nodes));
    std::vector<std::pair<int, std::uint32_t>> delivered;  // where, as which
    for (int step = 0; step < 200; ++step) {
      if (flying.empty() || rng.chance(0.5)) {
        const int from = static_cast<int>(rng.below(static_cast<std::uint64_t>(nodes)));
        const auto& before = past[static_cast<std::size_t>(from)];
        for (std::size_t d = 0; d < delivered.size(); ++d) {
          const auto [node, nth] = delivered[d];
          ASSERT_EQ(clocks.of(from)[static_cast<std::size_t>(node)] >= nth, before[d]);
          ++(before[d] ? known : unknown);
        }
        clocks.on_sent(static_cast<std::uint32_t>(flying.size()), from);
        flying.push_back({static_cast<int>(rng.below(static_cast<std::uint64_t>(nodes))), before});
      } else {
        // The last one, so that slots are used again; the order of delivery is of no matter here.
        const Message message = flying.back();
        flying.pop_back();
        const auto nth = clocks.on_delivered(static_cast<std::uint32_t>(flying.size()), message.to);
        auto& mine = past[static_cast<std::size_t>(message.to)];
        mine |= message.past;
        mine.set(delivered.size());
        delivered.emplace_back(message.to, nth);
      }
    }
  }
  EXPECT_GT(known, 10'000);
  EXPECT_GT(unknown, 10'000);
}

}  // namespace
}  // namespace schism
