// Explorers that learn, and agents: the same runs and the same memory on any number of workers,
// guarded, after deaths, and after a hunt that was killed and taken up again.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "schism/campaign/hunt.hpp"
#include "schism/explore/agent.hpp"
#include "schism/explore/registry.hpp"
#include "schism/guard/child.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/testing/brittle.hpp"
#include "schism/testing/hunted.hpp"
#include "schism/words/codec.hpp"

namespace schism {
namespace {

using testing_tools::comparable_hunt;

const Registration brittle_registered = testing_only::brittle("brittle-lessons");

// Draws like `random`, by weights that it is told: two bytes of a gene, two of a policy.
class Taught final : public Scheduler {
 public:
  struct Options {};
  explicit Taught(const Options&) {}
  TimeUse time_use() const override { return TimeUse::untimed; }
  bool plays(Do) const override { return true; }  // as far as anybody asks
  void heed(std::string_view policy) override { policy_ = policy; }
  void prepare(const RunPlan& plan) override { gene_ = plan.gene; }
  void begin(const Setup&, std::uint64_t seed) override {
    random_ = Rng(seed ^ hash_text(gene_ + "/" + policy_));
    steps_ = 0;
  }
  Action next(World& world) override {
    const auto& ready = world.pending();
    constexpr Do kKinds[] = {Do::deliver, Do::fire, Do::complete, Do::submit};
    std::uint64_t all = 0;
    for (const Do kind : kKinds) all += ready.count(kind);
    if (all == 0) return {};
    ++steps_;
    std::uint64_t pick = random_.below(all);
    for (const Do kind : kKinds) {
      if (pick < ready.count(kind)) return ready.nth(kind, static_cast<std::uint32_t>(pick));
      pick -= ready.count(kind);
    }
    return {};
  }
  std::string report() const override { return std::to_string(steps_); }

 private:
  Rng random_{0};
  std::string gene_, policy_;
  std::uint64_t steps_ = 0;
};
const Registration taught = scheduler<Taught>("test-taught", "for tests: obeys genes and policies");

// Everything that it hears goes into its memory, and everything that it proposes comes from there.
class Pupil final : public Explorer {
 public:
  struct Options {
    std::int64_t batch = 40, lag = 0;
  };
  explicit Pupil(const Options& options) : options_(options) {}
  std::vector<Spec> arms() const override { return {{"test-taught", {}}}; }
  std::vector<RunPlan> propose(std::uint64_t seed, std::uint64_t first) override {
    std::vector<RunPlan> plans(static_cast<std::size_t>(options_.batch));
    for (std::size_t i = 0; i < plans.size(); ++i) {
      plans[i].seed = plans[i].node_seed = seed + first + i;
      plans[i].gene = std::to_string(mix64(memory_ + i));
    }
    return plans;
  }
  void learn(std::span<const RunPlan> plans, std::span<const RunResult> results) override {
    for (std::size_t i = 0; i < results.size(); ++i)
      memory_ = mix64(memory_ ^ hash_text(plans[i].gene) ^ results[i].summary.run_class.lo ^
                      hash_text(results[i].report));
  }
  std::size_t lag() const override { return static_cast<std::size_t>(options_.lag); }
  std::string policy() const override { return std::to_string(memory_ % 7); }
  std::string save() const override { return std::to_string(memory_); }
  Status load(std::string_view state) override {
    memory_ = std::stoull(std::string(state));
    return {};
  }

 private:
  Options options_;
  std::uint64_t memory_ = 1;
};
const Registration pupil = explorer<Pupil>("test-pupil", "for tests: learns from everything")
                               .param<&Pupil::Options::batch>("batch", 1, 1000, "runs")
                               .param<&Pupil::Options::lag>("lag", 0, 5, "batches");

class TestAgent final : public Agent {
 public:
  TestAgent(std::uint32_t number, std::uint64_t seed)
      : memory_(mix64(seed * 1000 + number)), taught_(Taught::Options{}) {}
  Scheduler& scheduler() override { return taught_; }
  RunPlan plan(std::uint64_t episode) override {
    RunPlan plan;
    plan.seed = plan.node_seed = mix64(memory_ ^ episode);
    return plan;
  }
  void learn(const RunPlan&, const RunResult& result) override {
    memory_ = mix64(memory_ ^ result.summary.run_class.lo ^ hash_text(result.report) ^
                    (result.summary.violated ? 1 : 0));
  }
  std::string save() const override { return std::to_string(memory_); }
  Status load(std::string_view state) override {
    memory_ = std::stoull(std::string(state));
    return {};
  }

