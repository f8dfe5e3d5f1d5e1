--------------------------------- MODULE rsl ---------------------------------
(* A replicated list of commands, decided decree by decree, without a network, *)
(* to be followed by a run of an implementation. A replica's log is all that  *)
(* it ever promised and accepted, and every record in it must be justified:   *)
(* `Log` takes the next one. What is sent is a promise or a vote, and may be  *)
(* sent only by who has logged it. Ballots are compared by number; that no    *)
(* two proposers get a quorum for one number is what is checked.              *)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS Replica,
          Nobody  \* proposer of ballot 0

CONSTANTS MaxBallot, MaxDecree, MaxRestarts, Commands  \* for checking only

VARIABLES prepared,  \* of every replica the highest ballot, <<number, proposer>>
          accepted,  \* of every replica its highest proposal
          decided,   \* of every replica the commands that it has executed
          heard,     \* of every candidate promises for its ballot: <<replica, what it had accepted>>
          counted,   \* of every primary those who voted for its proposal
          logged,    \* of every replica the length of its log
          begun,     \* ballots with the decree of their candidate
          proposed,  \* proposals that were ever made
          promised,  \* <<replica, ballot, what it had accepted>>
          voted,     \* <<replica, proposal>>, unless it had promised a higher ballot
          restarts   \* for checking only

vars == <<prepared, accepted, decided, heard, counted, logged, begun, proposed, promised, voted,
          restarts>>

Empty == 0  \* the command that every list begins with
Proposal(ballot, decree, command) == [ballot |-> ballot, decree |-> decree, command |-> command]
Nothing == Proposal(<<0, Nobody>>, 0, Empty)

Quorum(S) == 2 * Cardinality(S) > Cardinality(Replica)
Chosen(p) == Quorum({j \in Replica : <<j, p>> \in voted})
\* What it holds is decided, whatever ballot it has it from.
IsDecided(p) == \E v \in voted :
  v[2].decree = p.decree /\ v[2].command = p.command /\ Chosen(v[2])

Init ==
  /\ prepared = [i \in Replica |-> <<0, Nobody>>]
  /\ accepted = [i \in Replica |-> Nothing]
  /\ decided = [i \in Replica |-> <<>>]
  /\ heard = [i \in Replica |-> {}]
  /\ counted = [i \in Replica |-> {}]
  /\ logged = [i \in Replica |-> 0]
  /\ begun = {}
  /\ proposed = {}
  /\ promised = {}
  /\ voted = {}
  /\ restarts = 0

Executed(i) == IF Len(decided[i]) > accepted[i].decree THEN decided[i]
               ELSE Append(decided[i], accepted[i].command)

----------------------------------------------------------------------------
\* Records of a log.

\* A ballot of its own is the next one; that of another was begun by it.
LogBallot(i, b) ==
  /\ b[1] > prepared[i][1]
  /\ IF b[2] = i THEN b[1] = prepared[i][1] + 1 ELSE \E x \in begun : x[1] = b
  /\ prepared' = [prepared EXCEPT ![i] = b]
  /\ heard' = [heard EXCEPT ![i] = IF b[2] = i THEN {<<i, accepted[i]>>} ELSE {}]
  /\ begun' = IF b[2] = i THEN begun \cup {<<b, accepted[i].decree>>} ELSE begun
  /\ logged' = [logged EXCEPT ![i] = @ + 1]
  /\ UNCHANGED <<accepted, decided, counted, proposed, promised, voted, restarts>>

\* The first proposal of a ballot is the freshest of a quorum's; the next one comes when the last
\* one was decided.
LogOwn(i, p) ==
  LET first == accepted[i].ballot /= prepared[i]
      fresh == {h[2] : h \in {x \in heard[i] : x[2].decree = accepted[i].decree}}
  IN /\ p.ballot = prepared[i]
     /\ first => Quorum({h[1] : h \in heard[i]})
     /\ first => p.decree = accepted[i].decree
     /\ first => \E a \in fresh : /\ a.command = p.command
                                  /\ \A x \in fresh : x.ballot[1] <= a.ballot[1]
     /\ ~first => p.decree = accepted[i].decree + 1
     /\ ~first => Quorum(counted[i]) /\ Len(decided[i]) = p.decree
     /\ accepted' = [accepted EXCEPT ![i] = p]
     /\ counted' = [counted EXCEPT ![i] = {i}]
     /\ proposed' = proposed \cup {p}
     /\ voted' = voted \cup {<<i, p>>}
     /\ logged' = [logged EXCEPT ![i] = @ + 1]
     /\ UNCHANGED <<prepared, decided, heard, begun, promised, restarts>>

\* What another has proposed: by a vote, or learnt. A replica moves on to the next decree only when
\* what it holds is decided.
LogOther(i, p) ==
  /\ p \in proposed
  /\ p.decree \in {accepted[i].decree, accepted[i].decree + 1}
  /\ p.decree = accepted[i].decree => p.ballot[1] > accepted[i].ballot[1]
  /\ p.decree > accepted[i].decree => IsDecided(accepted[i])
  /\ decided' = [decided EXCEPT ![i] = IF p.decree > accepted[i].decree THEN Executed(i) ELSE @]
  /\ accepted' = [accepted EXCEPT ![i] = p]
  /\ voted' = IF p.ballot[1] >= prepared[i][1] THEN voted \cup {<<i, p>>} ELSE voted
  /\ prepared' = [prepared EXCEPT ![i] = IF p.ballot[1] > @[1] THEN p.ballot ELSE @]
  /\ heard' = [heard EXCEPT ![i] = IF p.ballot[1] > prepared[i][1] THEN {} ELSE @]
  /\ logged' = [logged EXCEPT ![i] = @ + 1]
  /\ UNCHANGED <<counted, begun, proposed, promised, restarts>>

\* The next record of a log that a replica has now; nothing, where all of it is known.
Log(i, records) ==
  IF Len(records) = logged[i] THEN UNCHANGED vars
  ELSE LET r == records[logged[i] + 1]
           p == Proposal(r.ballot, r.decree, r.command)
       IN /\ Len(records) > logged[i]
          /\ IF ~r.accepted THEN LogBallot(i, r.ballot)
             ELSE IF r.ballot[2] = i THEN LogOwn(i, p) ELSE LogOther(i, p)

\* So many commands has it executed: one more than its log tells only as a primary, with a quorum.
Decides(i, executed) ==
  IF executed = Len(decided[i]) THEN UNCHANGED vars
  ELSE /\ executed = Len(decided[i]) + 1
       /\ executed = accepted[i].decree + 1
       /\ accepted[i].ballot[2] = i
       /\ Quorum(counted[i])
       /\ decided' = [decided EXCEPT ![i] = Executed(i)]
       /\ UNCHANGED <<prepared, accepted, heard, counted, logged, begun, proposed, promised, voted,
                      restarts>>

----------------------------------------------------------------------------
\* Messages.
SendPromise(i, b, a) ==
  /\ prepared[i] = b
  /\ accepted[i] = a
  /\ \E x \in begun : x[1] = b /\ x[2] >= a.decree
  /\ promised' = promised \cup {<<i, b, a>>}
  /\ UNCHANGED <<prepared, accepted, decided, heard, counted, logged, begun, proposed, voted,
                 restarts>>

HearPromise(i, j, b, a) ==
  /\ <<j, b, a>> \in promised
  /\ heard' = [heard EXCEPT ![i] =
                 IF prepared[i] = b /\ accepted[i].ballot /= b THEN @ \cup {<<j, a>>} ELSE @]
  /\ UNCHANGED <<prepared, accepted, decided, counted, logged, begun, proposed, promised, voted,
                 restarts>>

