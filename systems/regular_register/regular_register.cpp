// `regular-register`: a register on a majority of replicas (Cachin, Guerraoui and Rodrigues,
// Algorithm 4.2: majority voting), as Go-MC's Listing A.5 has it. Every node is a replica; the
// first ones write, the last ones read. With more than one writer, a write first asks a majority
// for the highest timestamp, which is then a pair (number, writer).
#include "schism/scenario/vocabulary.hpp"
#include "schism/schism.hpp"

#include <bit>
#include <tuple>

#include "systems/regular_register/regularity.hpp"

namespace {
using namespace schism;
using registers::Began;
using registers::Ended;

struct Version {  // a value and when it was written
  int number = 0, writer = 0, value = 0;
  FIELDS(number, writer, value)

  bool newer_than(const Version& o) const {
    return std::tie(number, writer) > std::tie(o.number, o.writer);
  }
};
struct Write {
  Version version;
  int attempt;  // of its writer; the acknowledgement repeats it
  FIELDS(version, attempt)
};
struct Ack {
  int attempt;
  FIELDS(attempt)
};
struct Ask {
  int attempt;
  FIELDS(attempt)
};
struct Reply {
  int attempt;
  Version version;
  FIELDS(attempt, version)
};
struct DoWrite {
  int value;
  FIELDS(value)
};
struct DoRead {
  FIELDS()
};
struct Done {  // the client's answer
  int value;
  FIELDS(value)
};

// `only`: a node sends to itself as well, and its own vote counts when that arrives, as in Go-MC.
SCHISM_ENUM(SelfDelivery, no, only);
// `program`: nodes begin their operations by themselves, one after the other.
SCHISM_ENUM(AskedBy, clients, program);
SCHISM_ENUM(Doing, nothing, asking, writing, reading);
SCHISM_ENUM(Agenda, next);

struct Replica : Node<Replica, Write, Ack, Ask, Reply> {
  struct Config {
    int writers = 1, readers = 0, writes = 1, reads = 1;
    AskedBy asked_by = AskedBy::clients;
    SelfDelivery self_delivery = SelfDelivery::no;
    bool no_majority = false, first_value = false, any_ack = false, any_reply = false;
    bool overwrite = false, blind_writer = false;

    bool writes_at(int node) const { return node < writers; }
    bool reads_at(int node, int nodes) const {
      return readers == 0 ? node >= writers : node >= nodes - readers;
    }
    int value_of(int node, int nth) const { return nth * writers + node + 1; }
  };
  using Requests = Types<DoWrite, DoRead>;
  using Timers = Agenda;

  Version stored;
  Doing doing = Doing::nothing;
  int begun = 0;            // operations of this node
  int attempt = 0;          // rounds of messages that it began
  std::uint64_t heard = 0;  // who answered this attempt, a bit each
  int wanted = 0;           // the value to be written
  Version best;             // of the replies so far
  int clock = 0;            // of this writer
  std::optional<RequestId> request;
  bool gone = false;  // it crashed and came back: for this protocol that is still crashed
  FIELDS(stored, doing, begun, attempt, heard, wanted, best, clock, request, gone)

