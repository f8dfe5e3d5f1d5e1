#include "schism/base/difference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/random.hpp"

namespace schism {
namespace {

Value any_value(Rng& rng, int depth) {
  switch (rng.below(depth > 0 ? 6 : 4)) {
    case 0: return Value(static_cast<std::int64_t>(rng.below(5)) - 2);
    case 1: return Value(rng.chance(0.5));
    case 2: return Value(rng.chance(0.5) ? "a" : "b");
    case 3: return {};
    case 4: {
      Value::Array items;
      for (std::uint64_t i = rng.below(4); i > 0; --i) items.push_back(any_value(rng, depth - 1));
      return items;
    }
    default: {
      Value out;
      for (const char* key : {"n", "view", "votes"})
        if (rng.chance(0.7)) out.set(key, any_value(rng, depth - 1));
      return out;
    }
  }
}

TEST(Difference, TellsWhatWasTold) {
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    const Value honest = any_value(rng, 3), lie = any_value(rng, 3);
    const Value differs = difference(honest, lie);
    ASSERT_TRUE(is_difference(differs));
    const auto again = told(honest, differs);
    ASSERT_TRUE(again) << to_json(honest) << to_json(differs);
    EXPECT_EQ(*again, lie) << to_json(honest) << " " << to_json(differs);
    EXPECT_EQ(untruth_of(differs).parts == 0, honest == lie);
    EXPECT_EQ(difference_of(changes_of(differs)), differs);
  }
}

Value parsed(const char* text) { return *parse_json(text); }

TEST(Difference, StaysTheSameWhereTheTruthIsAnother) {
  const Value differs = difference(parsed(R"({"view":0,"n":1,"votes":[1,2,3]})"),
                                   parsed(R"({"view":0,"n":2,"votes":[1,3]})"));
  EXPECT_EQ(to_json(differs), R"({"~":[[["n"],"by",1],[["votes"],"without",1]]})");
  const auto other = told(parsed(R"({"view":3,"n":7,"votes":[4,5]})"), differs);
  ASSERT_TRUE(other);
  EXPECT_EQ(to_json(*other), R"({"view":3,"n":8,"votes":[4]})");
  EXPECT_FALSE(told(parsed(R"({"view":3})"), differs)) << "there is no such place";
  EXPECT_EQ(in_words(parsed(R"({"view":0,"n":2,"votes":[1,3]})"), differs),
            "n = 2 instead of 1, votes without [1]");
  const Value words = difference(parsed(R"({"op":"add","at":{"node":1}})"),
                                 parsed(R"({"op":"put","at":{"node":0}})"));
  EXPECT_EQ(in_words(parsed(R"({"op":"put","at":{"node":0}})"), words),
            "op = \"put\" instead of \"add\", node = 0 instead of 1");
}

TEST(Difference, IsToldInALine) {
  Value::Array few, many;
  for (int i = 0; i < 20; ++i) many.emplace_back(1000 + i);
  few.assign(many.begin(), many.begin() + 19);
  few.emplace_back(1000);
  few.emplace_back(1000);
  Value honest, told;
  honest.set("votes", many);
  honest.set("why", std::string(200, 'a'));
  told.set("votes", few);
  told.set("why", "short");
  EXPECT_EQ(in_words(told, difference(honest, told)),
            "votes = a list of 21 instead of a list of 20, why = \"short\" instead of \"" +
                std::string(56, 'a') + "...");
}

TEST(Difference, WhatIsNoneIsNone) {
  for (const char* text : {"{}", "[]", R"({"~":1})", R"({"~":[],"n":1})", R"({"n":[]})", "7"})
    EXPECT_FALSE(is_difference(parsed(text))) << text;
  // Damaged parts are left out.
  EXPECT_EQ(changes_of(parsed(R"({"~":[1,[],[1,"by",2],[["n"],2,3]]})")).size(), 0U);
}

}  // namespace
}  // namespace schism
