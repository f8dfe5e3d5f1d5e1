#include "schism/campaign/hunt.hpp"
#include "schism/campaign/assert.hpp"
#include "schism/oracle/eventually.hpp"
#include "schism/system/system.hpp"
#include "schism/testing/strategies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace schism {
namespace {

using testing::HasSubstr;

RunConfig toy(bool broken, const std::string& scheduler = "random") {
  RunText text;
  text.system = {"toy-consensus", {}};
  if (broken) text.bugs = {"distrust-commits"};
  text.explorer = *parse_spec(scheduler);
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

HuntResult result_of(const RunConfig& config, const HuntOptions& options,
                     const HuntListener& listener = {}) {
  const std::atomic<bool> stop{false};
  auto result = hunt(config, options, listener, stop);
  EXPECT_TRUE(result) << result.error();
  return result ? *std::move(result) : HuntResult{};
}

HuntOptions options_of(std::uint64_t runs, int jobs, bool keep_going = true) {
  HuntOptions o;
  o.runs = runs;
  o.jobs = jobs;
  o.keep_going = keep_going;
  return o;
}

// Everything about a hunt that must not depend on the number of workers.
std::string print(const HuntResult& r) {
  std::string out = fmt::format("{} runs {} steps {} deliveries {} us {} violated {} distinct",
                                r.totals.runs, r.totals.steps, r.totals.deliveries,
                                r.totals.simulated_us, r.totals.violated, r.totals.distinct());
  for (const Find& find : r.finds)
    out += fmt::format("\n{} times {}", find.count, to_text(find.trace));
  return out;
}

TEST(HuntTest, TheBudgetOfRunsIsExact) {
  const RunConfig config = toy(false);
  // Around the sizes of chunks and batches.
  for (const std::uint64_t runs : {1, 2, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097})
    for (const int jobs : {1, 3})
      EXPECT_EQ(result_of(config, options_of(runs, jobs)).totals.runs, runs) << jobs;
}

RC_GTEST_PROP(HuntTest, TheFirstRunsAreTheSameOnAnyNumberOfWorkers, ()) {
  const RunConfig config =
      toy(*rc::gen::arbitrary<bool>(), *rc::gen::elementOf(testing_tools::every_scheduler()));
  HuntOptions options =
      options_of(*rc::gen::inRange<std::uint64_t>(1, 300), 1, *rc::gen::arbitrary<bool>());
  options.seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const std::string alone = print(result_of(config, options));
  options.jobs = *rc::gen::inRange(2, 6);
  RC_ASSERT(print(result_of(config, options)) == alone);
}

TEST(HuntTest, AHuntIsThePrefixOfALongerOne) {
  const RunConfig config = toy(true, "timed");
  HuntOptions later = options_of(50, 1);
  later.seed = 101;
  const auto first = result_of(config, options_of(100, 2)), rest = result_of(config, later);
  const auto all = result_of(config, options_of(150, 3));
  EXPECT_EQ(all.totals.steps, first.totals.steps + rest.totals.steps);
  EXPECT_EQ(all.totals.violated, first.totals.violated + rest.totals.violated);
  ASSERT_FALSE(first.finds.empty());
  EXPECT_EQ(to_text(all.finds[0].trace), to_text(first.finds[0].trace));
}

TEST(HuntTest, TheFirstViolationEndsItUnlessToldOtherwise) {
  const RunConfig config = toy(true);
  const auto one = result_of(config, options_of(1000, 2, false));
  ASSERT_EQ(one.finds.size(), 1U);
  EXPECT_EQ(one.totals.violated, 1U);
  EXPECT_EQ(one.totals.runs, one.finds[0].trace.run + 1);
  const auto all = result_of(config, options_of(1000, 2, true));
  EXPECT_EQ(all.totals.runs, 1000U);
  std::uint64_t sum = 0;
  for (const Find& find : all.finds) sum += find.count;
  EXPECT_EQ(sum, all.totals.violated);
  EXPECT_GT(sum, 1U);
}

TEST(HuntTest, FindsAreToldAtOnceAndAFailureToKeepThemEndsIt) {
  for (const int jobs : {1, 2}) {
    int told = 0;
    HuntListener listener;
    listener.found = [&](const Find& find, Bugs::News) -> Status {
      ++told;
      EXPECT_TRUE(find.trace.violation);
      return error("the disk is full");
    };
    const std::atomic<bool> stop{false};
    const auto result = hunt(toy(true), options_of(1000, jobs), listener, stop);
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->problem, "the disk is full");
    EXPECT_GT(result->totals.runs, 0U);
    EXPECT_EQ(told, 1);
  }
}

TEST(HuntTest, AStopYieldsAPrefix) {
  for (const int jobs : {1, 2}) {
    std::atomic<bool> stop{false};
    HuntListener listener;
    listener.found = [&](const Find&, Bugs::News) -> Status {
      stop = true;
      return {};
    };
    const auto stopped = hunt(toy(true), options_of(100'000, jobs), listener, stop);
    ASSERT_TRUE(stopped) << stopped.error();
    EXPECT_TRUE(stopped->interrupted);
    EXPECT_LT(stopped->totals.runs, 100'000U);
    const auto same = result_of(toy(true), options_of(stopped->totals.runs, 1));
    EXPECT_EQ(print(*stopped), print(same));
  }
}

TEST(HuntTest, StoppedBeforeItBeginsItDoesNothing) {
  const std::atomic<bool> stop{true};
  const auto result = hunt(toy(true), options_of(10, 2), {}, stop);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->interrupted);
  EXPECT_EQ(result->totals.runs, 0U);
}

TEST(HuntTest, FoundRunsAreRepeatedByTheirSeedAlone) {
  const RunConfig config = toy(true, "stepped");
  const auto result = result_of(config, options_of(500, 2, false));
  ASSERT_EQ(result.finds.size(), 1U);
  const Trace& found = result.finds[0].trace;
  HuntOptions again = options_of(1, 1, false);
  again.seed = found.plan.seed;
  const auto anew = result_of(config, again);
  ASSERT_EQ(anew.finds.size(), 1U);
  EXPECT_EQ(anew.finds[0].trace.run_class, found.run_class);
  EXPECT_EQ(anew.finds[0].trace.violation->message, found.violation->message);
}

// Oracles that nobody gave anything to judge are no evidence.
TEST(HuntTest, TellsWhatNoRunShowedAndWhatNoRunCouldJudge) {
  RunConfig config = toy(false);
  System own = *config.setup.system;
  const auto happens = [](const char* name, Happened what) {
    return [=](const schism::Setup&) {
      return std::make_unique<Sometimes>(name, mask_of(what),
                                         [=](const Event& e) { return e.kind == what; });
    };
  };
  own.oracles = {happens("shown", Happened::delivered), happens("never shown", Happened::crashed),
                 [](const schism::Setup&) {
                   return std::make_unique<Eventually>("in the end",
                                                       [](const World&) { return true; });
                 }};
  config.setup.system = &own;
  for (const int jobs : {1, 2}) {
    const HuntResult fair = result_of(config, options_of(20, jobs));
    EXPECT_THAT(fair.vacuous, testing::ElementsAre("never shown"));
    EXPECT_THAT(fair.unjudged, testing::IsEmpty());
  }
  config.limits.steps = 1, config.limits.tail = 0;
  const HuntResult short_ones = result_of(config, options_of(20, 1));
  EXPECT_THAT(short_ones.unjudged, testing::ElementsAre("in the end"));
}

// Violated by a run whose first message goes to that node.
class FirstTo final : public Oracle {
 public:
  explicit FirstTo(int node) : name_("not to " + std::to_string(node)), node_(node) {}
  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return mask_of(Happened::delivered); }
  void begin(const World&) override {
    absolve();
    any_ = false;
  }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& e : events) {
      if (e.kind != Happened::delivered || std::exchange(any_, true)) continue;
      if (e.node == node_) violate(world, "it was the first");
    }
  }

