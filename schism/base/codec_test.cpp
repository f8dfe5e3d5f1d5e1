#include "schism/base/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "schism/base/random.hpp"
#include "schism/node/ids.hpp"
#include "schism/oracle/oracle.hpp"
#include "schism/words/codec.hpp"
#include "schism/words/death.hpp"
#include "schism/words/plan.hpp"

namespace coded {

SCHISM_ENUM(Color, red, green, blue);
enum class Bare : std::int16_t { low = -300, high = 300 };
enum class Three : std::uint8_t { one, two, three };

}  // namespace coded

template <>
inline constexpr std::uint64_t schism::kEnumCount<coded::Three> = 3;

namespace {
using namespace schism;
using namespace coded;
using testing::HasSubstr;

struct Point {
  int x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
  FIELDS(x, y)
};
struct Nothing {
  friend bool operator==(const Nothing&, const Nothing&) = default;
  FIELDS()
};
struct Family {  // a type that holds itself
  std::string name;
  std::vector<Family> children;
  friend bool operator==(const Family&, const Family&) = default;
  FIELDS(name, children)
};
struct Numbers {
  bool flag = false;
  char letter = 0;
  std::int8_t i8 = 0;
  std::uint8_t u8 = 0;
  std::int16_t i16 = 0;
  std::uint16_t u16 = 0;
  std::int32_t i32 = 0;
  std::uint32_t u32 = 0;
  std::int64_t i64 = 0;
  std::uint64_t u64 = 0;
  float f = 0;
  double d = 0;
  Color color{};
  Bare bare{};
  Three three{};
  friend bool operator==(const Numbers&, const Numbers&) = default;
  FIELDS(flag, letter, i8, u8, i16, u16, i32, u32, i64, u64, f, d, color, bare, three)
};
struct Everything {
  Numbers numbers;
  std::string text;
  std::optional<Point> maybe;
  std::variant<std::monostate, int, std::string, Point> either;
  std::pair<int, std::string> pair;
  std::tuple<bool, Point, std::tuple<>> tuple;
  std::array<Point, 2> two;
  std::array<int, 0> none;
  std::vector<bool> bits;
  std::vector<std::vector<int>> lists;
  std::deque<Nothing> nothings;
  std::map<std::string, Point> table;
  std::set<int, std::greater<>> down;
  std::multiset<int> several;
  std::unordered_map<int, std::string> hashed;
  std::unordered_set<std::string> words;
  Hash128 hash;
  Value value;
  Family family;
  NodeSet nodes;
  PerNode<NodeRef> leaders;
  std::vector<Action> actions;
  Name name;
  friend bool operator==(const Everything&, const Everything&) = default;
  FIELDS(numbers, text, maybe, either, pair, tuple, two, none, bits, lists, nothings, table, down,
         several, hashed, words, hash, value, family, nodes, leaders, actions, name)
};

// ---- anything at random -----------------------------------------------------------------------

struct Maker {
  Rng rng;

