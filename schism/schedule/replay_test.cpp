// A recorded run gives the same bytes again: every registered system under every registered
// scheduler, with all the faults that it plays, in this process and through the text of a trace.
#include "schism/schedule/replay.hpp"

#include <gtest/gtest.h>

#include "schism/testing/drive.hpp"
#include "schism/testing/every_system.hpp"
#include "schism/testing/strategies.hpp"
#include "schism/trace/trace.hpp"

namespace schism {
namespace {

using namespace contract;

RunText any_run(const System& system, const Entry<Scheduler>& entry, Rng& rng) {
  RunText text;
  text.system = {system.name, {}};
  for (const Bug& bug : system.bugs)
    if (rng.chance(0.3)) text.bugs.push_back(bug.name);
  text.explorer = testing_tools::word_for(entry);
  const auto pick = [&](const char* name, std::vector<std::string> words) {
    text.world.emplace_back(name, words[rng.below(words.size())]);
  };
  pick("down", {"lost", "waits", "empty"});
  pick("cut", {"loses", "holds"});
  pick("links", {"any", "fifo"});
  pick("disk", {"async", "async", "sync"});
  pick("completions", {"fifo", "any"});
  if (rng.chance(0.3) && system.node_range.fallback > 1)
    text.world.emplace_back("drift-ppm", "5000/-3000");
  const auto scheduler = testing_tools::made(entry);
  const std::pair<const char*, Do> faults[] = {{"drop", Do::drop},
                                               {"duplicate", Do::duplicate},
                                               {"crash", Do::crash},
                                               {"pause", Do::pause},
                                               {"cut", Do::cut},
                                               {"partition", Do::begin},
                                               {"disk-error", Do::complete}};
  for (const auto& [name, kind] : faults)
    if (scheduler->plays(kind) && rng.chance(0.6) && (!system.is_service || kind == Do::crash))
      text.faults.emplace_back(name, std::to_string(1 + rng.below(4)));
  // Only the test systems promise to survive other contents.
  const bool hardy = is_test_system(system) || system.tolerates;
  const bool changes = scheduler->plays(Do::mutate);
  if (hardy && !system.is_service && (changes || testing_tools::needs_liars(entry.name)))
    text.world.emplace_back("liars", system.name == "test-tellers" ? "1" : "0");  // who may lie
  if (hardy && !system.is_service && changes) text.faults.emplace_back("mutate", "3");
  text.steps = std::to_string(20 + rng.below(150));
  text.tail = "100ms";  // longer, and most of the steps are heartbeats
  return text;
}

constexpr std::uint64_t kSeeds = 12;

class ReplayOf : public testing_tools::EverySystem {};
INSTANTIATE_TEST_SUITE_P(, ReplayOf, testing_tools::each_system(), testing_tools::system_in_name);

TEST_P(ReplayOf, GivesTheSameEventsUnderEveryScheduler) {
  std::size_t runs = 0, steps = 0, violated = 0, mutated = 0, fairly = 0;
  for (const auto& entry : schedulers().sorted())
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const bool lies = is_test_system(system()) || system().tolerates;
      if (testing_tools::needs_liars(entry.name) &&
          (!lies || system().is_service || (entry.name == "byzzfuzz" && !system().order_of)))
        continue;
      SCOPED_TRACE(fmt::format("{}, {}, seed {}", system().name, entry.name, seed));
      Rng rng(seed * 523);
      const auto config = make_config(any_run(system(), entry, rng));
      ASSERT_TRUE(config) << config.error();
      const RunPlan plan{seed, seed * 3};
      Runner runner(config->setup, config->limits);
      const auto scheduler = make_scheduler(*config);
      const RunSummary summary = runner.run(*scheduler, plan);
      runner.world().release_all(Holder::scheduler);  // it is gone, and what it held back with it
      const World& world = runner.world();
      for (const Action& a : world.decisions()) mutated += a.kind == Do::mutate;
      const std::uint32_t length = world.step();
      const std::string state = state_text(world);
      const bool fair = runner.fair();

      const Trace trace =
          make_trace(*config, plan, seed, record(world.decisions(), world.contents()));
      ASSERT_EQ(trace.violation.has_value(), summary.violated);
      fairly += fair;
      // A violation that patience or a whole history showed has no more steps than it needs.
      const bool whole = trace.steps.size() == length + 1;
      const bool by_the_end = system().name == "test-patient" || system().name == "test-tellers";
      ASSERT_TRUE(whole || (by_the_end && summary.violated)) << length;
      ASSERT_TRUE(!whole || trace.fair == fair);  // found out by playing it
      ASSERT_TRUE(!whole || trace.run_class == summary.run_class);
      const ReplayReport again = replay(trace);
      ASSERT_FALSE(again.refused) << refusal_text(again.refused->second);
      ASSERT_FALSE(again.difference) << "step " << again.difference->step << "\n"
                                     << again.difference->recorded << "\n"
                                     << again.difference->now;
      const std::string text = to_text(trace);
      ASSERT_EQ(to_text(again.now), text);

      const auto read = parse_trace(text, "trace");
      ASSERT_TRUE(read) << read.error();
      const ReplayReport from_text = replay(*read);
      ASSERT_FALSE(from_text.difference) << from_text.difference->recorded << "\n"
                                         << from_text.difference->now;
      ASSERT_EQ(to_text(from_text.now), text);
      // The state too, not only what was said about it.
      Runner last(config->setup, config->limits);
      Replay recorded(trace.steps, config->setup.options.time);
      last.replay(recorded, plan, FairEnd::healed);
      if (whole) {
        ASSERT_EQ(state_text(last.world()), state);
      }
      ++runs, steps += length, violated += summary.violated;
    }
  fmt::print("{} runs, {} steps, {} violated, {} fair, {} mutations\n", runs, steps, violated,
             fairly, mutated);
  EXPECT_GE(runs, 12 * kSeeds);
  // What the runs are meant to meet is met where it is common.
  if (GetParam() == "toy-consensus") {
    EXPECT_GT(violated, 0U);
    EXPECT_GT(fairly, runs / 10);
    EXPECT_LT(fairly, runs);
  }
  if (GetParam() == "bracha") {
    EXPECT_GT(mutated, 0U);
  }
}

// The removal of one action leaves the rest applicable as far as it goes, and never more.
TEST(Replay, SkipsWhatDoesNotApplyAnyMore) {
  std::size_t skipped = 0;
  for (const auto& system : systems().sorted())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed);
      const auto config = make_config(any_run(*system, *schedulers().find("random"), rng));
      ASSERT_TRUE(config) << config.error();
      Runner runner(config->setup, config->limits);
      const auto scheduler = make_scheduler(*config);
      runner.run(*scheduler, {seed, seed});
      auto steps = record(runner.world().decisions(), runner.world().contents());
      if (steps.size() < 3) continue;
      steps.erase(steps.begin() + 1 + static_cast<std::ptrdiff_t>(rng.below(steps.size() - 1)));
      Runner shorter(config->setup, config->limits);
      Replay recorded(steps, config->setup.options.time);
      shorter.replay(recorded, {seed, seed}, FairEnd::never);
      skipped += shorter.first_refusal().has_value();
      EXPECT_LE(shorter.world().step(), steps.size());
      // What did apply replays exactly.
      const auto kept = record(shorter.world().decisions(), shorter.world().contents());
      const Hash128 hash = shorter.world().causal_hash();
      Runner exact(config->setup, config->limits);
      Replay again(kept, config->setup.options.time);
      exact.replay(again, {seed, seed}, FairEnd::never);
      EXPECT_FALSE(exact.first_refusal());
      EXPECT_EQ(exact.world().causal_hash(), hash);
    }
  EXPECT_GT(skipped, 20U);
}

}  // namespace
}  // namespace schism
