// Test cases as files: what comes with the program, and what is said about one that is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/file.hpp"
#include "schism/run/config.hpp"
#include "systems/xrpl/config.hpp"

namespace schism::xrpl {
namespace {

using testing::HasSubstr;

TEST(XrplCase, TheShippedOnesAreWhatTheSeedsSay) {
  for (const std::string& name : shipped_cases()) {
    const auto found = find_test_case(name);
    ASSERT_TRUE(found) << found.error();
    EXPECT_EQ(found->name, name);
  }
  const auto disco = find_test_case("discotest");
  ASSERT_EQ(disco->payments.size(), 4U);
  for (const Payment& p : disco->payments) {
    EXPECT_EQ(p.at, 2000_ms);
    EXPECT_EQ(p.tx.amount, 80 * kXrp);
    EXPECT_EQ(p.tx.sequence, 1U);
    EXPECT_EQ(p.node, p.tx.payment + 1);
  }
  const auto consecutive = find_test_case("discotest-consecutive");
  for (const Payment& p : consecutive->payments)
    EXPECT_EQ(p.tx.sequence, static_cast<std::uint32_t>(p.tx.payment) + 1);
  const auto byzzfuzz = find_test_case("byzzfuzz");
  ASSERT_EQ(byzzfuzz->payments.size(), 2U);
  EXPECT_EQ(byzzfuzz->payments[0].closing, 6U);
  EXPECT_EQ(byzzfuzz->payments[0].tx.sequence, byzzfuzz->payments[1].tx.sequence);
  EXPECT_EQ(byzzfuzz->payments[1].closing, 0U);
  EXPECT_EQ(byzzfuzz->payments[1].at, Payment::kNever);
}

TEST(XrplCase, SaysWhatIsWrongAndWhere) {
  const auto refused = [](const std::string& text) {
    const auto parsed = parse_test_case(text, "x.toml");
    return parsed ? std::string("accepted") : parsed.error();
  };
  EXPECT_THAT(refused("acounts = 1"), HasSubstr("x.toml, line 1: no key \"acounts\""));
  EXPECT_THAT(refused("[accounts]\na = 3"), HasSubstr("line 2: account \"a\" is {"));
  EXPECT_THAT(refused("[accounts]\na = { balance = -1 }"), HasSubstr("a number of XRP"));
  EXPECT_THAT(refused("[["), HasSubstr("x.toml, line 1"));
  const std::string two = "[accounts]\na = { balance = 1 }\nb = { balance = 1 }\n";
  EXPECT_THAT(refused(two + "[[payment]]\nname = \"p\"\nnode = 0\nat = \"1s\"\nfrom = \"a\"\n"
                            "to = \"c\"\namount = 1"),
              HasSubstr("no account \"c\""));
  const std::string pays = two +
                           "[[payment]]\nname = \"p\"\nnode = 0\nfrom = \"a\"\nto = \"b\"\n"
                           "amount = 1\n";
  EXPECT_EQ(refused(pays + "at = \"never\""), "accepted");
  EXPECT_EQ(refused(pays + "ledger = 7"), "accepted");
  EXPECT_EQ(refused(pays + "closing = 7"), "accepted");
  EXPECT_THAT(refused(pays + "ledger = 1"), HasSubstr("\"ledger\" is a number from 2 on"));
  EXPECT_THAT(refused(pays + "closing = 1"), HasSubstr("\"closing\" is a number from 2 on"));
  EXPECT_THAT(refused(pays + "closing = 7\nledger = 6"), HasSubstr("a ledger \"closing\""));
  EXPECT_THAT(refused(pays + "ledger = 7\nat = \"1s\""), HasSubstr("or a \"ledger\""));
  EXPECT_THAT(refused(pays + "at = \"soon\""), HasSubstr("or \"never\""));
  EXPECT_THAT(refused(two + "[[rule]]\nname = \"r\"\nof = [\"p\"]\nvalidated = 1"),
              HasSubstr("a payment that there is not"));
  EXPECT_THAT(refused(two + "[[rule]]\nname = \"r\"\nof = \"all\"\nvalidated = \"2..1\""),
              HasSubstr("a range such as"));
}

TEST(XrplCase, AFileOfTheUsersIsNamedWithItsChecksum) {
  const std::string path = testing::TempDir() + "/own_case.toml";
  ASSERT_TRUE(write_file(path, shipped_case("groot")));
  const auto found = find_test_case(path);
  ASSERT_TRUE(found) << found.error();
  EXPECT_TRUE(find_test_case(found->name));
  ASSERT_TRUE(write_file(path, shipped_case("discotest")));
  const auto changed = find_test_case(found->name);
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error(), HasSubstr("the file has changed"));
}

TEST(XrplCase, BadParametersAreOneSentence) {
  for (const char* bad : {"xrpl:case=discotets", "xrpl:case=./nothing.toml", "xrpl:rules=3",
                          "xrpl:unl=0-3", "xrpl:quorum=0"}) {
    RunText text;
    text.system = *parse_spec(bad);
    const auto config = make_config(text);
    ASSERT_FALSE(config) << bad;
    EXPECT_THAT(config.error(), testing::StartsWith("xrpl: "));
    EXPECT_EQ(config.error().find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace schism::xrpl
