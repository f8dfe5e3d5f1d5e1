// Whatever the batches, a hunt from seed s plays the runs s, s+1, s+2, ..., each with its own seed
// for the nodes.
#include <gtest/gtest.h>

#include "schism/explore/registry.hpp"

namespace schism {
namespace {

TEST(Seeds, GoUpOneByOneInBatchesOfAnySize) {
  for (const char* spec : {"seeds", "seeds:batch=1", "seeds:batch=7", "seeds:batch=1000"}) {
    const auto made = explorers().make(*parse_spec(spec), "explorer");
    ASSERT_TRUE(made);
    for (const std::uint64_t first : {0ULL, 1ULL, 41ULL, 1ULL << 40}) {
      std::uint64_t runs = 0;
      for (int batch = 0; batch < 3; ++batch) {
        for (const RunPlan& plan : (*made)->propose(first, runs)) {
          ASSERT_EQ(plan.seed, first + runs) << spec;
          ASSERT_EQ(plan.node_seed, plan.seed) << spec;
          ++runs;
        }
      }
      const bool alone = std::string_view(spec).ends_with("batch=1");
      EXPECT_GE(runs, alone ? 3U : 21U) << spec;
    }
  }
}

TEST(Seeds, AreAsManyAtOnceAsAskedFor) {
  for (const std::size_t batch : {1, 2, 100}) {
    const auto made =
        explorers().make(*parse_spec("seeds:batch=" + std::to_string(batch)), "explorer");
    EXPECT_EQ((*made)->propose(1, 0).size(), batch);
  }
}

TEST(Seeds, ArePlayedByTheSchedulerThatIsNamed) {
  for (const char* name : {"random", "pos", "pctcp"}) {
    const auto made =
        explorers().make(*parse_spec(std::string("seeds:scheduler=") + name), "explorer");
    EXPECT_EQ((*made)->arms().at(0).name, name);
    const auto inside = explorers().make(
        *parse_spec("seeds:scheduler=timed(" + std::string(name) + ")"), "explorer");
    ASSERT_TRUE(inside) << inside.error();
    EXPECT_EQ((*inside)->arms().at(0).name, name);
  }
}

}  // namespace
}  // namespace schism
