// What a guided hunt sees of a protocol is declared for every system that we ship.
#include <gtest/gtest.h>

#include "schism/system/systems.hpp"

namespace schism {
namespace {

TEST(Colours, AreDeclaredByEverySystemThatWeShip) {
  ASSERT_GE(systems().sorted().size(), 15U);
  for (const auto& system : systems().sorted())
    EXPECT_FALSE(system->painters.empty()) << system->name;
}

}  // namespace
}  // namespace schism
