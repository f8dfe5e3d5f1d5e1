// Selectors of parts of definitions, as values and as operators, and operators by their signs where
// an operator is an argument. Every line of the modules below is an assumption that must hold.
#include <gtest/gtest.h>

#include "schism/tla/big_stack.hpp"
#include "schism/tla/checker.hpp"

namespace schism::tla {
namespace {

void expect_true(const std::string& body, const std::string& lines, const std::string& others = "",
                 const std::string& config = "") {
  std::string module = "---- MODULE M ----\nEXTENDS Integers, TLC\n" + body;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    if (end > at) module += "ASSUME " + lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  module += "====\n" + others;
  on_big_stack([&] {
    auto spec = Spec::from_text(module, config);
    ASSERT_TRUE(spec.has_value()) << spec.error();
    const std::atomic<bool> go_on{false};
    const CheckReport r = Checker(**spec, {}, go_on).run();
    EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  });
}

TEST(TlaSelector, PartsOfExpressions) {
  expect_true(R"(
Chosen == {10, 20, 30}
Big == SUBSET UNION {{1}, {2}}
At == [i \in 1..10 |-> i + 1][3]
Changed == [[i \in 1..4 |-> i + 1] EXCEPT ![2] = 1]
Field == 3.part
Shape == [a : 1, b : 2]
Cube == {1} \X {2} \X {3}
Arms == \A x : CASE x = 1 -> 1 [] x = 2 -> 2 [] OTHER -> 3
Many == \E x, y, z : /\ ((x = 1))
                     /\ y = 2
                     /\ (z = 3)
Box == [12]_(23)
Fair == WF_(12)(23)
Time == \EE x, y : x = 1
Pairs == {<<x, y>> : x \in {1}, y \in {2}}
Flat == 1 = 1 /\ 2 = 2 /\ 3 = 3
)",
              R"(Chosen!2 = 20
Big!<<!<<!2 = {2}
At!>> = 3 /\ At!<<[4] = 5 /\ At!<<!1!>> = 10
Changed!1[3] = 4
Field!1 = 3 /\ Field!2 = "part"
Shape!2 = 2
Cube!3!1 = 3
Arms!(42)!1!<<!<< = 42 /\ Arms!(42)!2!>> = 2 /\ Arms!(42)!3!>> = 3
Many!(2, 3, 4)!1!1 = 2 /\ Many!(2, 3, 4)!2!1 = 3
Box!1 = 12 /\ Box!>> = 23
Fair!1 = 12 /\ Fair!>> = 23
Time!(2, 3)!1 = 2
Pairs!2!1 = 2 /\ Pairs!(1, 2)!<< = 1
)");
}

// Def!@ and a label without arguments are operators of everything that is bound on the way.
TEST(TlaSelector, Operators) {
  expect_true(R"(
Two(A(_, _), a, b) == A(a, b)
Three(A(_, _, _), a, b, c) == A(a, b, c)
Five(A(_, _, _, _, _), a, b, c, d, e) == A(a, b, c, d, e)
Six(A(_, _, _, _, _, _), a, b, c, d, e, f) == A(a, b, c, d, e, f)
Filter(a) == {x \in {1, 2} : a = x}
Map(a) == {x + a : x \in {1, 2}}
Inner(a) == {(LET c == a * x IN x + a) : x \in {1, 2}}
InnerOp(a) == {(LET c(y) == (a * x) + y IN x + a) : x \in {1, 2}}
Deep(a) == \A x \in {} : lab(x) :: IF TRUE THEN LET In(c) == 4 * c + a * x IN a + In(x) ELSE 1
Pick(q, p) == CHOOSE x : lab(x) :: LET a ++ b == {a, b, q, p, x} IN <<q, 99 ++ p>>
More(q, p) == CHOOSE x : lab(x) :: LET a ++ b == {lab(y) :: y + a + b : y \in {1}} IN <<q, 99 ++ p>>
---- MODULE In ----
CONSTANT A5(_, _, _, _, _)
All(a, b, c, d, e) == A5(a, b, c, d, e)
Bar(x) == \A y \in {1} : lab(y) :: y = x
====
I == INSTANCE In WITH A5 <- Pick!@!++
J(A5(_, _, _, _, _)) == INSTANCE In
)",
              R"(Two(Filter!@, 2, 2) = TRUE
Two(Map!@, 2, 3) = 5
Two(Inner!@!c, 2, 3) = 6
Three(InnerOp!@!c, 2, 3, 4) = 10
Deep(2)!(3)!2!1 = 20 /\ Deep(2)!(3)!2!In(4) = 22
Three(Deep!@!2!In, 2, 3, 4) = 22
Pick(1, 2)!(3)!++(4, 5) = 1..5
Pick(1, 2)!(3) = <<1, {99, 1, 2, 3}>>
Pick(1, 2)!(3)!1!>> = {99, 1, 2, 3}
Five(Pick!@!++, 1, 2, 3, 4, 5) = 1..5
Pick(1, 2)!lab(3)!:!++(4, 5) = 1..5
I!All(1, 2, 3, 4, 5) = 1..5 /\ J(Pick!@!++)!All(1, 2, 3, 4, 5) = 1..5
I!Bar(1)!(2)!<< = 2 /\ Two(I!Bar!@!<<, 1, 2) = 2 /\ Two(I!Bar!lab!>>, 1, 2) = 1
More(1, 2)!lab(3)!:!++(9, 10)!lab(11) = 30 /\ More(1, 2)!(3)!++(9, 10)!(11) = 30
Six(More!lab!:!++!lab, 1, 2, 3, 9, 10, 11) = 30 /\ Six(More!@!++!@, 1, 2, 3, 9, 10, 11) = 30
)");
}

TEST(TlaSelector, TheoremsAndOperatorsOfInstances) {
  expect_true(R"(
THEOREM Sum == lab :: 1 + 1 = 2
  <1>1 TRUE OBVIOUS
  <1> QED BY <1>1
LEMMA Loose == ASSUME NEW x PROVE x = x
Apply(F(_)) == F({{"b"}, {"c"}})
a ^+ == {{"a"}, {"b"}} \ a
F == INSTANCE Signs
)",
              R"(Sum /\ Sum!lab /\ Sum!>> = 2
F!-(4, 6) = 1 /\ F!..(4, 6) = 2 /\ F ! !!(4, 6) = 3 /\ F!::=(4, 6) = 4 /\ F!^+(4) = 5
F!-.(4) = 6 /\ F!=<(4, 6) = 7 /\ F!(+) (4, 6) = 8 /\ F!\circ(4, 6) = 9 /\ F!\o(4, 6) = 9
Apply(SUBSET) = SUBSET {{"b"}, {"c"}} /\ Apply(UNION) = {"b", "c"} /\ Apply(^+) = {{"a"}}
)",
              R"(---- MODULE Signs ----
x - y == 1
x .. y == 2
x !! y == 3
x ::= y == 4
x ^+ == 5
-. x == 6
x \leq y == 7
x \oplus y == 8
x \circ y == 9
====
)");
}

TEST(TlaSelector, ConstantOperatorsByTheirValues) {
  expect_true("CONSTANTS F(_), G(_, _), m\nTwice(H(_), x) == H(H(x))\n",
              "F(1) = 2 /\\ F(2) = \"b\" /\\ G(m, {2, 3}) = -3\nTwice(F, 1) = \"b\"\n", "",
              "CONSTANT F(1) = 2 F(2) = \"b\"\nG(m, {3, 2}) = -3\nm = m");
}

}  // namespace
}  // namespace schism::tla
