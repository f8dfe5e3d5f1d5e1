---------------------------- MODULE worker_pool ----------------------------
(* A master that hands a chain of N tasks to one of its workers, and a      *)
(* terminator that may flush the chain. Messages are never taken away, so   *)
(* the same action may happen again without changing anything.              *)
EXTENDS Naturals, FiniteSets

CONSTANTS N,  \* the length of the chain
          M   \* the workers, 1..m

VARIABLES master, registeredWorkers, registeredTerminator, worker, workerBuffer,
          terminator, curExecute, msgs

vars == <<master, registeredWorkers, registeredTerminator, worker, workerBuffer,
          terminator, curExecute, msgs>>

First == 1

RegisterWorker(w)  == [type |-> "RegisterWorker", worker |-> w]
RegisterTerminator == [type |-> "RegisterTerminator"]
Execute(r, w)      == [type |-> "Execute", task |-> r, worker |-> w]
Terminate(w)       == [type |-> "Terminate", worker |-> w]
Flush(w)           == [type |-> "Flush", worker |-> w]

TypeOK ==
  /\ master \in {"init", "inProgress"}
  /\ registeredWorkers \subseteq M
  /\ registeredTerminator \in {0, 1}
  /\ worker \in [M -> [state : {"working", "completed", "flushed"}]]
  /\ workerBuffer \subseteq 0..N
  /\ terminator \in {"working", "terminating"}
  /\ curExecute \in 0..(N + 1)

Init ==
  /\ master = "init"
  /\ registeredWorkers = {}
  /\ registeredTerminator = 0
  /\ worker = [w \in M |-> [state |-> "working"]]
  /\ workerBuffer = {}
  /\ terminator = "working"
  /\ curExecute = 0
  /\ msgs = {}

WorkerRegister(w) ==
  /\ worker[w].state = "working"
  /\ msgs' = msgs \cup {RegisterWorker(w)}
  /\ UNCHANGED <<master, registeredWorkers, registeredTerminator, worker, workerBuffer,
                 terminator, curExecute>>

MasterRegisterWorker(w) ==
  /\ master = "init"
  /\ RegisterWorker(w) \in msgs
  /\ registeredWorkers' = registeredWorkers \cup {w}
  /\ UNCHANGED <<master, registeredTerminator, worker, workerBuffer, terminator, curExecute, msgs>>

TerminatorRegister ==
  /\ terminator = "working"
  /\ msgs' = msgs \cup {RegisterTerminator}
  /\ UNCHANGED <<master, registeredWorkers, registeredTerminator, worker, workerBuffer,
                 terminator, curExecute>>

MasterRegisterTerminator ==
  /\ master = "init"
  /\ RegisterTerminator \in msgs
  /\ registeredTerminator' = 1
  /\ UNCHANGED <<master, registeredWorkers, worker, workerBuffer, terminator, curExecute, msgs>>

MasterRcvRequest(w, r) ==
  /\ r = curExecute
  /\ master = "init"
  /\ registeredWorkers = M
  /\ registeredTerminator = 1
  /\ msgs' = msgs \cup {Execute(r, First), Terminate(First)}
  /\ master' = "inProgress"
  /\ UNCHANGED <<registeredWorkers, registeredTerminator, worker, workerBuffer, terminator,
                 curExecute>>

WorkerRcvExecute(w, r) ==
  /\ r = curExecute
  /\ worker[w].state = "working"
  /\ Execute(r, w) \in msgs
  /\ workerBuffer' = workerBuffer \cup {r}
  /\ msgs' = msgs \cup {Execute(r + 1, w)}
  /\ worker' = [worker EXCEPT ![w].state = IF r = N THEN "completed" ELSE @]
  /\ curExecute' = curExecute + 1
  /\ UNCHANGED <<master, registeredWorkers, registeredTerminator, terminator>>

TerminatorRcvTerminate(w) ==
  /\ terminator = "working"
  /\ Terminate(w) \in msgs
  /\ msgs' = msgs \cup {Flush(w)}
  /\ terminator' = "terminating"
  /\ UNCHANGED <<master, registeredWorkers, registeredTerminator, worker, workerBuffer, curExecute>>

WorkerRcvFlush(w) ==
  /\ worker[w].state \in {"working", "completed"}
  /\ Flush(w) \in msgs
  /\ workerBuffer' = {}
  /\ worker' = [worker EXCEPT ![w].state = "flushed"]
  /\ UNCHANGED <<master, registeredWorkers, registeredTerminator, terminator, curExecute, msgs>>

Next ==
  \/ TerminatorRegister
  \/ MasterRegisterTerminator
  \/ \E r \in 0..N, w \in M :
       \/ WorkerRegister(w)
       \/ MasterRegisterWorker(w)
       \/ MasterRcvRequest(w, r)
       \/ WorkerRcvExecute(w, r)
       \/ TerminatorRcvTerminate(w)
       \/ WorkerRcvFlush(w)

Spec == Init /\ [][Next]_vars
=============================================================================
