// What mutations mean, on schedules that nobody played: what they keep together, what they leave
// out, and in which order the rest stays. And what a schedule is: where it ends, how it is named.
#include "schism/fuzz/mutate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "schism/campaign/hunt.hpp"
#include "schism/fuzz/corpus.hpp"
#include "schism/fuzz/feedback.hpp"
#include "schism/fuzz/keep.hpp"
#include "schism/fuzz/minimise.hpp"
#include "schism/schedule/replay.hpp"
#include "schism/testing/checked.hpp"

namespace schism::fuzz {
namespace {

using Moves = std::vector<Action>;

constexpr int kNodes = 4;
const Terms kTerms{kNodes, {}};

// Deliveries between some nodes, no two with the same name; some of them asked for choices.
Moves drawn(Rng& random, std::uint32_t first) {
  Moves out;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const auto from = static_cast<NodeId>(random.below(kNodes));
    const auto to = static_cast<NodeId>(random.below(kNodes));
    out.push_back(make_action(Do::deliver, Name(from, to, static_cast<int>(i % 2), first + i)));
    for (auto k = static_cast<std::uint32_t>(random.below(3)); k > 0; --k)
      out.push_back(choose_of(i, 100 + k));
  }
  return out;
}

// The actions, each with the choices behind it.
std::vector<Moves> with_choices(const Moves& moves) {
  std::vector<Moves> out;
  for (const Action& move : moves) {
    if (move.kind != Do::choose || out.empty()) out.emplace_back();
    out.back().push_back(move);
  }
  return out;
}

bool is_part(const std::vector<Moves>& part, const std::vector<Moves>& of) {
  std::size_t found = 0;
  for (const Moves& unit : of)
    if (found < part.size() && part[found] == unit) ++found;
  return found == part.size();
}

std::vector<Moves> at(const std::vector<Moves>& units, NodeId node, bool there) {
  std::vector<Moves> out;
  for (const Moves& unit : units)
    if ((place_of(unit[0]) == node) == there) out.push_back(unit);
  return out;
}

TEST(Mutations, LeaveOutPutElsewhereOrRepeat) {
  Rng random(7);
  for (int round = 0; round < 300; ++round) {
    const Schedule before{drawn(random, 0), {}};
    const auto units = with_choices(before.moves);
    const auto mutated = [&](Mutation how) {
      Schedule out = before;
      EXPECT_TRUE(apply(how, out, {}, kTerms, random));
      return with_choices(out.moves);
    };
    const auto shorter = mutated(Mutation::cut_short);
    EXPECT_LT(shorter.size(), units.size());
    EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), units.begin()));
    const auto fewer = mutated(Mutation::drop);
    EXPECT_LT(fewer.size(), units.size());
    EXPECT_TRUE(is_part(fewer, units)) << "choices stay behind what asked for them";
    const auto more = mutated(Mutation::repeat);
    EXPECT_GT(more.size(), units.size());
    EXPECT_TRUE(is_part(units, more));
    const auto moved = mutated(Mutation::move);
    EXPECT_TRUE(std::is_permutation(moved.begin(), moved.end(), units.begin(), units.end()));
  }
}

// Somebody is put off, and nothing of it is lost.
TEST(Mutations, WhoIsStarvedDoesAllOfItLater) {
  Rng random(8);
  int changed = 0;
  for (int round = 0; round < 300; ++round) {
    Schedule schedule{drawn(random, 0), {}};
    const auto before = with_choices(schedule.moves);
    if (!apply(Mutation::starve, schedule, {}, kTerms, random)) continue;
    const auto after = with_choices(schedule.moves);
    ASSERT_EQ(after.size(), before.size());
    if (after == before) continue;
    ++changed;
    int starved = 0;
    for (NodeId node = 0; node < kNodes; ++node) {
      if (at(after, node, true) != at(before, node, true)) continue;
      if (at(after, node, false) == at(before, node, false)) ++starved;
    }
    EXPECT_GE(starved, 1) << "one node, and both it and the others in their order";
  }
  EXPECT_GT(changed, 100);
}

