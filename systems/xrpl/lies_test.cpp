// What a liar may say, and in which round it says it.
#include "systems/xrpl/lies.hpp"

#include <gtest/gtest.h>

#include "schism/run/config.hpp"
#include "schism/system/audience.hpp"
#include "schism/system/systems.hpp"
#include "systems/xrpl/messages.hpp"

namespace schism::xrpl {
namespace {

const System& xrpl() { return *systems().find("xrpl"); }

std::optional<std::pair<std::int64_t, int>> place(const TypeInfo& type, const void* message) {
  const auto key = xrpl().order_of(type, message);
  if (!key) return std::nullopt;
  return std::pair(key->number, key->verb);
}

// Ledger 6 is the first that counts: proposed in round 1, validated in round 2.
TEST(XrplOrder, ALedgerHasTwoRounds) {
  const auto at = [](std::int64_t number, int verb) {
    return std::optional(std::pair(number, verb));
  };
  const StatusChange closing{NodeEvent::CLOSING_LEDGER, 5, 1, 1};
  EXPECT_EQ(place(type_info<StatusChange>(), &closing), at(0, 1));
  const StatusChange accepted{NodeEvent::ACCEPTED_LEDGER, 6, 1, 1};
  EXPECT_EQ(place(type_info<StatusChange>(), &accepted), at(0, 1));
  Validation validation;
  validation.vote.value.seq = 7;
  EXPECT_EQ(place(type_info<Validation>(), &validation), at(1, 2));
  // These are of their sender's round, wherever it is.
  const ProposeSet proposal;
  EXPECT_EQ(place(type_info<ProposeSet>(), &proposal), at(-1, 0));
}

TEST(XrplLies, ChangeWhatTheySay) {
  const auto tell = [](const TypeInfo& type, const std::string& name, void* message) {
    Rng random(1);
    for (const LieMaker& lie : xrpl().lies)
      if (lie.type == &type && lie.name == name) return lie.make(message, random);
    ADD_FAILURE() << name;
    return false;
  };
  ProposeSet p{signed_by(3, Proposal{3, 7, 2, 9, 100})};
  EXPECT_TRUE(tell(type_info<ProposeSet>(), "sequence + 1", &p));
  EXPECT_EQ(p.proposal->seq, 3U);
  EXPECT_FALSE(p.proposal.valid()) << "until the world signs it anew, for the liar alone";
  EXPECT_TRUE(tell(type_info<ProposeSet>(), "the other payment's set", &p));
  EXPECT_NE(p.proposal->set, 9U);
  p.proposal.value.seq = kSeqLeave;
  EXPECT_FALSE(tell(type_info<ProposeSet>(), "sequence + 1", &p)) << "it bows out";
  Validation v{signed_by(3, Vote{3, 11, 5, 100, true, 9, 10})};
  EXPECT_TRUE(tell(type_info<Validation>(), "sequence + 1", &v));
  EXPECT_EQ(v.vote->seq, 6U);
  Transaction t;
  EXPECT_TRUE(tell(type_info<Transaction>(), "another payment", &t));
  EXPECT_EQ(t.tx.id, t.tx.content_hash()) << "signed by the client";
  EXPECT_FALSE(tell(type_info<Transaction>(), "another payment", &t)) << "it is that one already";
}

TEST(XrplLies, AreToldToOneOfTheListsThatSomebodyTrusts) {
  const auto lists = [](const std::string& unl) {
    RunText text;
    text.system = *parse_spec("xrpl:unl=" + unl);
    text.nodes = "7";
    return trust_lists(make_config(text)->setup);
  };
  using Lists = std::vector<std::vector<NodeId>>;
  EXPECT_EQ(lists("all"), (Lists{{0, 1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(lists("byzzfuzz"), (Lists{{0, 1, 2, 3, 4}, {2, 3, 4, 5, 6}}));
}

}  // namespace
}  // namespace schism::xrpl
