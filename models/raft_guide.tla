----------------------------- MODULE raft_guide -----------------------------
(* Raft without a network, to be followed by a run of an implementation:    *)
(* every handler takes the fields of its message as parameters, and one     *)
(* event is one action. Terms are raised and messages handled in one step.  *)
(* What is in memory is not yet on the disk: `disk` has everything that a   *)
(* crash could leave, and a promise that is sent takes out what would break *)
(* it. There are no bounds here; those for checking stand at the end.       *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Server, Follower, Candidate, Leader, Nil,
          Judging  \* FALSE: to guide, which needs neither `disk` nor `elected`

CONSTANTS MaxTerm, MaxLog, Values  \* for checking only

VARIABLES currentTerm, state, votedFor, log, commitIndex, votesGranted, matchIndex, active,
          snapshotIndex,
          disk,      \* of every server the set of <<term, vote, log>> that a crash could leave
          committed, \* the longest log that any server ever called committed
          elected    \* of every term its leader

vars == <<currentTerm, state, votedFor, log, commitIndex, votesGranted, matchIndex, active,
          snapshotIndex, disk, committed, elected>>

Quorums == {q \in SUBSET Server : 2 * Cardinality(q) > Cardinality(Server)}
Least(a, b) == IF a < b THEN a ELSE b
Most(a, b) == IF a > b THEN a ELSE b

\* The log keeps its prefix: a snapshot only says up to where it may be forgotten.
LastIndex(i) == Len(log[i])
TermIn(l, k) == IF k = 0 THEN 0 ELSE l[k].term
TermAt(i, k) == TermIn(log[i], k)
LastTerm(i) == TermAt(i, LastIndex(i))

Init ==
  /\ currentTerm = [i \in Server |-> 0]
  /\ state = [i \in Server |-> Follower]
  /\ votedFor = [i \in Server |-> Nil]
  /\ log = [i \in Server |-> <<>>]
  /\ commitIndex = [i \in Server |-> 0]
  /\ votesGranted = [i \in Server |-> {}]
  /\ matchIndex = [i \in Server |-> [j \in Server |-> 0]]
  /\ active = Server
  /\ snapshotIndex = [i \in Server |-> 0]
  /\ disk = [i \in Server |-> {<<0, Nil, <<>>>>}]
  /\ committed = <<>>
  /\ elected = {}

----------------------------------------------------------------------------
\* A server that does not lead needs no match indices: to guide they are forgotten.
Forgotten(i) == IF Judging THEN matchIndex
                ELSE [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]

\* The disk: entries are written one after the other, then term and vote. An entry of a later term
\* can be there without its term, which is then known from it.
Recovered(d) == IF TermIn(d[3], Len(d[3])) > d[1] THEN <<TermIn(d[3], Len(d[3])), Nil, d[3]>> ELSE d

\* What is written on the way from the log that is there to `entries` after `kept` of its own.
LogsWritten(old, kept, entries) ==
  {SubSeq(old, 1, kept) \o SubSeq(entries, 1, m) : m \in 1..Len(entries)}

Written(i, logs, term, vote, new) ==
  IF ~Judging THEN disk[i] ELSE
  disk[i] \cup {Recovered(<<currentTerm[i], votedFor[i], l>>) : l \in logs}
          \cup (IF term = currentTerm[i] /\ vote = votedFor[i] /\ new = log[i] THEN {}
                ELSE {<<term, vote, new>>})

----------------------------------------------------------------------------
RemoveFromActive(i) ==
  /\ i \in active
  /\ active' = active \ {i}
  /\ UNCHANGED <<currentTerm, state, votedFor, log, commitIndex, votesGranted, matchIndex,
                 snapshotIndex, disk, committed, elected>>

\* What was found on the disk; what its snapshot covers was committed.
Recover(i, term, vote, l, snapshot) ==
  /\ i \notin active
  /\ Judging => <<term, vote, l>> \in disk[i]
  /\ snapshot <= commitIndex[i]
  /\ active' = active \cup {i}
  /\ currentTerm' = [currentTerm EXCEPT ![i] = term]
  /\ votedFor' = [votedFor EXCEPT ![i] = vote]
  /\ log' = [log EXCEPT ![i] = l]
  /\ disk' = IF Judging THEN [disk EXCEPT ![i] = {<<term, vote, l>>}] ELSE disk
  /\ state' = [state EXCEPT ![i] = Follower]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
  /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
  /\ commitIndex' = [commitIndex EXCEPT ![i] = snapshot]
  /\ snapshotIndex' = [snapshotIndex EXCEPT ![i] = snapshot]
  /\ UNCHANGED <<committed, elected>>

\* As a run tells it: entries from the snapshot on.
AddToActive(i, term, vote, snapshot, entries) ==
  Recover(i, term, vote, SubSeq(committed, 1, snapshot) \o entries, snapshot)

Timeout(i) ==
  /\ i \in active
  /\ state[i] \in {Follower, Candidate}
  /\ state' = [state EXCEPT ![i] = Candidate]
  /\ currentTerm' = [currentTerm EXCEPT ![i] = @ + 1]
  /\ votedFor' = [votedFor EXCEPT ![i] = i]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {i}]
  /\ disk' = [disk EXCEPT ![i] = Written(i, {}, currentTerm[i] + 1, i, log[i])]
  /\ UNCHANGED <<log, commitIndex, matchIndex, active, snapshotIndex, committed, elected>>

\* The timer of whoever leads means nothing.
ElectionTimer(i) == IF state[i] = Leader THEN UNCHANGED vars ELSE Timeout(i)

\* Asked by its leader to take over.
TimeoutNow(i, term) ==
  IF term < currentTerm[i] \/ (term = currentTerm[i] /\ state[i] = Leader) THEN UNCHANGED vars
  ELSE /\ i \in active
       /\ state' = [state EXCEPT ![i] = Candidate]
       /\ currentTerm' = [currentTerm EXCEPT ![i] = term + 1]
       /\ votedFor' = [votedFor EXCEPT ![i] = i]
       /\ votesGranted' = [votesGranted EXCEPT ![i] = {i}]
       /\ disk' = [disk EXCEPT ![i] = Written(i, {}, term + 1, i, log[i])]
       /\ UNCHANGED <<log, commitIndex, matchIndex, active, snapshotIndex, committed, elected>>

BecomeLeader(i) ==
  /\ i \in active
  /\ state[i] = Candidate
  /\ votesGranted[i] \in Quorums
  /\ state' = [state EXCEPT ![i] = Leader]
  /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
  /\ elected' = IF Judging THEN elected \cup {<<currentTerm[i], i>>} ELSE elected
  /\ UNCHANGED <<currentTerm, votedFor, log, commitIndex, votesGranted, active, snapshotIndex,
                 disk, committed>>

\* A candidate that a quorum has refused.
GiveUp(i) ==
  /\ i \in active
  /\ state[i] = Candidate
  /\ state' = [state EXCEPT ![i] = Follower]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
  /\ UNCHANGED <<currentTerm, votedFor, log, commitIndex, matchIndex, active, snapshotIndex,
                 disk, committed, elected>>

\* What follows from a handler: the role that the server has then.
Role(i, role) ==
  CASE role = state[i] -> UNCHANGED vars
    [] role = Leader -> BecomeLeader(i)
    [] role = Follower -> GiveUp(i)
    [] OTHER -> FALSE

\* Entries that a leader has appended: its log is so long then, and ends with these.
ClientRequests(i, last, tail) ==
  IF last <= LastIndex(i) THEN UNCHANGED vars
  ELSE LET new == SubSeq(tail, Len(tail) - (last - LastIndex(i)) + 1, Len(tail))
       IN /\ i \in active
          /\ state[i] = Leader
          /\ \A k \in DOMAIN new : new[k].term = currentTerm[i]
          /\ log' = [log EXCEPT ![i] = @ \o new]
          /\ disk' = [disk EXCEPT ![i] = Written(i, LogsWritten(log[i], LastIndex(i), new),
                                                 currentTerm[i], votedFor[i], log[i])]
          /\ UNCHANGED <<currentTerm, state, votedFor, commitIndex, votesGranted, matchIndex,
                         active, snapshotIndex, committed, elected>>