 private:
  std::uint64_t memory_;
  Taught taught_;
};

class Agents final : public Explorer {
 public:
  struct Options {
    std::int64_t agents = 3, episodes = 20;
  };
  explicit Agents(const Options& options) : options_(options) {}
  std::vector<Spec> arms() const override { return {{"test-taught", {}}}; }
  std::vector<RunPlan> propose(std::uint64_t, std::uint64_t) override { return {}; }
  std::uint32_t agents() const override { return static_cast<std::uint32_t>(options_.agents); }
  std::uint32_t episodes() const override { return static_cast<std::uint32_t>(options_.episodes); }
  std::unique_ptr<Agent> make_agent(std::uint32_t number, std::uint64_t seed) const override {
    return std::make_unique<TestAgent>(number, seed);
  }

 private:
  Options options_;
};
const Registration agents = explorer<Agents>("test-agents", "for tests: sequential learners")
                                .param<&Agents::Options::agents>("agents", 1, 64, "how many")
                                .param<&Agents::Options::episodes>("episodes", 1, 1000, "a round");

RunConfig config_of(const std::string& explorer, const Spec& system, const Pairs& world = {}) {
  RunText text;
  text.system = system;
  text.explorer = *parse_spec(explorer);
  text.world = world;
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

// Everything that must not depend on where and how it was played.
std::string print(const Result<HuntResult>& r) {
  if (!r) return r.error();
  std::string covered;
  for (const Covered& c : r->totals.covered) {
    covered += fmt::format(" {} {} {}", c.name, c.keys, c.share);
    for (const auto& [runs, keys] : c.curve) covered += fmt::format(" {}:{}", runs, keys);
  }
  return fmt::format(
      "{} runs {} steps {} violated {} distinct, learnt {}, {} finds, problem {}, covered{}",
      r->totals.runs, r->totals.steps, r->totals.violated, r->totals.distinct(), r->learnt,
      r->finds.size(), r->problem, covered);
}

std::string played(const RunConfig& config, const HuntOptions& options) {
  const std::atomic<bool> stop{false};
  return print(hunt(config, options, {}, stop));
}

const Spec kToy{"toy-consensus", {}};
const Spec kBrittle{"brittle-lessons", {{"way", "segfault"}, {"pokes", "2"}}};

class Learning : public testing::TestWithParam<std::string> {};

TEST_P(Learning, TheSameMemoryOnAnyNumberOfWorkersGuardedOrNot) {
  const std::string here = played(config_of(GetParam(), kToy), comparable_hunt(500, 1, true));
  EXPECT_NE(here.find("learnt "), std::string::npos);
  EXPECT_EQ(here.find("learnt ,"), std::string::npos) << here;
  for (const int jobs : {1, 2, 4}) {
    EXPECT_EQ(played(config_of(GetParam(), kToy), comparable_hunt(500, jobs)), here) << jobs;
    EXPECT_EQ(played(config_of(GetParam(), kToy, {{"forked", "true"}}), comparable_hunt(500, jobs)),
              here)
        << jobs;
  }
}

TEST_P(Learning, AlsoWhereRunsDie) {
  if (GetParam().starts_with("evolve"))
    GTEST_SKIP()
        << "it dies of a message that overtakes another of its class, and those share a gene";
  const std::string one = played(config_of(GetParam(), kBrittle), comparable_hunt(200, 1));
  EXPECT_EQ(one.find(" 0 violated"), std::string::npos) << one;
  for (const int jobs : {2, 4})
    EXPECT_EQ(played(config_of(GetParam(), kBrittle), comparable_hunt(200, jobs)), one) << jobs;
}

// Twenty times killed, at whatever moment, and taken up again.
TEST_P(Learning, AKilledHuntGoesOnAsIfNothingHadHappened) {
  const RunConfig config = config_of(GetParam(), kToy);
  constexpr std::uint64_t kRuns = 8'000;
  const std::string whole = played(config, comparable_hunt(kRuns, 2));
  const std::string state =
      fmt::format("{}/learning-{}-{}.state", testing::TempDir(), ::getpid(), hash_text(GetParam()));
  std::filesystem::remove(state);
  HuntOptions options = comparable_hunt(kRuns, 2);
  options.state = state;
  options.save_seconds = 0;
  Rng random(7);
  for (int i = 0; i < 20; ++i) {
    options.resume = std::filesystem::exists(state);
    guard::Child hunter([&](int) { played(config, options); });
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(30)));
    hunter.kill();
    hunter.wait();
  }
  options.resume = std::filesystem::exists(state);
  EXPECT_EQ(played(config, options), whole);
  EXPECT_FALSE(std::filesystem::exists(state)) << "it has come to its end";
}

INSTANTIATE_TEST_SUITE_P(Explorers, Learning,
                         testing::Values("test-pupil", "test-pupil:lag=2,batch=30", "test-agents",
                                         "fuzz:batch=40",
                                         "portfolio:batch=16(random;fuzz:batch=40;pos)",
                                         "evolve:representation=aged,children=10,repeats=2(random)",
                                         "evolve:representation=priority,algorithm=elites(pos)",
                                         "evolve:representation=aged,algorithm=sade(random)"));

// What is counted for people, on any number of workers.
TEST(Coverage, IsTheSameOnAnyNumberOfWorkersGuardedOrNot) {
  HuntOptions options = comparable_hunt(600, 1, true);
  options.coverage = *parse_coverages("classes,states,colours,events");
  const std::string here = played(config_of("random", kToy), options);
  EXPECT_NE(here.find("colours"), std::string::npos) << here;
  options.in_process = false;
  for (const int jobs : {1, 2, 4}) {
    options.jobs = jobs;
    EXPECT_EQ(played(config_of("random", kToy), options), here) << jobs;
    EXPECT_EQ(played(config_of("random", kToy, {{"forked", "true"}}), options), here) << jobs;
  }
}

TEST(Resume, RefusesWhatIsNotItsOwn) {
  const std::string state = fmt::format("{}/resume-{}.state", testing::TempDir(), ::getpid());
  const RunConfig config = config_of("test-pupil", kToy);
  HuntOptions options = comparable_hunt(10, 1);
  options.state = state;
  options.resume = true;
  EXPECT_NE(played(config, options).find("nothing to resume"), std::string::npos);
  std::atomic<bool> stop{false};
  options.resume = false;
  options.runs = 0;
  options.save_seconds = 0;
  HuntListener listener;
  listener.progress = [&](const HuntProgress& p, std::size_t) { stop = p.runs > 100; };
  ASSERT_TRUE(hunt(config, options, listener, stop));
  ASSERT_TRUE(std::filesystem::exists(state));
  options.resume = true;
  options.runs = 200;
  options.seed = 2;
  EXPECT_NE(played(config, options).find("is of another hunt"), std::string::npos);
  options.seed = 1;
  std::filesystem::resize_file(state, 40);
  EXPECT_NE(played(config, options).find(state), std::string::npos);
  std::filesystem::remove(state);
}

TEST(Watchers, OfThisProcessSeeItsRuns) {
  const RunConfig config = config_of("random", kToy);
  std::uint64_t deliveries = 0, steps = 0;
  const auto counting = watch(
      mask_of(Happened::delivered),
      [&](const World&, std::span<const Event> events) { deliveries += events.empty() ? 0 : 1; });
  const auto every = watch(kEveryEvent, [&](const World&, auto) { ++steps; });
  HuntOptions options = comparable_hunt(50, 1);
  options.watchers = {counting.get(), every.get()};
  const std::atomic<bool> stop{false};
  const auto result = hunt(config, options, {}, stop);
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(deliveries, result->totals.deliveries);
  EXPECT_EQ(steps, result->totals.steps + 50) << "each run has a beginning";
  options.jobs = 2;
  EXPECT_FALSE(hunt(config, options, {}, stop)) << "it would count nothing";
}

}  // namespace
}  // namespace schism
