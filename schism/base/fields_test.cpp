#include "schism/base/fields.hpp"

#include <gtest/gtest.h>
#include <unordered_map>
#include <unordered_set>

#include <map>
#include <set>

SCHISM_ENUM(Color, red, green, blue);

namespace {
using namespace schism;

struct Point {
  int x = 0, y = 0;
  FIELDS(x, y)
};
struct Two {
  std::string a, b;
  FIELDS(a, b)
};
struct Empty {
  FIELDS()
};
struct Rich {
  bool flag = false;
  std::int8_t small = 0;
  std::uint32_t count = 0;
  double ratio = 0;
  std::string text;
  Color color = Color::red;
  std::optional<Point> maybe;
  std::vector<Point> points;
  std::array<int, 2> pair{};
  std::map<int, std::string> table;
  std::set<int> members;
  FIELDS(flag, small, count, ratio, text, color, maybe, points, pair, table, members)
};
struct Computed {
  std::vector<int> log;
  int last() const { return log.empty() ? 0 : log.back(); }
  FIELDS(log, last(), std::max(last(), 3))
};

Rich sample() {
  return {true,        -5,
          7,           0.5,
          "a\"b",      Color::blue,
          Point{1, 2}, {{3, 4}, {5, 6}},
          {8, 9},      {{1, "one"}, {2, "two"}},
          {4, 2}};
}

TEST(Fields, ValuesKeepNamesOrderAndContent) {
  EXPECT_EQ(to_json(to_value(sample())),
            R"({"flag":true,"small":-5,"count":7,"ratio":0.5,"text":"a\"b","color":"blue",)"
            R"("maybe":{"x":1,"y":2},"points":[{"x":3,"y":4},{"x":5,"y":6}],"pair":[8,9],)"
            R"("table":[[1,"one"],[2,"two"]],"members":[2,4]})");
  EXPECT_EQ(to_json(to_value(Empty{})), "{}");
}

TEST(Fields, RoundTripThroughJson) {
  const auto parsed = parse_json(to_json(to_value(sample())));
  ASSERT_TRUE(parsed);
  Rich back;
  ASSERT_TRUE(from_value(*parsed, back));
  EXPECT_EQ(to_value(back), to_value(sample()));
  EXPECT_EQ(type_info<Rich>().hash(&back), [] {
    auto s = sample();
    return type_info<Rich>().hash(&s);
  }());
}

TEST(Fields, ValuesOfAnotherShapeAreRefused) {
  Point p;
  EXPECT_FALSE(from_value(*parse_json(R"({"x":1})"), p));
  EXPECT_FALSE(from_value(*parse_json(R"({"x":1,"y":"2"})"), p));
  EXPECT_FALSE(from_value(*parse_json(R"({"x":1,"y":5000000000})"), p));
  EXPECT_FALSE(from_value(*parse_json("[1,2]"), p));
  std::uint32_t u = 0;
  EXPECT_FALSE(from_value(Value(-1), u));
  std::uint64_t big = 0;
  EXPECT_TRUE(from_value(to_value(~std::uint64_t{0}), big));
  EXPECT_EQ(big, ~std::uint64_t{0});
  Color c{};
  EXPECT_FALSE(from_value(Value("mauve"), c));
}

TEST(Fields, ExpressionsAreFieldsToo) {
  const Computed c{{1, 2}};
  const std::string expected = R"x({"log":[1,2],"last()":2,"std::max(last(), 3)":3})x";
  EXPECT_EQ(to_json(to_value(c)), expected);
}

TEST(Fields, HashSeesEveryFieldAndBoundaries) {
  const auto hash = [](const Two& t) { return type_info<Two>().hash(&t); };
  EXPECT_EQ(hash({"ab", "c"}), hash({"ab", "c"}));
  EXPECT_NE(hash({"ab", "c"}), hash({"a", "bc"}));
  EXPECT_NE(hash({"", "c"}), hash({"c", ""}));
}

