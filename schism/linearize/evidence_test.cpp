#include "schism/linearize/evidence.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "schism/linearize/generate.hpp"
#include "schism/linearize/judge.hpp"
#include "schism/linearize/picture.hpp"
#include "schism/linearize/testing/brute_force.hpp"

namespace {
using namespace schism;
using namespace schism::linearize;

// The definition in evidence.hpp, word by word.
bool holds_sources(const Partition& whole, const std::vector<std::uint32_t>& part) {
  const auto& ops = whole.ops;
  const auto inside = [&](std::uint32_t i) {
    return std::find(part.begin(), part.end(), i) != part.end();
  };
  for (const std::uint32_t i : part) {
    const RegisterOp& o = ops[i];
    if (!o.observes()) continue;
    bool any = false, any_inside = false;
    for (std::uint32_t j = 0; j < ops.size(); ++j) {
      const RegisterOp& x = ops[j];
      const bool fits = o.effect == Effect::miss ? x.product() != o.first : x.product() == o.first;
      if (!x.sets() || !fits || o.returned < x.invoked) continue;
      any = true;
      any_inside = any_inside || inside(j);
      const bool separated = std::any_of(part.begin(), part.end(), [&](std::uint32_t k) {
        const RegisterOp& y = ops[k];
        return y.sets() && x.returned < y.invoked && y.returned < o.invoked;
      });
      if (!inside(j) && !separated) return false;
    }
    if (o.effect != Effect::miss && o.first != 0 && any && !any_inside) return false;
  }
  return true;
}

std::vector<std::uint32_t> members(std::uint32_t set) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; set >> i; ++i)
    if (set >> i & 1) out.push_back(i);
  return out;
}

TEST(Evidence, PartsThatHoldTheirSourcesSpeakForTheWhole) {
  int parts = 0, proper = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const History history = random_answers(seed, {.operations = 3 + static_cast<int>(seed % 5)});
    for (const Partition& whole : partition(history)) {
      const auto n = static_cast<std::uint32_t>(whole.ops.size());
      const bool good = check(whole, {}).verdict == Verdict::linearizable;
      for (std::uint32_t set = 1; set < 1u << n; ++set) {
        const auto part = members(set);
        const auto held = holding_sources(whole, part);
        EXPECT_EQ(held.size() == part.size(), holds_sources(whole, part)) << seed;
        EXPECT_TRUE(holds_sources(whole, held)) << seed;
        if (held.size() != part.size()) continue;
        ++parts;
        proper += part.size() < n;
        if (good) {
          EXPECT_EQ(check(select(whole, part), {}).verdict, Verdict::linearizable) << seed;
        }
      }
    }
  }
  fmt::print("{} parts, {} of them proper\n", parts, proper);
  EXPECT_GE(proper, 10'000);
}

TEST(Evidence, IsMinimalLocatedAndSmallest) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    const History history = random_answers(seed, {.operations = 4 + static_cast<int>(seed % 6)});
    for (const Partition& whole : partition(history)) {
      if (check(whole, {}).verdict != Verdict::violation) continue;
      ++found;
      const Evidence evidence = explain(whole, {});
      EXPECT_TRUE(evidence.minimal && evidence.located && evidence.smallest);
      EXPECT_EQ(check(evidence.part, {}).verdict, Verdict::violation) << seed;
      EXPECT_EQ(check(cut(whole, evidence.event), {}).verdict, Verdict::linearizable) << seed;
      const Partition prefix = cut(whole, evidence.event + 1);
      EXPECT_EQ(check(prefix, {}).verdict, Verdict::violation) << seed;
      // As a part of the prefix: it holds its sources, and no proper part of it that does fails.
      std::vector<std::uint32_t> part;
      for (const RegisterOp& op : evidence.part.ops)
        for (std::uint32_t i = 0; i < prefix.ops.size(); ++i)
          if (prefix.ops[i].op == op.op) part.push_back(i);
      ASSERT_EQ(part.size(), evidence.part.ops.size());
      EXPECT_TRUE(holds_sources(prefix, part)) << seed;
      for (std::uint32_t set = 1; set + 1 < 1u << part.size(); ++set) {
        std::vector<std::uint32_t> some;
        for (const std::uint32_t i : members(set)) some.push_back(part[i]);
        if (holds_sources(prefix, some)) {
          EXPECT_EQ(check(select(prefix, some), {}).verdict, Verdict::linearizable) << seed;
        }
      }
    }
  }
  fmt::print("{} violations explained\n", found);
  EXPECT_GE(found, 1000);
}

TEST(Evidence, LongHistoriesShrinkToAHandful) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const History history = generate(
        {.clients = 10, .operations = 600, .values = 0, .info = 0.02, .stale = 0.02}, seed);
    const Report report = judge_history(history, {});
    if (report.verdict != Verdict::violation) continue;
    ++found;
    EXPECT_TRUE(report.offence->minimal) << seed;
    EXPECT_LE(report.offence->operations.size(), 12u) << print(report);
  }
  EXPECT_GE(found, 10);
}

TEST(Evidence, WithoutWorkItStillFails) {
  const History history = generate({.operations = 300, .values = 0, .stale = 0.05}, 1);
  const auto parts = partition(history);
  ASSERT_EQ(check(parts[0], {}).verdict, Verdict::violation);
  const Evidence evidence = explain(parts[0], {}, 0);
  EXPECT_FALSE(evidence.minimal || evidence.smallest || evidence.located);
  EXPECT_EQ(check(evidence.part, {}).verdict, Verdict::violation);
}

TEST(Picture, FitsAndShowsIntervals) {
  History history;
  const OpId a = history.invoke(0, write("x", 1));
  history.done(a);
  const OpId b = history.invoke(1, write("x", 2));
  const OpId c = history.invoke(10, write("x", 3));
  history.done(b);
  const OpId d = history.invoke(2, read("x"));
  history.saw(d, 1);
  (void)c;
  const Report report = judge_history(history, {});
  ASSERT_TRUE(report.offence);
  EXPECT_EQ(report.offence->picture,
            "client 0  |write 1|\n"
            "client 1            |write 2|\n"
            "client 2                      |read 1|\n");
  EXPECT_EQ(report.offence->sentence,
            "key x: no order of these 3 operations allows `read 1` by client 2");
  EXPECT_EQ(exit_code(report), 1);
}

TEST(Picture, StaysWithinAHundredColumns) {
  for (const int operations : {3, 8, 20, 30, 300}) {
    const History history = generate({.clients = 8, .operations = operations, .info = 0.1}, 1);
    const auto parts = partition(history);
    const std::string text = draw(history, parts[0]);
    EXPECT_EQ(text.find("  a  client") != std::string::npos, operations > 20) << text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      ASSERT_NE(end, std::string::npos);
      EXPECT_LE(end - begin, 100u) << text;
      begin = end + 1;
    }
  }
}

}  // namespace
