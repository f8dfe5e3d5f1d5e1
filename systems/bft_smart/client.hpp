// A client: sends its operation to all replicas, and believes a quorum of them (or f + 1) that say
// the same. Links lose nothing, so nothing is sent twice.
#pragma once

#include "systems/bft_smart/messages.hpp"

namespace bft_smart {

SCHISM_ENUM(Clock, requests, resend);

struct Client : Node<Client, Messages> {
  using Config = bft_smart::Config;
  using Timers = Clock;
  using Requests = Types<Add>;

  int stamp = 0;
  bool gone = false;  // nothing is on a disk: who crashed stays away
  std::optional<RequestId> open;
  Op op;
  std::map<NodeId, int> replies;  // to the open one: what each replica says
  FIELDS(stamp, gone, open, op, replies)

  void start(Context& c) { gone = c.restarts() > 0; }
  void on_request(Context& c, RequestId request, const Add& add);
  void on_timer(Context&, Clock) {}
  void on(Context& c, NodeId from, const Reply& m);
  template <class M>
  void on(Context&, NodeId, const M&) {}  // not for clients
};

}  // namespace bft_smart