SendProposal(i, p) == p.ballot[2] = i /\ p \in proposed /\ UNCHANGED vars
SendVote(i, b, decree) ==
  /\ \E v \in voted : v[1] = i /\ v[2].ballot = b /\ v[2].decree = decree
  /\ UNCHANGED vars

HearVote(i, j, b, decree) ==
  /\ \E v \in voted : v[1] = j /\ v[2].ballot = b /\ v[2].decree = decree
  /\ counted' = [counted EXCEPT ![i] =
       IF accepted[i].ballot = b /\ b[2] = i /\ accepted[i].decree = decree THEN @ \cup {j} ELSE @]
  /\ UNCHANGED <<prepared, accepted, decided, heard, logged, begun, proposed, promised, voted,
                 restarts>>

\* All of the log is read again. That its own proposal was decided a primary has forgotten.
Restart(i, length) ==
  /\ length >= logged[i]
  /\ decided' = [decided EXCEPT ![i] = SubSeq(@, 1, accepted[i].decree)]
  /\ heard' = [heard EXCEPT ![i] = {}]
  /\ counted' = [counted EXCEPT ![i] = {}]
  /\ UNCHANGED <<prepared, accepted, logged, begun, proposed, promised, voted, restarts>>

----------------------------------------------------------------------------
\* All that can happen, with bounds: for checking.
Stands(i) == prepared[i][1] < MaxBallot /\ LogBallot(i, <<prepared[i][1] + 1, i>>)
Answers(i, x) ==
  /\ accepted[i].decree <= x[2]
  /\ prepared[i] = x[1] \/ LogBallot(i, x[1])
