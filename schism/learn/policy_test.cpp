// The update rules against worked examples, and what tables promise.
#include "schism/learn/policy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "schism/learn/bonus_max.hpp"
#include "schism/learn/neg_rl.hpp"
#include "schism/learn/splits.hpp"
#include "schism/learn/ucb_zero.hpp"
#include "schism/learn/waypoint.hpp"
#include "schism/sim/sim_world.hpp"

namespace schism::learn {
namespace {

constexpr double kClose = 1e-6;  // values are kept in four bytes

// A world of letters, in which two actions are offered everywhere.
struct Played {
  char state;
  char action;
  std::size_t table = 0;        // of WaypointRL
  std::vector<Key> shown = {};  // by this step, of a coverage
};

// Policies see each moment, as they would in the environment, unless tables are given.
class Script {
 public:
  Script(TablePolicy& policy, std::string actions)
      : policy_(policy), actions_(std::move(actions)) {}

  void play(const std::vector<Played>& steps, char end, std::size_t end_table, bool tables) {
    episode_.clear();
    policy_.start();
    for (std::size_t i = 0; i <= steps.size(); ++i) {
      const char state = i < steps.size() ? steps[i].state : end;
      Moment& m = episode_.add(static_cast<Key>(state) + 1000, 0);
      for (const char a : actions_) episode_.offer({static_cast<Key>(a), Kind::change});
      if (i < steps.size()) episode_.now().taken = m.first + actions_.find(steps[i].action);
      if (tables) episode_.now().waypoint = i < steps.size() ? steps[i].table : end_table;
      else policy_.see(world_, episode_);
      if (i > 0) policy_.step(episode_);
      if (i < steps.size()) episode_.show(steps[i].shown);
    }
    episode_.finish();
    policy_.learn(episode_);
  }
  // How often it picks each action there.
  std::map<char, int> picks(char state, int times) {
    Rng rng(5);
    std::map<char, int> out;
    for (int i = 0; i < times; ++i) {
      episode_.clear();
      episode_.add(static_cast<Key>(state) + 1000, 0);
      for (const char a : actions_) episode_.offer({static_cast<Key>(a), Kind::change});
      ++out[actions_[policy_.pick(episode_, rng)]];
    }
    return out;
  }
  double value(char state, char action, std::size_t table = 0) const {
    Moment m;
    m.state = static_cast<Key>(state) + 1000;
    return policy_.table()->value(TablePolicy::pair(m, table, static_cast<Key>(action)));
  }

