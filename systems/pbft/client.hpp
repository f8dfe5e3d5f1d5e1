// A client: sends its operation to the primary it believes in, to all after a time without answer,
// and believes f + 1 replicas that say the same.
#pragma once

#include "systems/pbft/messages.hpp"

namespace pbft {

SCHISM_ENUM(Clock, patience, resend);

struct Client : Node<Client, Messages> {
  using Config = pbft::Config;
  using Timers = Clock;
  using Requests = Types<Add>;

  int stamp = 0, view = 0;
  std::optional<RequestId> open;
  Signed<Op> op;
  std::map<NodeId, int> replies;  // to the open one: what each replica says
  FIELDS(stamp, view, open, op, replies)

  void on_request(Context& c, RequestId request, const Add& add);
  void on_timer(Context& c, Clock timer);
  void on(Context& c, NodeId from, const Reply& m);
  template <class M>
  void on(Context&, NodeId, const M&) {}  // not for clients
};

}  // namespace pbft
