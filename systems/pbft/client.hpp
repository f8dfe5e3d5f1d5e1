// A client: sends its operation to the primary it believes in, to all after a time without answer,
// and believes f + 1 replicas that say the same. One that does not wait (`apart`) sends an
// operation after each such time, answered or not, which PBFT does not promise to survive.
#pragma once

#include "systems/pbft/messages.hpp"

namespace pbft {

SCHISM_ENUM(Clock, patience, resend);

struct Asking {  // an operation without an answer
  Signed<Op> op;
  std::map<int, int> replies;  // what each replica says
  FIELDS(op, replies)
};

struct Client : Node<Client, Messages> {
  using Config = pbft::Config;
  using Timers = Clock;
  using Requests = Types<Add>;

  int stamp = 0, view = 0;
  int to_come = 0;  // operations of the open request that were not sent yet
  std::optional<RequestId> open;
  std::map<int, Asking> asking;  // by stamp
  FIELDS(stamp, view, to_come, open, asking)

  void on_request(Context& c, RequestId request, const Add& add);
  void on_timer(Context& c, Clock timer, int stamp);
  void on(Context& c, NodeId from, const Reply& m);
  template <class M>
  void on(Context&, NodeId, const M&) {}  // not for clients

 private:
  void ask(Context& c, int amount);
};

}  // namespace pbft