 private:
  TablePolicy& policy_;
  std::string actions_;
  Episode episode_;
  SimWorld world_;
};

const std::vector<Played> kBackAndForth = {{'A', 'l'}, {'B', 'r'}, {'A', 'l'}};

TEST(BonusMax, BackwardAsWorkedOutByHand) {
  BonusMax policy({});
  Script script(policy, "lr");
  const double al[] = {0.99, 0.8769333333, 0.7832373333}, br[] = {1, 0.99, 0.982};
  for (int episode = 0; episode < 3; ++episode) {
    script.play(kBackAndForth, 'B', 0, false);
    EXPECT_NEAR(script.value('A', 'l'), al[episode], kClose) << episode;
    EXPECT_NEAR(script.value('B', 'r'), br[episode], kClose) << episode;
  }
}

TEST(BonusMax, OnlineAsWorkedOutByHand) {
  BonusMaxOptions options;
  options.update = Update::online;
  BonusMax policy(options);
  Script script(policy, "lr");
  const double al[] = {0.99, 0.9756, 0.966384}, br[] = {1, 0.99, 0.982};
  for (int episode = 0; episode < 3; ++episode) {
    script.play(kBackAndForth, 'B', 0, false);
    EXPECT_NEAR(script.value('A', 'l'), al[episode], kClose) << episode;
    EXPECT_NEAR(script.value('B', 'r'), br[episode], kClose) << episode;
  }
}

// With a coverage it is not how often a pair was taken that counts, but in how many episodes the
// rarest thing was shown that the step showed. Backward; alpha 0.2, gamma 0.95.
TEST(BonusMax, IsRewardedByACoverage) {
  BonusMaxOptions options;
  options.coverage = "model";
  BonusMax policy(options);
  Script script(policy, "lr");
  const std::vector<Played> way = {{'A', 'l', 0, {7, 8}}, {'B', 'r', 0, {}}, {'A', 'r', 0, {9}}};
  script.play(way, 'C', 0, false);
  // A, r: 0.8 + 0.2 * 1. B, r: what is best at A, untried still when B was left.
  EXPECT_NEAR(script.value('A', 'r'), 1, kClose);
  EXPECT_NEAR(script.value('B', 'r'), 0.8 + 0.2 * 0.95, kClose);
  EXPECT_NEAR(script.value('A', 'l'), 1, kClose);
  script.play({{'A', 'l', 0, {8, 10}}, {'B', 'r', 0, {}}, {'A', 'r', 0, {9}}}, 'C', 0, false);
  EXPECT_NEAR(script.value('A', 'r'), 0.8 + 0.2 * 0.5, kClose) << "9 for the second time";
  EXPECT_NEAR(script.value('B', 'r'), 0.8 * 0.99 + 0.2 * 0.95, kClose) << "A, l is still 1";
  EXPECT_NEAR(script.value('A', 'l'), 1, kClose) << "10 is new";
  // Both ends of B were tried, and a last step that shows nothing is worth nothing.
  script.play({{'B', 'l', 0, {}}}, 'C', 0, false);
  EXPECT_NEAR(script.value('B', 'l'), 0.8, kClose);
  script.play({{'A', 'l', 0, {7}}}, 'B', 0, false);
  EXPECT_NEAR(script.value('A', 'l'), 0.8 + 0.2 * 0.5, kClose) << "7 in its second episode";
}

// Seven steps through the tables of `true`, one waypoint and the target.
const std::vector<Played> kWay = {{'A', 'a', 0}, {'B', 'b', 1}, {'A', 'b', 0}, {'C', 'a', 1},
                                  {'C', 'b', 1}, {'D', 'a', 2}, {'E', 'a', 2}};

class Tables {
 public:
  explicit Tables(const WaypointOptions& options) : policy(options), script(policy, "ab") {
    sequence.predicates.resize(2);
    policy.follow(&sequence);
  }
  Waypoint policy;
  Script script;
  Sequence sequence;
};

TEST(Waypoint, AsWorkedOutByHand) {
  Tables t({});
  t.script.play(kWay, 'D', 2, true);
  EXPECT_NEAR(t.script.value('E', 'a', 2), 1, kClose);
  EXPECT_NEAR(t.script.value('D', 'a', 2), 1, kClose);
  EXPECT_NEAR(t.script.value('C', 'b', 1), 1.56, kClose);
  EXPECT_NEAR(t.script.value('C', 'a', 1), 1.0964, kClose);
  EXPECT_NEAR(t.script.value('A', 'b', 0), 1.52295, kClose);
  EXPECT_NEAR(t.script.value('B', 'b', 1), 1, kClose);
  EXPECT_NEAR(t.script.value('A', 'a', 0), 1.489512375, kClose);
  t.script.play(kWay, 'D', 2, true);
  EXPECT_NEAR(t.script.value('E', 'a', 2), 0.9, kClose);
  EXPECT_NEAR(t.script.value('D', 'a', 2), 0.99, kClose);
  EXPECT_NEAR(t.script.value('C', 'b', 1), 2.008, kClose);
  EXPECT_NEAR(t.script.value('C', 'a', 1), 1.25864, kClose);
  EXPECT_NEAR(t.script.value('A', 'b', 0), 1.94131, kClose);
  EXPECT_NEAR(t.script.value('B', 'b', 1), 0.9, kClose);
  EXPECT_NEAR(t.script.value('A', 'a', 0), 1.881122275, kClose);
}

// What rewards within a table of WaypointRL; getting on to the next is worth what it was.
TEST(Waypoint, IsRewardedByACoverageToo) {
  WaypointOptions options;
  options.coverage = "model";
  Tables t(options);
  const std::vector<Played> way = {{'A', 'a', 0, {}}, {'B', 'a', 1, {}}, {'C', 'a', 2, {5}}};
  t.script.play(way, 'D', 2, true);
  EXPECT_NEAR(t.script.value('C', 'a', 2), 1, kClose);
  EXPECT_NEAR(t.script.value('B', 'a', 1), 0.8 + 0.2 * 0.95 * (2 + 2), kClose);
  t.script.play(way, 'D', 2, true);
  EXPECT_NEAR(t.script.value('C', 'a', 2), 0.8 + 0.2 * 0.5, kClose);
}

TEST(Waypoint, DownwardMovesShareWhereTheyAreToldTo) {
  WaypointOptions options;
  options.final = Final::both;
  Tables t(options);
  t.script.play(kWay, 'D', 2, true);
  EXPECT_NEAR(t.script.value('B', 'b', 1), 1.1258025, kClose);
  t.script.play(kWay, 'D', 2, true);
  EXPECT_NEAR(t.script.value('B', 'b', 1), 1.2264445, kClose);
}

TEST(Waypoint, ATargetReachedByTheLastStep) {
  const std::vector<Played> beginning(kWay.begin(), kWay.begin() + 5);
  WaypointOptions options;
  options.late = Late::missed;
  Tables missed(options);
  missed.script.play(beginning, 'D', 2, true);
  EXPECT_NEAR(missed.script.value('C', 'b', 1), 1.18, kClose);
  EXPECT_NEAR(missed.script.value('C', 'a', 1), 1.0242, kClose);
  EXPECT_NEAR(missed.script.value('A', 'b', 0), 1.18, kClose);
  EXPECT_NEAR(missed.script.value('B', 'b', 1), 1, kClose);
  EXPECT_NEAR(missed.script.value('A', 'a', 0), 1.18, kClose);
  Tables reached({});  // as if one more step had been taken there
  reached.script.play(beginning, 'D', 2, true);
  EXPECT_NEAR(reached.script.value('C', 'b', 1), 1.56, kClose);
}

TEST(NegRl, AStepCostsItsVisits) {
  NegRl policy({}, true);
  Script script(policy, "lr");
  script.play({{'A', 'l'}}, 'B', 0, false);
  EXPECT_NEAR(script.value('A', 'l'), -0.3, kClose);
  script.play({{'A', 'l'}}, 'B', 0, false);  // B was met twice by now
  EXPECT_NEAR(script.value('A', 'l'), 0.7 * -0.3 + 0.3 * -2, kClose);
}

// By the Boltzmann distribution: the colder, the surer.
TEST(NegRl, TheTemperatureSaysHowSureAChoiceIs) {
  for (const double temperature : {1.0, 0.2}) {
    NegRlOptions options;
    options.temperature = temperature;
    NegRl policy(options, true);
    Script script(policy, "lr");
    script.play({{'A', 'l'}}, 'B', 0, false);
    const double odds = std::exp(script.value('A', 'l') / temperature);  // of l to r, which is 0
    EXPECT_NEAR(script.picks('A', 10'000)['l'] / 10'000.0, odds / (1 + odds), 0.02);
  }
}

// Two steps an episode, each with a table of its own. What lies ahead counts up to the horizon.
TEST(UcbZero, AsWorkedOutByHand) {
  UcbZeroOptions options;
  options.states = 10, options.actions = 2, options.episodes = 100;
  UcbZero policy(options, 2);
  Script script(policy, "lr");
  const double iota = std::log(10.0 * 2 * 100 * 2);
  const auto bonus = [&](int visits) { return 0.5 * std::sqrt(8 * iota / visits); };
  const std::vector<Played> way = {{'A', 'l'}, {'B', 'r'}};
  script.play(way, 'C', 0, false);
  const double first = 2 + 2 * bonus(1);  // the first visit counts alone
  EXPECT_NEAR(script.value('A', 'l', 0), first, 1e-4);
  EXPECT_NEAR(script.value('B', 'r', 1), first, 1e-4);
  EXPECT_EQ(script.value('B', 'r', 0), 2) << "nobody was there at the first step";
  script.play(way, 'C', 0, false);
  EXPECT_NEAR(script.value('A', 'l', 0), 0.25 * first + 0.75 * (2 + 2 * bonus(2)), 1e-4);
}

// What could never be done in a state is not hoped for there, however much strangers are worth.
TEST(TablePolicies, AStateIsWorthTheBestOfWhatWasEverPossibleThere) {
  struct Open final : TablePolicy {
    Open() : TablePolicy(1) {}
    std::size_t pick(const Episode&, Rng&) override { return 0; }
    float meet(const World& world, bool crash) {
      Episode episode;
      episode.add(7, 0);
      episode.offer({1, Kind::change});
      episode.offer({2, Kind::crash, crash});
      see(world, episode);
      table_.set(pair(episode.now(), 0, 1), 0.5F, 1);
      return best(episode, episode.now(), 0);
    }
  } policy;
  SimWorld world;
  EXPECT_EQ(policy.meet(world, false), 0.5F);
  EXPECT_EQ(policy.meet(world, true), 1.0F) << "never tried";
  EXPECT_EQ(policy.meet(world, false), 1.0F) << "it may be possible again";
}

TEST(Table, IsAMapOfAllThatItWasTold) {
  Table table(1);
  std::map<Key, std::pair<float, std::uint32_t>> slow;
  Rng random(3);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const Key key = mix64(random.below(2000)) | 1;
    slow[key] = {static_cast<float>(i), 1 + i % 3};
    table.set(key, slow[key].first, slow[key].second);
  }
  EXPECT_EQ(table.size(), slow.size());
  for (const auto& [key, known] : slow) {
    EXPECT_EQ(table.value(key), known.first);
    EXPECT_EQ(table.visits(key), known.second);
  }
}

TEST(Table, ForgetsWhatNobodyKept) {
  Table table(1);
  table.set(7, 0.5F, 1);
  table.keep();
  const std::string before = table.save();
  table.set(7, 0.25F, 2);
  table.set(9, 0.125F, 1);
  table.set(9, 0.0F, 2);
  table.take_back();
  EXPECT_EQ(table.save(), before);
  EXPECT_EQ(table.value(9), 1);
  EXPECT_EQ(table.visits(9), 0U);
}

TEST(Table, APairTakesThirtyTwoBytesAtMost) {
  Table table(1);
  for (std::size_t pairs = 1; pairs <= 250'000; ++pairs) {
    table.set(mix64(pairs) | 1, 0.5F, 1);
    if (pairs > 1000) {
      ASSERT_LE(table.bytes(), 32 * pairs) << pairs;
    }
  }
  EXPECT_LT(table.bytes(), 20'000'000U);
  Table other(1);
  ASSERT_TRUE(other.load(table.save()));
  EXPECT_EQ(other.save(), table.save());
  EXPECT_FALSE(other.load("seven b"));
}

TEST(Splits, OfThreeNodes) {
  Splits splits;
  EXPECT_EQ(splits.of(std::vector<std::uint64_t>{1, 2, 3}).size(), 5U);
  EXPECT_EQ(splits.of(std::vector<std::uint64_t>{1, 1, 3}).size(), 4U);
  EXPECT_EQ(splits.of(std::vector<std::uint64_t>{1, 3, 3}).size(), 4U);
  EXPECT_EQ(splits.of(std::vector<std::uint64_t>{3, 3, 3}).size(), 3U);
}

// Bell numbers where all differ, numbers of integer partitions where none does.
TEST(Splits, OfMoreNodes) {
  Splits splits;
  EXPECT_EQ(splits.of(std::vector<std::uint64_t>{1, 2, 3, 4, 5}).size(), 52U);
  EXPECT_EQ(splits.of(std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}).size(), 203U);
  EXPECT_EQ(splits.of(std::vector<std::uint64_t>{4, 4, 4, 4, 4, 4}).size(), 11U);
  EXPECT_EQ(splits.of(std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7}).size(), 12U);
  EXPECT_TRUE(splits.of(std::vector<std::uint64_t>{}).empty());
}

}  // namespace
}  // namespace schism::learn
