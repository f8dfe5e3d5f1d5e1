// A node of `multipaxos`: proposer, acceptor and learner in one.
#pragma once

#include <map>

#include "schism/service/eventual_leader.hpp"
#include "schism/service/heartbeats.hpp"
#include "systems/multipaxos/messages.hpp"

namespace schism::multipaxos {

struct Replica : Node<Replica, Forward, Prepare, Promise, Accept, Learn, Crashed, Beat> {
  using Config = multipaxos::Config;
  using Requests = Types<Propose>;
  using Timers = Timer;

  struct Count {  // a learner's, for a slot
    int ballot = 0, value = 0;
    std::uint64_t voters = 0;
    FIELDS(ballot, value, voters)
  };

  service::EventualLeader<Timer::trust, Timer::settle> omega;
  service::Heartbeats<Timer::tick, Beat> heartbeats;
  NodeId leader = 0;
  // As a proposer.
  std::vector<int> own;    // its clients' values, not learned yet
  std::vector<int> asked;  // values that others want it to propose, not learned yet
  int ballots = 0, ballot = 0, next_slot = 1;
  bool prepared = false;   // phase one is over
  bool exhausted = false;  // it should lead, but has used up its ballots
  std::map<NodeId, std::vector<Vote>> promises;
  // As an acceptor.
  int promised = 0;
  std::map<int, Vote> votes;  // by slot
  // As a learner.
  std::map<int, Count> counts;
  std::map<int, int> learned;
  std::vector<int> applied;  // values in the order of slots
  bool gone = false;         // it crashed and came back: for this protocol that is still crashed
  FIELDS(omega, heartbeats, leader, own, asked, ballots, ballot, next_slot, prepared, exhausted,
         promises, promised, votes, counts, learned, applied, gone)

  void start(Context& c);
  void on_request(Context& c, RequestId id, const Propose& p);
  void on_timer(Context& c, Timer timer, int key);
  void on(Context& c, NodeId from, const Forward& f);
  void on(Context& c, NodeId from, const Prepare& p);
  void on(Context& c, NodeId from, const Promise& p);
  void on(Context& c, NodeId from, const Accept& a);
  void on(Context& c, NodeId from, const Learn& l);
  void on(Context& c, NodeId from, const Crashed&);
  void on(Context& c, NodeId from, const Beat&);

 private:
  template <class M>
  void tell(Context& c, NodeId to, M message);
  template <class M>
  void tell_all(Context& c, const M& message);
  void follow(Context& c, NodeId node);
  void lead(Context& c);
  void begin_phase_two(Context& c);
  std::map<int, Vote> reported(Context& c) const;
  void offer(Context& c, int value);
  void propose(Context& c, int slot, int value);
  void apply(Context& c, int slot);
  bool knows(int value) const;
};

}  // namespace schism::multipaxos
