// Commands on their way to the primary. A command is passed on once; whether it was decided is seen
// by the replica that the client asked, or remains unknown.
#include <algorithm>

#include "systems/rsl/replica.hpp"

namespace schism::rsl {

void Replica::on_request(Context& c, RequestId id, const Propose& r) {
  if (!leads() && !c.config().forward) {
    c.answer(id, Answer{Outcome::refused, 0});
    return;
  }
  open.push_back({id, r.command, ticks, false});
  if (leads()) queue_own(c);
}

void Replica::queue_own(Context&) {
  for (Open& request : open) {
    if (request.passed_on) continue;
    request.passed_on = true;
    queue.push_back(request.command);
  }
}

// Once a tick.
void Replica::pursue_requests(Context& c) {
  const NodeId primary = accepted.ballot.proposer;
  const bool known =
      role == Role::secondary && primary != c.self && primary >= 0 && primary < c.nodes();
  for (std::size_t i = 0; i < open.size();) {
    if (ticks - open[i].since > static_cast<Ticks>(c.config().patience)) {
      c.answer(open[i].request, Answer{Outcome::unknown, 0});
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    if (known && !open[i].passed_on) {
      open[i].passed_on = true;
      c.send(primary, Submit{open[i].command});
    }
    ++i;
  }
}

void Replica::on(Context&, NodeId, const Submit& m) {
  if (leads() && !knows(m.command)) queue.push_back(m.command);
}

// A message may come twice.
bool Replica::knows(Command command) const {
  return std::find(queue.begin(), queue.end(), command) != queue.end() ||
         std::any_of(log.begin(), log.end(), [&](const Record& record) {
           return record.accepted && record.command == command;
         });
}

void Replica::answer_executed(Context& c, std::uint32_t position) {
  const Command command = decided[position + 1];
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i].command != command) continue;
    c.answer(open[i].request, Answer{Outcome::decided, position});
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

}  // namespace schism::rsl
