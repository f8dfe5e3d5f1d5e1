// Constructs of the language one by one, with their edge cases: expressions and what they are
// worth, expressions that have no value, small modules and their counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/tla/big_stack.hpp"
#include "schism/tla/checker.hpp"

namespace schism::tla {
namespace {

const char* const kHead =
    "---- MODULE M ----\n"
    "EXTENDS Integers, Sequences, FiniteSets, TLC, Bags, SequencesExt, FiniteSetsExt, Functions\n"
    "fact[n \\in Nat] == IF n = 0 THEN 1 ELSE n * fact[n - 1]\n"
    "RECURSIVE Sum(_)\n"
    "Sum(S) == IF S = {} THEN 0 ELSE LET e == CHOOSE e \\in S : TRUE IN e + Sum(S \\ {e})\n"
    "RECURSIVE Fold(_, _, _)\n"
    "Fold(f(_, _), b, s) == IF s = <<>> THEN b ELSE f(Head(s), Fold(f, b, Tail(s)))\n"
    "Twice(Op(_), a) == Op(Op(a))\n"
    "a \\prec b == a < b\n"
    "a ++ b == {a, b}\n"
    "Parts(a, b) == /\\ a = 1\n"
    "               /\\ b = 2\n"
    "====\n";

std::string value_of(const std::string& expression) {
  std::string out;
  on_big_stack([&] {
    auto spec = Spec::from_text(kHead, "");
    ASSERT_TRUE(spec.has_value()) << spec.error();
    const auto v = (*spec)->evaluate(expression);
    out = v ? (*spec)->print(*v) : "error: " + v.error();
  });
  return out;
}

struct Row {
  const char *expression, *value;
};

const Row kRows[] = {
    {R"((1 :> "a" @@ 2 :> "b") = <<"a", "b">>)", "TRUE"},
    {R"([x \in {} |-> 0] = <<>>)", "TRUE"},
    {R"([f EXCEPT !.a = 1])", "error"},
    {R"([[p |-> 1, q |-> <<1, 2>>] EXCEPT !.p = @ + 1, !.q[2] = 7])", "[p |-> 2, q |-> <<1, 7>>]"},
    {R"([<<1, 2>> EXCEPT ![1] = @ + 1, ![1] = @ * 10])", "<<20, 2>>"},
    {R"([<<1, 2>> EXCEPT ![5] = 0])", "<<1, 2>>"},
    {R"({<<a, b>> \in (1..3) \X (1..3) : a < b})", "{<<1, 2>>, <<1, 3>>, <<2, 3>>}"},
    {R"(<<<<1, 2>>, 3>> \in ({1} \X {2}) \X {3})", "TRUE"},
    {R"(<<1, 2, 3>> \in {1} \X {2} \X {3})", "TRUE"},
    {R"(\A <<a, b>> \in {<<1, 2>>} : a + 1 = b)", "TRUE"},
    {R"(<<7 \div 2, (-7) \div 2, (-7) % 2, 2^10, -(-3), 3 - -2>>)", "<<3, -4, 1, 1024, 3, 5>>"},
    {R"(1..0)", "{}"},
    {R"(Cardinality(SUBSET (1..20)))", "1048576"},
    {R"(Cardinality([1..3 -> 1..2]))", "8"},
    {R"({1, 2} \in SUBSET Nat)", "TRUE"},
    {R"([i \in 1..2 |-> i] \in [1..2 -> Nat])", "TRUE"},
    {R"(<<1, 2>> \in Seq(Nat))", "TRUE"},
    {R"(LET S == {n \in Nat : n > 3} IN <<5 \in S, 2 \in S>>)", "<<TRUE, FALSE>>"},
    {R"((Int \ {0}) \cap (0..2))", "{1, 2}"},
    {R"(<<-1 \in Nat, 0 \in Nat, -1 \in Int>>)", "<<FALSE, TRUE, TRUE>>"},
    {R"([i \in 1..2 |-> 0] \in [1..3 -> {0}])", "FALSE"},
    {R"([i \in {1, 3} |-> i] = <<1, 3>>)", "FALSE"},
    {R"({s \in (SUBSET {1, 2}) \ {{1}} : 1 \in s})", "{{1, 2}}"},
    {R"(fact[10])", "3628800"},
    {R"(Sum(1..100))", "5050"},
    {R"(Fold(+, 0, <<1, 2, 3>>))", "6"},
    {R"(LET k == 10 IN Fold(LAMBDA u, v : u + v + k, 0, <<1, 2>>))", "23"},
    {R"(Twice(LAMBDA n : n * n, 3))", "81"},
    {R"(1 \prec 2)", "TRUE"},
    {R"(1 ++ 2)", "{1, 2}"},
    {R"((CASE 1 > 2 -> "a" [] 2 > 1 -> "b" [] OTHER -> "c"))", "\"b\""},
    {R"(CASE FALSE -> 1)", "error"},
    {R"(SelectSeq(<<1, 2, 3, 4>>, LAMBDA e : e % 2 = 0))", "<<2, 4>>"},
    {R"(SortSeq(<<3, 1, 2>>, <))", "<<1, 2, 3>>"},
    {R"(SubSeq(<<1, 2, 3>>, 2, 3))", "<<2, 3>>"},
    {R"(Choices({{1, 2}, {2, 3}, {5}}))", "{{2, 5}, {1, 2, 5}, {1, 3, 5}, {2, 3, 5}}"},
    {R"(IsSorted(<<1, 2, 1>>, LAMBDA a, b : a /= b))", "FALSE"},
    {R"(SubSeq(<<1>>, 2, 1))", "<<>>"},
    {R"(SubSeq(<<1>>, 1, 2))", "error"},
    {R"(Head(<<>>))", "error"},
    {R"(Tail(<<>>))", "error"},
    {R"(Len("abc") + Len(<<1, 2>>))", "5"},
    {R"("abc" \o "d")", "\"abcd\""},
    {R"(SetToBag({1, 2}) (+) SetToBag({2}))", "<<1, 2>>"},
    {R"((SetToBag({1, 2}) (+) SetToBag({2})) (-) SetToBag({1}))", "(2 :> 2)"},
    {R"(BagCardinality(SetToBag({1, 2}) (+) SetToBag({2})))", "3"},
    {R"(FoldSet(+, 0, {1, 2, 3}))", "6"},
    {R"(FoldLeft(LAMBDA acc, e : acc * 10 + e, 0, <<1, 2, 3>>))", "123"},
    {R"(FoldRight(LAMBDA e, acc : acc * 10 + e, <<1, 2, 3>>, 0))", "321"},
    {R"(<<Reverse(<<1, 2, 3>>), Range(<<1, 1, 2>>), Max({1, 5, 3})>>)",
     "<<<<3, 2, 1>>, {1, 2}, 5>>"},
    {R"(<<\b101, \hFF, \o17>>)", "<<5, 255, 15>>"},
    {R"([i, j \in 1..2 |-> i + j][1, 2])", "3"},
    {R"(LET f[i \in 0..5] == IF i = 0 THEN 0 ELSE f[i - 1] + i IN f[5])", "15"},
    {R"({i * j : i \in 1..2, j \in 1..2})", "{1, 2, 4}"},
    {R"(UNION {{1}, {2, 3}})", "{1, 2, 3}"},
    {R"(DOMAIN [b |-> 1, a |-> 2] = {"a", "b"})", "TRUE"},
    {R"(CHOOSE x \in {3, 1, 2} : x > 1)", "2"},
    {R"(CHOOSE x \in {1} : x > 1)", "error"},
    {R"(CHOOSE x : x \notin {1})", "not supported"},
    {R"(1 = "a")", "error"},
    {R"({1, "a"})", "error"},
    {R"(1 \in {"a"})", "error"},
    {R"({1} = <<1>>)", "error"},
    {R"(TRUE = 1)", "error"},
    {R"(\A x \in {} : x = "never")", "TRUE"},
    {R"(FALSE /\ (1 = "a"))", "FALSE"},
    {R"(TRUE \/ (1 = "a"))", "TRUE"},
    {R"(IF TRUE THEN 1 ELSE Head(<<>>))", "1"},
    {R"(LET bad == Head(<<>>) IN 1)", "1"},
    {R"(2^62)", "error"},
    {R"(1 \div 0)", "error"},
    {R"(5 % 0)", "error"},
    {R"(Cardinality(Nat))", "error"},
    {R"(\E n \in Nat : n > 3)", "error"},
    {R"(Parts(1, 2)!1)", "TRUE"},
    {R"(Parts(1, 3)!2)", "FALSE"},
    {R"(ToString(<<1, "a", {TRUE}>>))", R"("<<1, \"a\", {TRUE}>>")"},
    {R"([p : {1}, q : {2, 3}])", "{[p |-> 1, q |-> 2], [p |-> 1, q |-> 3]}"},
    {R"(Assert(FALSE, "no"))", "error"},
    {R"(1 + 2 * 3 - 4)", "3"},
    {R"(~ 1 = 2)", "TRUE"},
    {R"(a = b = c)", "error"},
    {R"(TRUE /\ FALSE \/ TRUE)", "error"},
    {R"(SetToSortSeq({3, 1, 2}, >))", "<<3, 2, 1>>"},
    {R"(Cardinality(Permutations({1, 2, 3})))", "6"},
    {R"(RandomElement({7}))", "7"},
    {R"(TLCEval(1 + 1))", "2"},
    // What is only described is known to be empty, or to have one element.
    {R"([{} -> Nat] = {<<>>} /\ [1..0 -> Nat] = [{} -> {1}])", "TRUE"},
    {R"([Nat -> {}] = {} /\ [{1} -> {}] = [STRING -> {}] /\ [Seq({1}) -> {}] = {})", "TRUE"},
    {R"([a : Nat, b : {}] = {} /\ (Nat \X {}) = ({} \X STRING))", "TRUE"},
    {R"([[a : Nat, b : {}] -> {1}] = {<<>>} /\ [[{} -> {}] -> {2}] /= {<<>>})", "TRUE"},
    {R"(Cardinality([{} -> Nat]) + Cardinality(Nat \X {}))", "1"},
    {R"([{"a", "bc"} -> {1, 2}] = [bc : {1, 2}, a : {1, 2}])", "TRUE"},
    {R"([1..2 -> {3, 4}] = {3, 4} \X {3, 4})", "TRUE"},
    // Sets of what a rule describes.
    {R"(<<1, 2>> \in Seq({n \in Int : n < 22}) /\ <<1>> \notin Seq({n \in Int : n > 22}))", "TRUE"},
    {R"({1} \in SUBSET {n \in Nat : n > 0} /\ {0} \notin SUBSET {n \in Nat : n > 0})", "TRUE"},
    {R"(<<1, 2>> \in [1..2 -> {n \in Nat : n > 0}] /\ <<1, 0>> \notin [1..2 -> {n \in Nat : n > 0}])",
     "TRUE"},
    {R"([a |-> 1] \in [a : {n \in Nat : n > 0}] /\ <<1, 2>> \in {n \in Nat : n > 0} \X Nat)",
     "TRUE"},
    {R"(LET P == {n \in Nat : n > 0} IN <<3 \in P \cup {-1}, 3 \in P \ {3}, -1 \in P \cup {-1}>>)",
     "<<TRUE, FALSE, TRUE>>"},
    {R"(\A k \in 1..3 : {k} \in SUBSET {n \in Nat : n >= k} /\ 0 \notin Nat \cap {n \in Int : n > 0})",
     "TRUE"},
    {R"(SUBSET {n \in 1..2 : n > 1})", "{{}, {2}}"},
    // Functions of infinitely many arguments.
    {R"([[i \in Int |-> i + 2] EXCEPT ![3] = @ * 10][3])", "50"},
    {R"([[i \in Int |-> i + 2] EXCEPT ![3] = @ * 10][4])", "6"},
    {R"([fact EXCEPT ![2] = 0][3])", "6"},
    {R"([[i \in Int |-> i] EXCEPT ![3] = [j \in Int |-> @ + j], ![3][6] = 44][3][6])", "44"},
    {R"([[i \in Int |-> i] EXCEPT ![3] = [j \in Int |-> @ + j], ![3][6] = 44][3][7])", "10"},
    {R"([[i, j \in Int |-> [a |-> i, b |-> j]] EXCEPT ![3, 4].b = 17][3, 4].b)", "17"},
    // The community modules as they are written there.
    {R"(Snoc(3, <<1, 2>>))", "<<1, 2, 3>>"},
    {R"(SelectInSubSeq(<<5, 7, 9>>, 2, 3, LAMBDA e : e > 5))", "1"},
    {R"(SelectLastInSubSeq(<<5, 7, 9>>, 1, 2, LAMBDA e : e > 4))", "2"},
    {R"(Zip(<<1, 2, 3>>, <<4>>))", "<<<<1, 4>>>>"},
    {R"(Interleave(<<1, 3>>, <<2, 4>>))", "<<<<1>>, <<2>>, <<3>>, <<4>>>>"},
    {R"(Interleave(<<1>>, <<2, 4>>))", "error"},
    {R"(FlattenSeq(<<"a", "b">>))", "\"ab\""},
    {R"(FlattenSeq(<<<<1, 2>>, <<>>, <<3>>>>))", "<<1, 2, 3>>"},
    {R"(MapThenFoldSet(LAMBDA x, y : <<x, y>>, 0, LAMBDA x : x, Max, {1, 2}))", "<<2, <<1, 0>>>>"},
    {R"(MapThenFoldSet(LAMBDA x, y : <<x, y>>, 0, LAMBDA x : x, Min, {1, 2}))", "<<1, <<2, 0>>>>"},
    {R"(<<IsABag(<<1, 2>>), IsABag(<<0>>), IsABag(<<"a">>), IsABag(TRUE), IsABag({})>>)",
     "<<TRUE, FALSE, FALSE, FALSE, FALSE>>"},
    // Refused where it is evaluated, not where it stands.
    {R"(IF FALSE THEN CHOOSE x : x \notin {1} ELSE 7)", "7"},
    {R"(FALSE /\ \A x : x = x)", "FALSE"},
};

TEST(TlaLanguage, Expressions) {
  for (const Row& row : kRows) {
    const std::string got = value_of(row.expression);
    const std::string_view wanted = row.value;
    if (wanted == "error") EXPECT_TRUE(got.starts_with("error")) << row.expression << " is " << got;
    else if (wanted == "not supported")
      EXPECT_THAT(got, testing::HasSubstr("not supported")) << row.expression;
    else EXPECT_EQ(got, wanted) << row.expression;
  }
}

TEST(TlaLanguage, RecursionMayBeDeepButNotEndless) {
  const char* module =
      "---- MODULE M ----\nEXTENDS Naturals\nRECURSIVE D(_)\n"
      "D(n) == IF n = 0 THEN 0 ELSE 1 + D(n - 1)\n"
      "RECURSIVE E(_)\nE(n) == 1 + E(n + 1)\n====\n";
  on_big_stack([&] {
    auto spec = Spec::from_text(module, "");
    ASSERT_TRUE(spec.has_value()) << spec.error();
    EXPECT_EQ((*spec)->print(*(*spec)->evaluate("D(20000)")), "20000");
    const auto endless = (*spec)->evaluate("E(0)");
    ASSERT_FALSE(endless.has_value());
    EXPECT_THAT(endless.error(), testing::HasSubstr("too deep"));
  });
}

// --- Behaviours ----------------------------------------------------------------------------------

CheckReport check(const std::string& module, const std::string& config) {
  CheckReport report;
  on_big_stack([&] {
    auto spec = Spec::from_text(module, config);
    if (!spec) {
      report.outcome = Outcome::failed;
      report.what = spec.error();
      return;
    }
    const std::atomic<bool> go_on{false};
    report = Checker(**spec, {}, go_on).run();
  });
  return report;
}

std::string module(const std::string& body) {
  return "---- MODULE M ----\nEXTENDS Integers, FiniteSets, TLC\n" + body + "\n====\n";
}

TEST(TlaBehaviour, RepeatedSuccessorsAreCountedAsGenerated) {
  // Both disjuncts, and both witnesses of \E, give the same state.
  const auto r = check(module("VARIABLE x\nInit == x = 0\n"
                              "Next == /\\ (TRUE \\/ TRUE)\n"
                              "        /\\ \\E i \\in {1, 2} : i > 0\n"
                              "        /\\ x' = 1 - x"),
                       "INIT Init NEXT Next");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.generated, 9u);
  EXPECT_EQ(r.distinct, 2u);
  EXPECT_EQ(r.depth, 2u);
}

// An invariant is one of the first states too, and a property without [] of these alone.
TEST(TlaBehaviour, TheBeginningIsJudged) {
  const std::string m = module(
      "VARIABLE x\nInit == x \\in 0..1\nNext == x' = x\n"
      "Spec == Init /\\ [][Next]_x\nSmall == x < 1\nBoth == x \\in 0..1");
  const auto outcome = [&](const std::string& what) {
    return check(m, "SPECIFICATION Spec CHECK_DEADLOCK FALSE " + what).outcome;
  };
  EXPECT_EQ(outcome("INVARIANT Small"), Outcome::violated);
  EXPECT_EQ(outcome("INVARIANT Both"), Outcome::holds);
  EXPECT_EQ(outcome("PROPERTY Small"), Outcome::violated);
  EXPECT_EQ(outcome("PROPERTY Both"), Outcome::holds);
}

TEST(TlaBehaviour, NumbersOfAStateAreAsLargeAsTheyAre) {
  const auto r = check(module("VARIABLE x\nInit == x = 536870911\n"
                              "Next == x < 536870914 /\\ x' = x + 1\n"
                              "Near == x >= 536870911 /\\ x <= 536870914"),
                       "INIT Init NEXT Next INVARIANT Near CHECK_DEADLOCK FALSE");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.distinct, 4u);
}

