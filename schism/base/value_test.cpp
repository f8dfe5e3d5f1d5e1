#include "schism/base/value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace schism {
namespace {

std::string utf8(char32_t c) {
  std::string out;
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) put(c);
  else if (c < 0x800) put(0xc0 | c >> 6), put(0x80 | (c & 0x3f));
  else if (c < 0x10000) put(0xe0 | c >> 12), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
  else
    put(0xf0 | c >> 18), put(0x80 | (c >> 12 & 0x3f)), put(0x80 | (c >> 6 & 0x3f)),
        put(0x80 | (c & 0x3f));
  return out;
}

// Any text of Unicode: control characters, quotes and four-byte characters included.
rc::Gen<std::string> any_text() {
  const auto character = rc::gen::map(
      rc::gen::suchThat(rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 0x80),
                                       rc::gen::inRange<std::uint32_t>(0x80, 0x110000)),
                        [](std::uint32_t c) { return c < 0xd800 || c > 0xdfff; }),
      [](std::uint32_t c) { return utf8(c); });
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(character),
                      [](const std::vector<std::string>& parts) {
                        std::string out;
                        for (const auto& part : parts) out += part;
                        return out;
                      });
}

Value any_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
    case 0: return {};
    case 1: return *rc::gen::arbitrary<bool>();
    case 2: return *rc::gen::arbitrary<std::int64_t>();
    case 3: {
      const double d = *rc::gen::arbitrary<double>();
      return std::isfinite(d) ? d : 0.5;
    }
    case 4: return *any_text();
    case 5: {
      Value::Array array;
      for (int n = *rc::gen::inRange(0, 5); n > 0; --n) array.push_back(any_value(depth - 1));
      return array;
    }
    default: {
      Value object{Value::Object{}};
      for (int n = *rc::gen::inRange(0, 5); n > 0; --n)
        object.set(*any_text(), any_value(depth - 1));
      return object;
    }
  }
}

RC_GTEST_PROP(ValueTest, JsonBringsItBack, ()) {
  const Value value = any_value(4);
  const std::string json = to_json(value);
  RC_ASSERT(json.find('\n') == std::string::npos);
  std::string problem;
  const auto back = parse_json(json, &problem);
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == value);
  RC_ASSERT(to_json(*back) == json);
}

RC_GTEST_PROP(ValueTest, AnyBytesAreReadOrRefused, (const std::string& bytes)) {
  std::string problem;
  if (!parse_json(bytes, &problem)) RC_ASSERT(!problem.empty());
}

RC_GTEST_PROP(ValueTest, DamagedJsonIsReadOrRefused, ()) {
  std::string json = to_json(any_value(3));
  RC_PRE(!json.empty());
  json[*rc::gen::inRange<std::size_t>(0, json.size())] = *rc::gen::arbitrary<char>();
  std::string problem;
  const auto back = parse_json(json, &problem);
  if (back) RC_ASSERT(parse_json(to_json(*back)) == back);
  else RC_ASSERT(!problem.empty());
}

TEST(ValueTest, WholeNumbersAreExactOrRefused) {
  for (const std::int64_t i : {INT64_MIN, INT64_MAX, std::int64_t{9007199254740993}})
    EXPECT_EQ(parse_json(std::to_string(i)), Value(i));
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "18446744073709551615",
                           "18446744073709551616", "-99999999999999999999999", "1e999", "-1e999"}) {
    std::string problem;
    EXPECT_FALSE(parse_json(text, &problem)) << text;
    EXPECT_FALSE(problem.empty());
  }
  EXPECT_EQ(parse_json("1e3"), Value(1000.0));
}

TEST(ValueTest, DeepNestingIsRefusedWithinTheStack) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parse_json(nested(64)));
  std::string problem;
  EXPECT_FALSE(parse_json(nested(65), &problem));
  EXPECT_EQ(problem, "nested too deeply");
  EXPECT_FALSE(parse_json(std::string(1'000'000, '['), &problem));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_FALSE(parse_json(objects, &problem));
}

TEST(ValueTest, InvalidTextIsRefusedOnTheWayInAndReplacedOnTheWayOut) {
  EXPECT_FALSE(parse_json("\"\xff\""));
  EXPECT_FALSE(parse_json("\"\xed\xa0\x80\""));  // half of a surrogate pair
  EXPECT_EQ(to_json(Value("a\xff")), "\"a\xef\xbf\xbd\"");
  EXPECT_EQ(to_json(Value(std::numeric_limits<double>::infinity())), "null");
}

TEST(ValueTest, ObjectsKeepTheirOrderAndReplace) {
  Value v;
  v.set("b", 1);
  v.set("a", 2);
  v.set("b", 3);
  EXPECT_EQ(to_json(v), R"({"b":3,"a":2})");
  EXPECT_EQ(*v.find("a"), Value(2));
  EXPECT_EQ(v.find("c"), nullptr);
  EXPECT_EQ(Value(7).find("a"), nullptr);
}

TEST(ValueTest, PrintedForPeople) {
  EXPECT_EQ(print(*parse_json(R"({"a":1,"b":[1,"x",null],"c":{},"d":true})")),
            "(a=1, b=[1, x, -], c=(), d=true)");
}

}  // namespace
}  // namespace schism
