----------------------------- MODULE raft_guide -----------------------------
(* Raft without a network, to be followed by a run of an implementation:    *)
(* every handler takes the fields of its message as parameters, and one     *)
(* event is one action. Terms are raised and messages handled in one step.  *)
(* There are no bounds here; those for checking stand at the end.           *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Server, Follower, Candidate, Leader, Nil

CONSTANTS MaxTerm, MaxLog, Values  \* for checking only

VARIABLES currentTerm, state, votedFor, log, commitIndex, votesGranted, nextIndex, matchIndex,
          active, snapshotIndex, snapshotTerm,
          elected   \* of every term its leader, for the invariants

vars == <<currentTerm, state, votedFor, log, commitIndex, votesGranted, nextIndex, matchIndex,
          active, snapshotIndex, snapshotTerm, elected>>

Quorums == {q \in SUBSET Server : 2 * Cardinality(q) > Cardinality(Server)}
Least(a, b) == IF a < b THEN a ELSE b
Most(a, b) == IF a > b THEN a ELSE b

\* The log keeps its prefix: a snapshot only says up to where it may be forgotten.
LastIndex(i) == Len(log[i])
TermAt(i, k) == IF k = 0 THEN 0 ELSE log[i][k].term
LastTerm(i) == TermAt(i, LastIndex(i))

Init ==
  /\ currentTerm = [i \in Server |-> 0]
  /\ state = [i \in Server |-> Follower]
  /\ votedFor = [i \in Server |-> Nil]
  /\ log = [i \in Server |-> <<>>]
  /\ commitIndex = [i \in Server |-> 0]
  /\ votesGranted = [i \in Server |-> {}]
  /\ nextIndex = [i \in Server |-> [j \in Server |-> 1]]
  /\ matchIndex = [i \in Server |-> [j \in Server |-> 0]]
  /\ active = Server
  /\ snapshotIndex = [i \in Server |-> 0]
  /\ snapshotTerm = [i \in Server |-> 0]
  /\ elected = {}

----------------------------------------------------------------------------
RemoveFromActive(i) ==
  /\ i \in active
  /\ active' = active \ {i}
  /\ UNCHANGED <<currentTerm, state, votedFor, log, commitIndex, votesGranted, nextIndex,
                 matchIndex, snapshotIndex, snapshotTerm, elected>>

\* What was not on the disk is lost; what a snapshot covers was committed.
AddToActive(i) ==
  /\ i \notin active
  /\ active' = active \cup {i}
  /\ state' = [state EXCEPT ![i] = Follower]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
  /\ nextIndex' = [nextIndex EXCEPT ![i] = [j \in Server |-> 1]]
  /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
  /\ commitIndex' = [commitIndex EXCEPT ![i] = snapshotIndex[i]]
  /\ UNCHANGED <<currentTerm, votedFor, log, snapshotIndex, snapshotTerm, elected>>

Timeout(i) ==
  /\ i \in active
  /\ state[i] \in {Follower, Candidate}
  /\ state' = [state EXCEPT ![i] = Candidate]
  /\ currentTerm' = [currentTerm EXCEPT ![i] = @ + 1]
  /\ votedFor' = [votedFor EXCEPT ![i] = i]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {i}]
  /\ UNCHANGED <<log, commitIndex, nextIndex, matchIndex, active, snapshotIndex, snapshotTerm,
                 elected>>

Leads(i) ==
  /\ state' = [state EXCEPT ![i] = Leader]
  /\ nextIndex' = [nextIndex EXCEPT ![i] = [j \in Server |-> LastIndex(i) + 1]]
  /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
  /\ elected' = elected \cup {<<currentTerm[i], i>>}
  /\ UNCHANGED <<currentTerm, votedFor, log, commitIndex, votesGranted, active, snapshotIndex,
                 snapshotTerm>>

BecomeLeader(i) ==
  /\ i \in active
  /\ state[i] = Candidate
  /\ votesGranted[i] \in Quorums
  /\ Leads(i)

\* For runs in which votes are not seen.
ElectLeader(i) == i \in active /\ state[i] = Candidate /\ Leads(i)

ClientRequest(i, v) ==
  /\ i \in active
  /\ state[i] = Leader
  /\ log' = [log EXCEPT ![i] = Append(@, [term |-> currentTerm[i], value |-> v])]
  /\ UNCHANGED <<currentTerm, state, votedFor, commitIndex, votesGranted, nextIndex, matchIndex,
                 active, snapshotIndex, snapshotTerm, elected>>

UpdateSnapshotIndex(i, si) ==
  /\ i \in active
  /\ si <= commitIndex[i]
  /\ si >= snapshotIndex[i]
  /\ snapshotIndex' = [snapshotIndex EXCEPT ![i] = si]
  /\ snapshotTerm' = [snapshotTerm EXCEPT ![i] = TermAt(i, si)]
  /\ UNCHANGED <<currentTerm, state, votedFor, log, commitIndex, votesGranted, nextIndex,
                 matchIndex, active, elected>>

----------------------------------------------------------------------------
\* A higher term makes a follower without a vote, in the same step as the message.
Raised(i, term) == term > currentTerm[i]
TermAfter(i, term) == Most(currentTerm[i], term)
VoteBefore(i, term) == IF Raised(i, term) THEN Nil ELSE votedFor[i]

HandleRequestVoteRequest(i, j, term, lastIndex, lastTerm) ==
  LET logOk == \/ lastTerm > LastTerm(i)
               \/ lastTerm = LastTerm(i) /\ lastIndex >= LastIndex(i)
      grant == term >= currentTerm[i] /\ logOk /\ VoteBefore(i, term) \in {Nil, j}
  IN /\ i \in active
     /\ currentTerm' = [currentTerm EXCEPT ![i] = TermAfter(i, term)]
     /\ votedFor' = [votedFor EXCEPT ![i] = IF grant THEN j ELSE VoteBefore(i, term)]
     /\ state' = [state EXCEPT ![i] = IF Raised(i, term) THEN Follower ELSE @]
     /\ UNCHANGED <<log, commitIndex, votesGranted, nextIndex, matchIndex, active, snapshotIndex,
                    snapshotTerm, elected>>

HandleRequestVoteResponse(i, j, term, granted) ==
  /\ i \in active
  /\ currentTerm' = [currentTerm EXCEPT ![i] = TermAfter(i, term)]
  /\ IF Raised(i, term)
     THEN /\ state' = [state EXCEPT ![i] = Follower]
          /\ votedFor' = [votedFor EXCEPT ![i] = Nil]
          /\ UNCHANGED votesGranted
     ELSE /\ votesGranted' = [votesGranted EXCEPT ![i] =
               IF granted /\ term = currentTerm[i] /\ state[i] = Candidate THEN @ \cup {j} ELSE @]
          /\ UNCHANGED <<state, votedFor>>
  /\ UNCHANGED <<log, commitIndex, nextIndex, matchIndex, active, snapshotIndex, snapshotTerm,
                 elected>>

