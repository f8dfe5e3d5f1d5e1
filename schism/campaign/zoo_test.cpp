// The zoo has every bug by its name, and configures each by its system's declaration alone.
#include "schism/campaign/zoo.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schism {
namespace {

using testing::HasSubstr;

TEST(Zoo, HasEveryBugOfEverySystemByName) {
  std::size_t bugs = 0;
  for (const auto& system : systems().sorted()) bugs += system->bugs.size();
  const auto all = zoo();
  EXPECT_EQ(all.size(), bugs);
  for (const Exhibit& exhibit : all) {
    const auto found = find_exhibit(exhibit.name());
    ASSERT_TRUE(found) << found.error();
    EXPECT_EQ(found->bug, exhibit.bug);
  }
  EXPECT_EQ(find_exhibit("commit-old-term")->name(), "raft/commit-old-term");
  EXPECT_THAT(find_exhibit("break-promise").error(), HasSubstr(" or "));
  EXPECT_THAT(find_exhibit("raft/commit-old-tern").error(), HasSubstr("raft/commit-old-term"));
}

// By its declaration alone: what it claims to survive, and nothing that anybody knows of the bug.
TEST(Zoo, PlainStrategiesGetAFewOfTheFaultsThatAreSurvived) {
  const auto raft = exhibit_config(*find_exhibit("commit-old-term"), {"random", {}});
  ASSERT_TRUE(raft) << raft.error();
  EXPECT_EQ(to_flags(*raft),
            "raft --bug commit-old-term --faults drop=5,duplicate=2,crash=2,partition=1 --explorer "
            "random");
  const auto drawn = exhibit_config(*find_exhibit("commit-old-term"), {"swarm", {}});
  ASSERT_TRUE(drawn);
  EXPECT_EQ(to_flags(*drawn), "raft --bug commit-old-term --explorer swarm");
  const auto broadcast = exhibit_config(*find_exhibit("no-relay"), {"random", {}});
  ASSERT_TRUE(broadcast);
  EXPECT_EQ(broadcast->setup.options.faults.drop, 0U);
  EXPECT_EQ(broadcast->setup.options.faults.crash, 2U);
}

// What a bug needs to be seen everybody gets who hunts it; one that nobody can see is in no race.
TEST(Zoo, GivesWhatABugNeedsToBeSeen) {
  const auto exhibit = find_exhibit("xrpl/validation-by-hash");
  ASSERT_TRUE(exhibit);
  const auto config = exhibit_config(*exhibit, {"swarm", {}});
  ASSERT_TRUE(config) << config.error();
  EXPECT_THAT(to_flags(*config), HasSubstr("liars"));
  const auto unseen = find_exhibit("xrpl/stuck-threshold-40");
  ASSERT_TRUE(unseen);
  EXPECT_FALSE(unseen->seen().hidden.empty());
  EXPECT_EQ(unseen->blurred(), unseen->seen().hidden);
}

}  // namespace
}  // namespace schism
