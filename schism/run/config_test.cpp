#include "schism/run/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "schism/testing/strategies.hpp"

namespace schism {
namespace {

using testing::HasSubstr;

// Some value that the parameter takes, read off its own description of its range.
std::string some_value(const Param& p) {
  if (p.range == "true or false")
    return *rc::gen::elementOf(std::vector<std::string>{"true", "false"});
  if (p.range == "a list such as 0/250/0")
    return *rc::gen::elementOf(std::vector<std::string>{"", "0", "1/0"});
  if (const auto to = p.range.find(" to "); to != std::string::npos) {
    const std::string low = p.range.substr(0, to), high = p.range.substr(to + 4);
    const auto a = parse_integer(low, INT64_MIN, INT64_MAX),
               b = parse_integer(high, INT64_MIN, INT64_MAX);
    if (!a || !b) return *rc::gen::elementOf(std::vector<std::string>{low, p.fallback});
    return std::to_string(*rc::gen::inRange(*a, std::min(*b, *a + 50) + 1));
  }
  if (const auto either = p.range.find(" or "); either != std::string::npos)
    return *rc::gen::elementOf(std::vector<std::string>{
        p.range.substr(either + 4), p.range.substr(0, p.range.find_first_of(" ,"))});
  return p.fallback;
}

Pairs some_of(const Params& params) {
  Pairs out;
  for (const Param& p : params.list())
    if (!p.name.ends_with("*") && *rc::gen::inRange(0, 3) == 0)
      out.emplace_back(p.name, some_value(p));
  return out;
}

RunText some_run() {
  RunText text;
  const auto& system =
      *systems().sorted()[*rc::gen::inRange<std::size_t>(0, systems().sorted().size())];
  text.system = {system.name, some_of(system.params)};
  for (const std::string& bug : system.bug_names())
    if (*rc::gen::arbitrary<bool>()) text.bugs.push_back(bug);
  if (*rc::gen::arbitrary<bool>())
    text.nodes =
        std::to_string(*rc::gen::inRange(system.node_range.low, system.node_range.high + 1));
  text.world = some_of(world_params());
  text.faults = some_of(fault_params());
  const auto& scheduler =
      schedulers().sorted()[*rc::gen::inRange<std::size_t>(0, schedulers().sorted().size())];
  if (*rc::gen::arbitrary<bool>()) {
    text.explorer = testing_tools::word_for(scheduler);
    text.explorer.values = some_of(scheduler.params);
  }
  if (*rc::gen::arbitrary<bool>()) text.steps = std::to_string(*rc::gen::inRange(1, 100'000));
  if (*rc::gen::arbitrary<bool>())
    text.tail = print_duration(*rc::gen::inRange<Micros>(0, 1'000'000'000));
  return text;
}

RC_GTEST_PROP(ConfigTest, ComesBackFromItsText, ()) {
  const RunText given = some_run();
  const auto config = make_config(given);
  if (!config) {  // a contradiction: one sentence, which the tests below look at
    RC_ASSERT(!config.error().empty());
    RC_ASSERT(config.error().find('\n') == std::string::npos);
    return;
  }
  RC_CLASSIFY(true, "accepted");
  const RunText text = to_text(*config);
  const auto back = make_config(text);
  RC_ASSERT(back.has_value());
  const RunText again = to_text(*back);
  RC_ASSERT(print_spec(again.system) == print_spec(text.system));
  RC_ASSERT(print_spec(again.explorer) == print_spec(text.explorer));
  RC_ASSERT(again.bugs == text.bugs);
  RC_ASSERT(again.nodes == text.nodes);
  RC_ASSERT(again.world == text.world);
  RC_ASSERT(again.faults == text.faults);
  RC_ASSERT(again.steps == text.steps);
  RC_ASSERT(again.tail == text.tail);
  RC_ASSERT(to_flags(*back) == to_flags(*config));
  RC_ASSERT(back->setup.options.time == config->setup.options.time);
  RC_ASSERT(print_spec(back->scheduler) == print_spec(config->scheduler));
  RC_ASSERT(back->limits.steps == config->limits.steps);
  RC_ASSERT(back->limits.tail == config->limits.tail);
}

RunText toy() {
  RunText text;
  text.system = {"toy-consensus", {}};
  return text;
}

std::string problem(const RunText& text) {
  const auto config = make_config(text);
  return config ? "" : config.error();
}

TEST(ConfigTest, DefaultsAreTheSystemsOwn) {
  const auto config = make_config(toy());
  ASSERT_TRUE(config) << config.error();
  EXPECT_EQ(config->setup.nodes, 3);
  EXPECT_EQ(config->limits.steps, config->setup.system->steps_max);
  EXPECT_EQ(config->scheduler.name, "random");
  EXPECT_EQ(config->explorer.name, "seeds");
  EXPECT_EQ(to_flags(*config), "toy-consensus --explorer random");
}

TEST(ConfigTest, ASchedulersNameMeansSeedsOverIt) {
  RunText a = toy(), b = toy();
  a.explorer = {"timed", {}};
  b.explorer = {"seeds", {{"scheduler", "timed"}}};
  ASSERT_TRUE(make_config(a) && make_config(b));
  EXPECT_EQ(to_flags(*make_config(a)), to_flags(*make_config(b)));
}

TEST(ConfigTest, DefaultsSpeltOutAreTheSameRun) {
  RunText text = toy();
  text.system.values = {{"rounds", "3"}};
  text.world = {{"down", "lost"}};
  text.faults = {{"crash", "0"}};
  text.nodes = "3";
  ASSERT_TRUE(make_config(text));
  EXPECT_EQ(to_flags(*make_config(text)), to_flags(*make_config(toy())));
}

TEST(ConfigTest, ABugTwiceIsTheSameBug) {
  RunText text = toy();
  text.bugs = {"distrust-commits", "distrust-commits"};
  ASSERT_TRUE(make_config(text));
  EXPECT_EQ(make_config(text)->bugs.size(), 1U);
}

TEST(ConfigTest, ContradictionsAreRefused) {
  const auto with = [](auto change) {
    RunText text = toy();
    change(text);
    return problem(text);
  };
  EXPECT_THAT(with([](RunText& t) { t.system.name = ""; }), HasSubstr("no system \"\""));
  EXPECT_THAT(with([](RunText& t) {
                t.world = {{"may-crash", "3"}};
              }),
              HasSubstr("names node 3, but there are nodes 0 to 2"));
  EXPECT_THAT(with([](RunText& t) { t.world = {{"may-crash", "-1"}}; }), HasSubstr("node -1"));
  for (const char* list : {"may-crash", "liars"})
    EXPECT_THAT(with([&](RunText& t) {
                  t.world = {{list, "1/0/1"}};
                }),
                HasSubstr(std::string(list) + " names node 1 twice"));
  EXPECT_EQ(with([](RunText& t) { t.nodes = "4", t.world = {{"may-crash", "3"}}; }), "");
  EXPECT_THAT(with([](RunText& t) { t.world = {{"skew-us", "1/1/1/1"}}; }), HasSubstr("3 here"));
  EXPECT_THAT(with([](RunText& t) {
                t.world = {{"drift-ppm", "0/-1000001"}};
              }),
              HasSubstr("drift-ppm is more than"));
  EXPECT_THAT(with([](RunText& t) {
                t.faults = {{"inject", "1"}}, t.world = {{"liars", "1"}};
              }),
              HasSubstr("random never makes a fault of the kind inject"));
  EXPECT_THAT(
      with([](RunText& t) {
        t.faults = {{"mutate", "1"}}, t.world = {{"liars", "1"}}, t.explorer = {"timed", {}};
      }),
      HasSubstr("timed never makes a fault of the kind mutate"));
  EXPECT_THAT(with([](RunText& t) {
                t.explorer = {"timed", {{"min", "2s"}, {"max", "1s"}}};
              }),
              HasSubstr("min is at most max"));
  EXPECT_THAT(with([](RunText& t) {
                t.explorer = {"seeds", {{"scheduler", "x"}}};
              }),
              HasSubstr("no scheduler \"x\""));
  EXPECT_THAT(with([](RunText& t) {
                t.explorer = {"random", {{"timer.x", "1"}}};
              }),
              HasSubstr("no timer \"x\""));
  EXPECT_THAT(with([](RunText& t) { t.tail = "-1s"; }), HasSubstr("tail is a time"));
}

}  // namespace
}  // namespace schism
