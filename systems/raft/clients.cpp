// Clients: dissertation 6. The node that a client talks to passes the request on to the leader,
// repeats it when nothing comes of it, and answers when it applies it itself. Also: the
// administrator and leadership transfer (3.10).
#include <algorithm>

#include "systems/raft/raft.hpp"

namespace schism::raft {

void Raft::on_request(Context& c, RequestId id, const Put& r) {
  accept(c, id, EntryType::EntryNormal, Op::put, r.key, r.value, 0);
}
void Raft::on_request(Context& c, RequestId id, const Get& r) {
  accept(c, id, EntryType::EntryNormal, Op::get, r.key, 0, 0);
}
void Raft::on_request(Context& c, RequestId id, const Cas& r) {
  accept(c, id, EntryType::EntryNormal, Op::cas, r.key, r.value, r.expected);
}
void Raft::on_request(Context& c, RequestId id, const AddNode& r) {
  accept(c, id, EntryType::EntryConfChange, Op::add_node, r.node, 0, 0);
}
void Raft::on_request(Context& c, RequestId id, const RemoveNode& r) {
  accept(c, id, EntryType::EntryConfChange, Op::remove_node, r.node, 0, 0);
}

void Raft::on_request(Context& c, RequestId id, const Transfer& r) {
  const bool possible = leads() && r.to != c.self && is_member(r.to) && transferee == kNobody;
  c.answer(id, Answer{possible ? Outcome::ok : Outcome::refused, 0, 0});
  if (!possible) return;
  transferee = r.to;
  ticks = 0;
  hand_over(c);
  settle(c);
}

// The request's number among its client's is its sequence number: a repetition has the same.
void Raft::accept(Context& c, RequestId id, EntryType type, Op op, int key, int value,
                  int expected) {
  if (!leads() && !c.config().forward) {
    c.answer(id, Answer{Outcome::refused, 0, 0});
    return;
  }
  const Command payload{id.number, id.client, op, static_cast<std::uint8_t>(key), value, expected};
  if (open.empty()) c.set_timer(Timer::retry, c.config().retry);
  open.push_back({id, type, payload, 0, 0});
  pursue(c, open.back());
  settle(c);
}

// May answer it at once, and so remove it.
void Raft::pursue(Context& c, Open& request) {
  ++request.attempts;
  const Config& config = c.config();
  const bool reads_state =
      request.payload.op == Op::get && (config.reads != Reads::log || config.deposed_leader_read);
  const Command payload = request.payload;
  if (leads()) {
    if (reads_state) read_at_leader(c, c.self, payload);
    else propose(c, request.type, payload);
  } else if (leader != kNobody) {
    if (reads_state) c.send(leader, MsgReadIndex{payload});
    else c.send(leader, MsgProp{request.type, payload});
  }
}

void Raft::on_retry_timeout(Context& c) {
  for (std::size_t i = 0; i < open.size();) {
    const std::size_t before = open.size();
    if (static_cast<int>(open[i].attempts) >= c.config().attempts)
      answer(c, i, {Outcome::unknown, 0, 0});
    else pursue(c, open[i]);
    if (open.size() == before) ++i;
  }
  if (!open.empty()) c.set_timer(Timer::retry, c.config().retry);
}

void Raft::on(Context& c, NodeId, const MsgProp& m) {
  propose(c, m.type, m.payload);
  settle(c);
}

void Raft::propose(Context& c, EntryType type, const Command& payload) {
  if (!leads() || transferee != kNobody) return;
  if (type == EntryType::EntryConfChange) {
    const bool last_one = payload.op == Op::remove_node && members() == bit_of(payload.key);
    if (last_one || payload.key >= c.nodes() || !may_change_membership(c)) return;
  }
  append(c, {term, type, payload});
  c.announce(LogChange{c.self, log.last(), log.last()});
  broadcast_append(c);
}

// ---- answers -------------------------------------------------------------------------------

void Raft::answer(Context& c, std::size_t at, const Answer& with) {
  const RequestId id = open[at].request;
  open.erase(at);
  if (open.empty()) c.cancel_timer(Timer::retry);
  c.answer(id, with);
}

void Raft::answer_applied(Context& c, const Command& payload, const Answer& with) {
  for (std::size_t i = 0; i < open.size(); ++i)
    if (open[i].payload.client == payload.client && open[i].payload.sequence == payload.sequence) {
      answer(c, i, with);
      return;
    }
}

// A snapshot may have jumped over the entries that this node waits for.
void Raft::answer_from_sessions(Context& c) {
  for (std::size_t i = 0; i < open.size();) {
    const Command& payload = open[i].payload;
    if (const Answer* known = machine.answer_to(payload.client, payload.sequence))
      answer(c, i, Answer(*known));
    else ++i;
  }
}

// ---- reads that are not in the log ---------------------------------------------------------

// Reads of this node's clients for which a leader has vouched, once enough is applied.
void Raft::answer_reads(Context& c) {
  for (std::size_t i = 0; i < open.size();) {
    if (open[i].read_index > 0 && open[i].read_index <= commit)
      answer(c, i, machine.read(open[i].payload.key));
    else ++i;
  }
}

// Before a leader has committed an entry of its term it does not know how far its
// predecessors got (dissertation 6.4).
void Raft::read_at_leader(Context& c, NodeId from, const Command& payload) {
  const Config& config = c.config();
  PendingRead read{from, payload, commit, round};
  if (config.deposed_leader_read && commit > 0) {
    finish_read(c, read);
    return;
  }
  if (term_at(commit) != term || reads.full()) return;
  if (config.reads == Reads::lease && lease_holds(c)) {
    finish_read(c, read);
    return;
  }
  read.round = round + 1;
  reads.push_back(read);
  broadcast_heartbeat(c);
  finish_confirmed_reads(c);  // a cluster of one confirms itself
}

void Raft::on(Context& c, NodeId from, const MsgReadIndex& m) {
  if (leads()) read_at_leader(c, from, m.payload);
  settle(c);
}

void Raft::on(Context& c, NodeId, const MsgReadIndexResp& m) {
  for (Open& request : open)
    if (request.payload == m.payload) request.read_index = m.index;
  answer_reads(c);
}

void Raft::finish_read(Context& c, const PendingRead& read) {
  if (read.from != c.self) {
    c.send(read.from, MsgReadIndexResp{read.payload, read.index});
    return;
  }
  for (Open& request : open)
    if (request.payload == read.payload) request.read_index = read.index;
  answer_reads(c);
}

// A read is confirmed by a quorum that answered a heartbeat sent after it came: at that time nobody
// of a later term had been elected.
void Raft::finish_confirmed_reads(Context& c) {
  while (!reads.empty()) {
    const PendingRead read = reads[0];
    Members answered = bit_of(c.self);
    for (NodeId id = 0; id < c.nodes(); ++id)
      if (peers[static_cast<std::size_t>(id)].round >= read.round) answered |= bit_of(id);
    if (!is_quorum(c, answered)) return;
    reads.erase(0);
    finish_read(c, read);
  }
}

// A quorum has promised to elect nobody else for an election timeout after it heard from us. A
// tenth of it is left for clocks that drift (dissertation 6.4.1).
bool Raft::lease_holds(Context& c) {
  if (lease_void || transferee != kNobody) return false;
  const Micros length = c.config().election - c.config().election / 10;
  const Micros now = c.now();
  Members promised = bit_of(c.self);
  for (NodeId id = 0; id < c.nodes(); ++id) {
    const Micros heard = peers[static_cast<std::size_t>(id)].heard_from;
    if (heard >= 0 && now < heard + length) promised |= bit_of(id);
  }
  return is_quorum(c, promised);
}

// ---- leadership transfer -------------------------------------------------------------------

// Once the chosen one has the whole log it is told to stand for election at once.
void Raft::hand_over(Context& c) {
  const Progress& peer = peers[static_cast<std::size_t>(transferee)];
  if (peer.match == log.last()) {
    lease_void = true;
    c.send(transferee, MsgTimeoutNow{term});
  } else {
    send_append(c, transferee);
  }
}

void Raft::stop_leading() {
  transferee = kNobody;
  reads.clear();
}

}  // namespace schism::raft