TEST(TlaBehaviour, AssignmentsOfAllKinds) {
  const auto r =
      check(module("VARIABLES x, y, z\nvars == <<x, <<y, z>>>>\n"
                   "Init == x \\in 0..1 /\\ y = {} /\\ z \\in [{1} -> {5, 6}]\n"
                   "A == x' = x /\\ y' \\subseteq {1, 2} /\\ UNCHANGED z\n"
                   "B == \\A i \\in {1} : (x' = 1 - x \\/ x' = x) /\\ UNCHANGED <<y, z>>\n"
                   "Next == A \\/ B \\/ (FALSE /\\ UNCHANGED vars)\n"
                   "Spec == Init /\\ [][Next]_vars"),
            "SPECIFICATION Spec");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.distinct, 16u);
  EXPECT_EQ(r.generated, 4u + 16u * 6u);
}

TEST(TlaBehaviour, ForallInAnActionIsAConjunctionWithItsOwnAlternatives) {
  // Each of two processes chooses on its own: four ways, some of them equal to others.
  const auto r = check(module("VARIABLE x\nInit == x = [p \\in {1, 2} |-> 0]\n"
                              "Set(p, f) == \\E v \\in {0, 1} : LET w == v + 0 IN f[p] = w\n"
                              "Next == \\E f \\in [{1, 2} -> {0, 1}] :\n"
                              "          /\\ \\A p \\in {1, 2} : Set(p, f) \\/ Set(p, f)\n"
                              "          /\\ x' = f"),
                       "INIT Init NEXT Next");
  EXPECT_EQ(r.distinct, 4u);
  EXPECT_EQ(r.generated, 1u + 4u * 4u * 4u);
}