\* The previous entry matches if it is there, or was forgotten with a snapshot.
Matches(i, prev, prevTerm) ==
  \/ prev <= snapshotIndex[i]
  \/ prev <= LastIndex(i) /\ TermAt(i, prev) = prevTerm

\* Entries that are there already stay; the first that conflicts goes with all that follow.
Merged(i, prev, entries) ==
  LET conflicts == {k \in 1..Len(entries) :
                      prev + k <= LastIndex(i) /\ TermAt(i, prev + k) /= entries[k].term}
      known == IF prev + Len(entries) <= LastIndex(i) /\ conflicts = {} THEN log[i]
               ELSE SubSeq(log[i], 1, prev) \o entries
  IN known

HandleAppendEntriesRequest(i, j, term, prev, prevTerm, entries, leaderCommit) ==
  /\ i \in active
  /\ currentTerm' = [currentTerm EXCEPT ![i] = TermAfter(i, term)]
  /\ votedFor' = [votedFor EXCEPT ![i] = VoteBefore(i, term)]
  /\ IF term < currentTerm[i]
     THEN UNCHANGED <<state, log, commitIndex>>
     ELSE /\ state' = [state EXCEPT ![i] = Follower]
          /\ IF Matches(i, prev, prevTerm)
             THEN /\ log' = [log EXCEPT ![i] = Merged(i, prev, entries)]
                  /\ commitIndex' = [commitIndex EXCEPT ![i] =
                                       Most(@, Least(leaderCommit, prev + Len(entries)))]
             ELSE UNCHANGED <<log, commitIndex>>
  /\ UNCHANGED <<votesGranted, nextIndex, matchIndex, active, snapshotIndex, snapshotTerm, elected>>

