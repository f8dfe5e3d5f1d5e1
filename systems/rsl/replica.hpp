// A replica of `rsl`: a list of commands, decided one after the other by ballots, as in Azure's
// Replicated State Library. A replica's accepted proposal is of the decree that it works on; what
// came before is decided. A chapter a file:
//
//   election.cpp  who is ahead, who may propose: status, prepare
//   voting.cpp    the primary's proposals and heartbeats, what is decided
//   learning.cpp  replicas that missed decrees
//   storage.cpp   the log, and a restart
//   clients.cpp   commands on their way to the primary, and answers
//
// What a replica promises or accepts is on disk before the message that says so leaves.
#pragma once

#include "schism/base/log.hpp"
#include "schism/node/node.hpp"
#include "systems/rsl/config.hpp"
#include "systems/rsl/messages.hpp"

namespace schism::rsl {

SCHISM_ENUM(Timer, tick);

// What another replica said about itself.
struct Remote {
  NodeId replica = kNobody;
  Ballot ballot;
  Decree decree = 0;
  Ticks last_chosen = 0;
  FIELDS(replica, ballot, decree, last_chosen)

  std::uint64_t rank() const { return Proposal{ballot, decree, kEmpty}.rank(); }
};

// A command of a client that this replica must answer.
struct Open {
  RequestId request;
  Command command = kEmpty;
  Ticks since = 0;
  bool passed_on = false;  // queued here, or sent to a primary
  FIELDS(request, command, since, passed_on)
};

struct Replica : Node<Replica, StatusReq, StatusResp, PrepareReq, PrepareResp, AcceptReq,
                      AcceptResp, FetchReq, FetchResp, Submit> {
  using Config = rsl::Config;
  using Timers = Timer;
  using Requests = Types<Propose>;

  // On disk, as the log.
  Proposal accepted;  // the highest, by decree, then ballot
  Ballot prepared;    // the highest
  Log<Record> log;

  // Volatile.
  Role role = Role::inactive;
  Log<Command> decided;

  // Of an initialising replica.
  std::vector<Remote> remotes;
  NodeId learning_from = kNobody;
  std::vector<Proposal> proposals;  // that came meanwhile, one after the other; at most ten

  // Of a candidate or primary.
  Members votes = 0;
  Proposal freshest;   // of the decree, of those that promised
  bool ready = false;  // its last proposal is decided
  std::vector<Command> queue;

  // Of a client's first replica.
  std::vector<Open> open;

  // Clocks.
  Ticks ticks = 0;
  Ticks action_at = kNever, no_progress_at = kNever, next_election = kNever;
  Ticks last_chosen = 0;  // when a proposal was logged last
  Ticks spoke_at = 0;     // when a primary sent its proposal last

  FIELDS(role, accepted, prepared, log, decided, remotes, learning_from, proposals, votes, freshest,
         ready, queue, open, ticks, action_at, no_progress_at, next_election, last_chosen, spoke_at)

  void start(Context& c);
  void on_timer(Context& c, Timer timer);
  void on_request(Context& c, RequestId id, const Propose& r);

  void on(Context& c, NodeId from, const StatusReq& m);
  void on(Context& c, NodeId from, const StatusResp& m);
  void on(Context& c, NodeId from, const PrepareReq& m);
  void on(Context& c, NodeId from, const PrepareResp& m);
  void on(Context& c, NodeId from, const AcceptReq& m);
  void on(Context& c, NodeId from, const AcceptResp& m);
  void on(Context& c, NodeId from, const FetchReq& m);
  void on(Context& c, NodeId from, const FetchResp& m);
  void on(Context& c, NodeId from, const Submit& m);

  bool is_stable() const { return role == Role::primary || role == Role::secondary; }
  bool leads() const { return role == Role::primary; }

 private:
  // election.cpp
  static int quorum(Context& c);
  bool has_quorum(Context& c) const { return std::popcount(votes) >= quorum(c); }
  bool owns_ballot(Context& c) const { return prepared.proposer == c.self; }
  void change_role(Context& c, Role new_role);
  void become_secondary(Context& c);
  void initialise(Context& c);
  void weigh_status(Context& c);
  bool is_ahead(Context& c, const Remote& remote) const;
  bool learn_from_one(Context& c, bool (*fits)(const Replica&, Context&, const Remote&));
  void prepare(Context& c);
  void ask_for_promises(Context& c);
  void promise(Context& c, NodeId to);
  void become_primary(Context& c);
  void hear_refusal(Context& c, NodeId from, const Ballot& mine, const Ballot& theirs,
                    Decree decree);
  void give_grace(Context& c);
  static Ticks spread(Context& c);

  // voting.cpp
  void send_next(Context& c);
  void propose(Context& c, const Proposal& proposal);
  void count_votes(Context& c);
  void queue_proposal(Context& c, const Proposal& proposal);
  void vote(Context& c, const Proposal& proposal);
  void follow_heartbeat(Context& c);
  void refuse(Context& c, const Proposal& proposal);
  void execute(Context& c);

  // learning.cpp
  void learn(Context& c, NodeId from);
  void catch_up(Context& c, NodeId from);
  bool take(Context& c, const Proposal& learned);
  bool take_as_published(Context& c, const FetchResp& m);

  // storage.cpp
  void log_proposal(Context& c, const Proposal& proposal);
  void log_ballot(Context& c, const Ballot& ballot);
  void recover(Context& c);

  // clients.cpp
  void pursue_requests(Context& c);
  void queue_own(Context& c);
  void answer_executed(Context& c, std::uint32_t position);
  bool knows(Command command) const;
};

}  // namespace schism::rsl