TEST(TlaBehaviour, InvariantDeadlockAndWhatIsLeftFree) {
  const std::string m = module(
      "VARIABLES x, y\nInit == x = 0 /\\ y = 0\n"
      "Up(k) == x < 3 /\\ x' = x + k /\\ y' = y\nNext == \\E k \\in {1} : Up(k)\n"
      "Small == x < 3\nFree == x' = x");
  auto r = check(m, "INIT Init NEXT Next INVARIANT Small");
  EXPECT_EQ(r.outcome, Outcome::violated);
  EXPECT_EQ(r.what, "Small");
  ASSERT_EQ(r.trace.size(), 4u);
  EXPECT_EQ(r.trace[3].action, "Up(1)");
  r = check(m, "INIT Init NEXT Next");
  EXPECT_EQ(r.outcome, Outcome::deadlock);
  EXPECT_EQ(r.trace.size(), 4u);
  r = check(m, "INIT Init NEXT Next CHECK_DEADLOCK\nFALSE");
  EXPECT_EQ(r.outcome, Outcome::holds);
  r = check(m, "INIT Init NEXT Free");
  EXPECT_EQ(r.outcome, Outcome::failed);
  EXPECT_THAT(r.what, testing::HasSubstr("y'"));
}

TEST(TlaBehaviour, ConstraintsViewAndActionConstraints) {
  const std::string m = module(
      "VARIABLES x, y\nInit == x = 0 /\\ y = 0\n"
      "Next == x' = x + 1 /\\ y' \\in {0, 1}\nFew == x < 3\nv == x\n"
      "Same == y' = y");
  auto r = check(m, "INIT Init NEXT Next CONSTRAINT Few");
  EXPECT_EQ(r.distinct, 5u);
  EXPECT_EQ(r.generated, 11u);
  EXPECT_EQ(r.depth, 3u);
  r = check(m, "INIT Init NEXT Next CONSTRAINT Few VIEW v");
  EXPECT_EQ(r.distinct, 3u);
  r = check(m, "INIT Init NEXT Next CONSTRAINT Few ACTION_CONSTRAINT Same");
  EXPECT_EQ(r.distinct, 3u);
  // Invariants are judged on states outside of the constraint, too.
  r = check(m, "INIT Init NEXT Next CONSTRAINT Few INVARIANT Few");
  EXPECT_EQ(r.outcome, Outcome::violated);
}

