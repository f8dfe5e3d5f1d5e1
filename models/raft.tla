-------------------------------- MODULE raft --------------------------------
(* Raft with its network: a bag of messages that may be duplicated, lost    *)
(* and handled in any order. An answer takes its request out of the bag;    *)
(* an entry of the bag stays in its domain when its count falls to zero.    *)
EXTENDS Naturals, FiniteSets, Sequences, TLC

CONSTANTS Server, Value, Follower, Candidate, Leader, Nil,
          VoteRequest, VoteResponse, AppendRequest, AppendResponse

CONSTANTS MaxTerm, MaxLog, MaxMessages, MaxCount

VARIABLES messages, elections, currentTerm, state, votedFor, log, commitIndex,
          votesResponded, votesGranted, voterLog, nextIndex, matchIndex

serverVars    == <<currentTerm, state, votedFor>>
logVars       == <<log, commitIndex>>
candidateVars == <<votesResponded, votesGranted, voterLog>>
leaderVars    == <<nextIndex, matchIndex, elections>>
vars == <<messages, serverVars, candidateVars, leaderVars, logVars>>

Quorums == {q \in SUBSET Server : 2 * Cardinality(q) > Cardinality(Server)}
LastTerm(l) == IF Len(l) = 0 THEN 0 ELSE l[Len(l)].term
Least(a, b) == IF a < b THEN a ELSE b
Largest(s)  == CHOOSE x \in s : \A y \in s : x >= y

With(m, bag) == IF m \in DOMAIN bag THEN [bag EXCEPT ![m] = @ + 1] ELSE bag @@ (m :> 1)
Less(m, bag) == IF m \in DOMAIN bag THEN [bag EXCEPT ![m] = @ - 1] ELSE bag

Send(m)    == messages' = With(m, messages)
Discard(m) == messages' = Less(m, messages)
Answer(response, request) == messages' = Less(request, With(response, messages))

Init ==
  /\ messages = [m \in {} |-> 0]
  /\ elections = {}
  /\ currentTerm = [i \in Server |-> 1]
  /\ state = [i \in Server |-> Follower]
  /\ votedFor = [i \in Server |-> Nil]
  /\ log = [i \in Server |-> <<>>]
  /\ commitIndex = [i \in Server |-> 0]
  /\ votesResponded = [i \in Server |-> {}]
  /\ votesGranted = [i \in Server |-> {}]
  /\ voterLog = [i \in Server |-> [j \in {} |-> <<>>]]
  /\ nextIndex = [i \in Server |-> [j \in Server |-> 1]]
  /\ matchIndex = [i \in Server |-> [j \in Server |-> 0]]

----------------------------------------------------------------------------
Restart(i) ==
  /\ state' = [state EXCEPT ![i] = Follower]
  /\ votesResponded' = [votesResponded EXCEPT ![i] = {}]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
  /\ voterLog' = [voterLog EXCEPT ![i] = [j \in {} |-> <<>>]]
  /\ nextIndex' = [nextIndex EXCEPT ![i] = [j \in Server |-> 1]]
  /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
  /\ commitIndex' = [commitIndex EXCEPT ![i] = 0]
  /\ UNCHANGED <<messages, currentTerm, votedFor, log, elections>>

Timeout(i) ==
  /\ state[i] \in {Follower, Candidate}
  /\ state' = [state EXCEPT ![i] = Candidate]
  /\ currentTerm' = [currentTerm EXCEPT ![i] = @ + 1]
  /\ votedFor' = [votedFor EXCEPT ![i] = Nil]
  /\ votesResponded' = [votesResponded EXCEPT ![i] = {}]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
  /\ voterLog' = [voterLog EXCEPT ![i] = [j \in {} |-> <<>>]]
  /\ UNCHANGED <<messages, leaderVars, logVars>>

RequestVote(i, j) ==
  /\ state[i] = Candidate
  /\ j \notin votesResponded[i]
  /\ Send([mtype |-> VoteRequest, mterm |-> currentTerm[i], mlastLogTerm |-> LastTerm(log[i]),
           mlastLogIndex |-> Len(log[i]), msource |-> i, mdest |-> j])
  /\ UNCHANGED <<serverVars, candidateVars, leaderVars, logVars>>

