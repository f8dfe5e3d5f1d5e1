// What a system claims to survive, and how runs beyond it are told.
#include "schism/trace/claim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/params.hpp"
#include "schism/campaign/assert.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_tools::config_of;

Trace find_of(const std::string& system, const testing_tools::Asked& asked) {
  static const std::atomic<bool> go_on{false};
  const auto result = hunt(config_of(system, asked), HuntOptions{}, {}, go_on);
  EXPECT_TRUE(result && !result->finds.empty());
  return result->finds.at(0).smallest();
}

TEST(Faults, HaveTheNamesOfTheirBudgets) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < enum_count<Fault>(); ++i)
    names.push_back(fault_name(static_cast<Fault>(i)));
  std::vector<std::string> budgets;
  for (const Param& p : fault_params().list()) budgets.push_back(p.name);
  EXPECT_EQ(names, budgets);
  for (const std::string& name : names) {
    Faults faults;
    ASSERT_TRUE(fault_params().set(&faults, name, "7", "faults"));
    EXPECT_THAT(kinds_of(faults).names(), ElementsAre(name));
    for (std::size_t i = 0; i < names.size(); ++i)
      EXPECT_EQ(budget_of(faults, static_cast<Fault>(i)), names[i] == name ? 7U : 0U);
  }
}

TEST(Faults, AreCountedAsBudgetsAre) {
  FaultCount count;
  const auto see = [&](Action action) { count.see(action); };
  see(link_action(Do::cut, 0, 1));
  see(make_action(Do::begin, Name(), static_cast<std::uint32_t>(Macro::partition)));
  see(link_action(Do::cut, 0, 1));
  see(link_action(Do::cut, 1, 0));
  see(make_action(Do::end, Name()));
  see(make_action(Do::begin, Name(), static_cast<std::uint32_t>(Macro::other)));
  see(make_action(Do::end, Name()));
  see(link_action(Do::cut, 1, 2));
  see(link_action(Do::heal, 1, 2));
  see(node_action(Do::crash, 1));
  see(node_action(Do::restart, 1));
  const Action done = make_action(Do::complete, Name(0, 0, 0, 3));
  see(done);
  see(failing(done));
  EXPECT_EQ(count.used().cut, 2U);
  EXPECT_EQ(count.used().partition, 1U);
  EXPECT_EQ(count.used().crash, 1U);
  EXPECT_EQ(count.used().disk_error, 1U);
  EXPECT_THAT(kinds_of(count.used()).names(),
              ElementsAre("crash", "cut", "partition", "disk-error"));
}

TEST(Claim, OfMoreLiarsThanAreSurvived) {
  const auto note = [](const char* system, const char* liars) {
    return claim_note(config_of(system, {.world = {{"liars-drawn", liars}}}).setup);
  };
  EXPECT_EQ(note("test-tellers", "1"), "");
  EXPECT_EQ(note("test-tellers", "2"),
            "beyond its claim: test-tellers is built to survive 1 liar; these runs have 2 liars");
  EXPECT_THAT(note("multipaxos", "1"), HasSubstr("and no liars; these runs have 1 liar"));
}

TEST(Claim, OfAHunt) {
  const auto note = [](const char* system, Pairs faults, Pairs world = {}) {
    return claim_note(config_of(system, {.faults = faults, .world = world}).setup);
  };
  EXPECT_THAT(note("multipaxos", {}, {{"scripted", "true"}}),
              HasSubstr("up to the explorer; multipaxos is built"));
  EXPECT_EQ(
      note("multipaxos", {}),
      "no faults were tried (--faults); multipaxos is built to survive duplicate, crash, pause");
  EXPECT_EQ(note("multipaxos", {{"crash", "1"}}), "");
  EXPECT_EQ(note("multipaxos", {{"crash", "1"}, {"drop", "1"}}),
            "beyond its claim: multipaxos is built to survive duplicate, crash, pause; these runs "
            "may have drop");
  EXPECT_EQ(note("multipaxos", {{"cut", "1"}}, {{"cut", "holds"}}), "");
  EXPECT_THAT(note("multipaxos", {{"cut", "1"}}), HasSubstr("may have cut"));
  EXPECT_EQ(note("raft", {{"drop", "1"}, {"disk-error", "1"}}), "");
  EXPECT_THAT(note("raft", {{"mutate", "1"}}, {{"liars", "1"}}),
              HasSubstr("and no liars; these runs have 1 liar"));
}

TEST(Claim, OfAFindIsAboutTheFaultsThatItHas) {
  const auto lost = hunt_failure({.system = "multipaxos", .faults = "drop=3,crash=1", .out = ""});
  ASSERT_TRUE(lost);
  EXPECT_THAT(*lost, HasSubstr("termination is violated"));
  EXPECT_THAT(*lost, HasSubstr("beyond its claim: multipaxos is built to survive duplicate, crash, "
                               "pause; this run has drop"));
  // Where drops were possible, but the find does without, it is a bug.
  Trace own = find_of("toy-consensus", {.bugs = {"distrust-commits"}});
  own.config.setup.options.faults.drop = 5;
  EXPECT_EQ(claim_note(own), "");
  EXPECT_THAT(claim_note(own.config.setup), HasSubstr("may have drop"));
}

TEST(Claim, IsWrittenIntoTraces) {
  std::string text = to_text(find_of("multipaxos", {.faults = {{"drop", "3"}}}));
  EXPECT_THAT(text, HasSubstr(R"("beyond_claim":["drop"])"));
  // And worked out anew by whoever reads it.
  const auto at = text.find(R"(,"beyond_claim":["drop"])");
  text.erase(at, std::string_view(R"(,"beyond_claim":["drop"])").size());
  const auto read = parse_trace(text, "x");
  ASSERT_TRUE(read) << read.error();
  EXPECT_THAT(claim_note(*read), HasSubstr("this run has drop"));
}

}  // namespace
}  // namespace schism
