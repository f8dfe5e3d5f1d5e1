// A replica of Practical Byzantine Fault Tolerance (Castro and Liskov, OSDI 1999): normal case in
// replica.cpp, view changes in view_change.cpp, checkpoints and state transfer in checkpoint.cpp.
#pragma once

#include "systems/pbft/client.hpp"

namespace pbft {

// A number in the order of operations, in the present view.
struct Slot {
  std::optional<Signed<Proposal>> proposal;
  Signed<Op> op;
  std::map<NodeId, Signed<Accept>> accepts;  // of backups, the first of each
  std::map<NodeId, int> settles;             // the digest that each replica settles on
  int settle_count = 0;                      // messages, where they are counted instead
  bool settled = false, committed = false;   // its own COMMIT was sent; and 2f + 1 are there
  FIELDS(proposal, op, accepts, settles, settle_count, settled, committed)
};

struct Done {  // the last operation of a client
  int stamp = 0, result = 0, n = 0;
  FIELDS(stamp, result, n)
};

struct Replica : Node<Replica, Messages> {
  using Config = pbft::Config;
  using Timers = Clock;

  int view = 0;
  bool active = true;                // not between VIEW-CHANGE and NEW-VIEW
  int next_n = 1;                    // that a primary gives out
  std::map<int, Slot> slots;         // by number
  std::map<int, Prepared> prepared;  // the latest certificate of each number above the stable one
  std::vector<Signed<Op>> log;       // executed: number n is log[n - 1]
  int sum = 0, state = 0;            // of what is executed; a digest of all of it
  std::map<NodeId, Done> done;
  std::map<NodeId, Signed<Op>> waiting;  // for their execution, by client
  int stable = 0;
  std::vector<Signed<Mark>> proof;
  std::map<int, std::map<NodeId, Signed<Mark>>> marks;
  std::map<int, std::map<NodeId, Signed<Change>>> changes;  // by view
  int change_count = 0;                                     // how often in a row it was impatient
  int awaited = -1;                       // the last view whose primary it waits for
  std::optional<Signed<Change>> came_by;  // its change to the present view
  NodeSet late;                           // who still change to it or an earlier one, unanswered
  FIELDS(view, active, next_n, slots, prepared, log, sum, state, done, waiting, stable, proof,
         marks, changes, change_count, awaited, came_by, late)

  void on(Context& c, NodeId from, const Request& m);
  void on(Context& c, NodeId from, const PrePrepare& m);
  void on(Context& c, NodeId from, const Prepare& m);
  void on(Context& c, NodeId from, const Commit& m);
  void on(Context& c, NodeId from, const Checkpoint& m);
  void on(Context& c, NodeId from, const ViewChange& m);
  void on(Context& c, NodeId from, const NewView& m);
  void on(Context& c, NodeId from, const Fetch& m);
  void on(Context& c, NodeId from, const State& m);
  void on(Context&, NodeId, const Reply&) {}
  void on_timer(Context& c, Clock timer);

 private:
  static int replicas(Context& c) { return replicas_of(c.nodes(), c.config()); }
  static std::size_t f(Context& c) { return faults_of(replicas(c)); }
  static std::size_t quorum(Context& c) {
    return (static_cast<std::size_t>(replicas(c)) + f(c)) / 2 + 1;
  }
  static NodeId primary_of(Context& c, int of_view) { return of_view % replicas(c); }
  static bool is_replica(Context& c, NodeId id) { return id >= 0 && id < replicas(c); }
  bool in_range(Context& c, int n) const {
    return n > stable && n <= stable + 2 * c.config().interval;
  }
  template <class T>
  static bool from_replica(Context& c, NodeId from, const Signed<T>& item) {
    return item.signer == from && is_replica(c, from) && c.verified(item);
  }

  // Normal case.
  bool is_known(Context& c, const Signed<Op>& op) const;
  void propose(Context& c, const Signed<Op>& op);
  bool take(Context& c, const Signed<Proposal>& proposal, const Signed<Op>& op);
  void add_accept(Context& c, const Signed<Accept>& accept);
  void add_settle(Context& c, NodeId from, const Settle& settle);
  void progress(Context& c, int n);
  void execute_all(Context& c);
  void execute(Context& c, int n, const Signed<Op>& op);
  void wait_for(Context& c, const Signed<Op>& op);
  void rest_or_wait(Context& c);

  // Checkpoints.
  void make_mark(Context& c, int n);
  void add_mark(Context& c, const Signed<Mark>& mark);
  void remind(Context& c);
  bool proves(Context& c, int n, const std::vector<Signed<Mark>>& marks) const;
  void make_stable(Context& c, int n, std::vector<Signed<Mark>> by);

  // View changes.
  Change my_change(Context& c, int to) const;
  void leave_view(Context& c, int to);
  bool is_sound(Context& c, const Signed<Change>& change) const;
  bool certifies(Context& c, const Prepared& p) const;
  struct Order {
    int first = 0;  // the highest stable checkpoint: numbers go on from there
    std::vector<Signed<Mark>> proof;
    std::vector<Proposal> proposals;
    std::vector<Signed<Op>> ops;
  };
  Order order_of(Context& c, int of_view, const std::vector<Signed<Change>>& all) const;
  void lead(Context& c);
  void help(Context& c, NodeId late_one);
  void enter(Context& c, int to, const Order& order, const std::vector<Signed<Proposal>>& by);
};

}  // namespace pbft