TEST(TlaBehaviour, InstancesAndRefinement) {
  const std::string counter =
      "---- MODULE Counter ----\nEXTENDS Naturals\nCONSTANT Max\nVARIABLE c\nInit == c = 0\n"
      "Next == c' = IF c < Max THEN c + 1 ELSE 0\nSpec == Init /\\ [][Next]_c /\\ WF_c(Next)\n"
      "TypeOK == c \\in 0..Max\n====\n";
  const std::string m =
      "---- MODULE M ----\nEXTENDS Integers\nVARIABLE p\n" + counter +
      "C == INSTANCE Counter WITH c <- p % 4, Max <- 3\n"
      "D(k) == INSTANCE Counter WITH c <- p, Max <- k\n"
      "Init == p = 0\nNext == p' = (p + 1) % 12\nSpec == Init /\\ [][Next]_p\n"
      "Fair == Spec /\\ WF_p(Next)\n"
      "Inv == C!TypeOK /\\ D(11)!TypeOK\nRefines == C!Spec\nWrong == D(11)!Spec /\\ D(5)!Init\n"
      "Bad == D(10)!Spec\n====\n";
  auto r = check(m, "SPECIFICATION Spec INVARIANT Inv PROPERTY Refines");
  EXPECT_EQ(r.outcome, Outcome::violated);  // it may stop, and the other one must go on
  EXPECT_EQ(r.distinct, 12u);
  r = check(m, "SPECIFICATION Fair INVARIANT Inv PROPERTY Refines");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  r = check(m, "SPECIFICATION Spec PROPERTY Bad");
  EXPECT_EQ(r.outcome, Outcome::violated);
}

