#include "schism/base/spec.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace schism {
namespace {

using testing::HasSubstr;

rc::Gen<std::string> text_without(const std::string& excluded) {
  return rc::gen::container<std::string>(
      rc::gen::suchThat(rc::gen::character<char>(),
                        [excluded](char c) { return excluded.find(c) == excluded.npos; }));
}

Spec any_spec(int depth) {
  Spec spec;
  spec.name = *rc::gen::nonEmpty(text_without(":;()"));
  const auto keys =
      *rc::gen::container<std::set<std::string>>(rc::gen::nonEmpty(text_without("=,;()")));
  // Half of the values are made of the characters that mean something.
  for (const std::string& key : keys)
    spec.values.emplace_back(
        key, *rc::gen::oneOf(
                 rc::gen::container<std::string>(rc::gen::elementOf(std::string(",;()\"\\:=a"))),
                 rc::gen::arbitrary<std::string>()));
  const int children = depth == 0 ? 0 : *rc::gen::inRange(0, 4);
  for (int i = 0; i < children; ++i) spec.children.push_back(any_spec(depth - 1));
  return spec;
}

RC_GTEST_PROP(Specs, ComeBackAsWritten, ()) {
  const Spec spec = any_spec(3);
  const auto back = parse_spec(print_spec(spec));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == spec);
}

RC_GTEST_PROP(Specs, AnyTextIsReadOrRefusedInOneSentence, ()) {
  const auto text = *rc::gen::oneOf(
      rc::gen::arbitrary<std::string>(),
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab:=,;()\"\\"))));
  const auto spec = parse_spec(text);
  if (!spec) {
    RC_ASSERT(!spec.error().empty());
    return;
  }
  const auto again = parse_spec(print_spec(*spec));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == *spec);
}

// Without quotes there is one way to write a word: it is printed as it was read.
RC_GTEST_PROP(Specs, WithoutQuotesTheTextIsKept, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab:=,;()")));
  if (const auto spec = parse_spec(text)) RC_ASSERT(print_spec(*spec) == text);
}

TEST(Specs, NestParametersFirstThenChildren) {
  const auto spec = parse_spec("portfolio:lag=2(random;pctcp:depth=3;fuzz:coverage=colours(pos))");
  ASSERT_TRUE(spec) << spec.error();
  EXPECT_EQ(spec->name, "portfolio");
  EXPECT_EQ(spec->values[0].first, "lag");
  ASSERT_EQ(spec->children.size(), 3U);
  EXPECT_EQ(spec->children[0], Spec{"random"});
  EXPECT_EQ(spec->children[1], (Spec{"pctcp", {{"depth", "3"}}}));
  EXPECT_EQ(spec->children[2], (Spec{"fuzz", {{"coverage", "colours"}}, {Spec{"pos"}}}));
}

TEST(Specs, QuotesKeepWhatWouldMeanSomething) {
  const auto spec = parse_spec(R"(model:file="a,b (1).tla",text="\"\\")");
  ASSERT_TRUE(spec) << spec.error();
  EXPECT_EQ(spec->values[0].second, "a,b (1).tla");
  EXPECT_EQ(spec->values[1].second, "\"\\");
  EXPECT_EQ(parse_spec("x:a=\"\"")->values[0].second, "");
}

TEST(Specs, AreRefusedWithAReason) {
  EXPECT_EQ(parse_spec("").error(), "a name is missing");
  EXPECT_EQ(parse_spec(":a=1").error(), "a name is missing");
  for (const char* text : {"x:", "x:a", "x:=1", "x:a=1,", "x:a=1,,b=2", "m(a;x:b)", "x:(a)"})
    EXPECT_THAT(parse_spec(text).error(), HasSubstr("is not of the form parameter=value")) << text;
  EXPECT_EQ(parse_spec("m(a;x:b)").error(),
            "\"b\" in \"m(a;x:b)\" is not of the form parameter=value");
  EXPECT_EQ(parse_spec("x:a=1,a=2").error(), "\"a\" stands twice in \"x:a=1,a=2\"");
}

TEST(Specs, ErrorsSayWhere) {
  const auto problem = [](const char* text) { return parse_spec(text).error(); };
  EXPECT_EQ(problem("m(a;b"), "\"m(a;b\": the ( at character 2 is not closed");
  EXPECT_EQ(problem("m(a;n(b)"), "\"m(a;n(b)\": the ( at character 2 is not closed");
  EXPECT_EQ(problem("m(a;)"), "\"m(a;)\": a name is missing at character 5");
  EXPECT_EQ(problem("m()"), "\"m()\": a name is missing at character 3");
  EXPECT_EQ(problem("m(a)b"), "\"m(a)b\": the \"b\" at character 5 has no place there");
  EXPECT_EQ(problem("m(a):b=1"), "\"m(a):b=1\": the \":\" at character 5 has no place there");
  EXPECT_EQ(problem("m(a(b)c)"), "\"m(a(b)c)\": the \"c\" at character 7 has no place there");
  EXPECT_EQ(problem("a;b"), "\"a;b\": the \";\" at character 2 has no place there");
  EXPECT_EQ(problem("a)"), "\"a)\": the \")\" at character 2 has no place there");
  EXPECT_EQ(problem("x:a=\"b"), "\"x:a=\"b\": the quote at character 5 is not closed");
  EXPECT_EQ(problem("x:a=b\"c"), "\"x:a=b\"c\": the \"\"\" at character 6 has no place there");
}

TEST(Specs, AreNestedOnlySoDeep) {
  const auto nested = [](int depth) {
    std::string text = "x";
    for (int i = 1; i < depth; ++i) text = "x(" + text + ")";
    return parse_spec(text);
  };
  EXPECT_TRUE(nested(kSpecDepthMax));
  EXPECT_THAT(nested(kSpecDepthMax + 1).error(), HasSubstr("nested more than 16 deep"));
  EXPECT_FALSE(parse_spec(std::string(100'000, '(')));
  EXPECT_FALSE(nested(20'000));
}

}  // namespace
}  // namespace schism
