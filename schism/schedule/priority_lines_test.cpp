#include "schism/schedule/priority_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "schism/base/random.hpp"

namespace schism {
namespace {

using Item = PriorityLines::Item;
using Fit = PriorityLines::Fit;

constexpr auto kUnlabelled = PriorityLines::kUnlabelled;

// Serves everything that is not blocked; slots in the order in which they were served.
std::vector<std::uint32_t> serve(PriorityLines& lines,
                                 const std::set<std::uint32_t>& blocked = {}) {
  std::vector<std::uint32_t> out;
  while (const auto item = lines.pick(
             [&](const Item& i) { return blocked.contains(i.slot) ? Fit::later : Fit::now; }))
    out.push_back(item->slot);
  return out;
}

using Slots = std::vector<std::uint32_t>;

TEST(PriorityLines, TheHighestRankFirstAndEachLineInOrder) {
  PriorityLines lines;
  for (const std::uint64_t rank : {20, 30, 10}) lines.open(rank);
  for (std::uint32_t slot = 0; slot < 6; ++slot) lines.enqueue(slot % 3, {slot});
  EXPECT_EQ(serve(lines), (Slots{1, 4, 0, 3, 2, 5}));
}

TEST(PriorityLines, ADemotedLineIsServedWhenNothingElseIsEnabled) {
  PriorityLines lines;
  for (const std::uint64_t rank : {20, 30, 10}) lines.open(rank);
  lines.enqueue(1, {.slot = 1, .label = 0});
  lines.enqueue(1, {.slot = 4});
  lines.enqueue(0, {.slot = 0, .label = 1});
  lines.enqueue(2, {.slot = 2});
  // Slot 1 of the demoted is above slot 0, both below every rank.
  EXPECT_EQ(serve(lines), (Slots{2, 0, 1, 4}));
}

TEST(PriorityLines, OnlyALineAboutToBeServedIsDemoted) {
  PriorityLines lines;
  lines.open(20);
  lines.open(10);
  lines.enqueue(0, {.slot = 0});
  lines.enqueue(1, {.slot = 1, .label = 0});
  EXPECT_EQ(lines.pick([](const Item&) { return Fit::now; })->slot, 0U);
  EXPECT_FALSE(lines.demoted(1));
  // Blocked is not about to be served either.
  EXPECT_EQ(serve(lines, {1}), Slots{});
  EXPECT_FALSE(lines.demoted(1));
  EXPECT_EQ(serve(lines), Slots{1});
  EXPECT_TRUE(lines.demoted(1));
}

TEST(PriorityLines, ABlockedHeadKeepsItsPlaceAndAGoneOneDoesNot) {
  PriorityLines lines;
  for (const std::uint64_t rank : {30, 20, 10}) lines.open(rank);
  for (std::uint32_t slot = 0; slot < 6; ++slot) lines.enqueue(slot % 3, {slot});
  EXPECT_EQ(serve(lines, {0, 4}), (Slots{1, 2, 5}));
  int asked = 0;
  const auto item = lines.pick([&](const Item& i) {
    if (i.slot != 0) return Fit::now;
    ++asked;
    return Fit::never;
  });
  EXPECT_EQ(item->slot, 3U);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(serve(lines), Slots{4});
}

// Netrix, D3: a labelled head demotes its line although another would be served; D2: whoever is in
// slot 0 starves; D4: a later label of the same line overwrites the first, upwards too.
TEST(PriorityLines, EagerDemotesAtOnceAndStarvesSlotZero) {
  PriorityLines lines;
  lines.clear(true);
  for (const std::uint64_t rank : {30, 20, 10}) lines.open(rank);
  lines.enqueue(0, {.slot = 0});
  lines.enqueue(1, {.slot = 1, .label = 1});
  lines.enqueue(1, {.slot = 4, .label = 3});
  lines.enqueue(2, {.slot = 2, .label = 2});
  lines.enqueue(2, {.slot = 5});
  EXPECT_EQ(lines.pick([](const Item&) { return Fit::now; })->slot, 0U);
  EXPECT_TRUE(lines.demoted(1));
  EXPECT_TRUE(lines.demoted(2));
  EXPECT_EQ(serve(lines), (Slots{2, 5, 1, 4}));
  lines.enqueue(2, {.slot = 6});
  lines.enqueue(1, {.slot = 7});
  lines.enqueue(0, {.slot = 8, .label = 0});
  EXPECT_EQ(serve(lines), (Slots{7, 6})) << "4's label raised line 1 above line 2";
  lines.enqueue(0, {.slot = 9});
  EXPECT_EQ(serve(lines), Slots{});
}

TEST(PriorityLines, EagerAsksForTheLastTimeAboutWhatIsGone) {
  PriorityLines lines;
  lines.clear(true);
  lines.open(10);
  lines.enqueue(0, {.slot = 0, .label = 0});
  lines.enqueue(0, {.slot = 1, .label = 1});
  int asked = 0;
  const auto item = lines.pick([&](const Item& i) {
    asked += i.slot == 0;
    return i.slot == 0 ? Fit::never : Fit::now;
  });
  EXPECT_EQ(asked, 1);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->slot, 1U);
}

// After a demotion a new line takes each place among the rest equally often. Without redraw() it
// would be above the one line that is left two times of three.
TEST(PriorityLines, NewRanksAreUniformAmongThoseNotDemoted) {
  Rng rng(4);
  constexpr int kRuns = 60'000;
  int places[3] = {};
  for (int run = 0; run < kRuns; ++run) {
    std::vector<std::uint64_t> drawn;
    for (int i = 0; i < 3; ++i) drawn.push_back(rng.next() >> 1);
    const auto highest = std::max_element(drawn.begin(), drawn.end()) - drawn.begin();
    PriorityLines lines;
    for (std::uint32_t line = 0; line < 3; ++line) {
      lines.open(drawn[line]);
      lines.enqueue(line, {.slot = line, .label = line == highest ? 0 : kUnlabelled});
    }
    const auto served = lines.pick([](const Item&) { return Fit::now; });
    ASSERT_NE(served->slot, highest);
    ASSERT_TRUE(lines.demoted_since_redraw());
    lines.redraw([&] { return rng.next(); });
    const std::uint64_t mine = rng.next() >> 1;
    int place = 0;
    for (const std::uint64_t rank : lines.ranks()) place += rank < mine;
    ++places[place];
  }
  for (const int count : places) EXPECT_NEAR(count, kRuns / 3.0, 5 * std::sqrt(kRuns * 2.0 / 9));
}

}  // namespace
}  // namespace schism
