// The modules that are written in TLA+ themselves: bags, sequences, sets and functions beyond the
// standard ones. Folds and the order of a set's elements are native.
#include "schism/tla/builtin_text.hpp"

#include "schism/tla/library.hpp"

namespace schism::tla {
namespace {

constexpr std::string_view kBags = R"(---- MODULE Bags ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE SchismNative
IsABag(B) == NativeIsABag(B)
BagToSet(B) == DOMAIN B
SetToBag(S) == [e \in S |-> 1]
BagIn(e, B) == e \in DOMAIN B
EmptyBag == [e \in {} |-> 0]
CopiesIn(e, B) == IF e \in DOMAIN B THEN B[e] ELSE 0
B1 (+) B2 == [e \in (DOMAIN B1) \cup (DOMAIN B2) |-> CopiesIn(e, B1) + CopiesIn(e, B2)]
B1 (-) B2 ==
  LET left == {e \in DOMAIN B1 : B1[e] > CopiesIn(e, B2)}
  IN [e \in left |-> B1[e] - CopiesIn(e, B2)]
LOCAL AddCopies(e, S) == NativeFoldSet(LAMBDA B, n : n + CopiesIn(e, B), 0, S)
BagUnion(S) == [e \in UNION {DOMAIN B : B \in S} |-> AddCopies(e, S)]
B1 \sqsubseteq B2 == /\ (DOMAIN B1) \subseteq (DOMAIN B2)
                     /\ \A e \in DOMAIN B1 : B1[e] <= B2[e]
LOCAL Least(S) == CHOOSE n \in S : \A k \in S : n <= k
LOCAL Most(B) == IF DOMAIN B = {} THEN 0 ELSE CHOOSE n \in {B[e] : e \in DOMAIN B} :
                   \A e \in DOMAIN B : B[e] <= n
SubBag(B) ==
  {[e \in {d \in DOMAIN f : f[d] > 0} |-> f[e]] :
     f \in {g \in [DOMAIN B -> 0..Most(B)] : \A e \in DOMAIN B : g[e] <= B[e]}}
BagOfAll(F(_), B) ==
  LET images == {F(e) : e \in DOMAIN B}
  IN [i \in images |-> NativeFoldSet(LAMBDA e, n : n + B[e], 0, {e \in DOMAIN B : F(e) = i})]
BagCardinality(B) == NativeFoldSet(LAMBDA e, n : n + B[e], 0, DOMAIN B)
====)";

constexpr std::string_view kBagsExt = R"(---- MODULE BagsExt ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE Bags
LOCAL INSTANCE SchismNative
BagAdd(B, x) == IF x \in DOMAIN B THEN [B EXCEPT ![x] = @ + 1]
                ELSE [e \in (DOMAIN B) \cup {x} |-> IF e = x THEN 1 ELSE B[e]]
BagRemove(B, x) ==
  IF x \notin DOMAIN B THEN B
  ELSE IF B[x] = 1 THEN [e \in (DOMAIN B) \ {x} |-> B[e]]
  ELSE [B EXCEPT ![x] = @ - 1]
BagRemoveAll(B, x) == [e \in (DOMAIN B) \ {x} |-> B[e]]
LOCAL Times(op(_, _), x, n, start) == NativeFoldSet(LAMBDA i, acc : op(acc, x), start, 1..n)
FoldBag(op(_, _), base, B) ==
  NativeFoldSet(LAMBDA x, acc : op(Times(op, x, B[x], base), acc), base, DOMAIN B)
SumBag(B) == NativeFoldSet(LAMBDA x, acc : acc + x * B[x], 0, DOMAIN B)
ProductBag(B) == NativeFoldSet(LAMBDA x, acc : acc * (x ^ B[x]), 1, DOMAIN B)
====)";

constexpr std::string_view kFolds = R"(---- MODULE Folds ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE SchismNative
MapThenFoldSet(op(_, _), base, f(_), choose(_), S) ==
  LET rest[T \in SUBSET S] == IF T = {} THEN base
                              ELSE LET x == choose(T) IN op(f(x), rest[T \ {x}])
  IN rest[S]
====)";

