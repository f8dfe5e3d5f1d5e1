// Schedules: followed unchanged they give the same run; mutated in any way they can be played; the
// hunt that learns from them is the same on any number of workers (campaign/learning_test.cpp).
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/campaign/hunt.hpp"
#include "schism/fuzz/corpus.hpp"
#include "schism/fuzz/feedback.hpp"
#include "schism/fuzz/minimise.hpp"
#include "schism/fuzz/mutate.hpp"

namespace schism::fuzz {
namespace {

RunConfig config_of(const std::string& system, const std::string& explorer,
                    const std::vector<std::string>& bugs = {}) {
  RunText text;
  text.system = {system, {}};
  text.bugs = bugs;
  text.explorer = *parse_spec(explorer);
  text.steps = "150";
  text.tail = "20ms";
  text.faults = {{"crash", "2"}, {"drop", "3"},      {"duplicate", "2"},
                 {"pause", "1"}, {"partition", "1"}, {"cut", "1"}};
  if (systems().find(system)->is_service) text.faults = {{"crash", "2"}};
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

// The runs of a system, their decisions, and the same again by another scheduler.
struct Stage {
  explicit Stage(const std::string& system, const std::string& first = "random")
      : config(config_of(system, "follow(" + first + ")")),
        runner(config.setup, config.limits),
        scheduler(make_scheduler(config)) {
    runner.risk_it();
  }
  RunSummary play(std::uint64_t seed, std::uint64_t node_seed, const Schedule& schedule = {}) {
    RunPlan plan{seed, node_seed};
    if (!schedule.moves.empty()) plan.gene = pack({1, schedule});
    return runner.run(*scheduler, plan);
  }
  Schedule decided() { return schedule_of(runner.world().decisions(), runner.world().contents()); }

  RunConfig config;
  Runner runner;
  std::unique_ptr<Scheduler> scheduler;
};

std::vector<std::string> sturdy_systems() {
  std::vector<std::string> out;
  for (const auto& system : systems().sorted())
    if (!system->fragile) out.push_back(system->name);
  return out;
}

TEST(Follow, AScheduleThatNobodyChangedGivesTheSameRun) {
  for (const std::string& system : sturdy_systems())
    for (const char* scheduler : {"random", "pos", "pctcp"}) {
      Stage stage(system, scheduler);
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const RunSummary first = stage.play(seed, seed);
        const Schedule schedule = stage.decided();
        if (schedule.moves.empty()) continue;
        const RunSummary again = stage.play(seed + 1000, seed, schedule);
        const Schedule after = stage.decided();
        ASSERT_GE(after.moves.size(), schedule.moves.size()) << system << " " << scheduler;
        ASSERT_TRUE(std::equal(schedule.moves.begin(), schedule.moves.end(), after.moves.begin()))
            << system << " " << scheduler << " " << seed;
        if (after.moves.size() > schedule.moves.size()) continue;  // it went on by the other seed
        EXPECT_EQ(first.run_class, again.run_class) << system << " " << scheduler << " " << seed;
        EXPECT_EQ(first, again);
      }
    }
}

// The prefix that was followed is the same step by step, whatever comes after it.
TEST(Follow, TheBeginningIsTheSame) {
  for (const std::string& system : sturdy_systems()) {
    Stage stage(system);
    stage.play(5, 5);
    Schedule schedule = stage.decided();
    schedule.moves.resize(schedule.moves.size() / 2);
    if (schedule.moves.empty()) continue;
    stage.play(77, 5, schedule);
    const Schedule after = stage.decided();
    ASSERT_GE(after.moves.size(), schedule.moves.size()) << system;
    EXPECT_TRUE(std::equal(schedule.moves.begin(), schedule.moves.end(), after.moves.begin()))
        << system;
  }
}

TEST(Mutations, OfAnyKindCanBePlayed) {
  constexpr Mutation kAll[] = {Mutation::cut_short, Mutation::move,   Mutation::drop,
                               Mutation::repeat,    Mutation::splice, Mutation::change_fault,
                               Mutation::starve};
  for (const std::string& system : sturdy_systems()) {
    Stage stage(system);
    const Terms terms{stage.config.setup.nodes, stage.config.setup.options.faults};
    stage.play(1, 1);
    const Schedule other = stage.decided();
    Rng random(11);
    for (const Mutation mutation : kAll)
      for (std::uint64_t seed = 2; seed < 6; ++seed) {
        stage.play(seed, seed);
        Schedule schedule = stage.decided();
        for (int k = 0; k < 3; ++k) apply(mutation, schedule, other, terms, random);
        const RunSummary once = stage.play(9, seed, schedule);
        const auto decisions = stage.decided();
        EXPECT_LE(once.steps, stage.config.limits.steps + stage.config.limits.tail_steps);
        const RunSummary twice = stage.play(9, seed, schedule);
        EXPECT_EQ(once, twice) << system << " " << enum_name(mutation);
        EXPECT_EQ(decisions.moves, stage.decided().moves);
      }
  }
}

TEST(Mutations, KeepChoicesAndPartitionsTogether) {
  Stage stage("raft");
  const Terms terms{stage.config.setup.nodes, stage.config.setup.options.faults};
  Rng random(5);
  int partitions = 0;
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    stage.play(seed, seed);
    Schedule schedule = stage.decided();
    const auto count = [&](Do kind) {
      return std::count_if(schedule.moves.begin(), schedule.moves.end(),
                           [&](const Action& a) { return a.kind == kind; });
    };
    if (count(Do::begin) != count(Do::end)) continue;  // the run ended in the middle of one
    apply(Mutation::move, schedule, {}, terms, random);
    apply(Mutation::drop, schedule, {}, terms, random);
    for (std::size_t i = 0; i < schedule.moves.size(); ++i) {
      if (schedule.moves[i].kind != Do::begin || macro_of(schedule.moves[i]) != Macro::partition)
        continue;
      ++partitions;
      std::size_t end = i + 1;
      while (end < schedule.moves.size() && schedule.moves[end].kind == Do::cut) ++end;
      EXPECT_TRUE(end == schedule.moves.size() || schedule.moves[end].kind == Do::end);
    }
  }
  EXPECT_GT(partitions, 0);
}

TEST(Mutations, AlsoOfNothingAndOfStrangeSchedules) {
  Stage stage("toy-consensus");
  Rng random(1);
  const Schedule nothing = mutate({}, {}, {3, {}}, random);
  stage.play(1, 1, nothing);
  // Names of another system, node numbers and timer classes that are not there.
  Schedule strange;
  for (int kind = 0; kind < static_cast<int>(kActionKindCount); ++kind)
    for (const auto bits : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 54})
      strange.moves.push_back(make_action(static_cast<Do>(kind), Name(bits), kArgMax, kHintMax));
  const RunSummary played = stage.play(1, 1, strange);
  EXPECT_EQ(played, stage.play(1, 1, strange));
}