  void start(Context& c) {
    gone = c.restarts() > 0;
    if (!gone && has_more(c)) c.set_timer(Agenda::next, 1'000);
  }
  void on_timer(Context& c, Agenda) { begin_next(c); }
  void on_request(Context& c, RequestId id, const DoWrite& w) {
    if (gone || doing != Doing::nothing) return;
    request = id;
    begin_write(c, w.value);
  }
  void on_request(Context& c, RequestId id, const DoRead&) {
    if (gone || doing != Doing::nothing) return;
    request = id;
    begin_read(c);
  }

  void on(Context& c, NodeId from, const Write& w) {
    if (gone) return;
    if (w.version.newer_than(stored) || c.config().overwrite) stored = w.version;
    c.send(from, Ack{w.attempt});
  }
  void on(Context& c, NodeId from, const Ask& a) {
    if (!gone) c.send(from, Reply{a.attempt, stored});
  }
  void on(Context& c, NodeId from, const Ack& a) {
    if (gone || doing != Doing::writing || (a.attempt != attempt && !c.config().any_ack)) return;
    count(c, from);
  }
  void on(Context& c, NodeId from, const Reply& r) {
    if (gone || (doing != Doing::asking && doing != Doing::reading)) return;
    if (r.attempt != attempt && !c.config().any_reply) return;
    take(c, r.version);
    count(c, from);
  }

 private:
  int planned(Context& c) const {
    const Config& k = c.config();
    return (k.writes_at(c.self) ? k.writes : 0) + (k.reads_at(c.self, c.nodes()) ? k.reads : 0);
  }
  bool has_more(Context& c) const {
    return c.config().asked_by == AskedBy::program && begun < planned(c);
  }
  void begin_next(Context& c) {
    if (gone || doing != Doing::nothing || !has_more(c)) return;
    const Config& k = c.config();
    if (k.writes_at(c.self) && begun < k.writes) begin_write(c, k.value_of(c.self, begun));
    else begin_read(c);
  }
  int operation(Context& c) const { return c.self * registers::kOperationsANode + begun - 1; }

  void begin_write(Context& c, int value) {
    ++begun;
    wanted = value;
    c.announce(Began{operation(c), true, value});
    if (c.config().writers > 1 && !c.config().blind_writer) ask(c, Doing::asking);
    else write(c);
  }
  void begin_read(Context& c) {
    ++begun;
    c.announce(Began{operation(c), false, 0});
    ask(c, Doing::reading);
  }
  void ask(Context& c, Doing what) {
    begin_attempt(what);
    best = {};
    c.broadcast(Ask{attempt});
    if (c.config().self_delivery == SelfDelivery::only) {
      c.send(c.self, Ask{attempt});
    } else {
      take(c, stored);
      count(c, c.self);
    }
  }
  void write(Context& c) {
    begin_attempt(Doing::writing);
    const Version version{++clock, c.self, wanted};
    c.broadcast(Write{version, attempt});
    if (c.config().self_delivery == SelfDelivery::only) {
      c.send(c.self, Write{version, attempt});
    } else {
      if (version.newer_than(stored) || c.config().overwrite) stored = version;
      count(c, c.self);
    }
  }
  void begin_attempt(Doing what) {
    doing = what;
    ++attempt;
    heard = 0;
  }
  void take(Context& c, const Version& version) {
    if (heard == 0 || (version.newer_than(best) && !c.config().first_value)) best = version;
  }
  void count(Context& c, NodeId from) {
    heard |= std::uint64_t{1} << from;
    const int enough = c.config().no_majority && doing == Doing::writing ? 1 : c.majority();
    if (std::popcount(heard) < enough) return;
    if (doing == Doing::asking) {
      clock = std::max(clock, best.number);
      write(c);
    } else {
      end(c, doing == Doing::writing ? wanted : best.value);
    }
  }
  void end(Context& c, int value) {
    doing = Doing::nothing;
    c.announce(Ended{operation(c), value});
    if (request) c.answer(*request, Done{value});
    request.reset();
    if (has_more(c)) c.set_timer(Agenda::next, 1'000);
  }
};

// Promised as long as a majority is correct.
bool operations_end(const World& world) {
  int correct = 0;
  bool all_ended = true;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (const auto* node = world.as<Replica>(id); node && !node->gone) {
      ++correct;
      all_ended = all_ended && node->doing == Doing::nothing;
    }
  return all_ended || correct <= world.setup().nodes / 2;
}

const Registration registered =
    system<Replica>("regular-register", "a register on a majority of replicas")
        .nodes(3, 1, 16)
        // Over perfect links: nothing is sent again that was lost.
        .survives({Fault::duplicate, Fault::crash, Fault::pause})
        .colour<Replica>([](const Replica& node, Paint& paint) {
          paint.role(node.doing);
          paint.is(node.gone);
          paint.is(std::popcount(node.heard));
          paint.rank(node.stored.number);
          paint.rank(node.best.number);
          paint.rank(node.begun);
        })
        .param<&Replica::Config::writers>("writers", 0, 16, "nodes that write, the first ones")
        .param<&Replica::Config::readers>("readers", 0, 16,
                                          "nodes that read, the last ones; 0: all that do not "
                                          "write")
        .param<&Replica::Config::writes>("writes", 0, 4, "operations of each writer")
        .param<&Replica::Config::reads>("reads", 0, 4, "operations of each reader")
        .param<&Replica::Config::asked_by>("asked-by", "who begins operations")
        .param<&Replica::Config::self_delivery>(
            "self-delivery", "only: a node's own vote is a message to itself, as in Go-MC")
        .bug<&Replica::Config::no_majority>("no-majority",
                                            "a write ends with its first acknowledgement")
        .bug<&Replica::Config::first_value>(
            "first-value", "a read returns the first value that it hears of, not the newest")
        .bug<&Replica::Config::any_ack>(
            "any-ack", "acknowledgements of an earlier write count for this one (writes=2)")
        .bug<&Replica::Config::any_reply>("any-reply",
                                          "replies to an earlier read count for this one (reads=2)")
        .bug<&Replica::Config::overwrite>(
            "overwrite", "a replica takes what comes, though it has newer (writes=2)")
        .bug<&Replica::Config::blind_writer>(
            "blind-writer",
            "with several writers, each counts by itself and nobody asks (writers=2,writes=2)")
        .workload([](Workload& w) {
          const auto& k = w.config<Replica>();
          if (k.asked_by != AskedBy::clients) return;
          for (NodeId id = 0; id < w.nodes; ++id) {
            for (int i = 0; k.writes_at(id) && i < k.writes; ++i)
              w.request<Replica>(id, id, DoWrite{k.value_of(id, i)});
            for (int i = 0; k.reads_at(id, w.nodes) && i < k.reads; ++i)
              w.request<Replica>(id, id, DoRead{});
          }
        })
        .oracle(registers::Regularity(0))
        .oracle(eventually("termination", operations_end))
        .thread_safe();

const Registration words =
    scenario::vocabulary("regular-register")
        .announces<Began, Ended>()
        .answers<Done>()
        .word("writes", {}, "announced Began and .write = true", "a write begins")
        .word("reads", {}, "announced Began and .write = false", "a read begins")
        .word("ends", {}, "announced Ended", "an operation ends")
        .word("acknowledges", {}, "sent Ack", "a replica has stored a value")
        .word("replies", {}, "sent Reply", "a replica tells what it has");

}  // namespace