TEST(Fields, MembersAreCounted) {
  EXPECT_EQ(detail::member_count<Point>(), 2U);
  EXPECT_EQ(detail::member_count<Rich>(), 11U);
  EXPECT_EQ(detail::member_count<Empty>(), 0U);
}

TEST(Fields, UnorderedContainersAreEqualHoweverTheyCameAbout) {
  std::unordered_set<int> up, down;
  for (int i = 0; i < 100; ++i) up.insert(i * 7919);
  down.reserve(1000);  // other buckets, another order
  for (int i = 99; i >= 0; --i) down.insert(i * 7919);
  ASSERT_EQ(up, down);
  EXPECT_EQ(absorb_field(Hash128{}, up), absorb_field(Hash128{}, down));
  EXPECT_EQ(to_json(to_value(up)), to_json(to_value(down)));
  down.erase(7919);
  EXPECT_NE(absorb_field(Hash128{}, up), absorb_field(Hash128{}, down));
  const std::unordered_map<int, std::string> one = {{1, "a"}, {2, "b"}},
                                             other = {{2, "b"}, {1, "a"}};
  EXPECT_EQ(absorb_field(Hash128{}, one), absorb_field(Hash128{}, other));
  const std::unordered_map<int, std::string> swapped = {{1, "b"}, {2, "a"}};
  EXPECT_NE(absorb_field(Hash128{}, one), absorb_field(Hash128{}, swapped));
}

TEST(Fields, TypeNamesAreUnqualified) {
  EXPECT_EQ(type_info<Point>().name, "Point");
  EXPECT_EQ(type_info<Point>().field_names, "x, y");
}

TEST(Fields, PrintedAsAPersonReads) {
  EXPECT_EQ(print("Point", to_value(Point{1, 2})), "Point(x=1, y=2)");
  EXPECT_EQ(print("Empty", to_value(Empty{})), "Empty");
}

// Maps and sets are told from lists by their type alone: as values they look the same.
TEST(Print, ByItsTypeAValueIsWrittenAsAPersonWould) {
  EXPECT_EQ(
      print(type_info<Rich>(), to_value(sample())),
      "Rich(flag=true, small=-5, count=7, ratio=0.5, text=a\"b, color=blue, maybe=(x=1, y=2), "
      "points=[(x=3, y=4), (x=5, y=6)], pair=[8, 9], table={1: one, 2: two}, members={2, 4})");
  EXPECT_EQ(print(type_info<Empty>(), to_value(Empty{})), "Empty");
  struct Nested {
    std::map<int, std::vector<int>> votes = {{1, {0, 1}}};
  } nested;
  EXPECT_EQ(print(detail::field_type_of<decltype(nested.votes)>, to_value(nested.votes)),
            "{1: [0, 1]}");
  using Pairs = std::map<std::pair<int, int>, std::optional<int>>;
  EXPECT_EQ(print(detail::field_type_of<Pairs>, to_value(Pairs{{{1, 2}, 3}, {{4, 5}, {}}})),
            "{(1, 2): 3, (4, 5): -}");
  // Of another shape: as any value.
  EXPECT_EQ(print(type_info<Rich>(), to_value(Point{1, 2})), "Rich(x=1, y=2)");
  EXPECT_EQ(print(detail::field_type_of<Pairs>, Value(7)), "7");
}

TEST(Json, RefusesWhatItCannotKeep) {
  std::string problem;
  EXPECT_FALSE(parse_json("{\"a\":1,\"a\":2}", &problem));
  EXPECT_EQ(problem, "the key \"a\" stands twice");
  EXPECT_FALSE(parse_json("18446744073709551615", &problem));
  EXPECT_FALSE(parse_json(std::string(100, '[') + std::string(100, ']'), &problem));
  EXPECT_EQ(problem, "nested too deeply");
  EXPECT_FALSE(parse_json("{\"a\":", &problem));
  EXPECT_FALSE(parse_json("", &problem));
  EXPECT_FALSE(parse_json("1 2", &problem));
}

}  // namespace
