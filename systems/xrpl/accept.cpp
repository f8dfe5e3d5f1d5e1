// There is consensus: the ledger is built, validated, and the next round begins, perhaps on another
// ledger (the spec's section 3, from "Accept" on).
#include <algorithm>

#include "systems/xrpl/validator.hpp"

namespace schism::xrpl {

void Validator::accept(Context& c) {
  prev_proposers = positions.count();
  prev_round_time = round_time;
  phase = Phase::accepted;
  if (c.config().apply > 0) c.set_timer(Timer::accept, c.config().apply);
  else build(c);
}

void Validator::build(Context& c) {
  if (phase != Phase::accepted) return;
  const bool agreed = ours.close_time != 0;
  const NetTime parent_close = prev->header().close_time;
  const NetTime close_time =
      agreed ? effective_close_time(ours.close_time, resolution, parent_close) : parent_close + 1;
  std::vector<Tx> retries;
  // Disputed transactions that we did not want in this ledger come first into the next.
  for (const Dispute& d : disputes.list())
    if (!d.ours) retries.push_back(d.tx);
  const LedgerRef ledger{Ledger::next(*prev, *our_set, close_time, agreed, resolution, retries)};
  c.announce(
      Accepted{round, prev.id(), ledger.seq(), our_set, ledger.id(), outcome, prev_round_time});
  send_status(c, mode == Mode::wrongLedger ? NodeEvent::LOST_SYNC : NodeEvent::ACCEPTED_LEDGER,
              *ledger);
  add_ledger(c, ledger);
  const bool newer = c.now() > issued_at + kValidationSetExpires || ledger.seq() > largest_issued;
  if (!is_compatible(*ledger)) c.announce(NotValidating{ledger.id(), ledger.seq()});
  else if (outcome != Consensus::MovedOn && newer) validate(c, ledger);
  lcl = ledger;
  consensus_built(c, ledger);
  reopen(c, retries);
  adjust_clock();
  end_consensus(c);
}

// Towards the mean of the close times that were proposed first.
void Validator::adjust_clock() {
  if (outcome == Consensus::MovedOn || (mode != Mode::proposing && mode != Mode::observing)) return;
  clock_offset = adjusted_offset(clock_offset, mean_close_offset(own_close, peer_closes));
}

void Validator::end_consensus(Context& c) {
  for (NodeId peer = 0; peer < c.nodes(); ++peer)
    if (peer != c.self && peers.last_closed(peer) != 0 &&
        peers.last_closed(peer) == lcl->header().parent)
      peers.cycle(peer);
  LedgerId network_closed = lcl.id();
  const bool switched = switch_last_closed(c, network_closed);
  if (!switched && operating != OperatingMode::FULL) {
    operating = OperatingMode::TRACKING;
    const int next =
        next_resolution(lcl->header().resolution, lcl->header().close_agree, lcl.seq() + 1);
    if (net_time(c) < lcl->header().close_time + 2 * next) operating = OperatingMode::FULL;
  }
  begin_consensus(c, network_closed);
}

// Whether the others closed another ledger that this node can and may go on from.
bool Validator::switch_last_closed(Context& c, LedgerId& network_closed) {
  const LedgerId preferred = preferred_lcl(c);
  if (preferred == lcl.id() || preferred == lcl->header().parent) return false;
  const LedgerRef other = acquire_ledger(c, preferred);
  if (!other || !can_be_current(c, *other) || !is_compatible(*other)) return false;
  lose_sync();
  c.announce(Switched{lcl.id(), other.id(), other.seq()});
  lcl = other;
  network_closed = other.id();
  reopen(c, {});
  send_status(c, NodeEvent::SWITCHED_LEDGER, *other);
  return true;
}

// By trusted validations; where there are none by what most peers say that they have closed.
LedgerId Validator::preferred_lcl(Context& c) {
  validations.expire(net_time(c), c.now());
  if (const auto choice = validations.preferred(*lcl, largest_issued))
    return choice->seq >= validated_seq() ? choice->id : lcl.id();
  std::vector<std::pair<int, LedgerId>> counts = {
      {operating == OperatingMode::CONNECTED ? 0 : 1, lcl.id()}};
  for (NodeId peer = 0; peer < c.nodes(); ++peer) {
    const LedgerId id = peer == c.self ? 0 : peers.last_closed(peer);
    if (id == 0) continue;
    const auto same = std::find_if(counts.begin(), counts.end(),
                                   [&](const auto& entry) { return entry.second == id; });
    if (same == counts.end()) counts.emplace_back(1, id);
    else ++same->first;
  }
  return std::max_element(counts.begin(), counts.end())->second;
}

}  // namespace schism::xrpl
