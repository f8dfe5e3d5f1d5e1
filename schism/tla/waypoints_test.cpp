// Waypoints against their definition: every simple path to the goal, written out.
#include "schism/tla/waypoints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace schism::tla {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::atomic<bool> kGoOn{false};

Result<Waypoints> waypoints(const std::string& body, const std::string& goal,
                            const std::string& config = "INIT Init NEXT Next") {
  Result<Waypoints> out = error("nothing");
  on_big_stack([&] {
    auto spec = Spec::from_text(
        "---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets\n" + body + "\n====\n",
        config);
    if (!spec) out = tl::unexpected(spec.error());
    else out = find_waypoints(**spec, goal, {}, kGoOn);
  });
  return out;
}

std::vector<std::string> texts(const Result<Waypoints>& found) {
  std::vector<std::string> out;
  if (found)
    for (const Waypoint& w : found->found) out.push_back(w.text);
  return out;
}

TEST(TlaWaypoints, ARunOfTwoProcesses) {
  const std::string body =
      "VARIABLES pc, turns\nInit == pc = [i \\in {1, 2} |-> \"idle\"] /\\ turns = <<>>\n"
      "Go(i) == pc[i] = \"idle\" /\\ pc' = [pc EXCEPT ![i] = \"up\"] /\\ turns' = Append(turns, "
      "i)\n"
      "Next == \\E i \\in {1, 2} : Go(i)\n";
  const auto found = waypoints(body, "\\A i \\in {1, 2} : pc[i] = \"up\"");
  ASSERT_TRUE(found.has_value()) << found.error();
  EXPECT_EQ(found->depth, 3u);
  // Either may go first: that one of them did is all that is certain. That turns has an element
  // can be said in several ways; this one is the shortest.
  EXPECT_THAT(texts(found), testing::ElementsAre("turns[1] >= 1"));
}

TEST(TlaWaypoints, AGoalThatIsNeverReached) {
  const auto found = waypoints("VARIABLE x\nInit == x = 0\nNext == x' = 1 - x\n", "x = 7");
  ASSERT_TRUE(found.has_value()) << found.error();
  EXPECT_EQ(found->depth, 0u);
  EXPECT_THAT(found->found, IsEmpty());
}

TEST(TlaWaypoints, BadGoalsAreSentences) {
  const std::string body = "VARIABLE x\nInit == x = 0\nNext == x' = 1 - x\n";
  EXPECT_THAT(waypoints(body, "y = 7").error(), HasSubstr("y is not defined"));
  EXPECT_THAT(waypoints(body, "x + 1").error(), HasSubstr("expected TRUE or FALSE"));
  EXPECT_THAT(waypoints(body, "x = 1", "INIT Init NEXT Next VIEW x").error(), HasSubstr("VIEW"));
}

// A random graph on 0..7: "x = n" is a waypoint if no simple path to the goal avoids n.
struct Drawn {
  std::vector<std::set<int>> next = std::vector<std::set<int>>(8);
  bool avoids(int at, int goal, int without, std::set<int>& seen) const {
    if (at == goal) return true;
    if (at == without || !seen.insert(at).second) return false;
    for (const int t : next[static_cast<std::size_t>(at)])
      if (avoids(t, goal, without, seen)) return true;
    seen.erase(at);
    return false;
  }
};

TEST(TlaWaypoints, RandomGraphs) {
  int with_some = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Rng random(seed);
    Drawn graph;
    std::string edges;
    for (int i = 0; i < 11; ++i) {
      const int a = static_cast<int>(random.below(8)), b = static_cast<int>(random.below(8));
      graph.next[static_cast<std::size_t>(a)].insert(b);
      edges += fmt::format("{}<<{}, {}>>", i == 0 ? "" : ", ", a, b);
    }
    const auto found = waypoints(
        "VARIABLE x\nInit == x = 0\nNext == \\E e \\in {" + edges + "} : e[1] = x /\\ x' = e[2]\n",
        "x = 7");
    ASSERT_TRUE(found.has_value()) << found.error();
    std::set<int> nothing;
    const bool reached = graph.avoids(0, 7, -1, nothing);
    ASSERT_EQ(found->depth > 0, reached) << edges;
    const auto told = texts(found);
    for (int n = 1; n < 7; ++n) {
      std::set<int> seen;
      const bool expected = reached && !graph.avoids(0, 7, n, seen);
      const std::string text = fmt::format("x = {}", n);
      bool is_told = false;  // or x >= n, where that is the same states
      for (const std::string& t : told) is_told = is_told || t == text;
      EXPECT_EQ(is_told, expected) << text << " of " << edges << testing::PrintToString(told);
      with_some += expected ? 1 : 0;
    }
  }
  EXPECT_GT(with_some, 20);
}

}  // namespace
}  // namespace schism::tla