TEST(Mutations, ASpliceGoesOnWhereTheSameHappens) {
  Rng random(9);
  for (int round = 0; round < 300; ++round) {
    const Schedule one{drawn(random, 0), {}}, other{drawn(random, 1000), {}};
    Schedule both = one;
    if (!apply(Mutation::splice, both, other, kTerms, random)) continue;
    const auto from_one = [&](const Action& a) { return a.name.nth() < 1000; };
    const auto seam = std::find_if(both.moves.begin(), both.moves.end(), [&](const Action& a) {
      return a.kind == Do::deliver && !from_one(a);
    });
    ASSERT_NE(seam, both.moves.end());
    const auto length = static_cast<std::size_t>(seam - both.moves.begin());
    ASSERT_LT(length, one.moves.size());
    EXPECT_TRUE(std::equal(both.moves.begin(), seam, one.moves.begin()));
    EXPECT_TRUE(std::equal(seam, both.moves.end(), other.moves.end() - (both.moves.end() - seam),
                           other.moves.end()));
    const Name was = one.moves[length].name, is = seam->name;
    EXPECT_EQ(std::tuple(was.from(), was.to(), was.type()),
              std::tuple(is.from(), is.to(), is.type()));
  }
}

TEST(KeptSchedules, EndWhereTheFairTailBegins) {
  const Action a = link_action(Do::cut, 0, 1), b = link_action(Do::heal, 0, 1);
  const Moves decisions = {Action{}, a, make_action(Do::calm, Name()), b};
  EXPECT_EQ(schedule_of(decisions, {}).moves, Moves{a});
}

// Contents of what was refused or came later are none of theirs.
TEST(KeptSchedules, HaveTheirOwnContents) {
  const std::vector<Value> contents = {Value(10), Value(11), Value(12)};
  const Moves decisions = {make_action(Do::inject, Name(0, 1, 0, 0), 2),
                           make_action(Do::mutate, Name(1, 0, 0, 0), 0)};
  const Schedule schedule = schedule_of(decisions, contents);
  EXPECT_EQ(schedule.contents, (std::vector<Value>{Value(12), Value(10)}));
  ASSERT_EQ(schedule.moves.size(), 2U);
  EXPECT_EQ(content_index(schedule.moves[0]), 0U);
  EXPECT_EQ(content_index(schedule.moves[1]), 1U);
}

TEST(KeptSchedules, AreNamedByAllThatDecidesThem) {
  const RunConfig config = testing_tools::config_of("toy-consensus");
  KeptRun run;
  run.plan.node_seed = 1;
  run.decisions = {link_action(Do::cut, 0, 1), make_action(Do::inject, Name(0, 1, 0, 0), 0)};
  run.contents = {Value(1)};
  const std::string name = file_name(trace_of(config, run));
  KeptRun same = run;
  same.run = 17, same.plan.seed = 5, same.plan.gene = "gene";
  EXPECT_EQ(file_name(trace_of(config, same)), name);
  KeptRun seed = run, move = run, content = run;
  seed.plan.node_seed = 2;
  move.decisions[0] = link_action(Do::cut, 1, 0);
  content.contents = {Value(2)};
  for (const KeptRun& other : {seed, move, content})
    EXPECT_NE(file_name(trace_of(config, other)), name);
}

// As a corpus is written, without looking at what is in it.
struct SavedCorpus {
  std::uint64_t next_id = 1;
  std::vector<Entry> entries;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> shown;
  FIELDS(next_id, entries, shown)
};

TEST(CorpusOf, SchedulesIsReadOnlyInItsOrder) {
  SavedCorpus saved;
  saved.next_id = 4;
  saved.entries.resize(2);
  saved.entries[0].id = 2, saved.entries[1].id = 3;
  Corpus corpus(10);
  EXPECT_TRUE(corpus.load(encode(saved)));
  saved.entries[1].id = 2;
  EXPECT_FALSE(corpus.load(encode(saved))) << "twice the same";
  saved.entries[1].id = 1;
  EXPECT_FALSE(corpus.load(encode(saved)));
}

TEST(FeedbackOf, ACoverageIsNamedOnce) {
  EXPECT_EQ(parse_feedback("colours/colours").error(), "coverage colours is named twice");
}

TEST(Enough, OfEqualOnesTheShortestAndOfTheseTheFirst) {
  EXPECT_EQ(enough({{9, {1, 2}}, {5, {1, 2}}, {5, {2, 1}}, {7, {1, 2}}}),
            std::vector<std::size_t>{1});
  EXPECT_EQ(enough({{1, {1}}, {9, {1, 2, 3}}, {1, {4}}}), (std::vector<std::size_t>{1, 2}));
}

