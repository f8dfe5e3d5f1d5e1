// A node of `atomic-broadcast` (Cachin, Guerraoui and Rodrigues, Algorithm 6.1): what is broadcast
// reliably but not in order yet is proposed to consensus, round by round; what a round decides
// comes next in the order of all.
#pragma once

#include <map>
#include <vector>

#include "systems/atomic_broadcast/messages.hpp"

namespace schism::atomic_broadcast {

struct Ballots {                                           // Paxos, one instance, all roles
  bool proposed = false, asking = false, decided = false;  // asking: in phase two
  Batch own = 0, offer = 0;                                // proposed; asked to accept
  int tries = 0, ballot = 0, voted_in = 0;
  std::uint64_t promises = 0;
  int promised = 0, voted = 0;  // as an acceptor
  Batch value = 0;
  std::map<int, std::uint64_t> votes;  // as a learner: voters by ballot
  FIELDS(proposed, asking, decided, own, offer, tries, ballot, voted_in, promises, promised, voted,
         value, votes)
};

struct Member : Node<Member, Messages> {
  using Config = atomic_broadcast::Config;
  using Requests = Types<Broadcast>;

  std::vector<NodeId> waiting;  // delivered reliably, not in order yet
  std::vector<NodeId> ordered;
  Batch mine = 0;  // broadcast by this node
  int round = 1;
  bool asked = false;            // it has proposed in this round
  std::map<int, Batch> decided;  // rounds to come
  std::map<int, Ballots> paxos;  // by instance
  std::uint64_t crashed = 0, seen = 0;
  bool gone = false;  // it crashed and came back: for this protocol that is still crashed
  FIELDS(waiting, ordered, mine, round, asked, decided, paxos, crashed, seen, gone)

  void start(Context& c) { gone = c.restarts() > 0; }
  void on_request(Context& c, RequestId, const Broadcast&);
  void on(Context& c, NodeId from, const Deliver& d);
  void on(Context& c, NodeId from, const Decide& d);
  void on(Context& c, NodeId who, const Crashed&);
  void on(Context&, NodeId, const Submit&) {}
  void on(Context&, NodeId, const Suggest&) {}
  void on(Context& c, NodeId from, const Prepare& p);
  void on(Context& c, NodeId from, const Promise& p);
  void on(Context& c, NodeId from, const Accept& a);
  void on(Context& c, NodeId from, const Accepted& a);

 private:
  static int members(Context& c) { return c.config().members(c.nodes()); }
  static int majority(Context& c) { return members(c) / 2 + 1; }
  NodeId leader(Context& c) const;
  void propose(Context& c);
  void finish_rounds(Context& c);
  void put_in_order(Context& c, Batch batch);
  void try_ballot(Context& c, int instance);
  void ask(Context& c, int instance);
  template <class M>
  void to_members(Context& c, const M& message);
};

}  // namespace schism::atomic_broadcast