Proposes(i) == \E c \in Commands \cup {Empty} : \E d \in {accepted[i].decree, accepted[i].decree + 1} :
  /\ d <= MaxDecree
  /\ prepared[i][2] = i
  /\ c = Empty => d = 0
  /\ LogOwn(i, Proposal(prepared[i], d, c))
\* By a vote: the next decree of its ballot, or a higher ballot. Learnt: whatever is newer.
Takes(i) == \E p \in proposed : p.ballot[2] /= i /\ LogOther(i, p)
ComesBack(i) ==
  /\ restarts < MaxRestarts
  /\ decided' = [decided EXCEPT ![i] = SubSeq(@, 1, accepted[i].decree)]
  /\ heard' = [heard EXCEPT ![i] = {}]
  /\ counted' = [counted EXCEPT ![i] = {}]
  /\ restarts' = restarts + 1
  /\ UNCHANGED <<prepared, accepted, logged, begun, proposed, promised, voted>>

Next ==
  \E i \in Replica :
    \/ Stands(i)
    \/ \E x \in begun : x[1][2] /= i /\ prepared[i] /= x[1] /\ Answers(i, x)
    \/ \E x \in begun : x[1] = prepared[i] /\ x[1][2] /= i /\ SendPromise(i, x[1], accepted[i])
    \/ \E m \in promised : m[2][2] = i /\ HearPromise(i, m[1], m[2], m[3])
    \/ Proposes(i)
    \/ Takes(i)
    \/ \E v \in voted : v[2].ballot[2] = i /\ HearVote(i, v[1], v[2].ballot, v[2].decree)
    \/ Len(decided[i]) = accepted[i].decree /\ Decides(i, Len(decided[i]) + 1)
    \/ ComesBack(i)

Spec == Init /\ [][Next]_vars

Symmetric == Permutations(Replica)
\* Nothing depends on how long a log is.
Seen == <<prepared, accepted, decided, heard, counted, begun, proposed, promised, voted, restarts>>

\* Two proposers never get a quorum for one number, and nobody proposes twice for a decree.
OneProposal == \A p, q \in proposed :
  p.ballot[1] = q.ballot[1] /\ p.decree = q.decree => p = q
Agreement == \A i, j \in Replica : \A k \in 1..Len(decided[i]) :
  k <= Len(decided[j]) => decided[i][k] = decided[j][k]
OneIsDecided == \A v, w \in voted :
  v[2].decree = w[2].decree /\ Chosen(v[2]) /\ Chosen(w[2]) => v[2].command = w[2].command
\* So a vote for the next decree of a ballot says that the last one is decided.
NextSaysDecided == \A p, q \in proposed :
  p.ballot = q.ballot /\ p.decree = q.decree + 1 => Chosen(q)
Executes == \A i \in Replica : Len(decided[i]) \in {accepted[i].decree, accepted[i].decree + 1}
==============================================================================