TEST(TlaBehaviour, EnabledComposedAndPrimedDefinitions) {
  const auto r =
      check(module("VARIABLE x\nInit == x = 0\nInc == x < 4 /\\ x' = x + 1\nTwo == x + 2\n"
                   "Next == (Inc \\cdot Inc) \\/ (~ENABLED Inc /\\ x' = 0)\n"
                   "Inv == ENABLED Inc <=> x < 4\nStep == [][Two' # Two]_x"),
            "INIT Init NEXT Next INVARIANT Inv PROPERTY Step");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.distinct, 3u);
  // 0 -> 2 -> 4 with a state between each, and 4 -> 0 without.
  EXPECT_EQ(r.generated, 1u + 2u + 2u + 1u);
}

// A definition of the state is computed once a state: each state between the two actions of a
// \cdot, and each that an invariant is asked about, is another one.
TEST(TlaBehaviour, DefinitionsFollowTheCurrentState) {
  const auto r = check(module("VARIABLES x, y\nInit == x = 0 /\\ y = 0\nHere == {x, x + 10}\n"
                              "Inc == x < 4 /\\ x' = x + 1 /\\ y' = y + Cardinality(Here \\ {0})\n"
                              "Next == (Inc \\cdot Inc) \\/ (0 \\notin Here /\\ Inc)\n"
                              "Inv == Here = {x, x + 10} /\\ (x = 0 => y = 0)\n"
                              "Step == [][Here' /= Here /\\ x \\in Here /\\ x' \\in Here']_x"),
                       "INIT Init NEXT Next INVARIANT Inv PROPERTY Step CHECK_DEADLOCK FALSE");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.distinct, 4u);  // x = 0, 2, 3, 4; y follows from x
}

