// Temporal properties of small specifications: what holds, what does not, with which behaviour as
// the reason, and what is left open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/tla/tell.hpp"

namespace schism::tla {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CheckReport check(const std::string& body, const std::string& config, std::string* told = nullptr) {
  CheckReport report;
  on_big_stack([&] {
    auto spec =
        Spec::from_text("---- MODULE M ----\nEXTENDS Integers, TLC\n" + body + "\n====\n", config);
    if (!spec) {
      report.outcome = Outcome::failed;
      report.what = spec.error();
      return;
    }
    const std::atomic<bool> go_on{false};
    report = Checker(**spec, {}, go_on).run();
    if (told != nullptr) *told = tell_trace(**spec, report, {});
  });
  return report;
}

// A clock that may stop, unless fairness forbids it.
const std::string kClock =
    "VARIABLE h\nInit == h = 0\nNext == h' = (h + 1) % 4\n"
    "Stops == Init /\\ [][Next]_h\nGoes == Stops /\\ WF_h(Next)\n"
    "Noon == <>(h = 3)\nAgain == []<>(h = 3)\nStays == <>[](h = 3)\n"
    "After == (h = 1) ~> (h = 0)\nMoves == []<><<Next>>_h\nRests == <>[][FALSE]_h\n"
    "Either == Again \\/ Rests\nIf == Moves => Again\nAll == \\A i \\in 0..3 : []<>(h = i)\n"
    "Some == \\E i \\in 0..3 : <>[](h = i)\nNever == [](h /= 3 \\/ <>(h = 0))\n";

TEST(TlaLiveness, AClock) {
  const auto verdict = [&](const std::string& spec, const std::string& property) {
    const CheckReport r = check(kClock, "SPECIFICATION " + spec + " PROPERTY " + property);
    EXPECT_THAT(r.unchecked, IsEmpty()) << property;
    EXPECT_NE(r.outcome, Outcome::failed) << r.what;
    return r.outcome == Outcome::holds;
  };
  for (const char* p : {"Noon", "Again", "After", "Moves", "Either", "If", "All", "Never"})
    EXPECT_TRUE(verdict("Goes", p)) << p;
  for (const char* p : {"Stays", "Rests", "Some"}) EXPECT_FALSE(verdict("Goes", p)) << p;
  for (const char* p : {"Either", "If"}) EXPECT_TRUE(verdict("Stops", p)) << p;
  for (const char* p : {"Noon", "Again", "Stays", "After", "Moves", "Rests", "All", "Never"})
    EXPECT_FALSE(verdict("Stops", p)) << p;
}

TEST(TlaLiveness, ALassoIsTold) {
  std::string told;
  CheckReport r = check(kClock, "SPECIFICATION Goes PROPERTY Stays", &told);
  ASSERT_EQ(r.outcome, Outcome::violated);
  EXPECT_EQ(r.what, "Stays");
  EXPECT_EQ(r.trace.size(), 4u);
  EXPECT_EQ(r.back_to, 0u);
  EXPECT_THAT(told, HasSubstr("then by Next to state 1 again"));
  r = check(kClock, "SPECIFICATION Stops PROPERTY After", &told);
  ASSERT_EQ(r.outcome, Outcome::violated);
  EXPECT_EQ(r.trace.size(), 2u);
  EXPECT_EQ(r.back_to, 1u);
  EXPECT_THAT(told, HasSubstr("stuttering"));
}

// A lock that two want: weak fairness lets one of them wait for ever, strong fairness does not.
const std::string kLock =
    "VARIABLES at, free\nvars == <<at, free>>\nP == {1, 2}\n"
    "Init == at = [p \\in P |-> \"out\"] /\\ free = TRUE\n"
    "Try(p) == at[p] = \"out\" /\\ at' = [at EXCEPT ![p] = \"wait\"] /\\ UNCHANGED free\n"
    "Enter(p) == at[p] = \"wait\" /\\ free /\\ at' = [at EXCEPT ![p] = \"in\"] /\\ free' = FALSE\n"
    "Leave(p) == at[p] = \"in\" /\\ at' = [at EXCEPT ![p] = \"out\"] /\\ free' = TRUE\n"
    "Next == \\E p \\in P : Try(p) \\/ Enter(p) \\/ Leave(p)\n"
    "Weak == Init /\\ [][Next]_vars /\\ \\A p \\in P : WF_vars(Enter(p)) /\\ WF_vars(Leave(p))\n"
    "Strong == Init /\\ [][Next]_vars /\\ \\A p \\in P : SF_vars(Enter(p)) /\\ WF_vars(Leave(p))\n"
    "Served == \\A p \\in P : at[p] = \"wait\" ~> at[p] = \"in\"\n"
    "Fair == \\A p \\in P : SF_vars(Enter(p))\n"
    "Few == \\A p \\in P : at[p] /= \"in\"\n";

TEST(TlaLiveness, WeakAndStrongFairness) {
  const CheckReport weak = check(kLock, "SPECIFICATION Weak PROPERTY Served");
  ASSERT_EQ(weak.outcome, Outcome::violated) << weak.what;
  ASSERT_TRUE(weak.back_to.has_value());
  EXPECT_GT(weak.trace.size(), *weak.back_to + 1);  // it goes round: the other one is served
  EXPECT_EQ(check(kLock, "SPECIFICATION Strong PROPERTY Served").outcome, Outcome::holds);
  // Fairness as a property.
  EXPECT_EQ(check(kLock, "SPECIFICATION Weak PROPERTY Fair").outcome, Outcome::violated);
  EXPECT_EQ(check(kLock, "SPECIFICATION Strong PROPERTY Fair").outcome, Outcome::holds);
}

TEST(TlaLiveness, WithAConstraint) {
  const CheckReport r = check(kLock, "SPECIFICATION Strong PROPERTY Served CONSTRAINT Few");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_THAT(r.warnings, ElementsAre(HasSubstr("with a constraint")));
}

TEST(TlaLiveness, WhatIsLeftOpen) {
  CheckReport r = check(kLock + "At == at", "SPECIFICATION Strong PROPERTY Served VIEW At");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_THAT(r.unchecked, ElementsAre("Served (it cannot be judged with VIEW)"));
  const std::string sym =
      "CONSTANT S\nVARIABLE x\nInit == x \\in S\nNext == x' \\in S\nSpec == Init /\\ [][Next]_x\n"
      "Perms == Permutations(S)\nLive == <>(x # x)\nHidden == \\EE y : [](y = 1)\n";
  const std::string config = "SPECIFICATION Spec CONSTANT S = {a, b} ";
  r = check(sym, config + "SYMMETRY Perms PROPERTY Live");
  EXPECT_THAT(r.unchecked, ElementsAre("Live (it cannot be judged with SYMMETRY)"));
  r = check(sym, config + "PROPERTY Hidden");
  EXPECT_EQ(r.outcome, Outcome::holds);
  EXPECT_THAT(r.unchecked, ElementsAre(HasSubstr("temporal quantifier")));
}

// A refinement with fairness below and above, through a mapping of variables to variables.
TEST(TlaLiveness, RefinementWithFairness) {
  const std::string m =
      "---- MODULE Clock ----\nEXTENDS Integers\nVARIABLE c\nTick == c' = (c + 1) % 3\n"
      "Spec == c = 0 /\\ [][Tick]_c /\\ WF_c(Tick)\n====\n"
      "VARIABLES h, noise\nInit == h = 0 /\\ noise = 0\n"
      "Tick == h' = (h + 1) % 3 /\\ UNCHANGED noise\nNoise == noise' = 1 - noise /\\ UNCHANGED h\n"
      "C == INSTANCE Clock WITH c <- h\nRefines == C!Spec\n"
      "Lazy == Init /\\ [][Tick \\/ Noise]_<<h, noise>> /\\ WF_<<h, noise>>(Tick \\/ Noise)\n"
      "Spec == Lazy /\\ WF_<<h, noise>>(Tick)\n";
  EXPECT_EQ(check(m, "SPECIFICATION Spec PROPERTY Refines").outcome, Outcome::holds);
  const CheckReport r = check(m, "SPECIFICATION Lazy PROPERTY Refines");
  ASSERT_EQ(r.outcome, Outcome::violated);
  EXPECT_EQ(r.trace.size(), 2u);  // only noise, for ever
  EXPECT_EQ(r.back_to, 0u);
}

// What the other module could do does not depend on what the mapping can become.
TEST(TlaLiveness, RefinementThroughAnExpression) {
  const std::string m =
      "---- MODULE Alarm ----\nEXTENDS Integers\nVARIABLES on, rings\n"
      "Ring == on /\\ rings' = TRUE /\\ UNCHANGED on\nSet == on' = TRUE /\\ UNCHANGED rings\n"
      "Spec == on = FALSE /\\ rings = FALSE /\\ [][Ring \\/ Set]_<<on, rings>> /\\ "
      "WF_<<on, rings>>(Ring)\n====\n"
      "VARIABLE n\non == n > 0\nA == INSTANCE Alarm WITH rings <- n = 2\nRefines == A!Spec\n"
      "Up == n < 2 /\\ n' = n + 1\nLazy == n = 0 /\\ [][Up]_n\nSpec == Lazy /\\ WF_n(Up)\n";
  EXPECT_EQ(check(m, "SPECIFICATION Spec PROPERTY Refines CHECK_DEADLOCK FALSE").outcome,
            Outcome::holds);
  const CheckReport r = check(m, "SPECIFICATION Lazy PROPERTY Refines CHECK_DEADLOCK FALSE");
  ASSERT_EQ(r.outcome, Outcome::violated);
  EXPECT_THAT(r.unchecked, IsEmpty());
  EXPECT_EQ(r.trace.size(), 2u);  // set, and never rung
}

}  // namespace
}  // namespace schism::tla