constexpr std::string_view kFiniteSetsExt = R"(---- MODULE FiniteSetsExt ----
INSTANCE Folds
INSTANCE Functions
LOCAL INSTANCE Naturals
LOCAL INSTANCE Integers
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE SchismNative
FoldSet(op(_, _), base, set) == NativeFoldSet(op, base, set)
ReduceSet(op(_, _), set, base) == NativeFoldSet(op, base, set)
SumSet(set) == NativeFoldSet(LAMBDA x, acc : x + acc, 0, set)
ProductSet(set) == NativeFoldSet(LAMBDA x, acc : x * acc, 1, set)
MapThenSumSet(op(_), set) == NativeFoldSet(LAMBDA x, acc : op(x) + acc, 0, set)
FlattenSet(ssets) == UNION ssets
SymDiff(A, B) == (A \ B) \cup (B \ A)
Quantify(S, P(_)) == Cardinality({s \in S : P(s)})
kSubset(k, S) == NativeKSubset(k, S)
Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Choices(Sets) ==
  {Range(f) : f \in {g \in [Sets -> UNION Sets] : \A S \in Sets : g[S] \in S}}
ChooseUnique(S, P(_)) ==
  CHOOSE x \in S : P(x) /\ \A y \in S : P(y) => y = x
====)";

constexpr std::string_view kFunctions = R"(---- MODULE Functions ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE Integers
LOCAL INSTANCE SchismNative
Restrict(f, S) == [x \in S |-> f[x]]
RestrictDomain(f, Test(_)) == [x \in {y \in DOMAIN f : Test(y)} |-> f[x]]
RestrictValues(f, Test(_)) == [x \in {y \in DOMAIN f : Test(f[y])} |-> f[x]]
IsRestriction(f, g) == /\ (DOMAIN f) \subseteq (DOMAIN g)
                       /\ \A x \in DOMAIN f : f[x] = g[x]
Range(f) == {f[x] : x \in DOMAIN f}
Pointwise(f, g, op(_, _)) == [x \in DOMAIN f |-> op(f[x], g[x])]
Inverse(f, S, T) == [t \in T |-> CHOOSE s \in S : t \in {f[x] : x \in DOMAIN f} => f[s] = t]
AntiFunction(f) == Inverse(f, DOMAIN f, {f[x] : x \in DOMAIN f})
IsInjective(f) == \A a, b \in DOMAIN f : f[a] = f[b] => a = b
Injection(S, T) == {f \in [S -> T] : IsInjective(f)}
Surjection(S, T) == {f \in [S -> T] : \A t \in T : \E s \in S : f[s] = t}
Bijection(S, T) == {f \in [S -> T] : IsInjective(f) /\ \A t \in T : \E s \in S : f[s] = t}
ExistsInjection(S, T) == Injection(S, T) /= {}
ExistsSurjection(S, T) == Surjection(S, T) /= {}
ExistsBijection(S, T) == Bijection(S, T) /= {}
FoldFunction(op(_, _), base, fun) ==
  NativeFoldSet(LAMBDA x, acc : op(fun[x], acc), base, DOMAIN fun)
FoldFunctionOnSet(op(_, _), base, fun, indices) ==
  NativeFoldSet(LAMBDA x, acc : op(fun[x], acc), base, indices)
SumFunction(fun) == NativeFoldSet(LAMBDA x, acc : fun[x] + acc, 0, DOMAIN fun)
SumFunctionOnSet(fun, indices) == NativeFoldSet(LAMBDA x, acc : fun[x] + acc, 0, indices)
====)";