TEST(TlaBehaviour, SymmetryTakesTheGroupThatIsGenerated) {
  const std::string m = module(
      "CONSTANTS A, B\nVARIABLE s\n"
      "Init == s \\in [a : A, b : B]\nNext == UNCHANGED s\n"
      "Sym == Permutations(A) \\cup Permutations(B)");
  const auto r =
      check(m, "INIT Init NEXT Next SYMMETRY Sym CONSTANTS A = {a1, a2, a3} B = {b1, b2}");
  EXPECT_EQ(r.distinct, 1u);
}

// A swap and a turn make all six permutations of three.
TEST(TlaBehaviour, SymmetryOfFewGeneratorsIsThatOfTheirWholeGroup) {
  const std::string m = module(
      "CONSTANTS a, b, c\nA == {a, b, c}\nVARIABLE s\n"
      "Init == s \\in [A -> 0..2]\nNext == UNCHANGED s\n"
      "Swap == (a :> b) @@ (b :> a) @@ (c :> c)\nTurn == (a :> b) @@ (b :> c) @@ (c :> a)\n"
      "Two == {Swap, Turn}\nAll == Permutations(A)\nOne == {Turn}");
  const auto states = [&](const std::string& symmetry) {
    return check(m, "INIT Init NEXT Next CONSTANTS a = a b = b c = c " + symmetry).distinct;
  };
  EXPECT_EQ(states(""), 27U);
  EXPECT_EQ(states("SYMMETRY All"), 10U) << "how often each of three numbers";
  EXPECT_EQ(states("SYMMETRY Two"), 10U);
  EXPECT_EQ(states("SYMMETRY One"), 11U) << "necklaces: 0 1 2 and 0 2 1 differ";
}

// Sets of model values, and what contains them, under other names.
TEST(TlaBehaviour, SymmetryRenamesInsideOfSets) {
  const std::string m = module(
      "CONSTANT A\nVARIABLE s\nNext == UNCHANGED s\nAll == Permutations(A)\n"
      "Flat == s \\in SUBSET A\nNested == s \\in {{{x}, A} : x \\in A}\n"
      "Tuples == s \\in {<<x, {y}>> : x, y \\in A}");
  const auto states = [&](const std::string& init) {
    return check(m, "NEXT Next SYMMETRY All CONSTANT A = {a1, a2, a3} INIT " + init).distinct;
  };
  EXPECT_EQ(states("Flat"), 4U) << "their sizes";
  EXPECT_EQ(states("Nested"), 1U);
  EXPECT_EQ(states("Tuples"), 2U) << "the same, or another";
}

TEST(TlaBehaviour, ConstantsOfTheConfiguration) {
  const std::string m = module(
      "CONSTANTS N, S, Op(_), None\nVARIABLE x\nMyNat == 0..2\n"
      "Double(a) == 2 * a\nPick == CHOOSE v : v \\notin S\n"
      "ASSUME None \\notin S\nASSUME Pick = None\n"
      "Init == x \\in Nat\nNext == x' = Op(x) % N");
  const auto r = check(m,
                       "INIT Init NEXT Next CONSTANTS N = 3 S = {1, 2} Op <- Double\n"
                       "None = None Pick = None Nat <- MyNat");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.distinct, 3u);
}

// A replacement for one module: what that module has from an INSTANCE of its own is replaced there
// alone, and by a definition that the main module gives only later.
// The definition is replaced, not the name: instances of a module that extends it have it, too.
TEST(TlaBehaviour, ReplacedDefinitionsAreReplacedInInstances) {
  const std::string m =
      "---- MODULE M ----\nEXTENDS Common\nVARIABLE a\nP == INSTANCE Part WITH b <- a\n"
      "More == 2\nInit == P!PInit\nNext == P!PNext\nInv == a \\in {None, Top}\n====\n"
      "---- MODULE Common ----\nCONSTANT V\nNone == CHOOSE v : v \\notin V\nTop == 1\n====\n"
      "---- MODULE Part ----\nEXTENDS Common\nVARIABLE b\n"
      "PInit == b = None\nPNext == b = None /\\ b' = Top\n====\n";
  const auto r = check(m,
                       "INIT Init NEXT Next INVARIANT Inv CHECK_DEADLOCK FALSE\n"
                       "CONSTANTS V = {1, 2} None = none Top <- More");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.distinct, 2u);
}