  std::uint64_t bits() {  // of any size
    return rng.next() >> rng.below(64);
  }
  int count(int most = 4) { return static_cast<int>(rng.below(static_cast<unsigned>(most))); }
  int whole() { return static_cast<int>(bits()) * (rng.chance(0.5) ? 1 : -1); }
  std::string text() {
    std::string out;
    for (int n = count(12); n > 0; --n) out.push_back(static_cast<char>(rng.below(256)));
    return out;
  }
  Point point() { return {whole(), whole()}; }
  Family family(int depth) {
    Family out{text(), {}};
    if (depth > 0)
      for (int n = count(3); n > 0; --n) out.children.push_back(family(depth - 1));
    return out;
  }
  Value value(int depth) {
    switch (rng.below(depth > 0 ? 7 : 5)) {
      case 0: return {};
      case 1: return rng.chance(0.5);
      case 2: return static_cast<std::int64_t>(bits());
      case 3: return rng.unit() * 1e9;
      case 4: return text();
      case 5: {
        Value::Array out;
        for (int n = count(); n > 0; --n) out.push_back(value(depth - 1));
        return out;
      }
      default: {
        Value::Object out;
        for (int n = count(); n > 0; --n) out.emplace_back(text(), value(depth - 1));
        return out;
      }
    }
  }
  Numbers numbers() {
    const auto n = [&](auto zero) { return static_cast<decltype(zero)>(bits()); };
    return {rng.chance(0.5),
            n(char{}),
            n(std::int8_t{}),
            n(std::uint8_t{}),
            n(std::int16_t{}),
            n(std::uint16_t{}),
            n(std::int32_t{}),
            n(std::uint32_t{}),
            static_cast<std::int64_t>(rng.next()),
            rng.next(),
            static_cast<float>(rng.unit()),
            rng.unit() * 1e300,
            static_cast<Color>(rng.below(3)),
            rng.chance(0.5) ? Bare::low : Bare::high,
            static_cast<Three>(rng.below(3))};
  }
  Action action() {
    return make_action(static_cast<Do>(rng.below(kActionKindCount)), Name(rng.next()),
                       static_cast<std::uint32_t>(bits()) & kArgMax,
                       static_cast<std::uint32_t>(bits()));
  }
  Everything everything() {
    Everything out;
    out.numbers = numbers(), out.text = text();
    if (rng.chance(0.5)) out.maybe = point();
    switch (rng.below(4)) {
      case 0: break;
      case 1: out.either = whole(); break;
      case 2: out.either = text(); break;
      default: out.either = point();
    }
    out.pair = {whole(), text()}, out.tuple = {rng.chance(0.5), point(), {}};
    out.two = {point(), point()};
    for (int n = count(); n > 0; --n) {
      out.bits.push_back(rng.chance(0.5)), out.nothings.emplace_back();
      std::vector<int> list;
      for (int m = count(); m > 0; --m) list.push_back(whole());
      out.lists.push_back(list);
      out.table[text()] = point(), out.down.insert(whole()), out.several.insert(count());
      out.hashed[whole()] = text(), out.words.insert(text());
      out.nodes.insert(count(70)), out.leaders.push_back(count()), out.actions.push_back(action());
    }
    out.hash = {rng.next(), rng.next()}, out.value = value(4), out.family = family(3);
    out.name = Name(rng.next());
    return out;
  }
};

// ---- there and back ----------------------------------------------------------------------------

RC_GTEST_PROP(Codec, WhatIsWrittenIsRead, (std::uint64_t seed)) {
  const Everything before = Maker{Rng(seed)}.everything();
  const std::string bytes = encode(before);
  const auto after = decode<Everything>(bytes);
  RC_ASSERT(after.has_value());
  RC_ASSERT(*after == before);
  for (std::size_t i = 0; i < before.actions.size(); ++i)  // which are equal whatever their hints
    RC_ASSERT(after->actions[i].hint == before.actions[i].hint);
  RC_ASSERT(encode(*after) == bytes);
}

TEST(Codec, ExtremesSurvive) {
  Numbers n;
  n.i8 = INT8_MIN, n.i16 = INT16_MIN, n.i32 = INT32_MIN, n.i64 = INT64_MIN, n.u64 = UINT64_MAX;
  n.u32 = UINT32_MAX, n.d = -0.0, n.f = std::numeric_limits<float>::infinity();
  const auto back = decode<Numbers>(encode(n));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, n);
  EXPECT_TRUE(std::signbit(back->d));
}

TEST(Codec, SmallNumbersAreShort) {
  const std::size_t head = 9;
  EXPECT_EQ(encode(Point{3, -3}).size(), head + 2);
  EXPECT_EQ(encode(std::uint64_t{127}).size(), head + 1);
  EXPECT_EQ(encode(std::uint64_t{128}).size(), head + 2);
}

TEST(Codec, BytesDoNotDependOnTheOrderInAHashTable) {
  std::unordered_set<int> up, down;
  for (int i = 0; i < 100; ++i) up.insert(i * 7919);
  down.reserve(1000);
  for (int i = 99; i >= 0; --i) down.insert(i * 7919);
  EXPECT_EQ(encode(up), encode(down));
}

TEST(Codec, DeclaredStructsOfTheProgramTravel) {
  const Death death{"SIGSEGV", 412, 3, true, {"a", "b"}, "free()"};
  EXPECT_EQ(decode<Death>(encode(death)).value(), death);
  const Violation violation{"agreement", "two values", 7, {{3, "decided 1"}, {5, "decided 2"}}};
  const auto back = decode<Violation>(encode(violation)).value();
  EXPECT_EQ(encode(back), encode(violation));
  EXPECT_EQ(back.evidence[1].role, "decided 2");
  RunSummary summary;
  summary.run_class = {1, 2}, summary.steps = 450, summary.violated = true;
  EXPECT_EQ(decode<RunSummary>(encode(summary)).value().steps, 450U);
}

// ---- other bytes -------------------------------------------------------------------------------

// Read as something, or refused; and what is read has these bytes and no others.
template <class T>
bool reads(std::string_view bytes) {
  const auto read = decode<T>(bytes);
  if (!read) {
    EXPECT_FALSE(read.error().empty());
    EXPECT_EQ(read.error().find('\n'), std::string::npos);
    return false;
  }
  EXPECT_EQ(encode(*read), bytes);
  return true;
}

RC_GTEST_PROP(Codec, NoPrefixIsRead, (std::uint64_t seed)) {
  const std::string bytes = encode(Maker{Rng(seed)}.everything());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    RC_ASSERT(!reads<Everything>(bytes.substr(0, size)));
  RC_ASSERT(!reads<Everything>(bytes + '\0'));
}

RC_GTEST_PROP(Codec, EveryFlippedBitIsRefusedOrAnotherValue, (std::uint64_t seed)) {
  const std::string bytes = encode(Maker{Rng(seed)}.everything());
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 1 + seed % 3) {
    std::string other = bytes;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
    const bool read = reads<Everything>(other);
    RC_ASSERT(bit / 8 >= 9 || !read);  // the head allows nothing
  }
}

