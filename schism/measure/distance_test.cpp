// Distances against their slow definitions, and the Hausdorff edit distance against the exact one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schism/base/random.hpp"
#include "schism/measure/graph_edit.hpp"
#include "schism/measure/vector_distance.hpp"

namespace schism {
namespace {

RC_GTEST_PROP(KendallTau, IsTheNumberOfPairsThatAreOrderedDifferently, (std::uint64_t seed)) {
  Rng random(seed);
  std::vector<double> a(random.below(30)), b(a.size());
  for (double& x : a) x = random.unit();
  for (double& x : b) x = random.unit();
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) pairs += (a[i] < a[j]) != (b[i] < b[j]) ? 1 : 0;
  RC_ASSERT(kendall_tau_distance(a, b) == pairs);
}

TEST(Euclidean, ByHand) {
  const double a[] = {0, 3, 7}, b[] = {4, 0, 7};
  EXPECT_DOUBLE_EQ(euclidean_distance(a, b), 5);
}

LabelledGraph drawn(Rng& random, std::size_t most) {
  LabelledGraph out;
  out.labels.resize(random.below(most + 1));
  for (auto& label : out.labels) label = random.below(3);
  for (std::uint32_t i = 0; i < out.size(); ++i)
    for (std::uint32_t j = i + 1; j < out.size(); ++j)
      if (random.chance(0.4)) out.edges.emplace_back(i, j);
  return out;
}

TEST(GraphEdit, ByHand) {
  const LabelledGraph line{{1, 2, 3}, {{0, 1}, {1, 2}}};
  EXPECT_EQ(graph_edit_distance(line, line), 0U);
  EXPECT_EQ(graph_edit_distance(line, {{1, 2, 4}, {{0, 1}, {1, 2}}}), 1U);  // a label
  EXPECT_EQ(graph_edit_distance(line, {{1, 2, 3}, {{0, 1}}}), 1U);          // an edge
  EXPECT_EQ(graph_edit_distance(line, {{1, 2}, {{0, 1}}}), 2U);             // a vertex and an edge
  EXPECT_EQ(graph_edit_distance(line, {}), 5U);
  EXPECT_EQ(graph_edit_distance(line, {{1, 2, 3}, {{1, 0}, {1, 2}}}), 2U);  // turned round
  EXPECT_DOUBLE_EQ(hausdorff_edit_distance(line, {{1, 2, 4}, {{0, 1}, {1, 2}}}), 1);
  EXPECT_DOUBLE_EQ(graph_distance_bound(line, {}), 5);
}

RC_GTEST_PROP(GraphEdit, HausdorffNeverOverestimates, (std::uint64_t seed)) {
  Rng random(seed);
  const LabelledGraph a = drawn(random, 6), b = drawn(random, 6);
  const auto exact = static_cast<double>(graph_edit_distance(a, b));
  RC_ASSERT(hausdorff_edit_distance(a, b) <= exact + 1e-9);
  RC_ASSERT(exact <= graph_distance_bound(a, b) + 1e-9);
  RC_ASSERT(graph_edit_distance(b, a) == graph_edit_distance(a, b));
  RC_ASSERT(hausdorff_edit_distance(b, a) == hausdorff_edit_distance(a, b));
  RC_ASSERT(hausdorff_edit_distance(a, a) == 0);
}

}  // namespace
}  // namespace schism