ClientRequest(i, v) ==
  /\ state[i] = Leader
  /\ ClientRequests(i, LastIndex(i) + 1, <<[term |-> currentTerm[i], value |-> v]>>)

\* The longest of two logs that must agree.
Agreed(l, k) == IF k = 0 THEN TRUE
                ELSE \A n \in 1..Least(k, Len(committed)) : l[n] = committed[n]
Longer(l, k) == IF k = 0 \/ k <= Len(committed) THEN committed ELSE SubSeq(l, 1, k)

\* A leader commits by counting: entries of its own term that a quorum has on its disk, its own
\* among them where it is needed.
AdvanceCommitIndex(i, k) ==
  IF k <= commitIndex[i] THEN k = commitIndex[i] /\ UNCHANGED vars
  ELSE LET others == {j \in Server \ {i} : matchIndex[i][j] >= k}
       IN /\ i \in active
          /\ state[i] = Leader
          /\ k <= LastIndex(i)
          /\ TermAt(i, k) = currentTerm[i]
          /\ others \cup {i} \in Quorums
          /\ Agreed(log[i], k)
          /\ commitIndex' = [commitIndex EXCEPT ![i] = k]
          /\ committed' = Longer(log[i], k)
          /\ disk' = IF others \in Quorums \/ ~Judging THEN disk
                     ELSE [disk EXCEPT ![i] = {d \in @ : Len(d[3]) >= k}]
          /\ UNCHANGED <<currentTerm, state, votedFor, log, votesGranted, matchIndex, active,
                         snapshotIndex, elected>>