AppendEntries(i, j) ==
  /\ i /= j
  /\ state[i] = Leader
  /\ LET prev     == nextIndex[i][j] - 1
         prevTerm == IF prev > 0 THEN log[i][prev].term ELSE 0
         last     == Least(Len(log[i]), nextIndex[i][j])
     IN Send([mtype |-> AppendRequest, mterm |-> currentTerm[i], mprevLogIndex |-> prev,
              mprevLogTerm |-> prevTerm, mentries |-> SubSeq(log[i], nextIndex[i][j], last),
              mlog |-> log[i], mcommitIndex |-> Least(commitIndex[i], last),
              msource |-> i, mdest |-> j])
  /\ UNCHANGED <<serverVars, candidateVars, leaderVars, logVars>>

BecomeLeader(i) ==
  /\ state[i] = Candidate
  /\ votesGranted[i] \in Quorums
  /\ state' = [state EXCEPT ![i] = Leader]
  /\ nextIndex' = [nextIndex EXCEPT ![i] = [j \in Server |-> Len(log[i]) + 1]]
  /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
  /\ elections' = elections \cup {[eterm |-> currentTerm[i], eleader |-> i, elog |-> log[i],
                                   evotes |-> votesGranted[i], evoterLog |-> voterLog[i]]}
  /\ UNCHANGED <<messages, currentTerm, votedFor, candidateVars, logVars>>

ClientRequest(i, v) ==
  /\ state[i] = Leader
  /\ log' = [log EXCEPT ![i] = Append(@, [term |-> currentTerm[i], value |-> v])]
  /\ UNCHANGED <<messages, serverVars, candidateVars, leaderVars, commitIndex>>

AdvanceCommitIndex(i) ==
  /\ state[i] = Leader
  /\ LET agree(k) == {i} \cup {j \in Server : matchIndex[i][j] >= k}
         agreed   == {k \in 1..Len(log[i]) : agree(k) \in Quorums}
         new      == IF agreed /= {} /\ log[i][Largest(agreed)].term = currentTerm[i]
                     THEN Largest(agreed) ELSE commitIndex[i]
     IN commitIndex' = [commitIndex EXCEPT ![i] = new]
  /\ UNCHANGED <<messages, serverVars, candidateVars, leaderVars, log>>

----------------------------------------------------------------------------
HandleVoteRequest(i, j, m) ==
  LET logOk == \/ m.mlastLogTerm > LastTerm(log[i])
               \/ m.mlastLogTerm = LastTerm(log[i]) /\ m.mlastLogIndex >= Len(log[i])
      grant == m.mterm = currentTerm[i] /\ logOk /\ votedFor[i] \in {Nil, j}
  IN /\ m.mterm <= currentTerm[i]
     /\ IF grant THEN votedFor' = [votedFor EXCEPT ![i] = j] ELSE UNCHANGED votedFor
     /\ Answer([mtype |-> VoteResponse, mterm |-> currentTerm[i], mvoteGranted |-> grant,
                mlog |-> log[i], msource |-> i, mdest |-> j], m)
     /\ UNCHANGED <<state, currentTerm, candidateVars, leaderVars, logVars>>

HandleVoteResponse(i, j, m) ==
  /\ m.mterm = currentTerm[i]
  /\ votesResponded' = [votesResponded EXCEPT ![i] = @ \cup {j}]
  /\ IF m.mvoteGranted
     THEN /\ votesGranted' = [votesGranted EXCEPT ![i] = @ \cup {j}]
          /\ voterLog' = [voterLog EXCEPT ![i] = @ @@ (j :> m.mlog)]
     ELSE UNCHANGED <<votesGranted, voterLog>>
  /\ Discard(m)
  /\ UNCHANGED <<serverVars, votedFor, leaderVars, logVars>>

AppendResult(i, j, m, ok, match) ==
  Answer([mtype |-> AppendResponse, mterm |-> currentTerm[i], msuccess |-> ok,
          mmatchIndex |-> match, msource |-> i, mdest |-> j], m)