constexpr std::string_view kRelation = R"(---- MODULE Relation ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE SchismNative
IsReflexive(R, S) == \A x \in S : R[x, x]
IsReflexiveUnder(op(_, _), S) == \A x \in S : op(x, x)
IsIrreflexive(R, S) == \A x \in S : ~R[x, x]
IsIrreflexiveUnder(op(_, _), S) == \A x \in S : ~op(x, x)
IsSymmetric(R, S) == \A x, y \in S : R[x, y] <=> R[y, x]
IsSymmetricUnder(op(_, _), S) == \A x, y \in S : op(x, y) <=> op(y, x)
IsAntiSymmetric(R, S) == \A x, y \in S : R[x, y] /\ R[y, x] => x = y
IsAntiSymmetricUnder(op(_, _), S) == \A x, y \in S : op(x, y) /\ op(y, x) => x = y
IsAsymmetric(R, S) == \A x, y \in S : ~(R[x, y] /\ R[y, x])
IsAsymmetricUnder(op(_, _), S) == \A x, y \in S : ~(op(x, y) /\ op(y, x))
IsTransitive(R, S) == \A x, y, z \in S : R[x, y] /\ R[y, z] => R[x, z]
IsTransitiveUnder(op(_, _), S) == \A x, y, z \in S : op(x, y) /\ op(y, z) => op(x, z)
IsStrictlyPartiallyOrdered(R, S) ==
  IsIrreflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsPartiallyOrdered(R, S) == IsReflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsStrictlyTotallyOrdered(R, S) ==
  IsStrictlyPartiallyOrdered(R, S) /\ \A x, y \in S : x /= y => R[x, y] \/ R[y, x]
IsTotallyOrdered(R, S) == IsPartiallyOrdered(R, S) /\ \A x, y \in S : R[x, y] \/ R[y, x]
TransitiveClosure(R, S) ==
  NativeFoldSet(LAMBDA k, r : [p \in S \X S |-> r[p] \/ (r[p[1], k] /\ r[k, p[2]])],
                [p \in S \X S |-> R[p]], S)
ReflexiveTransitiveClosure(R, S) ==
  LET t == TransitiveClosure(R, S) IN [p \in S \X S |-> p[1] = p[2] \/ t[p]]
IsConnected(R, S) == LET t == ReflexiveTransitiveClosure(R, S) IN \A x, y \in S : t[x, y]
====)";

constexpr std::string_view kGraphs = R"(---- MODULE Graphs ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE SchismNative
IsDirectedGraph(G) == G = [node |-> G.node, edge |-> G.edge] /\ G.edge \subseteq (G.node \X G.node)
DirectedSubgraph(G) ==
  {H \in [node : SUBSET G.node, edge : SUBSET (G.node \X G.node)] :
     IsDirectedGraph(H) /\ H.edge \subseteq G.edge}
IsUndirectedGraph(G) == IsDirectedGraph(G) /\ \A e \in G.edge : <<e[2], e[1]>> \in G.edge
UndirectedSubgraph(G) == {H \in DirectedSubgraph(G) : IsUndirectedGraph(H)}
Path(G) == {p \in Seq(G.node) : p /= <<>> /\ \A i \in 1..(Len(p) - 1) : <<p[i], p[i + 1]>> \in G.edge}
SimplePath(G) ==
  {p \in UNION {[1..n -> G.node] : n \in 1..Cardinality(G.node)} :
     /\ \A i, j \in 1..Len(p) : i /= j => p[i] /= p[j]
     /\ \A i \in 1..(Len(p) - 1) : <<p[i], p[i + 1]>> \in G.edge}
Successors(G, n) == {m \in G.node : <<n, m>> \in G.edge}
Predecessors(G, n) == {m \in G.node : <<m, n>> \in G.edge}
LOCAL Closure(G) ==
  NativeFoldSet(LAMBDA k, r : r \cup {<<a, b>> \in G.node \X G.node : <<a, k>> \in r /\ <<k, b>> \in r},
                G.edge, G.node)
AreConnectedIn(m, n, G) == m = n \/ <<m, n>> \in Closure(G)
ConnectionsIn(G) == [<<m, n>> \in G.node \X G.node |-> AreConnectedIn(m, n, G)]
IsStronglyConnected(G) == \A m, n \in G.node : AreConnectedIn(m, n, G)
Transpose(G) == [node |-> G.node, edge |-> {<<e[2], e[1]>> : e \in G.edge}]
====)";

constexpr std::string_view kUndirectedGraphs = R"(---- MODULE UndirectedGraphs ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE SchismNative
IsUndirectedGraph(G) ==
  G = [node |-> G.node, edge |-> G.edge] /\ \A e \in G.edge : e \subseteq G.node /\ Cardinality(e) \in {1, 2}
IsLoopFreeUndirectedGraph(G) == IsUndirectedGraph(G) /\ \A e \in G.edge : Cardinality(e) = 2
UndirectedSubgraph(G) ==
  {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsUndirectedGraph(H)}
