// `chain`: chain replication (van Renesse and Schneider, OSDI 2004) of one register, with disks.
// Servers stand in a chain. The head takes writes, each server syncs them to its disk before it
// passes them on, and what the tail has is committed: the tail answers, and reads go to it. A
// master that never fails (the last node) hears of crashes, takes those servers out and puts them
// back at the end when they return. The last one that has everything stays in, even while it is
// down: nobody else knows what was committed.
//
// A client asks any server, which passes it on to the head or the tail; the tail answers
// (answers_anywhere). A server that sees the chain change tells those whom it was asked by that
// nobody knows: to those who have the tail's answer already that comes too late, and is nobody's.
// Links keep no order: a server passes its whole log on.
//
//   chain hunt chain                             nothing is found
//   chain hunt chain --bug reads-early           clients see what no register does
//   chain hunt chain --world disk=sync           disks that complete at once
#include "schism/oracle/linearizability.hpp"
#include "schism/schism.hpp"

#include <algorithm>
#include <utility>

namespace {
using namespace schism;

struct Write {
  int value;
  FIELDS(value)
};
struct Read {
  FIELDS()
};
struct Written {
  FIELDS()
};
struct Saw {
  int value;
  FIELDS(value)
};
struct Unknown {  // the chain changed meanwhile: it took effect, or it did not
  FIELDS()
};

struct Update {
  RequestId request;
  int value = 0;
  FIELDS(request, value)
  friend bool operator==(const Update& a, const Update& b) { return a.request == b.request; }
};
using UpdateLog = std::vector<Update>;

struct Submit {  // to the head
  Update update;
  FIELDS(update)
};
struct Query {  // to the tail
  RequestId request;
  FIELDS(request)
};
struct Push {  // to the next in the chain
  int epoch;
  UpdateLog log;
  FIELDS(epoch, log)
};
struct Pull {  // to the one before: it has just entered the epoch
  int epoch;
  FIELDS(epoch)
};
struct Chain {  // from the master
  int epoch;
  std::vector<NodeId> members;
  PerNode<int> joins;  // how often it has heard each of them return
  FIELDS(epoch, members, joins)
};
struct Join {  // to the master: it was started again
  FIELDS()
};
struct CaughtUp {  // to the master: it has, on its disk, what the one before it has
  int epoch;
  FIELDS(epoch)
};
struct Crashed {  // to the master, from the failure detector
  FIELDS()
};
using ChainMessages = Types<Submit, Query, Push, Pull, Chain, Join, CaughtUp, Crashed>;

struct ChainConfig {
  int clients = 3, requests = 3;
  bool reads_early = false, answers_unsynced = false;
};

struct Server : Node<Server, ChainMessages> {
  using Config = ChainConfig;
  using Requests = Types<Write, Read>;

  int epoch = 0;  // 0: not in the chain yet
  std::vector<NodeId> members;
  UpdateLog log;
  int durable = 0;               // so many updates are on the disk
  int answered = 0;              // so many were told, in this epoch
  bool ready = false;            // it has what the one before it has
  bool told = false;             // the master, that all of this is on its disk
  std::vector<RequestId> asked;  // of this server, in this epoch
  int writes = 0;                // of its log: completions of older ones mean nothing
  FIELDS(epoch, members, log, durable, answered, ready, told, asked, writes)

  static NodeId master(const Context& c) { return c.nodes() - 1; }

  void start(Context& c) {
    if (c.restarts() == 0) {
      std::vector<NodeId> all;
      for (NodeId id = 0; id < master(c); ++id) all.push_back(id);
      return enter(c, {1, all, {}});
    }
    for (const Stored<Update>& record : c.disk().load<Update>(0)) {
      if (record.torn) break;
      log.push_back(record.value);
    }
    durable = static_cast<int>(log.size());
    c.disk().truncate(0, static_cast<std::uint32_t>(durable));
    c.send(master(c), Join{});
  }

