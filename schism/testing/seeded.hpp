// Whether a seeded bug is found soon, wherever the seeds begin: one lucky seed shows little.
#pragma once

#include <gtest/gtest.h>

#include "schism/run/config.hpp"

namespace schism::testing_tools {

// In at most so many runs from each of so many starting seeds; a violation of this property, if one
// is named.
inline void expect_found(const RunConfig& config, std::uint64_t starts, int runs,
                         std::string_view property = {}) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  for (std::uint64_t start = 0; start < starts; ++start) {
    bool found = false;
    for (int run = 0; run < runs && !found; ++run) {
      const std::uint64_t seed = start * 1'000'003 + static_cast<std::uint64_t>(run);
      found = runner.run(*scheduler, {seed, seed}).violated &&
              (property.empty() || runner.violation()->property == property);
    }
    EXPECT_TRUE(found) << "not in " << runs << " runs from " << start * 1'000'003 << ": "
                       << to_flags(config);
  }
}

}  // namespace schism::testing_tools
