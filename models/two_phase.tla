----------------------------- MODULE two_phase -----------------------------
(* Two-phase commit of a sequence of requests. Messages stay. A resource    *)
(* manager may vote no before it has voted yes; the manager of the          *)
(* transaction then aborts the request, and no further one is made.         *)
EXTENDS Naturals, FiniteSets

CONSTANTS RM, N

VARIABLES curRequest, rm, tmState, tmPrepared, tmCommitted, msgs

vars == <<curRequest, rm, tmState, tmPrepared, tmCommitted, msgs>>

Prepare(i)       == [type |-> "Prepare", req |-> i]
Commit(i)        == [type |-> "Commit", req |-> i]
Abort(i)         == [type |-> "Abort", req |-> i]
RMPrepared(r, i) == [type |-> "RMPrepared", req |-> i, rm |-> r]
RMAborted(r, i)  == [type |-> "RMAborted", req |-> i, rm |-> r]

TypeOK ==
  /\ curRequest \in 0..N
  /\ rm \in [RM -> [req : 0..N, state : {"init", "working", "prepared", "committed", "aborted"}]]
  /\ tmState \in {"init", "done"}
  /\ tmPrepared \subseteq RM
  /\ tmCommitted \subseteq 1..N

Consistent ==
  \A a, b \in RM : ~(rm[a].state = "committed" /\ rm[b].state = "aborted")

Init ==
  /\ curRequest = 0
  /\ rm = [r \in RM |-> [req |-> 0, state |-> "init"]]
  /\ tmState = "done"
  /\ tmPrepared = {}
  /\ tmCommitted = {}
  /\ msgs = {}

NextRequest ==
  /\ tmState = "done"
  /\ curRequest < N
  /\ \/ curRequest = 0
     \/ \A r \in RM : rm[r] = [req |-> curRequest, state |-> "committed"]
  /\ curRequest' = curRequest + 1
  /\ rm' = [r \in RM |-> [req |-> curRequest + 1, state |-> "init"]]
  /\ tmPrepared' = {}
  /\ tmState' = "init"
  /\ UNCHANGED <<tmCommitted, msgs>>

Managing(i) == i = curRequest /\ tmState = "init"

TMSendPrepareReq(i) ==
  /\ Managing(i)
  /\ msgs' = msgs \cup {Prepare(i)}
  /\ UNCHANGED <<curRequest, rm, tmState, tmPrepared, tmCommitted>>

TMRcvPrepared(r, i) ==
  /\ Managing(i)
  /\ RMPrepared(r, i) \in msgs
  /\ tmPrepared' = tmPrepared \cup {r}
  /\ UNCHANGED <<curRequest, rm, tmState, tmCommitted, msgs>>

TMRcvAborted(r, i) ==
  /\ Managing(i)
  /\ RMAborted(r, i) \in msgs
  /\ tmState' = "done"
  /\ msgs' = msgs \cup {Abort(i)}
  /\ UNCHANGED <<curRequest, rm, tmPrepared, tmCommitted>>

TMSendGlobalCommit(i) ==
  /\ Managing(i)
  /\ tmPrepared = RM
  /\ tmState' = "done"
  /\ tmCommitted' = tmCommitted \cup {i}
  /\ msgs' = msgs \cup {Commit(i)}
  /\ UNCHANGED <<curRequest, rm, tmPrepared>>

Becomes(r, state) == rm' = [rm EXCEPT ![r].state = state]

RMRcvPrepareReq(r, i) ==
  /\ rm[r] = [req |-> i, state |-> "init"]
  /\ Prepare(i) \in msgs
  /\ Becomes(r, "working")
  /\ UNCHANGED <<curRequest, tmState, tmPrepared, tmCommitted, msgs>>

RMSendPrepared(r, i) ==
  /\ rm[r] = [req |-> i, state |-> "working"]
  /\ Becomes(r, "prepared")
  /\ msgs' = msgs \cup {RMPrepared(r, i)}
  /\ UNCHANGED <<curRequest, tmState, tmPrepared, tmCommitted>>

RMSendAborted(r, i) ==
  /\ rm[r].req = i
  /\ rm[r].state \in {"working", "init"}
  /\ Becomes(r, "aborted")
  /\ msgs' = msgs \cup {RMAborted(r, i)}
  /\ UNCHANGED <<curRequest, tmState, tmPrepared, tmCommitted>>

RMRcvGlobalAbort(r, i) ==
  /\ rm[r] = [req |-> i, state |-> "working"]
  /\ Abort(i) \in msgs
  /\ Becomes(r, "aborted")
  /\ UNCHANGED <<curRequest, tmState, tmPrepared, tmCommitted, msgs>>

RMRcvGlobalCommit(r, i) ==
  /\ rm[r].req = i
  /\ rm[r].state \in {"working", "prepared"}
  /\ Commit(i) \in msgs
  /\ Becomes(r, "committed")
  /\ UNCHANGED <<curRequest, tmState, tmPrepared, tmCommitted, msgs>>

Next ==
  \/ NextRequest
  \/ \E r \in RM, i \in 1..N :
       \/ TMSendPrepareReq(i)
       \/ TMRcvPrepared(r, i)
       \/ TMRcvAborted(r, i)
       \/ TMSendGlobalCommit(i)
       \/ RMRcvPrepareReq(r, i)
       \/ RMSendPrepared(r, i)
       \/ RMSendAborted(r, i)
       \/ RMRcvGlobalAbort(r, i)
       \/ RMRcvGlobalCommit(r, i)

Spec == Init /\ [][Next]_vars
=============================================================================