\* The largest index of the current term that a quorum holds.
Committed(i, match) ==
  LET agreed == {k \in 1..LastIndex(i) :
                   /\ TermAt(i, k) = currentTerm[i]
                   /\ {i} \cup {j \in Server : match[j] >= k} \in Quorums}
  IN IF agreed = {} THEN commitIndex[i]
     ELSE Most(commitIndex[i], CHOOSE k \in agreed : \A l \in agreed : k >= l)

HandleAppendEntriesResponse(i, j, term, success, match) ==
  /\ i \in active
  /\ currentTerm' = [currentTerm EXCEPT ![i] = TermAfter(i, term)]
  /\ IF Raised(i, term)
     THEN /\ state' = [state EXCEPT ![i] = Follower]
          /\ votedFor' = [votedFor EXCEPT ![i] = Nil]
          /\ UNCHANGED <<nextIndex, matchIndex, commitIndex>>
     ELSE /\ UNCHANGED <<state, votedFor>>
          /\ IF term < currentTerm[i] \/ state[i] /= Leader
             THEN UNCHANGED <<nextIndex, matchIndex, commitIndex>>
             ELSE IF success
             THEN LET known == [matchIndex[i] EXCEPT ![j] = Most(@, match)]
                  IN /\ matchIndex' = [matchIndex EXCEPT ![i] = known]
                     /\ nextIndex' = [nextIndex EXCEPT ![i][j] = known[j] + 1]
                     /\ commitIndex' = [commitIndex EXCEPT ![i] = Committed(i, known)]
             ELSE /\ nextIndex' = [nextIndex EXCEPT ![i][j] = IF @ > 1 THEN @ - 1 ELSE 1]
                  /\ UNCHANGED <<matchIndex, commitIndex>>
  /\ UNCHANGED <<log, votesGranted, active, snapshotIndex, snapshotTerm, elected>>

----------------------------------------------------------------------------
\* For checking: messages are what their senders could have sent in this state, which the handlers
\* of a run are told instead.
Asks(j, i) == /\ state[j] = Candidate
              /\ HandleRequestVoteRequest(i, j, currentTerm[j], LastIndex(j), LastTerm(j))
Votes(j, i) == /\ state[i] = Candidate
               /\ votedFor[j] = i
               /\ currentTerm[j] = currentTerm[i]
               /\ HandleRequestVoteResponse(i, j, currentTerm[j], TRUE)
Sends(j, i) ==
  /\ state[j] = Leader
  /\ LET prev == nextIndex[j][i] - 1
     IN HandleAppendEntriesRequest(i, j, currentTerm[j], prev, TermAt(j, prev),
                                   SubSeq(log[j], prev + 1, LastIndex(j)), commitIndex[j])
Accepts(j, i) ==
  /\ state[i] = Leader
  /\ currentTerm[j] = currentTerm[i]
  /\ log[j] = log[i]
  /\ HandleAppendEntriesResponse(i, j, currentTerm[j], TRUE, LastIndex(j))

Next ==
  \/ \E i \in Server : Timeout(i) \/ BecomeLeader(i) \/ RemoveFromActive(i) \/ AddToActive(i)
  \/ \E i \in Server, v \in Values : ClientRequest(i, v)
  \/ \E i \in Server : UpdateSnapshotIndex(i, commitIndex[i])
  \/ \E i \in Server : \E j \in Server \ {i} :
       Asks(j, i) \/ Votes(j, i) \/ Sends(j, i) \/ Accepts(j, i)

Spec == Init /\ [][Next]_vars

Bounded == \A i \in Server : currentTerm[i] <= MaxTerm /\ Len(log[i]) <= MaxLog

OneLeaderATerm == \A e, f \in elected : e[1] = f[1] => e[2] = f[2]

LogMatching ==
  \A i, j \in Server : \A k \in 1..Least(LastIndex(i), LastIndex(j)) :
    log[i][k].term = log[j][k].term => SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)

CommitInLog == \A i \in Server : commitIndex[i] <= LastIndex(i)

StateMachineSafety ==
  \A i, j \in Server : \A k \in 1..Least(commitIndex[i], commitIndex[j]) : log[i][k] = log[j][k]

LeaderCompleteness ==
  \A i, j \in Server :
    state[i] = Leader /\ i \in active /\ currentTerm[i] > currentTerm[j] =>
      /\ LastIndex(i) >= commitIndex[j]
      /\ \A k \in 1..commitIndex[j] : log[i][k] = log[j][k]
=============================================================================