TEST(CorpusOf, SchedulesGivesUpTheWorstFirst) {
  Corpus corpus(4);
  for (std::uint64_t i = 1; i <= 5; ++i) corpus.add({}, std::vector<std::uint64_t>{i << 8});
  for (int i = 0; i < 1000; ++i) corpus.tried(2, false), corpus.tried(4, false);
  corpus.add({}, std::vector<std::uint64_t>{std::uint64_t{6} << 8});
  std::vector<std::uint64_t> left;
  for (const Entry& entry : corpus.entries()) left.push_back(entry.id);
  EXPECT_EQ(left, (std::vector<std::uint64_t>{1, 3, 5, 6}));
}

// A run of test-kitchen, whose node 0 begins with a note to everybody, that follows these moves.
struct Followed {
  Followed(const Moves& moves, const Pairs& faults) {
    RunText text;
    text.system = {"test-kitchen", {}};
    text.explorer = *parse_spec("follow(random)");
    text.faults = faults;
    const RunConfig config = *make_config(text);
    Runner runner(config.setup, config.limits);
    const auto scheduler = make_scheduler(config);
    RunPlan plan{1, 1};
    plan.gene = pack({1, {moves, {}}});
    runner.run(*scheduler, plan);
    for (const Action& action : runner.world().decisions())
      if (action.kind != Do::choose && action.kind != Do::nothing) decisions.push_back(action);
    report = decode<std::pair<std::uint64_t, std::uint64_t>>(scheduler->report()).value();
  }
  Moves decisions;
  std::pair<std::uint64_t, std::uint64_t> report;  // followed, skipped
};

TEST(Follow, AMessageThatIsNotThereIsTheOldestOnItsWay) {
  for (const NodeId to : {2, 1}) {
    const Followed run({make_action(Do::deliver, Name(0, to, 0, 500))}, {});
    EXPECT_EQ(run.report, (std::pair<std::uint64_t, std::uint64_t>{1, 0}));
    EXPECT_EQ(run.decisions.at(0), make_action(Do::deliver, Name(0, to, 0, 0)));
  }
  const Followed copied(
      {make_action(Do::duplicate, Name(0, 1, 0, 0)), make_action(Do::deliver, Name(0, 1, 0, 500))},
      {{"duplicate", "1"}});
  EXPECT_EQ(copied.decisions.at(1).name, Name(0, 1, 0, 0)) << "and not its copy";
}

TEST(Follow, FaultsThatNobodyPaysForAreSkipped) {
  const Moves moves = {make_action(Do::drop, Name(0, 1, 0, 0)),
                       make_action(Do::duplicate, Name(0, 2, 0, 0)),
                       make_action(Do::deliver, Name(0, 1, 0, 0))};
  const Followed run(moves, {});
  EXPECT_EQ(run.report, (std::pair<std::uint64_t, std::uint64_t>{1, 2}));
  EXPECT_EQ(run.decisions.at(0), moves[2]);
  EXPECT_EQ(Followed({moves[0]}, {{"drop", "1"}}).decisions.at(0), moves[0]);
}

// What violates something is a find, and no way to more.
TEST(FuzzHunt, KeepsNoScheduleThatViolates) {
  RunText text;
  text.system = {"paxos", {}};
  text.bugs = {"small-quorum"};
  text.explorer = *parse_spec("fuzz:batch=64");
  const RunConfig config = *make_config(text);
  HuntOptions options;
  options.runs = 1000;
  options.keep_going = true;
  options.shrink = false;
  const auto result = hunt(config, options, {}, std::atomic<bool>(false));
  ASSERT_TRUE(result) << result.error();
  EXPECT_GT(result->totals.violated, 0U);
  ASSERT_FALSE(result->kept.empty());
  for (const KeptRun& kept : result->kept) {
    Runner runner(config.setup, config.limits);
    Replay replay(record(kept.decisions, kept.contents), config.setup.options.time);
    runner.replay(replay, kept.plan, FairEnd::never);
    EXPECT_FALSE(runner.violation()) << kept.run;
  }
}

}  // namespace
}  // namespace schism::fuzz