 private:
  std::string name_;
  int node_;
  bool any_ = false;
};

// Only the first few violations of a property are looked at closely; all of them are counted, each
// for its own.
TEST(HuntTest, CountsEveryViolationForItsProperty) {
  RunConfig config = toy(false);
  System own = *config.setup.system;
  own.oracles.clear();
  for (const int node : {0, 1})
    own.oracles.emplace_back(
        [node](const schism::Setup&) { return std::make_unique<FirstTo>(node); });
  config.setup.system = &own;
  HuntOptions options = options_of(300, 1);
  options.shrink = false;
  options.closely = 2;
  std::map<std::uint32_t, std::uint64_t> violated, counted;
  HuntListener listener;
  listener.counted = [&](const HuntProgress&, const RunSummary& run, const Book&,
                         std::optional<double>) {
    if (run.violated) ++violated[run.oracle];
  };
  const HuntResult result = result_of(config, options, listener);
  for (const Find& find : result.finds) counted[find.oracle] += find.count;
  EXPECT_EQ(counted, violated);
  EXPECT_EQ(violated.size(), 2U);
}

TEST(HuntTest, AsAnAssertionItFailsWhereNothingWasShown) {
  HuntSpec spec;
  spec.system = "test-journal";
  spec.runs = 3;
  spec.out = "";
  const auto failure = hunt_failure(spec);
  ASSERT_TRUE(failure);
  EXPECT_THAT(*failure, HasSubstr("no run showed \"recovers\""));
}

// Where no run had a fair end. The system is registered in a process of its own: others hunt all.
TEST(HuntTest, AsAnAssertionItFailsWhereNothingWasJudged) {
  const auto failure = [] {
    auto own = std::make_shared<System>(*systems().find("toy-consensus"));
    own->name = "test-no-tail";
    own->tail = 0;
    own->oracles = {[](const schism::Setup&) {
      return std::make_unique<Eventually>("in the end", [](const World&) { return true; });
    }};
    register_system(own);
    HuntSpec spec;
    spec.system = own->name;
    spec.max_steps = 1;
    spec.runs = 3;
    spec.out = "";
    fmt::print(stderr, "{}", hunt_failure(spec).value_or("nothing"));
    std::_Exit(0);
  };
  EXPECT_EXIT(failure(), testing::ExitedWithCode(0), "no run could judge \"in the end\"");
}

// A kept trace speaks of one property: that its run violates another is not the same bug again.
TEST(HuntTest, AKeptTraceIsReproducedOnlyByItsOwnProperty) {
  HuntOptions options = options_of(2000, 1, false);
  options.shrink = false;
  Trace trace = result_of(toy(true), options).finds.at(0).trace;
  const std::string path = fmt::format("{}/kept-{}.trace", testing::TempDir(), ::getpid());
  const auto reproduced = [&] {
    EXPECT_TRUE(write_trace(trace, path));
    return check_kept(path).failure.value_or("no");
  };
  EXPECT_THAT(reproduced(), HasSubstr(": reproduced: " + trace.violation->property));
  const std::string found = trace.violation->property;
  int others = 0;
  for (const auto& make : trace.config.setup.system->oracles) {
    trace.violation->property = make(trace.config.setup)->name();
    if (trace.violation->property == found) continue;
    EXPECT_THAT(reproduced(), HasSubstr(": another violation: " + found))
        << trace.violation->property;
    ++others;
  }
  EXPECT_GT(others, 0);
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace schism
