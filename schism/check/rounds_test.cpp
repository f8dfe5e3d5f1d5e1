// Circles that a fair run can follow, against all sets of states of small random graphs.
#include "schism/check/rounds.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/base/random.hpp"

namespace schism::check {
namespace {

struct Edge {
  std::uint32_t from = 0, to = 0;
  Happening happening;
  std::uint64_t renewed = 0;
};

std::uint64_t fair(const std::vector<Edge>& edges) {
  Rounds rounds;
  for (const Edge& e : edges) rounds.step(e.from, e.to, e.happening, e.renewed);
  return rounds.fair();
}

bool goes_round(const std::vector<Edge>& edges) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;
  for (const Edge& e : edges) steps.emplace_back(e.from, e.to);
  return has_circle(5, steps);
}

// Somebody runs through all states of a set for ever, by all steps between them: whether that is
// possible, and fair.
bool is_fair(const std::vector<Edge>& edges, std::uint32_t set) {
  const auto in = [&](std::uint32_t state) { return (set >> state & 1) != 0; };
  bool any = false;
  std::set<std::uint64_t> happens;
  std::uint64_t renewed = 0;
  std::map<std::uint64_t, std::uint32_t> possible;  // where
  std::map<std::uint64_t, std::uint64_t> whose;
  for (const Edge& e : edges) {
    if (in(e.from)) possible[e.happening.what] |= 1U << e.from;
    whose[e.happening.what] = e.happening.own;
    if (!in(e.from) || !in(e.to)) continue;
    any = true;
    happens.insert(e.happening.what);
    renewed |= e.renewed;
  }
  for (std::uint32_t begin = 0; begin < 32; ++begin) {
    if (!in(begin)) continue;
    std::uint32_t reached = 1U << begin, before = 0;
    while (reached != before) {
      before = reached;
      for (const Edge& e : edges)
        if ((reached >> e.from & 1) != 0 && in(e.to)) reached |= 1U << e.to;
    }
    if ((reached & set) != set) return false;
  }
  for (const auto& [what, where] : possible)
    if (what != 0 && (where & set) == set && !happens.contains(what) &&
        (whose[what] & renewed) == 0)
      return false;
  return any;
}

TEST(Rounds, AreThoseOfSomeSetOfStates) {
  std::uint32_t found = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    const std::uint64_t states = 1 + rng.below(5);
    std::vector<Edge> edges;
    for (std::uint64_t n = rng.below(9); n > 0; --n) {
      Edge& e = edges.emplace_back();
      e.from = static_cast<std::uint32_t>(rng.below(states));
      e.to = static_cast<std::uint32_t>(rng.below(states));
      e.happening.what = rng.below(4);
      e.happening.own = e.happening.what == 3 ? 1 : e.happening.what == 2 ? 2 : 0;
      e.renewed = rng.chance(0.2) ? 1 + rng.below(2) : 0;
    }
    bool any = false, circle = false;
    std::vector<Edge> plain = edges;  // nobody waits for anything: every circle is fair
    for (Edge& e : plain) e.happening = {};
    for (std::uint32_t set = 1; set < 1U << states; ++set) {
      any = any || is_fair(edges, set);
      circle = circle || is_fair(plain, set);
    }
    EXPECT_EQ(fair(edges) > 0, any) << seed;
    EXPECT_EQ(goes_round(edges), circle) << seed;
    found += any ? 1 : 0;
  }
  EXPECT_GT(found, 500U);
  EXPECT_LT(found, 2500U);
}

TEST(Rounds, WhatWaitsAllTheWayMakesThemUnfair) {
  const Happening tick{1, 1}, note{2, 0}, alarm{4, 1};
  const Edge on{0, 1, tick, 0}, off{1, 0, tick, 0};
  EXPECT_EQ(fair({on, off}), 1U);
  EXPECT_EQ(fair({on, off, {0, 2, note, 0}}), 1U) << "it is possible in one of them only";
  EXPECT_EQ(fair({on, off, {0, 2, note, 0}, {1, 2, note, 0}}), 0U);
  EXPECT_EQ(fair({on, off, {0, 2, {}, 0}, {1, 2, {}, 0}}), 1U) << "nobody waits for a fault";
  EXPECT_EQ(fair({on, off, {0, 2, alarm, 0}, {1, 2, alarm, 0}}), 0U);
  EXPECT_EQ(fair({{0, 1, tick, 1}, off, {0, 2, alarm, 0}, {1, 2, alarm, 0}}), 1U)
      << "each time round it is set anew";
}

}  // namespace
}  // namespace schism::check
