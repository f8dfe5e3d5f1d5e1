#include "schism/base/params.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace schism {
namespace {

using testing::HasSubstr;

SCHISM_ENUM(Fruit, apple, pear, plum);

struct Basket {
  int count = 3;
  std::uint32_t small = 0;
  double ratio = 0.5;
  bool ripe = false;
  Fruit fruit = Fruit::apple;
  std::vector<std::int64_t> list;
  std::string text = "none";
  Micros wait = 150'000;
  Weights timers;
};

const Params& basket() {
  static const Params params = [] {
    Params p;
    p.add<&Basket::count>("count", -5, 8, "how many");
    p.add<&Basket::small>("small", std::int64_t{0}, std::int64_t{4'000'000'000}, "unsigned");
    p.add<&Basket::ratio>("ratio", 0.0, 1.0, "a share");
    p.add<&Basket::ripe>("ripe", "whether");
    p.add<&Basket::fruit>("fruit", "which");
    p.add<&Basket::list>("list", "numbers");
    p.add<&Basket::text>("text", "words");
    p.add_duration<&Basket::wait>("wait", 1000, 60'000'000, "how long");
    p.add<&Basket::timers>("timer.*", "weights");
    return p;
  }();
  return params;
}

std::string problem(const std::string& name, const std::string& text) {
  Basket b;
  const Status s = basket().set(&b, name, text, "basket");
  return s ? "" : s.error();
}

TEST(ParamsTest, DescribeThemselves) {
  const auto& list = basket().list();
  EXPECT_EQ(list[0].range, "-5 to 8");
  EXPECT_EQ(list[0].fallback, "3");
  EXPECT_EQ(list[2].range, "0 to 1");
  EXPECT_EQ(list[2].fallback, "0.5");
  EXPECT_EQ(list[3].range, "true or false");
  EXPECT_EQ(list[4].range, "apple, pear or plum");
  EXPECT_EQ(list[7].range, "1ms to 60s");
  EXPECT_EQ(list[7].fallback, "150ms");
}

TEST(ParamsTest, EveryKindIsRead) {
  Basket b;
  for (const auto& [name, text] :
       std::vector<std::pair<std::string, std::string>>{{"count", "-5"},
                                                        {"small", "4000000000"},
                                                        {"ratio", "0.25"},
                                                        {"ripe", "on"},
                                                        {"fruit", "plum"},
                                                        {"list", "1/-2/3"},
                                                        {"text", "a b"},
                                                        {"wait", "2s"},
                                                        {"timer.election", "7"},
                                                        {"timer.beat", "0"}})
    ASSERT_TRUE(basket().set(&b, name, text, "basket")) << name;
  EXPECT_EQ(b.count, -5);
  EXPECT_EQ(b.small, 4'000'000'000U);
  EXPECT_EQ(b.ratio, 0.25);
  EXPECT_TRUE(b.ripe);
  EXPECT_EQ(b.fruit, Fruit::plum);
  EXPECT_EQ(b.list, (std::vector<std::int64_t>{1, -2, 3}));
  EXPECT_EQ(b.text, "a b");
  EXPECT_EQ(b.wait, 2'000'000);
  EXPECT_EQ(b.timers, (Weights{{"beat", 0}, {"election", 7}}));
}

TEST(ParamsTest, WhatIsWrongIsSaid) {
  EXPECT_EQ(problem("count", "9"), "basket: count is a whole number from -5 to 8, not \"9\"");
  for (const char* text : {"", " 3", "3 ", "3.0", "+3", "0x3", "1e1", "three"})
    EXPECT_THAT(problem("count", text), HasSubstr("is a whole number")) << text;
  for (const char* text : {"", "nan", "inf", "-0.1", "1.1", "1,5", "half"})
    EXPECT_EQ(problem("ratio", text),
              "basket: ratio is a number from 0 to 1, not \"" + std::string(text) + "\"");
  EXPECT_EQ(problem("ripe", "yes"), "basket: ripe is true or false, not \"yes\"");
  EXPECT_EQ(problem("fruit", "plumb"),
            "basket: fruit has no choice \"plumb\"; did you mean \"plum\"?");
  EXPECT_THAT(problem("fruit", ""), HasSubstr("no choice \"\""));
  for (const char* text : {"1/", "/", "1//2", "a", "1/x"})
    EXPECT_THAT(problem("list", text), HasSubstr("is a list such as 0/250/0")) << text;
  EXPECT_EQ(problem("wait", "999us"), "basket: wait is 1ms to 60s, not \"999us\"");
  EXPECT_EQ(problem("wait", "61s"), "basket: wait is 1ms to 60s, not \"61s\"");
  EXPECT_THAT(problem("timer.x", "-1"), HasSubstr("is a whole number from 0"));
  EXPECT_THAT(problem("timer.", "1"), HasSubstr("no parameter \"timer.\""));
  EXPECT_EQ(problem("cuont", "1"), "basket has no parameter \"cuont\"; did you mean \"count\"?");
}

TEST(ParamsTest, AFailedSetChangesNothing) {
  Basket b;
  EXPECT_FALSE(basket().set(&b, "count", "99", "basket"));
  EXPECT_FALSE(basket().set(&b, "list", "1/x", "basket"));
  EXPECT_TRUE(basket().changed(&b).empty());
}

RC_GTEST_PROP(ParamsTest, WhatChangedBringsTheObjectBack, ()) {
  Basket b;
  b.count = *rc::gen::inRange(-5, 9);
  b.small = *rc::gen::inRange<std::uint32_t>(0, 4'000'000'000U);
  b.ratio = *rc::gen::map(rc::gen::inRange(0, 1'000'001), [](int i) { return i / 1e6; });
  b.ripe = *rc::gen::arbitrary<bool>();
  b.fruit = static_cast<Fruit>(*rc::gen::inRange(0, 3));
  b.list = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange(-1000, 1000));
  b.wait = *rc::gen::inRange<Micros>(1000, 60'000'001);
  b.timers = *rc::gen::container<Weights>(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z'))),
      rc::gen::inRange<std::int64_t>(0, 1'000'001));
  Basket back;
  for (const auto& [name, text] : basket().changed(&b))
    RC_ASSERT(basket().set(&back, name, text, "basket").has_value());
  RC_ASSERT(basket().all(&back) == basket().all(&b));
}

TEST(Durations, AreReadAndWritten) {
  for (const auto& [text, us] : std::vector<std::pair<std::string, Micros>>{{"7us", 7},
                                                                            {"150ms", 150'000},
                                                                            {"1.5s", 1'500'000},
                                                                            {"2min", 120'000'000},
                                                                            {"1h", 3'600'000'000},
                                                                            {"0", 0},
                                                                            {".5ms", 500}})
    EXPECT_EQ(parse_duration(text).value_or(-1), us) << text;
  for (const char* text :
       {"", "5", "s", "-1s", "1 s", "1d", "1e3s", "1..2s", "99999999999999h", "nans"})
    EXPECT_FALSE(parse_duration(text)) << text;
  EXPECT_EQ(print_duration(0), "0s");
  EXPECT_EQ(print_duration(1500), "1500us");
}

RC_GTEST_PROP(Durations, ComeBackExactly, ()) {
  // Beyond 2^53 microseconds, 285 years, a fraction of a double is not enough.
  const auto us = *rc::gen::inRange<Micros>(0, Micros{1} << 53);
  RC_ASSERT(parse_duration(print_duration(us)).value() == us);
}

RC_GTEST_PROP(Numbers, ComeBackExactly, ()) {
  const double d = *rc::gen::arbitrary<double>();
  RC_PRE(d == d);
  const double low = std::numeric_limits<double>::lowest();
  RC_ASSERT(parse_number(detail::print_number(d), low, -low).value() == d);
  const auto i = *rc::gen::arbitrary<std::int64_t>();
  RC_ASSERT(parse_integer(std::to_string(i), INT64_MIN, INT64_MAX).value() == i);
}

TEST(Suggestions, NameTheNearestOrAllOrNothing) {
  const std::vector<std::string> words = {"random", "timed", "stepped"};
  EXPECT_EQ(nearest("rando", words), "random");
  EXPECT_EQ(nearest("step", words), "stepped");
  EXPECT_EQ(nearest("xyz", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(unknown_word("scheduler", "xyz", words),
            "no scheduler \"xyz\"; there is random, timed, stepped");
  EXPECT_EQ(unknown_word("bug", "x", {}), "no bug \"x\"; there is none");
}

}  // namespace
}  // namespace schism