UpdateSnapshotIndex(i, si) ==
  /\ i \in active
  /\ si <= commitIndex[i]
  /\ si >= snapshotIndex[i]
  /\ snapshotIndex' = [snapshotIndex EXCEPT ![i] = si]
  /\ UNCHANGED <<currentTerm, state, votedFor, log, commitIndex, votesGranted, matchIndex,
                 active, disk, committed, elected>>

----------------------------------------------------------------------------
\* A higher term makes a follower without a vote, in the same step as the message.
Raised(i, term) == term > currentTerm[i]
TermAfter(i, term) == Most(currentTerm[i], term)
VoteBefore(i, term) == IF Raised(i, term) THEN Nil ELSE votedFor[i]

HandleRequestVoteRequest(i, j, term, lastIndex, lastTerm) ==
  LET logOk == \/ lastTerm > LastTerm(i)
               \/ lastTerm = LastTerm(i) /\ lastIndex >= LastIndex(i)
      grant == term >= currentTerm[i] /\ logOk /\ VoteBefore(i, term) \in {Nil, j}
      vote == IF grant THEN j ELSE VoteBefore(i, term)
  IN /\ i \in active
     /\ currentTerm' = [currentTerm EXCEPT ![i] = TermAfter(i, term)]
     /\ votedFor' = [votedFor EXCEPT ![i] = vote]
     /\ state' = [state EXCEPT ![i] = IF Raised(i, term) THEN Follower ELSE @]
     /\ votesGranted' = [votesGranted EXCEPT ![i] = IF Raised(i, term) THEN {} ELSE @]
     /\ matchIndex' = IF Raised(i, term) THEN Forgotten(i) ELSE matchIndex
     /\ disk' = [disk EXCEPT ![i] = Written(i, {}, TermAfter(i, term), vote, log[i])]
     /\ UNCHANGED <<log, commitIndex, active, snapshotIndex, committed, elected>>

\* Everything that an answer of a higher term does.
StepDown(i, term) ==
  /\ currentTerm' = [currentTerm EXCEPT ![i] = term]
  /\ state' = [state EXCEPT ![i] = Follower]
  /\ votedFor' = [votedFor EXCEPT ![i] = Nil]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
  /\ disk' = [disk EXCEPT ![i] = Written(i, {}, term, Nil, log[i])]
  /\ matchIndex' = Forgotten(i)
  /\ UNCHANGED <<log, commitIndex, active, snapshotIndex, committed, elected>>

HandleRequestVoteResponse(i, j, term, granted) ==
  /\ i \in active
  /\ IF Raised(i, term) THEN StepDown(i, term)
     ELSE /\ votesGranted' = [votesGranted EXCEPT ![i] =
               IF granted /\ term = currentTerm[i] /\ state[i] = Candidate THEN @ \cup {j} ELSE @]
          /\ UNCHANGED <<currentTerm, state, votedFor, log, commitIndex, matchIndex, active,
                         snapshotIndex, disk, committed, elected>>

