// The order of a distance is that of the function that made it, whatever its constants.
#include "schism/scenario/distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace schism::scenario {
namespace {

TEST(FilterDistance, ItsOrderIsThatOfTheFunction) {
  for (int order = 0; order <= 3; ++order)
    for (const double offset : {0.0, 1.0, 4.0})
      for (const double factor : {0.5, 1.0, 3.0}) {
        std::vector<AtSize> at;
        for (const int n : {3, 5, 7, 9})
          at.push_back({n, offset + factor * (order == 0 ? 10 : std::pow(n, order))});
        EXPECT_EQ(order_of(at), order) << offset << " + " << factor << " n^" << order;
      }
  EXPECT_EQ(order_of({{3, 7}}), std::nullopt);
  EXPECT_EQ(order_of({}), std::nullopt);
  // Counted, not computed: noise of a tenth does not make n to n^2.
  EXPECT_EQ(order_of({{3, 3.2}, {5, 4.8}, {7, 7.3}, {9, 8.9}}), 1);
}

}  // namespace
}  // namespace schism::scenario