TEST(TlaBehaviour, ReplacementsInOneModule) {
  const std::string m =
      "---- MODULE M ----\nEXTENDS Naturals, Z\nVARIABLE x\nFew == 0..2\n"
      "ASSUME 7 \\in Nat\nInit == x \\in Numbers\nNext == UNCHANGED x\n====\n"
      "---- MODULE Z ----\nLOCAL INSTANCE Naturals\nNumbers == {n + 1 : n \\in Nat}\n====\n";
  const auto r = check(m, "INIT Init NEXT Next CONSTANT Nat <- [Z]Few");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.distinct, 3u);
  EXPECT_THAT(check(m, "INIT Init NEXT Next CONSTANT Nat <- [Z]Fewer").what,
              testing::HasSubstr("Fewer, which is not defined"));
}

TEST(TlaBehaviour, AValueInOneModule) {
  const std::string m =
      "---- MODULE M ----\nCONSTANTS H, Calc(_, _)\nVARIABLES last, f\nN == INSTANCE Inner\n"
      "CalcImpl(h, new) == new = h /\\ f' = [f EXCEPT ![h] = ~@]\n"
      "Init == f = [h \\in H |-> FALSE] /\\ N!Init\nNext == N!Next\n"
      "Inv == last \\in H \\cup {N!None}\n====\n"
      "---- MODULE Inner ----\nCONSTANTS H, Calc(_, _)\nVARIABLE last\n"
      "None == CHOOSE h : h \\notin H\nInit == last = None\n"
      "Next == \\E h \\in H : Calc(h, last')\n====\n";
  const auto r = check(m,
                       "INIT Init NEXT Next INVARIANT Inv\n"
                       "CONSTANTS Calc <- CalcImpl H = {h1, h2} None = [Inner]nobody");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.distinct, 1u + 4u * 2u);  // every f with the last of either
}

TEST(TlaBehaviour, CommunityModulesBringWhatTheyUse) {
  const std::string m =
      "---- MODULE M ----\nEXTENDS Naturals, FiniteSetsExt, TLC\nVARIABLE x\n"
      "ASSUME TLCGet(\"-Dtlc2.tool.impl.Tool.cdot\") = \"true\"\n"
      "Init == x = Min(Range(<<3, 2>>))\nNext == UNCHANGED x\n====\n";
  EXPECT_EQ(check(m, "INIT Init NEXT Next").outcome, Outcome::holds);
  const std::string own =
      "---- MODULE M ----\nEXTENDS Naturals, SequencesExt\nCONSTANT Range\nVARIABLE x\n"
      "Init == x \\in Range\nNext == UNCHANGED x\n====\n";
  const auto r = check(own, "INIT Init NEXT Next CONSTANT Range = {1, 2}");
  EXPECT_EQ(r.distinct, 2u) << r.what;
}

TEST(TlaBehaviour, WhatAModuleKeepsLocalIsNotDisturbed) {
  // SequencesExt has a LOCAL Least of its own, with one parameter.
  const std::string m =
      "---- MODULE M ----\nEXTENDS Integers, Sequences, SequencesExt\nVARIABLE x\n"
      "Least(a, b) == IF a < b THEN a ELSE b\nASSUME Least(1, 2) = 1\n"
      "Init == x = RemoveFirst(<<1, 2, 1>>, 1)\nNext == UNCHANGED x\n"
      "Inv == x = <<2, 1>>\n====\n";
  const auto r = check(m, "INIT Init NEXT Next INVARIANT Inv");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
}

// An assumption sees what its own module keeps LOCAL; an axiom is taken for granted.
TEST(TlaBehaviour, AssumptionsOfExtendedModules) {
  const std::string m =
      "---- MODULE M ----\nEXTENDS Part\nVARIABLE x\nInit == x = One\nNext == UNCHANGED x\n====\n"
      "---- MODULE Part ----\nLOCAL INSTANCE Naturals\nLOCAL Two == 1 + 1\nOne == 1\n"
      "ASSUME Right == Two = 2\nAXIOM \\A v : v = v\nAXIOM Wrong == FALSE\n====\n";
  EXPECT_EQ(check(m, "INIT Init NEXT Next").outcome, Outcome::holds)
      << check(m, "INIT Init NEXT Next").what;
}

TEST(TlaBehaviour, AnAliasThatCannotBeReadSpoilsNothing) {
  const auto r = check(module("VARIABLE x\nInit == x = 0\nNext == UNCHANGED x\n"
                              "Drawn == [x |-> x, svg |-> Unknown(x)]"),
                       "INIT Init NEXT Next ALIAS Drawn");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_THAT(r.warnings[0], testing::HasSubstr("ALIAS Drawn"));
}