RC_GTEST_PROP(Codec, NoiseIsRefusedOrAValue, (std::uint64_t seed)) {
  Rng rng(seed);
  std::string bytes = encode(Everything{}).substr(0, 9);
  for (auto n = rng.below(300); n > 0; --n)
    bytes.push_back(static_cast<char>(rng.next() >> rng.below(64)));
  reads<Everything>(bytes);
}

template <class T>
std::string problem_of(std::string_view body) {
  const auto read = decode<T>(encode(T{}).substr(0, 9) + std::string(body));
  return read ? "" : read.error();
}

TEST(Codec, LengthsAreNotBelieved) {
  const std::string huge = "\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
  EXPECT_EQ(problem_of<std::string>(huge), "byte 18: a length is beyond the end");
  EXPECT_EQ(problem_of<std::vector<Nothing>>(huge), "byte 18: a length is beyond the end");
  EXPECT_EQ(problem_of<Value>("\x05" + huge), "byte 19: a length is beyond the end");
  EXPECT_EQ(problem_of<Value>("\x06" + huge), "byte 19: a length is beyond the end");
}

TEST(Codec, NestingIsBounded) {
  Value deep;
  for (int i = 0; i < 100; ++i) deep = Value::Array{deep};
  EXPECT_TRUE(decode<Value>(encode(deep)));
  for (int i = 0; i < 100; ++i) deep = Value::Array{deep};
  const auto refused = decode<Value>(encode(deep));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("nested too deeply"));
  std::string families(10'000'000, '\0');  // one child each, all the way down
  for (std::size_t i = 1; i < families.size(); i += 2) families[i] = 1;
  EXPECT_THAT(problem_of<Family>(families), HasSubstr("nested too deeply"));
}

TEST(Codec, ValuesHaveOneForm) {
  EXPECT_EQ(problem_of<bool>("\x02"), "byte 10: neither yes nor no");
  EXPECT_THAT(problem_of<std::uint64_t>(std::string("\x80\x00", 2)), HasSubstr("longer"));
  EXPECT_THAT(problem_of<std::uint64_t>(std::string(10, '\xff')), HasSubstr("64 bits"));
  EXPECT_THAT(problem_of<std::uint16_t>("\x80\x80\x04"), HasSubstr("too large"));
  EXPECT_THAT(problem_of<Color>("\x03"), HasSubstr("no word"));
  EXPECT_THAT(problem_of<Three>("\x03"), HasSubstr("no word"));
  EXPECT_THAT(problem_of<std::set<int>>("\x02\x04\x02"), HasSubstr("not in order"));
  EXPECT_THAT(problem_of<std::set<int>>("\x02\x04\x04"), HasSubstr("twice"));
  EXPECT_THAT(problem_of<std::unordered_set<int>>("\x02\x04\x02"), HasSubstr("not in order"));
  EXPECT_THAT(problem_of<Nothing>("\x01"), HasSubstr("something in nothing"));
  EXPECT_THAT(problem_of<Action>("\x15" + std::string(10, '\0')), HasSubstr("no word"));
}

// ---- versions ----------------------------------------------------------------------------------

struct Renamed {
  int x = 0, z = 0;
  FIELDS(x, z)
};
struct Retyped {
  int x = 0;
  unsigned y = 0;
  FIELDS(x, y)
};
struct Longer {
  int x = 0, y = 0, z = 0;
  FIELDS(x, y, z)
};
template <class T>
struct Around {
  std::vector<std::optional<T>> inside;
  FIELDS(inside)
};

TEST(Codec, AnotherVersionIsRefusedWithOneLine) {
  const std::string bytes = encode(Point{1, 2});
  for (const std::string& problem :
       {decode<Renamed>(bytes).error(), decode<Retyped>(bytes).error(),
        decode<Longer>(bytes).error(), decode<Around<Point>>(bytes).error()})
    EXPECT_THAT(problem, HasSubstr("another version wrote them"));
  EXPECT_NE(kShape<Around<Point>>, kShape<Around<Renamed>>);  // however deep it is
  EXPECT_NE(kShape<std::vector<int>>, kShape<std::set<int>>);
  EXPECT_NE((kShape<std::pair<int, Point>>), (kShape<std::tuple<Point, int>>));
  EXPECT_NE(kShape<Color>, kShape<Three>);
  std::string next = bytes;
  next[0] = 2;
  EXPECT_EQ(decode<Point>(next).error(), "byte 1: they have codec version 2, this program reads 1");
}

TEST(Codec, ShapesAreTheSameOnEveryMachine) {  // files outlive programs
  static_assert(kShape<Point> != kShape<Renamed>);
  EXPECT_EQ(kShape<Point>, 7032279772654583210U);
  EXPECT_EQ(encode(Point{1, -300}).substr(9), "\x02\xd7\x04");
}

}  // namespace