Path(G) == {p \in Seq(G.node) : p /= <<>> /\ \A i \in 1..(Len(p) - 1) : {p[i], p[i + 1]} \in G.edge}
SimplePath(G) ==
  {p \in UNION {[1..n -> G.node] : n \in 1..Cardinality(G.node)} :
     /\ \A i, j \in 1..Len(p) : i /= j => p[i] /= p[j]
     /\ \A i \in 1..(Len(p) - 1) : {p[i], p[i + 1]} \in G.edge}
LOCAL Grow(G, S) == S \cup {n \in G.node : \E m \in S : {m, n} \in G.edge}
LOCAL Component(G, n) == NativeFoldSet(LAMBDA k, S : Grow(G, S), {n}, G.node)
ConnectedComponents(G) == {Component(G, n) : n \in G.node}
AreConnectedIn(m, n, G) == n \in Component(G, m)
IsStronglyConnected(G) == Cardinality(ConnectedComponents(G)) = 1
UndirectedGraphs(S) == [node : {S}, edge : SUBSET {{a, b} : a \in S, b \in S}]
====)";

constexpr std::string_view kVectorClocks = R"(---- MODULE VectorClocks ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE SchismNative
LOCAL At(c, k) == IF k \in DOMAIN c THEN c[k] ELSE 0
LOCAL Later(a, b) ==
  LET nodes == (DOMAIN a) \cup (DOMAIN b) IN \E k \in nodes : At(a, k) > At(b, k)
IsCausalOrder(log, clock(_)) ==
  \A i \in 1..Len(log) : \A j \in 1..(i - 1) : Later(clock(log[i]), clock(log[j]))
====)";

constexpr std::string_view kCombinatorics = R"(---- MODULE Combinatorics ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE SchismNative
factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * factorial[n - 1]
choose(n, k) == NativeFoldSeq(LAMBDA i, acc : (acc * (n - i + 1)) \div i, 1, [i \in 1..k |-> i])
====)";

constexpr std::string_view kDyadic = R"(---- MODULE DyadicRationals ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC
LOCAL INSTANCE SchismNative
Zero == [num |-> 0, den |-> 1]
One == [num |-> 1, den |-> 1]
IsDyadicRational(r) == \E i \in 0..r.den : 2 ^ i = r.den
LOCAL Rational(n, d) == [num |-> n, den |-> d]
RECURSIVE Reduced(_, _)
LOCAL Reduced(n, d) == IF n % 2 = 0 /\ d % 2 = 0 THEN Reduced(n \div 2, d \div 2) ELSE Rational(n, d)
Add(p, q) ==
  IF p = Zero THEN q
  ELSE LET d == IF p.den >= q.den THEN p.den ELSE q.den
       IN Reduced(p.num * (d \div p.den) + q.num * (d \div q.den), d)
Half(p) == Reduced(p.num, p.den * 2)
PrettyPrint(p) == CASE p = Zero -> "0" [] p = One -> "1"
                    [] OTHER -> ToString(p.num) \o "/" \o ToString(p.den)
====)";

constexpr std::string_view kTlcExt = R"(---- MODULE TLCExt ----
AssertEq(a, b) == a = b
====)";

constexpr std::string_view kStatistics = R"(---- MODULE Statistics ----
====)";

}  // namespace

std::string_view builtin_module_text(std::string_view name) {
  struct Entry {
    std::string_view name, text;
  };
  static const Entry kAll[] = {{"Bags", kBags},
                               {"BagsExt", kBagsExt},
                               {"Folds", kFolds},
                               {"FiniteSetsExt", kFiniteSetsExt},
                               {"Functions", kFunctions},
                               {"Relation", kRelation},
                               {"Graphs", kGraphs},
                               {"UndirectedGraphs", kUndirectedGraphs},
                               {"VectorClocks", kVectorClocks},
                               {"Combinatorics", kCombinatorics},
                               {"DyadicRationals", kDyadic},
                               {"TLCExt", kTlcExt},
                               {"Statistics", kStatistics},
                               {"SequencesExt", kSequencesExt}};
  for (const Entry& e : kAll)
    if (e.name == name) return e.text;
  return {};
}

}  // namespace schism::tla
