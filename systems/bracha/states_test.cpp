// Bracha's broadcast with a liar whose every message can come at any time, counted by `check` and
// by a program that knows nothing of worlds: only which node has received what. Whole, they count
// 576,585 states with a correct sender and 735,645 with a lying one (docs/results/byzzfuzz.md);
// here as far as so many deliveries go.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "schism/check/check.hpp"
#include "schism/run/config.hpp"

namespace schism {
namespace {

constexpr int kNodes = 4, kValues = 2, kNone = -1;

struct Local {
  std::array<int, kNodes> echo_of, ready_of;  // the first vote of each node
  int echoed = kNone, ready = kNone, delivered = kNone;
  Local() { echo_of.fill(kNone), ready_of.fill(kNone); }
  auto operator<=>(const Local&) const = default;
};
using Global = std::array<Local, kNodes>;

class Count {
 public:
  explicit Count(int liar) : liar_(liar) {}

  // With those nodes that nothing tells apart called in any order.
  std::size_t states(int deliveries, bool symmetric) {
    symmetric_ = symmetric;
    Global begin;
    if (liar_ != 0) echo(begin[0], 0, 0);
    std::set<Global> all{named(begin)}, layer = all;
    for (int i = 0; i < deliveries; ++i) {
      std::set<Global> next;
      for (const Global& g : layer) each_next(g, [&](const Global& n) { next.insert(named(n)); });
      layer.clear();
      for (const Global& g : next)
        if (all.insert(g).second) layer.insert(g);
    }
    return all.size();
  }

 private:
  static void echo(Local& n, int self, int value) {
    if (n.echoed != kNone) return;
    n.echoed = n.echo_of[static_cast<std::size_t>(self)] = value;
    settle(n, self);
  }
  static void settle(Local& n, int self) {
    for (int v = 0; v < kValues; ++v) {
      const auto votes = [v](const auto& of) { return std::count(of.begin(), of.end(), v); };
      if (n.ready == kNone && (votes(n.echo_of) >= 3 || votes(n.ready_of) >= 2))
        n.ready = n.ready_of[static_cast<std::size_t>(self)] = v;
      if (n.delivered == kNone && votes(n.ready_of) >= 3) n.delivered = v;
    }
  }

  template <class Use>
  void each_next(const Global& g, Use use) const {
    for (int to = 0; to < kNodes; ++to) {
      const auto at = static_cast<std::size_t>(to);
      if (to == liar_) continue;
      for (int v = 0; v < kValues; ++v) {
        if (to != 0 && g[at].echoed == kNone && (liar_ == 0 || v == 0)) {
          Global n = g;
          echo(n[at], to, v);
          use(n);
        }
        for (std::size_t from = 0; from < kNodes; ++from) {
          if (from == at) continue;
          const bool lies = static_cast<int>(from) == liar_;
          for (auto [votes, said] : {std::pair(&Local::echo_of, g[from].echoed),
                                     std::pair(&Local::ready_of, g[from].ready)}) {
            if ((g[at].*votes)[from] != kNone || !(lies || said == v)) continue;
            Global n = g;
            (n[at].*votes)[from] = v;
            settle(n[at], to);
            use(n);
          }
        }
      }
    }
  }

  Global named(const Global& g) const {
    if (!symmetric_) return g;
    std::vector<std::size_t> alike;
    for (std::size_t i = 1; i < kNodes; ++i)
      if (static_cast<int>(i) != liar_) alike.push_back(i);
    std::vector<std::size_t> order = alike;
    Global best = g;
    do {
      std::array<std::size_t, kNodes> to{0, 1, 2, 3};
      for (std::size_t i = 0; i < alike.size(); ++i) to[alike[i]] = order[i];
      Global other;
      for (std::size_t i = 0; i < kNodes; ++i) {
        other[to[i]] = g[i];
        for (std::size_t k = 0; k < kNodes; ++k) {
          other[to[i]].echo_of[to[k]] = g[i].echo_of[k];
          other[to[i]].ready_of[to[k]] = g[i].ready_of[k];
        }
      }
      best = std::min(best, other);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
  }

  int liar_;
  bool symmetric_ = false;
};

std::uint64_t checked(int liar, std::uint32_t depth, bool symmetric) {
  RunText text;
  text.system = {"bracha", {}};
  text.world = {{"liars", std::to_string(liar)}};
  const auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  check::CheckOptions options;
  options.search = *parse_spec(symmetric ? "bfs:symmetry=true" : "bfs");
  options.depth = depth;
  options.probes = 0;
  const std::atomic<bool> stop{false};
  const auto result = check::check(*config, options, {}, stop);
  EXPECT_TRUE(result) << result.error();
  EXPECT_NE(result->verdict, check::Verdict::violated);
  return result->totals.states;
}

TEST(BrachaStates, AreCountedAlikeByAProgramApart) {
  for (const int liar : {0, 3})
    for (const bool symmetric : {false, true})
      for (const std::uint32_t depth : {1U, 3U, 5U})
        EXPECT_EQ(checked(liar, depth, symmetric),
                  Count(liar).states(static_cast<int>(depth), symmetric))
            << "liar " << liar << ", depth " << depth << (symmetric ? ", symmetric" : "");
}

// What is wrong is found: with a bug, a liar's messages lead two nodes to different values.
TEST(BrachaStates, ALiarBreaksWhatIsBroken) {
  RunText text;
  text.system = {"bracha", {}};
  text.bugs = {"echo-majority", "ready-on-one", "deliver-early"};
  text.world = {{"liars", "0"}};
  const auto config = make_config(text);
  ASSERT_TRUE(config) << config.error();
  check::CheckOptions options;
  options.search = {"bfs", {}};
  options.probes = 0;
  const std::atomic<bool> stop{false};
  const auto result = check::check(*config, options, {}, stop);
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->verdict, check::Verdict::violated);
  ASSERT_TRUE(result->counterexample);
  EXPECT_EQ(result->counterexample->violation->property, "agreement");
}

}  // namespace
}  // namespace schism