\* A message of a leader: its receiver follows.
Hears(i, term) ==
  /\ currentTerm' = [currentTerm EXCEPT ![i] = term]
  /\ state' = [state EXCEPT ![i] = Follower]
  /\ votedFor' = [votedFor EXCEPT ![i] = VoteBefore(i, term)]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
  /\ matchIndex' = Forgotten(i)

\* Entries that are there already stay; the first that conflicts goes with all that follow.
Conflicts(i, prev, entries) ==
  {k \in 1..Len(entries) : prev + k > LastIndex(i) \/ TermAt(i, prev + k) /= entries[k].term}
First(s) == IF s = {} THEN 1 ELSE CHOOSE k \in s : \A l \in s : k <= l

HandleAppendEntriesRequest(i, j, term, prev, prevTerm, entries, leaderCommit) ==
  /\ i \in active
  /\ IF term < currentTerm[i] THEN UNCHANGED vars
     ELSE LET takes == /\ prev >= commitIndex[i]
                       /\ prev <= LastIndex(i)
                       /\ TermAt(i, prev) = prevTerm
              new == IF takes THEN Conflicts(i, prev, entries) ELSE {}
              from == First(new)
              kept == prev + from - 1
              tail == SubSeq(entries, from, Len(entries))
              l == IF new = {} THEN log[i] ELSE SubSeq(log[i], 1, kept) \o tail
              commit == IF takes
                        THEN Most(commitIndex[i], Least(leaderCommit, prev + Len(entries)))
                        ELSE commitIndex[i]
          IN /\ IF new = {} THEN TRUE ELSE kept >= commitIndex[i]
             /\ Agreed(l, commit)
             /\ Hears(i, term)
             /\ log' = [log EXCEPT ![i] = l]
             /\ commitIndex' = [commitIndex EXCEPT ![i] = commit]
             /\ committed' = Longer(l, commit)
             /\ disk' = [disk EXCEPT ![i] =
                  Written(i, IF new = {} THEN {} ELSE LogsWritten(log[i], kept, tail), term,
                          VoteBefore(i, term), l)]
             /\ UNCHANGED <<active, snapshotIndex, elected>>

HandleHeartbeat(i, j, term, leaderCommit) ==
  /\ i \in active
  /\ IF term < currentTerm[i] THEN UNCHANGED vars
     ELSE LET commit == Most(commitIndex[i], Least(leaderCommit, LastIndex(i)))
          IN /\ Agreed(log[i], commit)
             /\ Hears(i, term)
             /\ commitIndex' = [commitIndex EXCEPT ![i] = commit]
             /\ committed' = Longer(log[i], commit)
             /\ disk' = [disk EXCEPT ![i] =
                           Written(i, {}, term, VoteBefore(i, term), log[i])]
             /\ UNCHANGED <<log, active, snapshotIndex, elected>>

\* A snapshot takes the place of a log that does not hold its last entry.
HandleSnapshot(i, j, term, index, lastTerm) ==
  /\ i \in active
  /\ IF term < currentTerm[i] THEN UNCHANGED vars
     ELSE LET has == index <= LastIndex(i) /\ TermAt(i, index) = lastTerm
              l == IF index <= commitIndex[i] \/ has THEN log[i] ELSE SubSeq(committed, 1, index)
          IN /\ index <= Len(committed)
             /\ TermIn(committed, index) = lastTerm
             /\ Agreed(l, Most(index, commitIndex[i]))
             /\ Hears(i, term)
             /\ log' = [log EXCEPT ![i] = l]
             /\ commitIndex' = [commitIndex EXCEPT ![i] = Most(@, index)]
             /\ disk' = [disk EXCEPT ![i] = Written(i, {l}, term, VoteBefore(i, term), l)]
             /\ UNCHANGED <<active, snapshotIndex, committed, elected>>

HandleAppendEntriesResponse(i, j, term, success, match) ==
  /\ i \in active
  /\ IF Raised(i, term) THEN StepDown(i, term)
     ELSE IF term < currentTerm[i] \/ state[i] /= Leader \/ ~success THEN UNCHANGED vars
     ELSE /\ matchIndex' = [matchIndex EXCEPT ![i][j] = Most(@, Least(match, LastIndex(i)))]
          /\ UNCHANGED <<currentTerm, state, votedFor, log, commitIndex, votesGranted, active,
                         snapshotIndex, disk, committed, elected>>

