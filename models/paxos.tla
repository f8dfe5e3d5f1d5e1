-------------------------------- MODULE paxos --------------------------------
(* Single-decree Paxos without a network, to be followed by a run of an      *)
(* implementation: every handler takes the fields of its message as          *)
(* parameters. A message may be delivered only if it was sent: `sent` has    *)
(* what could be on its way. Proposers and acceptors are numbers; ballot b   *)
(* belongs to one proposer, and 0 is no ballot.                              *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Proposer, Acceptor

CONSTANTS MaxBallot, MaxGone  \* for checking only

VARIABLES ballot,    \* of every proposer the one that it tries
          promises,  \* of every proposer what it was promised in it: <<acceptor, voted, value>>
          proposed,  \* of every ballot the value of its second phase
          promised,  \* of every acceptor the highest ballot that it has seen
          vote,      \* of every acceptor its last vote, <<ballot, value>>
          votes,     \* all votes that were ever given: <<acceptor, ballot, value>>
          chosen,    \* of every proposer the value that it has learnt; 0: none
          gone,      \* nodes that came back after a crash, without memory: they take no more part
          sent

vars == <<ballot, promises, proposed, promised, vote, votes, chosen, gone, sent>>

Quorum(S) == 2 * Cardinality(S) > Cardinality(Acceptor)

Init ==
  /\ ballot = [p \in Proposer |-> 0]
  /\ promises = [p \in Proposer |-> {}]
  /\ proposed = {}
  /\ promised = [a \in Acceptor |-> 0]
  /\ vote = [a \in Acceptor |-> <<0, 0>>]
  /\ votes = {}
  /\ chosen = [p \in Proposer |-> 0]
  /\ gone = {}
  /\ sent = {}

\* A proposer begins a ballot that is its own: nobody else has, and it is higher than its last one.
SendPrepare(p, b) ==
  /\ p \notin gone
  /\ b >= ballot[p]
  /\ b > 0
  /\ \A q \in Proposer \ {p} : ballot[q] /= b
  /\ ballot' = [ballot EXCEPT ![p] = b]
  /\ promises' = [promises EXCEPT ![p] = IF b = ballot[p] THEN @ ELSE {}]
  /\ sent' = sent \cup {<<"Prepare", b>>}
  /\ UNCHANGED <<proposed, promised, vote, votes, chosen, gone>>

\* One that has promised as much, or more, stays silent.
HandlePrepare(a, b) ==
  /\ <<"Prepare", b>> \in sent
  /\ promised' = [promised EXCEPT ![a] = IF a \notin gone /\ b > @ THEN b ELSE @]
  /\ UNCHANGED <<ballot, promises, proposed, vote, votes, chosen, gone, sent>>

SendPromise(a, b, voted, value) ==
  /\ a \notin gone
  /\ promised[a] = b
  /\ vote[a] = <<voted, value>>
  /\ sent' = sent \cup {<<"Promise", a, b, voted, value>>}
  /\ UNCHANGED <<ballot, promises, proposed, promised, vote, votes, chosen, gone>>

HandlePromise(p, a, b, voted, value) ==
  /\ <<"Promise", a, b, voted, value>> \in sent
  /\ promises' = [promises EXCEPT ![p] =
                    IF b = ballot[p] THEN @ \cup {<<a, voted, value>>} ELSE @]
  /\ UNCHANGED <<ballot, proposed, promised, vote, votes, chosen, gone, sent>>

\* The value of the highest vote that a quorum of promises tells of; any, where there is none.
SendAccept(p, b, value) ==
  /\ p \notin gone
  /\ b = ballot[p]
  /\ \/ <<b, value>> \in proposed
     \/ /\ \A x \in proposed : x[1] /= b
        /\ \E Q \in SUBSET promises[p] :
             /\ Quorum({m[1] : m \in Q})
             /\ \/ \A m \in Q : m[2] = 0
                \/ \E m \in Q : m[2] > 0 /\ m[3] = value /\ \A n \in Q : n[2] <= m[2]
  /\ proposed' = proposed \cup {<<b, value>>}
  /\ sent' = sent \cup {<<"Accept", b, value>>}
  /\ UNCHANGED <<ballot, promises, promised, vote, votes, chosen, gone>>

HandleAccept(a, b, value) ==
  /\ <<"Accept", b, value>> \in sent
  /\ IF a \notin gone /\ b >= promised[a]
       THEN /\ promised' = [promised EXCEPT ![a] = b]
            /\ vote' = [vote EXCEPT ![a] = <<b, value>>]
            /\ votes' = votes \cup {<<a, b, value>>}
       ELSE UNCHANGED <<promised, vote, votes>>
  /\ UNCHANGED <<ballot, promises, proposed, chosen, gone, sent>>

SendAccepted(a, b, value) ==
  /\ <<a, b, value>> \in votes
  /\ UNCHANGED vars

\* A proposer may learn what a quorum has voted for in one ballot, and never another value.
Learn(p, value) ==
  /\ IF value = 0 \/ chosen[p] = value
       THEN value = chosen[p]
       ELSE /\ chosen[p] = 0
            /\ \E v \in votes : v[3] = value /\ Quorum({a \in Acceptor : <<a, v[2], value>> \in votes})
  /\ chosen' = [chosen EXCEPT ![p] = value]
  /\ UNCHANGED <<ballot, promises, proposed, promised, vote, votes, gone, sent>>

Restart(n) ==
  /\ gone' = gone \cup {n}
  /\ chosen' = [p \in Proposer |-> IF p = n THEN 0 ELSE chosen[p]]
  /\ UNCHANGED <<ballot, promises, proposed, promised, vote, votes, sent>>

-----------------------------------------------------------------------------
\* All that can happen, with bounds: for checking.

Ballots == 1..MaxBallot
Owner(p) == {b \in Ballots : b % Cardinality(Proposer) = p}
Values == {p + 1 : p \in Proposer}

Next ==
  \/ \E p \in Proposer :
       \/ \E b \in Owner(p) : SendPrepare(p, b)
       \/ \E v \in Values : SendAccept(p, ballot[p], v) \/ Learn(p, v)
       \/ \E m \in sent : m[1] = "Promise" /\ HandlePromise(p, m[2], m[3], m[4], m[5])
  \/ \E a \in Acceptor, m \in sent :
       \/ m[1] = "Prepare" /\ HandlePrepare(a, m[2])
       \/ m[1] = "Accept" /\ HandleAccept(a, m[2], m[3])
       \/ m[1] = "Prepare" /\ SendPromise(a, m[2], vote[a][1], vote[a][2])
  \/ \E n \in Proposer \cup Acceptor : Cardinality(gone) < MaxGone /\ Restart(n)

Spec == Init /\ [][Next]_vars

Symmetric == Permutations(Acceptor)

OneValueABallot == \A x, y \in proposed : x[1] = y[1] => x = y
Agreement == \A v, w \in votes :
  /\ Quorum({a \in Acceptor : <<a, v[2], v[3]>> \in votes})
  /\ Quorum({a \in Acceptor : <<a, w[2], w[3]>> \in votes})
  => v[3] = w[3]
LearntIsChosen == \A p, q \in Proposer : 0 \in {chosen[p], chosen[q]} \/ chosen[p] = chosen[q]
==============================================================================
