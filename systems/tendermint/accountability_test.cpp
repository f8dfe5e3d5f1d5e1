// Whoever breaks agreement is named, and nobody else, by hand; in ten thousand runs with two liars
// of four: scenarios/tendermint-accountability.scenario.
#include "systems/tendermint/accountability.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tendermint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Signed<Vote> prevote(NodeId by, int round, int id) {
  return signed_by(by, Vote{Kind::prevote, 1, round, id, 0});
}
Signed<Vote> precommit(NodeId by, int round, int id) {
  return signed_by(by, Vote{Kind::precommit, 1, round, id, 0});
}

TEST(Accountability, TwoVotesForOneRoundAreEquivocation) {
  EXPECT_THAT(guilty_of({prevote(1, 0, 5), prevote(1, 0, 7), prevote(2, 0, 5)}, 4).equivocation,
              ElementsAre(1));
  EXPECT_THAT(guilty_of({prevote(1, 0, 5), prevote(1, 1, 7), precommit(1, 0, 7)}, 4).all(),
              IsEmpty())
      << "another round, another kind";
  EXPECT_THAT(guilty_of({prevote(1, 0, 5), prevote(1, 0, kNil)}, 4).all(), ElementsAre(1));
}

TEST(Accountability, WhoForgetsALockIsAmnesiac) {
  const std::vector<Signed<Vote>> votes = {precommit(1, 0, 5), prevote(1, 2, 7)};
  EXPECT_THAT(guilty_of(votes, 4).amnesia, ElementsAre(1));
  auto shown = votes;
  for (const NodeId by : {0, 2, 3}) shown.push_back(prevote(by, 1, 7));
  EXPECT_THAT(guilty_of(shown, 4).all(), IsEmpty()) << "a newer polka has moved it";
  shown.pop_back();
  EXPECT_THAT(guilty_of(shown, 4).amnesia, ElementsAre(1)) << "two are none";
  EXPECT_THAT(guilty_of({precommit(1, 0, kNil), prevote(1, 2, 7)}, 4).all(), IsEmpty());
  EXPECT_THAT(guilty_of({precommit(1, 2, 5), prevote(1, 0, 7)}, 4).all(), IsEmpty());
}

}  // namespace
}  // namespace tendermint