----------------------------------------------------------------------------
\* Messages as they leave. Those that promise something rule out every crash that would break it.
Promised(i, kept) ==
  /\ kept /= {}
  /\ disk' = [disk EXCEPT ![i] = kept]
  /\ UNCHANGED <<currentTerm, state, votedFor, log, commitIndex, votesGranted, matchIndex, active,
                 snapshotIndex, committed, elected>>

HasVoted(i, j, term) ==
  Promised(i, {d \in disk[i] : d[1] > term \/ (d[1] = term /\ d[2] = j)})

SendVoteRequest(i, term, lastIndex, lastTerm) ==
  /\ state[i] = Candidate \/ state[i] = Leader
  /\ term = currentTerm[i]
  /\ lastIndex = LastIndex(i) \/ state[i] = Leader
  /\ HasVoted(i, i, term)

SendAccepted(i, term, index) ==
  /\ term <= currentTerm[i]
  /\ Promised(i, {d \in disk[i] : d[1] > term \/ Len(d[3]) >= index})

SendAppend(i, term, prev, prevTerm, entries, commit) ==
  /\ state[i] = Leader
  /\ term = currentTerm[i]
  /\ prev + Len(entries) <= LastIndex(i)
  /\ TermAt(i, prev) = prevTerm
  /\ entries = SubSeq(log[i], prev + 1, prev + Len(entries))
  /\ commit <= commitIndex[i]
  /\ UNCHANGED vars

SendHeartbeat(i, j, term, commit) ==
  /\ state[i] = Leader
  /\ term = currentTerm[i]
  /\ commit <= matchIndex[i][j]
  /\ commit <= commitIndex[i]
  /\ UNCHANGED vars

----------------------------------------------------------------------------
\* For checking: messages are what their senders could have sent in this state, which the handlers
\* of a run are told instead; whoever answers has promised it.
Asks(j, i) == /\ state[j] = Candidate
              /\ HandleRequestVoteRequest(i, j, currentTerm[j], LastIndex(j), LastTerm(j))
Votes(j, i) == /\ state[i] = Candidate
               /\ disk[j] = {<<currentTerm[i], i, log[j]>>}
               /\ HandleRequestVoteResponse(i, j, currentTerm[i], TRUE)
Sends(j, i) ==
  /\ state[j] = Leader
  /\ \E prev \in {matchIndex[j][i], LastIndex(j)} :
       HandleAppendEntriesRequest(i, j, currentTerm[j], prev, TermAt(j, prev),
                                  SubSeq(log[j], prev + 1, LastIndex(j)), commitIndex[j])
Accepts(j, i) ==
  /\ state[i] = Leader
  /\ currentTerm[j] = currentTerm[i]
  /\ log[j] = log[i]
  /\ \A d \in disk[j] : d[1] = currentTerm[i] /\ d[3] = log[i]
  /\ HandleAppendEntriesResponse(i, j, currentTerm[j], TRUE, LastIndex(j))
Sync(i) == /\ Cardinality(disk[i]) > 1
           /\ Promised(i, {<<currentTerm[i], votedFor[i], log[i]>>})
Leads(i) == disk[i] = {<<currentTerm[i], i, log[i]>>} /\ BecomeLeader(i)

Next ==
  \/ \E i \in Server : Timeout(i) \/ Leads(i) \/ RemoveFromActive(i) \/ Sync(i)
  \/ \E i \in Server : \E d \in disk[i] : Recover(i, d[1], d[2], d[3], snapshotIndex[i])
  \/ \E i \in Server, v \in Values : ClientRequest(i, v)
  \/ \E i \in Server : commitIndex[i] > snapshotIndex[i] /\ UpdateSnapshotIndex(i, commitIndex[i])
  \/ \E i \in Server : \E k \in commitIndex[i] + 1..LastIndex(i) : AdvanceCommitIndex(i, k)
  \/ \E i \in Server : \E j \in Server \ {i} :
       j \in active /\ (Asks(j, i) \/ Votes(j, i) \/ Sends(j, i) \/ Accepts(j, i))

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
