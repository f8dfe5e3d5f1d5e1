// The guarantee of PCTCP: every d events that can be executed in an order are executed in it with
// probability at least 1/(w^2 h^(d-1)). Exactly on small partial orders, by enumerating every way
// that the draws can fall; by statistics on larger ones and through the scheduler.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "schism/run/runner.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schedule/testing/pctcp_game.hpp"
#include "schism/schism.hpp"
#include "schism/system/systems.hpp"

namespace schism {
namespace {

using namespace pctcp;

// Chances are whole numbers of this part of 1.
constexpr std::uint64_t kOne = 5040ULL * 5040 * 5040 * 5040 * 128;

// For each tuple the sum, over all change points, of the chance to hit it; in units of 1/kOne.
template <class Hits>
std::vector<U128> exact_chances(const Poset& poset, std::size_t d, std::uint64_t h,
                                const std::vector<std::vector<int>>& tuples, Hits&& hit) {
  std::vector<U128> chances(tuples.size());
  for (const auto& points : sequences<std::uint64_t>(d - 1, 1, h)) {
    Enumerated luck;
    do {
      const Played played = play(poset, points, luck);
      EXPECT_EQ(kOne % luck.rarity(), 0U);
      for (std::size_t t = 0; t < tuples.size(); ++t)
        if (hit(played, tuples[t])) chances[t] += kOne / luck.rarity();
    } while (luck.advance());
  }
  return chances;
}

std::uint64_t power(std::uint64_t base, std::size_t exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

struct Exact {
  std::size_t d;
  int events;
  int posets;
  std::size_t floor;  // tuples checked, at least
};
class PctcpExact : public testing::TestWithParam<Exact> {};

TEST_P(PctcpExact, EveryTupleReachesTheBound) {
  const auto [d, events, posets, floor] = GetParam();
  Rng rng(10 + d);
  std::size_t checked = 0;
  for (int i = 0; i < posets; ++i) {
    const int n = static_cast<int>(rng.between(static_cast<std::int64_t>(d), events));
    const Poset poset = random_poset(n, rng.unit(), rng);
    const auto w = static_cast<std::uint64_t>(width(poset));
    const auto tuples = admissible_tuples(poset, d);
    const auto h = static_cast<std::uint64_t>(n) + (i % 3 == 0 ? 0 : rng.below(3));
    const U128 ways = sequences<std::uint64_t>(d - 1, 1, h).size();
    const auto chances = exact_chances(poset, d, h, tuples, hits);
    for (const U128 chance : chances) {
      ASSERT_TRUE(chance * w * w * power(h, d - 1) >= ways * kOne);
      // Sharper: however the ranks fall, one choice of change points is e2 to ed, and that hits.
      ASSERT_TRUE(chance >= kOne);
    }
    checked += tuples.size();
  }
  EXPECT_GE(checked, floor);
  RecordProperty("tuples", std::to_string(checked));
}

INSTANTIATE_TEST_SUITE_P(Depths, PctcpExact,
                         testing::Values(Exact{1, 7, 200, 600}, Exact{2, 7, 150, 1500},
                                         Exact{3, 6, 60, 1000}));

// A stronger sense of hitting: e is executed after everything that need not follow it. With d = 1
// nearly every event has it with chance 1/w^2, but not all: which chain an event joins depends on
// what was served before, that is on the ranks themselves. docs/pctcp.md says more.
TEST(Pctcp, NearlyEveryEventIsDelayedAsFarAsItCanBe) {
  Rng rng(20);
  std::size_t checked = 0, missed = 0;
  for (int i = 0; i < 600; ++i) {
    const Poset poset = random_poset(1 + static_cast<int>(rng.below(7)), rng.unit(), rng);
    const auto w = static_cast<std::uint64_t>(width(poset));
    const auto last = [&](const Played& played, const std::vector<int>& tuple) {
      for (int other = 0; other < poset.size(); ++other)
        if (!hits(played, {other, tuple[0]}) && !poset.less(tuple[0], other)) return false;
      return true;
    };
    const auto tuples = admissible_tuples(poset, 1);
    for (const U128 chance : exact_chances(poset, 1, 1, tuples, last))
      missed += chance * w * w < kOne;
    checked += tuples.size();
  }
  EXPECT_GT(checked, 2000U);
  EXPECT_LT(missed, checked / 100);
  RecordProperty("missed", std::to_string(missed));
  RecordProperty("events", std::to_string(checked));
}

// ---- by statistics ---------------------------------------------------------------------------

// P(X <= x) of a binomial. The upper limit of x in n at confidence 1 - alpha is below p if and only
// if this is below alpha.
double lower_tail(int x, int n, double p) {
  double sum = 0, log_term = n * std::log1p(-p);
  for (int k = 0;; ++k) {
    sum += std::exp(log_term);
    if (k == x) return sum;
    log_term += std::log(static_cast<double>(n - k) / (k + 1)) + std::log(p) - std::log1p(-p);
  }
}

constexpr double kAlpha = 0.001;

std::vector<std::uint64_t> draw_points(std::size_t d, std::uint64_t h, Rng& rng) {
  std::vector<std::uint64_t> points;
  while (points.size() + 1 < d) {
    const std::uint64_t point = 1 + rng.below(h);
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  }
  return points;
}

// The draws of the scheduler are those that the enumeration takes for granted.
TEST(Pctcp, DrawnRatesAreTheExactOnes) {
  Rng rng(30);
  constexpr int kRuns = 40'000;
  for (int i = 0; i < 4; ++i) {
    const Poset poset = random_poset(6, 0.1 + 0.1 * i, rng);
    const auto tuples = admissible_tuples(poset, 2);
    const auto exact = exact_chances(poset, 2, 6, tuples, hits);
    std::vector<int> hit(tuples.size());
    for (int run = 0; run < kRuns; ++run) {
      Drawn luck{Rng(rng.next())};
      const Played played = play(poset, draw_points(2, 6, luck.rng), luck);
      for (std::size_t t = 0; t < tuples.size(); ++t) hit[t] += hits(played, tuples[t]);
    }
    for (std::size_t t = 0; t < tuples.size(); ++t) {
      const double p = static_cast<double>(exact[t]) / (6.0 * static_cast<double>(kOne));
      EXPECT_NEAR(hit[t], kRuns * p, 5 * std::sqrt(kRuns * p * (1 - p)) + 1e-6);
    }
  }
}

TEST(Pctcp, OnLargerOrdersTheMeasuredRateReachesTheBound) {
  Rng rng(40);
  std::size_t checked = 0;
  struct Case {
    std::size_t d;
    int events, posets;
  };
  for (const auto& [d, events, posets] : {Case{2, 24, 8}, Case{2, 16, 10}, Case{3, 10, 3}})
    for (int i = 0; i < posets;) {
      const Poset poset = random_poset(events, rng.unit(), rng);
      const double w = width(poset);
      if (w < 2 || w > 5) continue;
      ++i;
      const double bound = 1 / (w * w * std::pow(events, static_cast<double>(d - 1)));
      const auto tuples = admissible_tuples(poset, d);
      // So many that a rate of a quarter of the bound would be noticed.
      const int runs = static_cast<int>(40 / bound);
      std::vector<int> hit(tuples.size());
      for (int run = 0; run < runs; ++run) {
        Drawn luck{Rng(rng.next())};
        const auto points = draw_points(d, static_cast<std::uint64_t>(events), luck.rng);
        const Played played = play(poset, points, luck);
        for (std::size_t t = 0; t < tuples.size(); ++t) hit[t] += hits(played, tuples[t]);
      }
      const double alpha = kAlpha / static_cast<double>(tuples.size());
      for (const int x : hit)
        ASSERT_TRUE(x >= runs * bound || lower_tail(x, runs, bound) >= alpha)
            << x << " of " << runs;
      checked += tuples.size();
    }
  EXPECT_GT(checked, 2500U);
  RecordProperty("tuples", std::to_string(checked));
}

// ---- through the scheduler -------------------------------------------------------------------

struct Ball {
  int hop;
  FIELDS(hop)
};
SCHISM_ENUM(Clock, tick);

// Pairs of nodes that play ping-pong: as many independent chains of messages. With `clocks` every
// node also has a timer that is always armed.
struct Pair : Node<Pair, Ball> {
  struct Config {
    int hops = 4;
    bool clocks = false;
  };
  using Timers = Clock;

  int ticks = 0;
  FIELDS(ticks)

  void start(Context& c) {
    if (c.config().clocks) c.set_timer(Clock::tick, 1);
    if (c.self % 2 == 0 && c.self + 1 < c.nodes()) c.send(c.self + 1, Ball{1});
  }
  void on(Context& c, NodeId from, const Ball& ball) {
    if (ball.hop < c.config().hops) c.send(from, Ball{ball.hop + 1});
  }
  void on_timer(Context& c, Clock, int) {
    ++ticks;
    c.set_timer(Clock::tick, 1);
  }
};
const Registration registered =
    system<Pair>("test-pctcp-pairs", "for tests: independent chains of messages")
        .nodes(6, 1, 64)
        .param<&Pair::Config::hops>("hops", 1, 100, "messages of a pair")
        .param<&Pair::Config::clocks>("clocks", "a timer at every node")
        .thread_safe();

struct Hall {
  Hall(const char* spec, int nodes, bool clocks = false) {
    scheduler = std::move(*schedulers().make(*parse_spec(spec), "scheduler"));
    setup.system = systems().find("test-pctcp-pairs");
    const auto config = setup.system->fresh_config();
    static_cast<Pair::Config*>(config.get())->clocks = clocks;
    setup.config = config;
    setup.nodes = nodes;
  }
  std::vector<Action> run(std::uint64_t seed, std::uint32_t steps = 100) {
    if (!runner) runner.emplace(setup, RunLimits{.steps = steps});
    runner->run(*scheduler, {seed, 0});
    const auto decisions = runner->world().decisions();
    return {decisions.begin(), decisions.end()};
  }
  std::unique_ptr<Scheduler> scheduler;
  Setup setup;
  std::optional<Runner> runner;
};

TEST(Pctcp, TheSchedulerReachesTheBound) {
  constexpr int kPairs = 3, kHops = 4, kEvents = kPairs * kHops;
  Hall hall("pctcp:depth=2,horizon=12", 2 * kPairs);
  Poset poset;
  for (std::uint32_t pair = 0; pair < kPairs; ++pair)
    for (std::uint32_t hop = 0; hop < kHops; ++hop)
      poset.below.push_back(((1U << hop) - 1) << (pair * kHops));
  ASSERT_EQ(width(poset), kPairs);
  const auto tuples = admissible_tuples(poset, 2);
  ASSERT_EQ(tuples.size(), 3U * 6 + 6U * 16);
  const double bound = 1.0 / (kPairs * kPairs * kEvents);
  const int runs = static_cast<int>(100 / bound);
  std::vector<int> hit(tuples.size());
  for (int run = 0; run < runs; ++run) {
    Played played{std::vector<int>(kEvents, -1), {}, 0};
    std::vector<int> hops(kPairs);
    int step = 0;
    for (const Action& action : hall.run(static_cast<std::uint64_t>(run))) {
      ASSERT_EQ(action.kind, Do::deliver);
      const int pair = action.name.from() / 2;
      const int hop = hops[static_cast<std::size_t>(pair)]++;
      played.position[static_cast<std::size_t>(pair * kHops + hop)] = step++;
    }
    ASSERT_EQ(step, kEvents);
    for (std::size_t t = 0; t < tuples.size(); ++t) hit[t] += hits(played, tuples[t]);
  }
  for (const int x : hit)
    EXPECT_TRUE(x >= runs * bound ||
                lower_tail(x, runs, bound) >= kAlpha / static_cast<double>(tuples.size()));
}

TEST(Pctcp, TheSameSeedDecidesTheSame) {
  for (const char* spec : {"pctcp:depth=4", "pctcp:depth=4,netrix=true"}) {
    Hall one(spec, 6, true), two(spec, 6, true);
    int different = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const auto decisions = one.run(seed);
      ASSERT_EQ(decisions, two.run(seed));
      different += decisions != two.run(seed + 1);
    }
    EXPECT_GT(different, 40);
  }
}

TEST(Pctcp, TimersFireSoOftenInARowAndThenMessagesGoFirst) {
  for (const int cap : {0, 1, 3}) {
    Hall hall(cap == 0   ? "pctcp:timers=0"
              : cap == 1 ? "pctcp:timers=1"
                         : "pctcp:timers=3",
              6, true);
    int longest = 0, last_delivery = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      int row = 0, delivered = 0, step = 0;
      for (const Action& action : hall.run(seed, 60)) {
        ++step;
        if (action.kind == Do::deliver) last_delivery = std::max(last_delivery, step), ++delivered;
        row = action.kind == Do::fire ? row + 1 : 0;
        if (delivered < 12) longest = std::max(longest, row);
      }
      EXPECT_EQ(delivered, 12);
      EXPECT_EQ(step, 60) << "timers go on when no message is left";
    }
    EXPECT_EQ(longest, cap);
    EXPECT_LE(last_delivery, 12 * (cap + 1));
  }
}

// D2: the message at the first change point is lost for ever, and with it all that would follow.
TEST(Pctcp, NetrixStarvesWhatItsFirstChangePointHits) {
  Hall paper("pctcp:depth=2,horizon=6", 6), netrix("pctcp:depth=2,horizon=6,netrix=true", 6);
  int complete = 0;
  constexpr int kRuns = 600;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    EXPECT_EQ(paper.run(seed).size(), 12U);
    const std::size_t steps = netrix.run(seed).size();
    EXPECT_GE(steps, 8U);
    complete += steps == 12;
  }
  // Only a point that is 0 never fires: one of six.
  EXPECT_NEAR(complete, kRuns / 6.0, 5 * std::sqrt(kRuns * 5.0 / 36));
}

// D1: the second chain is above the first with 1/2, level with it with 1/2.
TEST(Pctcp, NetrixFavoursLateChains) {
  constexpr int kRuns = 4000;
  for (const auto& [spec, p] :
       {std::pair("pctcp:depth=1", 0.5), {"pctcp:depth=1,netrix=true", 0.75}}) {
    Hall hall(spec, 4);
    int late = 0;
    for (std::uint64_t seed = 0; seed < kRuns; ++seed)
      late += hall.run(seed).front().name.from() == 2;
    EXPECT_NEAR(late, kRuns * p, 5 * std::sqrt(kRuns * p * (1 - p)));
  }
}

TEST(Pctcp, AHorizonBelowTheDepthIsRefused) {
  Hall hall("pctcp:depth=5,horizon=4", 6);
  EXPECT_FALSE(hall.scheduler->check(hall.setup));
  EXPECT_TRUE(Hall("pctcp:depth=5,horizon=5", 6).scheduler->check(hall.setup));
}

}  // namespace
}  // namespace schism
