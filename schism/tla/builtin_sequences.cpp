#include "schism/tla/builtin_text.hpp"

namespace schism::tla {

constinit const std::string_view kSequencesExt = R"(---- MODULE SequencesExt ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE Integers
INSTANCE Sequences
LOCAL INSTANCE FiniteSets
INSTANCE FiniteSetsExt
INSTANCE Bags
INSTANCE TLC
LOCAL INSTANCE SchismNative
ToSet(s) == {s[i] : i \in DOMAIN s}
ToBag(s) == [x \in ToSet(s) |-> Cardinality({i \in DOMAIN s : s[i] = x})]
SetToSeq(S) == NativeSetToSeq(S)
SetToSeqs(S) ==
  {f \in [1..Cardinality(S) -> S] : \A i, j \in 1..Cardinality(S) : i /= j => f[i] /= f[j]}
SetToSortSeq(S, op(_, _)) == SortSeq(NativeSetToSeq(S), op)
SetToAllKPermutations(S) == UNION {SetToSeqs(T) : T \in SUBSET S}
TupleOf(S, n) == [1..n -> S]
SeqOf(S, n) == UNION {[1..m -> S] : m \in 0..n}
BoundedSeq(S, n) == SeqOf(S, n)
Contains(s, e) == \E i \in DOMAIN s : s[i] = e
IsSorted(s, op(_, _)) == \A i, j \in 1..Len(s) : i < j => op(s[i], s[j])
Reverse(s) == [i \in 1..Len(s) |-> s[Len(s) - i + 1]]
Remove(s, e) == SelectSeq(s, LAMBDA x : x /= e)
ReplaceAll(s, old, new) == [i \in 1..Len(s) |-> IF s[i] = old THEN new ELSE s[i]]
LOCAL Least(S) == CHOOSE x \in S : \A y \in S : x <= y
LOCAL Largest(S) == CHOOSE x \in S : \A y \in S : x >= y
LOCAL FirstOf(S) == IF S = {} THEN 0 ELSE Least(S)
LOCAL LastOf(S) == IF S = {} THEN 0 ELSE Largest(S)
SelectInSeq(s, Test(_)) == FirstOf({i \in 1..Len(s) : Test(s[i])})
SelectInSubSeq(s, from, to, Test(_)) == SelectInSeq(SubSeq(s, from, to), Test)
SelectLastInSeq(s, Test(_)) == LastOf({i \in 1..Len(s) : Test(s[i])})
SelectLastInSubSeq(s, from, to, Test(_)) == SelectLastInSeq(SubSeq(s, from, to), Test)
InsertAt(s, i, e) == SubSeq(s, 1, i - 1) \o <<e>> \o SubSeq(s, i, Len(s))
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]
RemoveAt(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))
RemoveFirst(s, e) ==
  IF \E i \in 1..Len(s) : s[i] = e THEN RemoveAt(s, Least({i \in 1..Len(s) : s[i] = e})) ELSE s
RemoveFirstMatch(s, Test(_)) ==
  IF \E i \in 1..Len(s) : Test(s[i]) THEN RemoveAt(s, Least({i \in 1..Len(s) : Test(s[i])})) ELSE s
Cons(e, s) == <<e>> \o s
Snoc(e, s) == Append(s, e)
Front(s) == SubSeq(s, 1, Len(s) - 1)
Last(s) == s[Len(s)]
IsPrefix(s, t) == Len(s) <= Len(t) /\ \A i \in 1..Len(s) : s[i] = t[i]
IsStrictPrefix(s, t) == IsPrefix(s, t) /\ Len(s) < Len(t)
IsSuffix(s, t) ==
  Len(s) <= Len(t) /\ \A i \in 1..Len(s) : s[Len(s) - i + 1] = t[Len(t) - i + 1]
IsStrictSuffix(s, t) == IsSuffix(s, t) /\ Len(s) < Len(t)
Prefixes(s) == {SubSeq(s, 1, n) : n \in 0..Len(s)}
CommonPrefixes(S) == {p \in UNION {Prefixes(s) : s \in S} : \A s \in S : IsPrefix(p, s)}
LongestCommonPrefix(S) ==
  CHOOSE p \in CommonPrefixes(S) : \A q \in CommonPrefixes(S) : Len(q) <= Len(p)
Suffixes(s) == {SubSeq(s, n, Len(s)) : n \in 1..Len(s)} \cup {<<>>}
SeqMod(a, b) == IF a % b = 0 THEN b ELSE a % b
FoldSeq(op(_, _), base, s) == NativeFoldSeq(op, base, s)
FoldLeft(op(_, _), base, s) == NativeFoldSeq(LAMBDA x, acc : op(acc, x), base, s)
FoldRight(op(_, _), s, base) == NativeFoldSeq(LAMBDA x, acc : op(x, acc), base, Reverse(s))
FoldLeftDomain(op(_, _), base, s) ==
  NativeFoldSeq(LAMBDA i, acc : op(acc, i), base, [i \in 1..Len(s) |-> i])
FoldRightDomain(op(_, _), s, base) ==
  NativeFoldSeq(LAMBDA i, acc : op(i, acc), base, [i \in 1..Len(s) |-> Len(s) - i + 1])
FlattenSeq(ss) ==
  IF Len(ss) = 0 THEN ss ELSE NativeFoldSeq(LAMBDA x, acc : acc \o x, Head(ss), Tail(ss))
Zip(s, t) == [i \in 1..Least({Len(s), Len(t)}) |-> <<s[i], t[i]>>]
Interleave(s, t) ==
  CASE Len(s) = Len(t) ->
    [i \in 1..(2 * Len(s)) |-> IF i % 2 = 1 THEN <<s[(i + 1) \div 2]>> ELSE <<t[i \div 2]>>]
SubSeqs(s) ==
  {SubSeq(s, i, j) : i \in 1..(Len(s) + 1), j \in 0..Len(s)}
AllSubSeqs(s) ==
  {NativeFoldSeq(LAMBDA i, acc : IF i \in D THEN Append(acc, s[i]) ELSE acc, <<>>,
                 [i \in 1..Len(s) |-> i]) : D \in SUBSET (1..Len(s))}
LOCAL StartsAt(s, t, i) == i + Len(s) - 1 <= Len(t) /\ SubSeq(t, i, i + Len(s) - 1) = s
IndexFirstSubSeq(s, t) == Least({i \in 1..(Len(t) + 1) : StartsAt(s, t, i)})
ReplaceSubSeqAt(i, r, s, t) == SubSeq(t, 1, i - 1) \o r \o SubSeq(t, i + Len(s), Len(t))
ReplaceFirstSubSeq(r, s, t) ==
  IF \E i \in 1..(Len(t) + 1) : StartsAt(s, t, i)
  THEN ReplaceSubSeqAt(IndexFirstSubSeq(s, t), r, s, t) ELSE t
RECURSIVE ReplaceFrom(_, _, _, _)
LOCAL ReplaceFrom(r, s, t, from) ==
  LET at == {i \in from..Len(t) : StartsAt(s, t, i)}
  IN IF at = {} THEN t
     ELSE ReplaceFrom(r, s, ReplaceSubSeqAt(Least(at), r, s, t), Least(at) + Len(r))
ReplaceAllSubSeqs(r, s, t) ==
  CASE s = t -> r
    [] r = s -> t
    [] s /= <<>> -> ReplaceFrom(r, s, t, 1)
    [] OTHER -> NativeFoldSeq(LAMBDA x, acc : acc \o r \o <<x>>, <<>>, t)
====)";

}  // namespace schism::tla