TEST(Genes, AreReadBackOrRefused) {
  Stage stage("raft");
  stage.play(3, 3);
  const Gene gene{42, stage.decided()};
  const std::string bytes = pack(gene);
  EXPECT_EQ(parent_of(bytes), 42U);
  const auto back = unpack(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->schedule.moves, gene.schedule.moves);
  EXPECT_FALSE(unpack(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(unpack("abc"));
}

Entry entry_of(std::uint64_t run) {
  Entry out;
  out.run = run;
  return out;
}

TEST(CorpusOf, SchedulesPrefersWhatIsRare) {
  Corpus corpus(100);
  const std::vector<std::uint64_t> rare = {256}, common = {512};
  corpus.add(entry_of(1), rare);
  corpus.add(entry_of(2), common);
  for (int i = 0; i < 15; ++i) corpus.count(common);
  corpus.settle();
  EXPECT_GT(corpus.worth(corpus.entries()[0]), corpus.worth(corpus.entries()[1]));
  Rng random(1);
  int first = 0;
  for (int i = 0; i < 1000; ++i) first += corpus.draw(random).run == 1 ? 1 : 0;
  EXPECT_GT(first, 600);
  EXPECT_LT(first, 1000) << "the other still has a chance";
  for (int i = 0; i < 1000; ++i) corpus.tried(1, false);
  EXPECT_LT(corpus.worth(corpus.entries()[0]), corpus.worth(corpus.entries()[1])) << "in vain";
}

TEST(CorpusOf, SchedulesHasABoundAndComesBackAsItWas) {
  Corpus corpus(20);
  for (std::uint64_t i = 1; i <= 500; ++i) {
    const std::vector<std::uint64_t> keys = {i << 8, (i % 7) << 8};
    corpus.count(keys);
    corpus.add(entry_of(i), keys);
    if (i % 3 == 0) corpus.tried(i, i % 2 == 0);
    EXPECT_LE(corpus.size(), 25U);
  }
  Corpus again(20);
  ASSERT_TRUE(again.load(corpus.save()));
  EXPECT_EQ(again.save(), corpus.save());
  corpus.settle(), again.settle();
  Rng a(4), b(4);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(corpus.draw(a).id, again.draw(b).id);
  EXPECT_FALSE(again.load("nonsense"));
}

TEST(FeedbackOf, SeveralCoveragesIsTheFinestThatSaturates) {
  Feedback feedback({"states", "colours", "events"});
  EXPECT_EQ(feedback.name(), "events") << "before anything is known";
  RunResult every;
  every.fresh = {256 | tag_of("states")};
  RunResult some = every;
  some.fresh.push_back(256 | tag_of("colours"));
  for (int i = 0; i < 1000; ++i) feedback.add(i % 5 == 0 ? some : every);
  EXPECT_EQ(feedback.name(), "colours");
  EXPECT_EQ(feedback.of(some.fresh), std::vector<std::uint64_t>{256 | tag_of("colours")});
  EXPECT_TRUE(feedback.of(every.fresh).empty());
  EXPECT_EQ(parse_feedback("colours/colors").error(),
            "no coverage \"colors\"; did you mean \"colours\"?");
}

TEST(Enough, IsASetThatShowsEverything) {
  Rng random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<Shown> runs(1 + random.below(12));
    std::vector<std::uint64_t> all;
    for (Shown& run : runs) {
      run.actions = random.below(20);
      for (std::uint64_t n = random.below(6); n > 0; --n) run.keys.push_back(random.below(15));
      std::sort(run.keys.begin(), run.keys.end());
      run.keys.erase(std::unique(run.keys.begin(), run.keys.end()), run.keys.end());
      all.insert(all.end(), run.keys.begin(), run.keys.end());
    }
    std::vector<std::uint64_t> shown;
    const auto few = enough(runs);
    EXPECT_TRUE(std::is_sorted(few.begin(), few.end()));
    for (const std::size_t i : few)
      shown.insert(shown.end(), runs[i].keys.begin(), runs[i].keys.end());
    const auto set = [](std::vector<std::uint64_t> v) {
      std::sort(v.begin(), v.end());
      v.erase(std::unique(v.begin(), v.end()), v.end());
      return v;
    };
    EXPECT_EQ(set(shown), set(all));
    EXPECT_LE(few.size(), set(all).size());
  }
}

TEST(FuzzHunt, FindsWhatItIsMeantToFindAndKeepsSchedules) {
  const RunConfig config = config_of("toy-consensus", "fuzz:batch=64", {"distrust-commits"});
  HuntOptions options;
  options.runs = 2000;
  options.shrink = false;
  const auto found = hunt(config, options, {}, std::atomic<bool>(false));
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->finds.size(), 1U);
  const RunConfig sound = config_of("paxos", "fuzz:batch=64");
  options.seed = 3;
  const auto none = hunt(sound, options, {}, std::atomic<bool>(false));
  ASSERT_TRUE(none) << none.error();
  EXPECT_FALSE(none->kept.empty());
  ASSERT_EQ(none->account.size(), 3U);
  EXPECT_EQ(none->account[0].first, "corpus");
}

