// A replica of BFT-SMaRt: requests and consensus instances in replica.cpp, leader changes in
// leader_change.cpp, decisions and state that it gets from others in transfer.cpp.
#pragma once

#include "systems/bft_smart/client.hpp"
#include "systems/bft_smart/predicates.hpp"

namespace bft_smart {

constexpr Micros kTimeout = 2'000'000;  // of requests; and between two STOPs
constexpr int kWindow = 64;             // instances ahead of which votes are kept
constexpr int kBehind = 2;              // instances: so far behind a state is asked for

// All epochs of an instance live side by side; votes are counted in the one that they name.
struct Epoch {
  std::optional<Batch> proposal;
  int digest = 0;        // of the proposal
  bool refused = false;  // it was not valid
  std::map<NodeId, int> writes;
  std::map<NodeId, Signed<Vote>> accepts;
  bool accepted = false;  // its own ACCEPT was sent
  FIELDS(proposal, digest, refused, writes, accepts, accepted)
};

// A consensus instance.
struct Slot {
  int ets = 0;  // the epoch that it is in
  std::map<int, Epoch> epochs;
  std::map<NodeId, Batch> offers;  // PROPOSEs for epoch 0, the first of each sender
  int quorum_epoch = -1, quorum_digest = 0;
  std::vector<Written> written;
  bool asked = false;            // for the decision
  NodeSet askers;                // who want to be told of it
  std::optional<Decision> told;  // by somebody else, with its proof
  FIELDS(ets, epochs, offers, quorum_epoch, quorum_digest, written, asked, askers, told)
};

struct Done {  // the last operation of a client
  int stamp = 0, result = 0, cid = 0;
  FIELDS(stamp, result, cid)
};
struct Waiting {  // an operation of a client
  Signed<Op> op;
  Micros since = 0;
  bool forwarded = false, proposed = false;
  FIELDS(op, since, forwarded, proposed)
};
struct Report {
  NodeRef from;
  StopData data;
  FIELDS(from, data)
};
struct Held {  // of the normal case, while the leader changes
  NodeRef from;
  std::optional<Propose> propose;
  std::optional<Write> write;
  std::optional<Accept> accept;
  FIELDS(from, propose, write, accept)
};

struct Replica : Node<Replica, Messages> {
  using Config = bft_smart::Config;
  using Timers = Clock;

  bool gone = false;               // nothing is on a disk: who crashed stays away
  bool dead = false;               // a bug has ended its thread
  int regency = 0, asked_for = 0;  // the one that is installed; the one that its STOP asks for
  bool stopped = false;            // from the installation of a regency to its SYNC
  bool armed = false;              // the timer of requests
  int last = 0;                    // decided and executed
  int proposed = 0;                // the last instance that it sent a PROPOSE for
  std::map<int, Slot> slots;       // beyond the last
  std::vector<Decision> log;       // instance i is log[i - 1]
  int executed = 0, sum = 0;       // operations, and what they add up to
  std::map<NodeId, Done> done;
  std::map<NodeId, Waiting> waiting;  // by client
  std::vector<Held> held;
  std::map<int, std::map<NodeId, Stop>> stops;  // by regency
  std::map<int, std::vector<Report>> reports;   // by regency, to its leader
  std::map<int, Sync> syncs;                    // by regency, from its leader
  bool synced = false;                          // it leads, and has sent its SYNC
  std::optional<Sync> unfinished;               // a SYNC that waits for a state
  int wanted = 0;                               // the instance up to which it wants one
  bool behind = false;                          // and no SYNC is why
  std::map<NodeId, State> states;
  std::map<NodeId, int> ahead;  // the highest instance that each has sent an ACCEPT for
  FIELDS(gone, dead, regency, asked_for, stopped, armed, last, proposed, slots, log, executed, sum,
         done, waiting, held, stops, reports, syncs, synced, unfinished, wanted, behind, states,
         ahead)

  void start(Context& c) { gone = c.restarts() > 0; }
  void on(Context& c, NodeId from, const Request& m);
  void on(Context& c, NodeId from, const Propose& m);
  void on(Context& c, NodeId from, const Write& m);
  void on(Context& c, NodeId from, const Accept& m);
  void on(Context& c, NodeId from, const ReqDecision& m);
  void on(Context& c, NodeId from, const FwdDecision& m);
  void on(Context& c, NodeId from, const Stop& m);
  void on(Context& c, NodeId from, const StopData& m);
  void on(Context& c, NodeId from, const Sync& m);
  void on(Context& c, NodeId from, const AskState& m);
  void on(Context& c, NodeId from, const State& m);
  void on(Context&, NodeId, const Reply&) {}
  void on_timer(Context& c, Clock timer);

 private:
  bool away() const { return gone || dead; }
  static int replicas(Context& c) { return replicas_of(c.nodes(), c.config()); }
  static std::size_t f(Context& c) { return faults_of(replicas(c)); }
  static NodeId leader_of(Context& c, int of_regency) { return of_regency % replicas(c); }
  bool leads(Context& c) const { return leader_of(c, regency) == c.self; }
  static bool is_replica(Context& c, NodeId id) { return id >= 0 && id < replicas(c); }
  bool in_window(int cid) const { return cid > last && cid <= last + kWindow; }
  template <class M>
  static void send_others(Context& c, const M& m) {
    for (NodeId to = 0; to < replicas(c); ++to)
      if (to != c.self) c.send(to, m);
  }

  // Requests and their timer.
  static bool is_known(Context& c, const Signed<Op>& op);
  bool is_valid(Context& c, const Batch& batch) const;
  void wait_for(Context& c, const Signed<Op>& op);
  void arm(Context& c);
  void disarm(Context& c);
  void on_expiry(Context& c);
  Batch fresh_batch(Context& c);

  // Instances.
  static bool votes_suffice(Context& c, std::size_t count);
  void lead(Context& c);
  void take(Context& c, NodeId from, const Propose& m);
  void take(Context& c, NodeId from, const Write& m);
  void take(Context& c, NodeId from, const Accept& m);
  void consider_offer(Context& c);
  void say_accept(Context& c, int epoch);
  bool try_decide(Context& c, int epoch);
  void progress(Context& c);
  void decide(Context& c, Decision decision);
  void execute(Context& c, const Batch& batch);

  // Leader changes.
  Predicates predicates(Context& c) const;
  bool proves(Context& c, const Decision& d) const;
  void ask_for_change(Context& c);
  void say_stop(Context& c, int to);
  void count_stops(Context& c);
  void install(Context& c, int to);
  StopData report(Context& c);
  bool is_sound(Context& c, const StopData& m, NodeId from) const;
  void consider_reports(Context& c);
  void consider(Context& c, const Sync& m);
  void finalise(Context& c, const Sync& m);
  void resume(Context& c);
  void after_decision(Context& c);

  // From others.
  void ask_decision(Context& c, int cid);
  void ask_where_lost(Context& c);
  void tell(Context& c, NodeId to, int cid);
  void ask_state(Context& c, int up_to);
  void adopt_states(Context& c, int told_regency);
  void notice_lag(Context& c);
  void jump(Context& c, int to);
};

}  // namespace bft_smart
