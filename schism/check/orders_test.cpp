// Independent steps may change places: in every system that we ship, whatever it is.
#include "schism/check/orders.hpp"

#include <gtest/gtest.h>

#include "schism/run/config.hpp"
#include "schism/testing/every_system.hpp"

namespace schism::check {
namespace {

class OrdersOf : public testing_tools::EverySystem {};

TEST_P(OrdersOf, ChangeNothing) {
  RunText text;
  text.system.name = system().name;
  const auto config = make_config(text);
  ASSERT_TRUE(config) << config.error();
  const Entangled seen = find_entangled(config->setup, 30, 1);
  EXPECT_EQ(seen.what, "");
}

INSTANTIATE_TEST_SUITE_P(, OrdersOf, testing_tools::each_system(), testing_tools::system_in_name);

TEST(Orders, AreComparedWhereThereAreOthers) {
  RunText text;
  text.system.name = "paxos";
  EXPECT_GT(find_entangled(make_config(text)->setup, 10, 1).orders, 10U);
}

}  // namespace
}  // namespace schism::check
