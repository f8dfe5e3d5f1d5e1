// Findings in the library, kept: each must still reproduce, with the same events, until the library
// is another one.
#include <gtest/gtest.h>

#include "schism/trace/trace.hpp"
#include "tests/places/places.hpp"

namespace schism::craft {
namespace {

TEST(CraftFindings, StillReproduce) {
  if (std::string(places::kLibraft) != "0.15.0")
    GTEST_SKIP() << "the findings are about libraft 0.15.0, this is " << places::kLibraft;
  const auto files = list_traces(std::string(places::kSource) + "/systems/craft/kept");
  ASSERT_TRUE(files) << files.error();
  EXPECT_GE(files->size(), 16U);
  for (const std::string& file : *files) {
    SCOPED_TRACE(file);
    const auto trace = read_trace(file);
    ASSERT_TRUE(trace) << trace.error();
    const ReplayReport report = replay(*trace);
    ASSERT_TRUE(report.now.violation);
    EXPECT_EQ(report.now.violation->property, trace->violation->property);
    // A stack has other frames in another build: of a death only the kind is compared.
    if (const auto& death = trace->config.setup.death) {
      ASSERT_TRUE(report.now.config.setup.death);
      EXPECT_EQ(report.now.config.setup.death->how, death->how);
      continue;
    }
    EXPECT_FALSE(report.difference) << report.difference->step << "\n"
                                    << report.difference->recorded << "\n"
                                    << report.difference->now;
  }
}

}  // namespace
}  // namespace schism::craft