HandleAppendRequest(i, j, m) ==
  LET logOk == \/ m.mprevLogIndex = 0
               \/ /\ m.mprevLogIndex > 0
                  /\ m.mprevLogIndex <= Len(log[i])
                  /\ m.mprevLogTerm = log[i][m.mprevLogIndex].term
      index == m.mprevLogIndex + 1
  IN /\ m.mterm <= currentTerm[i]
     /\ \/ /\ \/ m.mterm < currentTerm[i]
              \/ m.mterm = currentTerm[i] /\ state[i] = Follower /\ ~logOk
           /\ AppendResult(i, j, m, FALSE, 0)
           /\ UNCHANGED <<serverVars, logVars>>
        \/ /\ m.mterm = currentTerm[i]
           /\ state[i] = Candidate
           /\ state' = [state EXCEPT ![i] = Follower]
           /\ UNCHANGED <<currentTerm, votedFor, logVars, messages>>
        \/ /\ m.mterm = currentTerm[i]
           /\ state[i] = Follower
           /\ logOk
           /\ \/ /\ \/ m.mentries = <<>>
                    \/ Len(log[i]) >= index /\ log[i][index].term = m.mentries[1].term
                 /\ commitIndex' = [commitIndex EXCEPT ![i] = m.mcommitIndex]
                 /\ AppendResult(i, j, m, TRUE, m.mprevLogIndex + Len(m.mentries))
                 /\ UNCHANGED <<serverVars, log>>
              \/ /\ m.mentries /= <<>>
                 /\ Len(log[i]) >= index
                 /\ log[i][index].term /= m.mentries[1].term
                 /\ log' = [log EXCEPT ![i] = SubSeq(@, 1, Len(@) - 1)]
                 /\ UNCHANGED <<serverVars, commitIndex, messages>>
              \/ /\ m.mentries /= <<>>
                 /\ Len(log[i]) = m.mprevLogIndex
                 /\ log' = [log EXCEPT ![i] = Append(@, m.mentries[1])]
                 /\ UNCHANGED <<serverVars, commitIndex, messages>>
     /\ UNCHANGED <<candidateVars, leaderVars>>

HandleAppendResponse(i, j, m) ==
  /\ m.mterm = currentTerm[i]
  /\ IF m.msuccess
     THEN /\ nextIndex' = [nextIndex EXCEPT ![i][j] = m.mmatchIndex + 1]
          /\ matchIndex' = [matchIndex EXCEPT ![i][j] = m.mmatchIndex]
     ELSE /\ nextIndex' = [nextIndex EXCEPT ![i][j] = IF @ - 1 > 1 THEN @ - 1 ELSE 1]
          /\ UNCHANGED matchIndex
  /\ Discard(m)
  /\ UNCHANGED <<serverVars, candidateVars, logVars, elections>>

UpdateTerm(i, m) ==
  /\ m.mterm > currentTerm[i]
  /\ currentTerm' = [currentTerm EXCEPT ![i] = m.mterm]
  /\ state' = [state EXCEPT ![i] = Follower]
  /\ votedFor' = [votedFor EXCEPT ![i] = Nil]
  /\ UNCHANGED <<messages, candidateVars, leaderVars, logVars>>

DropStale(i, m) ==
  /\ m.mterm < currentTerm[i]
  /\ Discard(m)
  /\ UNCHANGED <<serverVars, candidateVars, leaderVars, logVars>>

Receive(m) ==
  LET i == m.mdest
      j == m.msource
  IN \/ UpdateTerm(i, m)
     \/ m.mtype = VoteRequest /\ HandleVoteRequest(i, j, m)
     \/ m.mtype = VoteResponse /\ (DropStale(i, m) \/ HandleVoteResponse(i, j, m))
     \/ m.mtype = AppendRequest /\ HandleAppendRequest(i, j, m)
     \/ m.mtype = AppendResponse /\ (DropStale(i, m) \/ HandleAppendResponse(i, j, m))

DuplicateMessage(m) ==
  /\ Send(m)
  /\ UNCHANGED <<serverVars, candidateVars, leaderVars, logVars>>

DropMessage(m) ==
  /\ Discard(m)
  /\ UNCHANGED <<serverVars, candidateVars, leaderVars, logVars>>

Next ==
  \/ \E i \in Server : Restart(i)
  \/ \E i \in Server : Timeout(i)
  \/ \E i, j \in Server : RequestVote(i, j)
  \/ \E i \in Server : BecomeLeader(i)
  \/ \E i \in Server, v \in Value : ClientRequest(i, v)
  \/ \E i \in Server : AdvanceCommitIndex(i)
  \/ \E i, j \in Server : AppendEntries(i, j)
  \/ \E m \in DOMAIN messages : Receive(m)
  \/ \E m \in DOMAIN messages : DuplicateMessage(m)
  \/ \E m \in DOMAIN messages : DropMessage(m)

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
Bounded ==
  /\ \A i \in Server : currentTerm[i] <= MaxTerm /\ Len(log[i]) <= MaxLog
  /\ Cardinality(DOMAIN messages) <= MaxMessages
  /\ \A m \in DOMAIN messages : messages[m] \in 0..MaxCount

Symmetric == Permutations(Server)

OneLeaderATerm ==
  \A e, f \in elections : e.eterm = f.eterm => e.eleader = f.eleader
=============================================================================