TEST(FuzzHunt, ShownCoverageDecidesNothing) {
  const RunConfig config = config_of("paxos", "fuzz:batch=64");
  HuntOptions options;
  options.runs = 1000;
  const auto plain = hunt(config, options, {}, std::atomic<bool>(false));
  options.coverage = *parse_coverages("states,classes");
  const auto shown = hunt(config, options, {}, std::atomic<bool>(false));
  ASSERT_TRUE(plain && shown);
  EXPECT_EQ(plain->totals.steps, shown->totals.steps);
  EXPECT_EQ(plain->learnt, shown->learnt);
  EXPECT_EQ(plain->totals.covered.size(), 2U);
  ASSERT_EQ(shown->totals.covered.size(), 4U);
  EXPECT_EQ(plain->totals.covered[0].curve, shown->totals.covered[0].curve);
}

TEST(FuzzHunt, RefusesWhatItCannotUse) {
  const auto refused = [](const std::string& explorer) {
    HuntOptions options;
    options.runs = 10;
    const auto result =
        hunt(config_of("toy-consensus", explorer), options, {}, std::atomic<bool>(false));
    return result ? std::string("it ran") : result.error();
  };
  EXPECT_EQ(refused("fuzz:coverage=colors"),
            "fuzz: no coverage \"colors\"; did you mean \"colours\"?");
  EXPECT_NE(refused("fuzz:seeds=/nosuch/folder").find("fuzz: seeds: /nosuch/folder"),
            std::string::npos);
  RunText text;
  text.system = {"toy-consensus", {}};
  text.explorer = *parse_spec("fuzz(timed)");
  const auto config = make_config(text);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error(),
            "follow: a schedule is followed where time does not matter, and what goes on after it "
            "is timed");
}

}  // namespace
}  // namespace schism::fuzz
