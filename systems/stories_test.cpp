// From nothing to a small story, for every seeded bug of every shipped system: the default hunt
// finds it, the shrinker goes on until its certificate holds, and the story replays.
#include <gtest/gtest.h>

#include "schism/campaign/hunt.hpp"
#include "schism/campaign/zoo.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

constexpr std::uint64_t kRuns = 1500;  // what is rarer is for the zoo's races

std::vector<std::string> exhibits() {
  std::vector<std::string> out;
  for (const Exhibit& exhibit : zoo())
    if (exhibit.blurred().empty()) out.push_back(exhibit.name());
  return out;
}

std::string name_of(const ::testing::TestParamInfo<std::string>& tested) {
  std::string out = tested.param;
  for (char& c : out)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return out;
}

class Stories : public ::testing::TestWithParam<std::string> {};

TEST_P(Stories, AreMinimalAndReplay) {
  static const std::atomic<bool> go_on{false};
  const auto exhibit = find_exhibit(GetParam());
  ASSERT_TRUE(exhibit) << exhibit.error();
  const auto config = exhibit_config(*exhibit, {"swarm"});
  ASSERT_TRUE(config) << config.error();
  HuntOptions options;
  options.runs = kRuns;
  options.shrink_seconds = 10;
  const auto result = hunt(*config, options, {}, go_on);
  ASSERT_TRUE(result) << result.error();
  EXPECT_FALSE(result->nondeterminism);
  if (result->finds.empty()) GTEST_SKIP() << "not in " << kRuns << " runs";
  for (const Find& find : result->finds) {
    ASSERT_TRUE(find.small);
    if (find.small->out_of_time) continue;  // it says so
    EXPECT_TRUE(find.small->certificate.minimal) << describe(*find.small);
    const ReplayReport again = replay(find.small->trace);
    EXPECT_FALSE(again.difference);
    ASSERT_TRUE(again.now.violation);
    EXPECT_EQ(again.now.violation->property, find.trace.violation->property);
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, Stories, ::testing::ValuesIn(exhibits()), name_of);

}  // namespace
}  // namespace schism
