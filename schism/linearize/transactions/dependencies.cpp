#include "schism/linearize/transactions/dependencies.hpp"

#include <algorithm>

namespace schism::linearize {

// Not an edge for every pair, of which there are too many: moments lie between them, one for each
// answer, and each leads to the next.
void follow_real_time(const History& history, Dependencies& out) {
  struct At {
    std::uint32_t position, node;
    bool answer;
  };
  std::vector<At> events;
  for (std::uint32_t n = 0; n < out.nodes.size(); ++n) {
    const Operation& op = history[out.nodes[n]];
    events.push_back({op.invoked, n, false});
    if (op.outcome == Outcome::ok) events.push_back({op.answered, n, true});
  }
  std::sort(events.begin(), events.end(),
            [](const At& a, const At& b) { return a.position < b.position; });
  std::uint32_t moment = kNever;
  for (const At& e : events) {
    if (!e.answer) {
      if (moment != kNever) out.edges[moment].push_back({e.node, Dependency::rt});
      continue;
    }
    const auto next = static_cast<std::uint32_t>(out.edges.size());
    out.edges.emplace_back();
    if (moment != kNever) out.edges[moment].push_back({next, Dependency::rt});
    out.edges[e.node].push_back({next, Dependency::rt});
    moment = next;
  }
}

Dependencies dependencies(const History& history, const Value& initial, bool strict) {
  Dependencies out;
  const bool lists = history.object() == Object::list_append;
  if (lists) follow_lists(history, out);
  else follow_registers(history, initial, out);
  const bool more = !lists && out.anomalies.empty();
  if (more) saturate(history, out, initial, false);
  if (strict) follow_real_time(history, out);
  if (more && strict) saturate(history, out, initial, true);
  return out;
}

}  // namespace schism::linearize
