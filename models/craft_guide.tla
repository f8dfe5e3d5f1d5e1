---------------------------- MODULE craft_guide ----------------------------
(* raft_guide for a library that decides more by itself: elections begin    *)
(* in its ticks, votes may be refused because it knows a leader, and what a *)
(* follower calls committed waits for its disk. What it did is told, and    *)
(* what it may do is Raft's.                                                *)
EXTENDS raft_guide

\* It begins with a configuration in its log.
Boot(i, term, vote, l) ==
  /\ currentTerm' = [currentTerm EXCEPT ![i] = term]
  /\ votedFor' = [votedFor EXCEPT ![i] = vote]
  /\ log' = [log EXCEPT ![i] = l]
  /\ UNCHANGED <<state, commitIndex, votesGranted, matchIndex, active, snapshotIndex, disk,
                 committed, elected>>

\* Its clock has ticked, and it is in that term now.
Tick(i, term, role) ==
  IF term > currentTerm[i] THEN Timeout(i)
  ELSE IF state[i] = Leader /\ role /= Leader THEN StepsBack(i) ELSE UNCHANGED vars

\* Whoever does not hear from a quorum leads no longer, in the same term.
StepsBack(i) ==
  /\ state' = [state EXCEPT ![i] = Follower]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
  /\ matchIndex' = Forgotten(i)
  /\ UNCHANGED <<currentTerm, votedFor, log, commitIndex, active, snapshotIndex, disk, committed,
                 elected>>

\* A request that leaves its receiver in an earlier term was not listened to.
Asked(i, j, term, lastIndex, lastTerm, after) ==
  IF after < term THEN UNCHANGED vars
  ELSE HandleRequestVoteRequest(i, j, term, lastIndex, lastTerm)

\* Entries that it holds committed are not looked at again; those after them are taken. What is
\* committed is told later.
Appended(i, j, term, prev, prevTerm, entries) ==
  IF prev >= commitIndex[i] \/ term < currentTerm[i]
  THEN HandleAppendEntriesRequest(i, j, term, prev, prevTerm, entries, 0)
  ELSE HandleAppendEntriesRequest(i, j, term, commitIndex[i], TermAt(i, commitIndex[i]),
                                  SubSeq(entries, commitIndex[i] - prev + 1, Len(entries)), 0)

\* Leaders count; others believe their leader, once it is on their disk.
Commits(i, k) ==
  IF k <= commitIndex[i] THEN UNCHANGED vars
  ELSE IF state[i] = Leader THEN AdvanceCommitIndex(i, k)
  ELSE /\ k <= LastIndex(i)
       /\ Agreed(log[i], k)
       /\ commitIndex' = [commitIndex EXCEPT ![i] = k]
       /\ committed' = Longer(log[i], k)
       /\ UNCHANGED <<currentTerm, state, votedFor, log, votesGranted, matchIndex, active,
                      snapshotIndex, disk, elected>>
=============================================================================