TEST(TlaBehaviour, LargeSymmetryGroups) {
  const auto r = check(module("CONSTANT A\nVARIABLE s\nInit == s = {}\n"
                              "Next == \\E a \\in A : s' = s \\cup {a}\nSym == Permutations(A)"),
                       "INIT Init NEXT Next SYMMETRY Sym CONSTANT A = {a, b, c, d, e, f, g}");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.distinct, 8u);
  EXPECT_EQ(r.generated, 1u + 8u * 7u);
}

// As in TLC the view is one of the least of all renamed states.
TEST(TlaBehaviour, ViewsOfSymmetricStates) {
  const std::string m = module(
      "CONSTANT A\nVARIABLES p, q\nInit == p \\in A /\\ q \\in A\nNext == UNCHANGED <<p, q>>\n"
      "Sym == Permutations(A)\nFirst == p\nSecond == q\nBoth == <<q, p>>");
  const auto distinct = [&](const std::string& view) {
    return check(m, "INIT Init NEXT Next SYMMETRY Sym CONSTANT A = {a, b, c} VIEW " + view)
        .distinct;
  };
  EXPECT_EQ(distinct("First"), 1u);
  EXPECT_EQ(distinct("Second"), 2u);  // of (a, a) and of (a, b)
  EXPECT_EQ(distinct("Both"), 2u);
}

// u and v are both x outside; what the module itself calls enabled does not know that.
TEST(TlaBehaviour, EnabledInsideAndOutsideOfAnInstance) {
  const std::string m =
      "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\n"
      "---- MODULE Pair ----\nEXTENDS Naturals\nVARIABLES u, v\nA == u' = u /\\ v' = v + 1\n"
      "B(d) == ENABLED d\nC == B(A)\nD == LET s == A IN ENABLED s\n====\n"
      "I == INSTANCE Pair WITH u <- x, v <- x\n"
      "Init == x \\in 1..3\nNext == x' = 9 - x\nSpec == Init /\\ [][Next]_x\n"
      "Inv == /\\ I!B(Next) /\\ I!C /\\ I!D /\\ ~I!B(I!A) /\\ ~ENABLED I!A\n"
      "Step == [][~I!A]_x\n====\n";
  const auto r = check(m, "SPECIFICATION Spec INVARIANT Inv PROPERTY Step");
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what << r.why;
  EXPECT_EQ(r.distinct, 6u);
}

TEST(TlaBehaviour, APropertyThatCannotBeReadIsNotChecked) {
  const auto r =
      check(module("VARIABLE x\nInit == x = 0\nNext == x' = 1 - x\n"
                   "RECURSIVE Soon(_)\nSoon(n) == IF n = 0 THEN <>(x = 1) ELSE Soon(n - 1)\n"
                   "Spec == Init /\\ [][Next]_x\nProp == Soon(3)"),
            "SPECIFICATION Spec PROPERTY Prop");
  EXPECT_EQ(r.distinct, 2u) << r.what;
  ASSERT_EQ(r.unchecked.size(), 1u);
  EXPECT_THAT(r.unchecked[0], testing::HasSubstr("not supported"));
}

TEST(TlaBehaviour, WhatSteersTlcIsNotIgnored) {
  const std::string m = module(
      "VARIABLE x\nInit == x = 0\nNext == x < 3 /\\ x' = x + 1\n"
      "Stop == TLCSet(\"exit\", x > 1)\nGo == TLCSet(\"exit\", x > 9)");
  EXPECT_THAT(check(m, "INIT Init NEXT Next CONSTRAINT Stop").what,
              testing::HasSubstr("not supported: TLCSet"));
  EXPECT_EQ(check(m, "INIT Init NEXT Next CONSTRAINT Go CHECK_DEADLOCK FALSE").distinct, 4u);
}

TEST(TlaConfig, InsideOfTheFileOfTheModule) {
  EXPECT_EQ(config_inside("---- MODULE M ----\n====\n---- CONFIG M ----\nINIT I\n====\n"),
            "\nINIT I\n");
  EXPECT_EQ(config_inside("---- MODULE M ----\n\\* CONFIG M\n====\n"), "");
}

TEST(TlaBehaviour, ErrorsNameThePlace) {
  EXPECT_THAT(
      check(module("VARIABLE x\nInit == x = 0\nNext == x' = y"), "INIT Init NEXT Next").what,
      testing::HasSubstr("y is not defined at tla:5"));
  EXPECT_THAT(check(module("CONSTANT N\nASSUME Small == N < 3"), "CONSTANT N = 5").what,
              testing::HasSubstr("Small"));
  EXPECT_THAT(check(module("CONSTANT N"), "").what, testing::HasSubstr("N has no value"));
  EXPECT_THAT(check(module("VARIABLE x\nInit == x = 0"), "INIT Init").what,
              testing::HasSubstr("INIT and NEXT"));
}

}  // namespace
}  // namespace schism::tla