  // ---- clients
  void on_request(Context& c, RequestId request, const Write& write) {
    if (epoch == 0) return c.answer(request, Unknown{});
    asked.push_back(request);
    to(c, members.front(), Submit{{request, write.value}});
  }
  void on_request(Context& c, RequestId request, const Read&) {
    if (epoch == 0) return c.answer(request, Unknown{});
    asked.push_back(request);
    to(c, members.back(), Query{request});
  }

  // ---- the chain
  void on(Context& c, NodeId, const Submit& m) {
    if (!ready || members.front() != c.self) return;
    if (std::find(log.begin(), log.end(), m.update) != log.end()) return;
    UpdateLog longer = log;
    longer.push_back(m.update);
    store(c, log.size(), longer);
  }
  void on(Context& c, NodeId from, const Push& m) {
    if (m.epoch != epoch || from != before(c)) return;
    if (ready && m.log.size() <= log.size()) return;
    ready = true;
    std::size_t same = 0;
    while (same < log.size() && same < m.log.size() && log[same] == m.log[same]) ++same;
    store(c, same, m.log);
  }
  void on(Context& c, NodeId from, const Pull& m) {
    if (m.epoch == epoch && ready && from == after(c)) push(c);
  }
  void on(Context& c, NodeId, const Query& m) {
    const bool early = c.config().reads_early && epoch > 0;
    if ((told || early) && members.back() == c.self) c.answer(m.request, Saw{value()});
  }
  // Not one from before the master heard of its return: when it hears of the crash it goes on
  // without this server, which would still answer.
  void on(Context& c, NodeId, const Chain& m) {
    const bool meant = m.joins[static_cast<std::size_t>(c.self)] == c.restarts();
    if (m.epoch > epoch && meant) enter(c, m);
  }
  void on(Context&, NodeId, const Join&) {}
  void on(Context&, NodeId, const CaughtUp&) {}
  void on(Context&, NodeId, const Crashed&) {}

  void on_disk(Context& c, const DiskDone& done) {
    if (done.tag != writes) return;
    durable = static_cast<int>(log.size());
    pass_on(c);
  }

 private:
  template <class M>
  void to(Context& c, NodeId whom, M message) {
    if (whom == c.self) on(c, c.self, message);
    else c.send(whom, std::move(message));
  }
  NodeId before(const Context& c) const { return beside(c, -1); }
  NodeId after(const Context& c) const { return beside(c, 1); }
  NodeId beside(const Context& c, int step) const {  // -1: nobody
    const int size = static_cast<int>(members.size());
    const auto me = std::find(members.begin(), members.end(), c.self);
    const int at = static_cast<int>(me - members.begin()) + step;
    return me == members.end() || at < 0 || at >= size ? -1 : members[static_cast<std::size_t>(at)];
  }
  int value() const { return durable == 0 ? 0 : log[static_cast<std::size_t>(durable) - 1].value; }

  void enter(Context& c, const Chain& chain) {
    for (const RequestId request : std::exchange(asked, {})) c.answer(request, Unknown{});
    epoch = chain.epoch;
    members = chain.members;
    answered = 0;
    told = epoch == 1;
    const bool member = std::find(members.begin(), members.end(), c.self) != members.end();
    ready = member && (members.front() == c.self || epoch == 1);
    if (ready) pass_on(c);
    else if (member) c.send(before(c), Pull{epoch});
  }

  // From there on the log becomes this one, on the disk too; what comes next waits for that.
  void store(Context& c, std::size_t from, const UpdateLog& now) {
    log = now;
    durable = std::min(durable, static_cast<int>(from));
    c.disk().truncate(0, static_cast<std::uint32_t>(from));
    for (std::size_t i = from; i < log.size(); ++i) c.disk().append(0, log[i]);
    c.disk().sync(++writes);
    if (!c.config().answers_unsynced) return;
    durable = static_cast<int>(log.size());
    pass_on(c);
  }

  void pass_on(Context& c) {
    if (!ready || durable < static_cast<int>(log.size())) return;
    if (!std::exchange(told, true)) c.send(master(c), CaughtUp{epoch});
    if (after(c) >= 0) return push(c);
    for (; answered < durable; ++answered)
      c.answer(log[static_cast<std::size_t>(answered)].request, Written{});
  }
  void push(Context& c) {
    if (durable == static_cast<int>(log.size())) c.send(after(c), Push{epoch, log});
  }
};

struct Master : Node<Master, ChainMessages> {
  using Config = ChainConfig;

  int epoch = 1;
  std::vector<NodeId> members;
  NodeSet caught_up;            // of the members: the first ones
  PerNode<int> crashes, joins;  // a join may be heard of before the crash that it follows
  PerNode<int> since;           // the epoch in which it was put at the end
  FIELDS(epoch, members, caught_up, crashes, joins, since)

  void start(Context& c) {
    for (NodeId id = 0; id < c.self; ++id) {
      members.push_back(id);
      caught_up.insert(id);
    }
    crashes.assign(static_cast<std::size_t>(c.nodes()), 0);
    joins = since = crashes;
  }
  void on(Context& c, NodeId from, const Crashed&) {
    if (++crashes[index(from)] > joins[index(from)] && take_out(from)) tell(c);
  }
  void on(Context& c, NodeId from, const Join&) {
    if (++joins[index(from)] < crashes[index(from)]) return;  // it has crashed again
    take_out(from);
    if (std::find(members.begin(), members.end(), from) == members.end()) {
      members.push_back(from);
      since[index(from)] = epoch + 1;
    }
    tell(c);
  }
  void on(Context&, NodeId from, const CaughtUp& m) {
    const bool member = std::find(members.begin(), members.end(), from) != members.end();
    if (member && m.epoch >= since[index(from)]) caught_up.insert(from);
  }
  template <class M>
  void on(Context&, NodeId, const M&) {}

 private:
  static std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }
  bool take_out(NodeId id) {
    if (caught_up.contains(id) && caught_up.size() == 1) return false;
    caught_up.erase(id);
    return std::erase(members, id) > 0;
  }
  void tell(Context& c) {
    ++epoch;
    c.broadcast(Chain{epoch, members, joins});
  }
};

Linearizability one_register() {
  return Linearizability(
      {.call = [](const World&, const Event& e) -> std::optional<linearize::Call> {
         if (const auto* write = e.as<Write>()) return linearize::write("register", write->value);
         return linearize::read("register");
       },
       .answer =
           [](linearize::History& history, linearize::OpId op, const Event& e) {
             if (e.as<Written>()) history.done(op);
             else if (const auto* saw = e.as<Saw>()) history.saw(op, saw->value);
           },
       .initial = 0});
}

const Registration chain =
    system<Server>("chain", "chain replication of a register, with disks")
        .nodes(4, 3, 8)
        .service<Master>([](NodeId id, int nodes, const ChainConfig&) { return id == nodes - 1; })
        .crash_notice<Crashed>(nullptr)
        .answers_anywhere()
        .param<&ChainConfig::clients>("clients", 1, 6, "clients, each with its own requests")
        .param<&ChainConfig::requests>("requests", 1, 8, "requests of a client, one after another")
        .bug<&ChainConfig::reads_early>(
            "reads-early", "a new tail answers reads before it has what the one before it has")
        .bug<&ChainConfig::answers_unsynced>(
            "answers-unsynced", "passes writes on, and answers them, before they are on its disk")
        .survives({Fault::crash})
        .thread_safe()
        .workload([](Workload& w) {
          const ChainConfig& config = w.config<Server>();
          for (int client = 0; client < config.clients; ++client)
            for (int i = 0; i < config.requests; ++i)
              if (w.random.below(2) == 0) w.request<Server>(client, kAnyNode, Read{});
              else w.request<Server>(client, kAnyNode, Write{1 + client * config.requests + i});
        })
        .oracle(one_register());

}  // namespace
