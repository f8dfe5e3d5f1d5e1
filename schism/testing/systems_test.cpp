// Systems only for tests, registered like any other, so that everything that goes over the registry
// goes over them too. Together they use what the real ones do not: keyed timers, disks, requests,
// random draws, choices, contents on the heap, self-sends, two classes of nodes, a node that cannot
// be copied, completions that nobody listens to, nodes that answer for each other.
#include <map>
#include <memory>
#include <utility>

#include "schism/oracle/linearizability.hpp"
#include "schism/schism.hpp"

namespace schism {
namespace {

// ---- test-kitchen: everything but disks -------------------------------------------------------

struct Note {
  std::string text;
  std::vector<int> numbers;
  FIELDS(text, numbers)
};
struct Poke {
  int hops;
  FIELDS(hops)
};
struct Order {
  int dish;
  FIELDS(dish)
};
struct Bill {
  int dish;
  std::string text;
  FIELDS(dish, text)
};
struct Served {  // announced
  int dish, count;
  FIELDS(dish, count)
};
struct Heard {
  int hops;
  FIELDS(hops)
};
SCHISM_ENUM(Alarm, tick, tock);

struct Kitchen : Node<Kitchen, Note, Poke> {
  struct Config {
    bool hasty = false;
  };
  using Timers = Alarm;
  using Requests = Types<Order, Poke>;

  std::string last;
  int count = 0, alarms = 0;
  std::uint64_t drawn = 0;
  std::vector<RequestId> open;
  std::optional<int> choice;
  FIELDS(last, count, alarms, drawn, open, choice)

  void start(Context& c) {
    choice = static_cast<int>(c.choose(2));
    c.set_timer(Alarm::tick, 10 + static_cast<Micros>(c.random_below(5)), 0);
    c.set_timer(Alarm::tick, 20, 1);
    c.send(c.self, Poke{2});  // to itself: a message like any other
    if (c.self == 0) c.broadcast(Note{"a text too long for the small string buffer", {1, 2}});
  }
  void on(Context& c, NodeId from, const Note& n) {
    ++count;
    last = n.text;
    drawn = c.random_below(100);
    if (n.numbers.size() >= 4) return;
    Note next = n;
    next.numbers.push_back(static_cast<int>(c.choose(3)));
    next.text += std::to_string(drawn);
    if (drawn % 2 == 0) c.send(from, next);
    else c.broadcast(std::move(next));
    c.set_timer(Alarm::tock, 5, static_cast<int>(drawn % 3));  // re-arms now and then
  }
  void on(Context& c, NodeId, const Poke& p) {
    ++count;
    c.announce(Heard{p.hops});
    if (count % 3 == 0) c.cancel_timer(Alarm::tick, 1);
    if (p.hops > 0) c.send((c.self + 1) % c.nodes(), Poke{p.hops - 1});
    if (c.config().hasty && p.hops == 0 && count > 4) c.fail("too many pokes");
  }
  void on_timer(Context& c, Alarm alarm, int key) {
    ++alarms;
    drawn += static_cast<std::uint64_t>(c.now() % 7);
    if (alarms > 12) return;
    if (alarm == Alarm::tock) {
      c.send((c.self + key) % c.nodes(), Poke{1});  // key 0: to itself
      c.cancel_timer(Alarm::tock, (key + 1) % 3);
    } else {
      c.set_timer(Alarm::tick, 7, key);
    }
    for (const RequestId request : open) serve(c, request);
    open.clear();
  }
  void on_request(Context& c, RequestId request, const Order& o) {
    if (o.dish % 2 == 0) serve(c, request);
    else open.push_back(request);
  }
  void on_request(Context& c, RequestId request, const Poke& p) {
    c.send(request.client % c.nodes(), p);
    serve(c, request);
  }
  void serve(Context& c, RequestId request) {
    c.announce(Served{request.client, count});
    c.answer(request, Bill{count, last});
  }
};

Property served_before_heard() {
  Property p("served before the last poke is heard");
  p.on("start", announced<Served>(), "served")
      .on("start", announced<Heard>([](const Heard& h) { return h.hops == 0; }), "heard")
      .on("heard", announced<Served>([](const Served& s) { return s.count > 2; }), p.failing);
  return p;
}

const Registration kitchen = [] {
  auto builder = system<Kitchen>("test-kitchen", "for tests: everything but disks");
  builder.nodes(3, 1, 8)
      .bug<&Kitchen::Config::hasty>("hasty", "fails after the fifth poke")
      .workload([](Workload& w) {
        for (int client = 0; client < 2; ++client)
          for (int i = 0; i < 3; ++i) {
            const NodeId target = i == 1 ? client % w.nodes : kAnyNode;
            if (i == 2) w.request<Kitchen>(client, target, Poke{1});
            else w.request<Kitchen>(client, target, Order{static_cast<int>(w.random.below(4))});
          }
      })
      .oracle(served_before_heard())
      .oracle(invariant<Kitchen>("few alarms", [](const Kitchen& k) { return k.alarms < 6; }))
      .oracle(world_invariant("not all busy",
                              [](const World& w) {
                                int busy = 0;
                                for (NodeId id = 0; id < w.setup().nodes; ++id) {
                                  const auto* k = w.as<Kitchen>(id);
                                  busy += k && k->count > 1 && k->count < 4;
                                }
                                return busy == w.setup().nodes ? "all busy" : "";
                              }))
      .oracle(sometimes<Served>("a late dish", [](const Served& s) { return s.count > 3; }))
      .oracle(eventually("somebody counts",
                         [](const World& w) {
                           const auto* k = w.as<Kitchen>(0);
                           return k && k->count > 3;
                         }))
      .oracle(agreement<Served>(&Served::dish, &Served::count))
      .oracle(integrity<Served>(&Served::dish, &Served::count))
      .oracle(validity<Served, Heard>(&Served::count, &Heard::hops))
      .oracle(termination<Served>(&Served::dish, [](const Setup&) { return 1; }))
      .timer_weight("tock", 20)
      .steps(300)
      .thread_safe();
  return Registration(builder);
}();

// ---- test-journal: disks ----------------------------------------------------------------------

struct Entry {
  int number;
  std::string text;
  FIELDS(number, text)
};
struct Head {
  int length = 0;
  FIELDS(length)
};
struct Copy {
  int number;
  FIELDS(number)
};
struct Store {
  int number;
  FIELDS(number)
};
struct Kept {
  int number;
  bool ok;
  FIELDS(number, ok)
};
struct Recovered {
  int records, torn;
  FIELDS(records, torn)
};

struct Journal : Node<Journal, Copy> {
  struct Config {
    bool lazy = false;
  };
  using Requests = Types<Store>;
  static constexpr int kLog = 0, kHead = 1;

  std::vector<int> log;
  int torn = 0, synced = 0, errors = 0, operations = 0;
  std::vector<RequestId> waiting;
  FIELDS(log, torn, synced, errors, operations, waiting)

  void start(Context& c) {
    for (const auto& record : c.disk().load<Entry>(kLog)) {
      torn += record.torn;
      if (!record.torn) log.push_back(record.value.number);
    }
    for (const auto& record : c.disk().load<Head>(kHead)) synced += record.value.length;
    if (c.restarts() > 0) c.announce(Recovered{static_cast<int>(log.size()), torn});
    if (torn > 0) {
      c.disk().truncate(kLog, static_cast<std::uint32_t>(log.size()));
      c.disk().sync_now();
    }
    c.disk().read(kLog, 0);
    if (c.self == 0 && c.restarts() == 0) c.broadcast(Copy{7});
  }
  void on(Context& c, NodeId from, const Copy& copy) {
    add(c, copy.number);
    if (copy.number > 5) c.send(from, Copy{copy.number - 4});
  }
  void on_request(Context& c, RequestId request, const Store& s) {
    waiting.push_back(request);
    add(c, s.number);
    if (s.number % 2 == 0) c.broadcast(Copy{s.number});
  }
  void add(Context& c, int number) {
    log.push_back(number);
    ++operations;
    c.disk().append(kLog, Entry{number, "record " + std::to_string(number)});
    if (operations % 3 == 0) c.disk().write(kHead, Head{operations}, 2);
    if (operations % 5 == 0 && log.size() > 1) {
      log.pop_back();
      c.disk().truncate(kLog, static_cast<std::uint32_t>(log.size()), 3);
    }
    if (c.config().lazy && operations % 2 == 0) answer_all(c, true);
    else c.disk().sync(1);
    if (operations % 7 == 0) c.disk().sync_now();
  }
  void on_disk(Context& c, const DiskDone& done) {
    errors += done.ok ? 0 : 1;
    if (done.op != DiskOp::sync) return;
    ++synced;
    if (done.ok) answer_all(c, true);
    else if (errors < 3) c.disk().sync(1);
    else answer_all(c, false);
  }
  void answer_all(Context& c, bool ok) {
    for (const RequestId request : waiting) c.answer(request, Kept{operations, ok});
    waiting.clear();
  }
};

const Registration journal = [] {
  auto builder = system<Journal>("test-journal", "for tests: disks");
  builder.nodes(3, 1, 8)
      .bug<&Journal::Config::lazy>("lazy", "answers before the sync")
      .workload([](Workload& w) {
        for (int client = 0; client < 2; ++client)
          for (int i = 0; i < 4; ++i)
            w.request<Journal>(client, i % 2 == 0 ? client % w.nodes : kAnyNode,
                               Store{static_cast<int>(w.random.below(9))});
      })
      .oracle(invariant<Journal>("no torn record", [](const Journal& j) { return j.torn == 0; }))
      .oracle(sometimes<Recovered>("recovers", [](const Recovered& r) { return r.records > 0; }))
      .steps(300)
      .thread_safe();
  return Registration(builder);
}();

// ---- test-classes: two classes of nodes, one of which takes no requests ------------------------

struct Job {
  int number;
  FIELDS(number)
};
struct Outcome {
  int number;
  FIELDS(number)
};
struct Ask {
  int number;
  FIELDS(number)
};
SCHISM_ENUM(Watch, retry, give_up);
using JobMessages = Types<Job, Outcome>;

struct JobConfig {
  bool anywhere = false;  // a request goes to any node, though only the master takes requests
};

struct Master : Node<Master, JobMessages> {
  using Config = JobConfig;
  using Timers = Watch;
  using Requests = Types<Ask>;
  std::vector<RequestId> open;
  int done = 0;
  FIELDS(open, done)

  void on(Context& c, NodeId from, const Job& j) { c.send(from, Outcome{j.number}); }
  void on(Context& c, NodeId, const Outcome& r) {
    ++done;
    c.cancel_timer(Watch::retry, r.number);
    for (const RequestId request : open) c.answer(request, Outcome{r.number});
    open.clear();
  }
  void on_request(Context& c, RequestId request, const Ask& a) {
    open.push_back(request);
    c.broadcast(Job{a.number});
    c.set_timer(Watch::retry, 100, a.number);
  }
  void on_timer(Context& c, Watch timer, int key) {
    if (timer == Watch::retry && done < 5) c.broadcast(Job{key});
  }
};
SCHISM_ENUM(Rest, nap);
struct Worker : Node<Worker, JobMessages> {
  using Config = JobConfig;
  using Timers = Rest;
  int worked = 0;
  std::string note;
  FIELDS(worked, note)

  void on(Context& c, NodeId from, const Job& j) {
    ++worked;
    note = "job " + std::to_string(j.number) + " of node " + std::to_string(from);
    if (worked % 2 == 0) c.set_timer(Rest::nap, 10);
    else c.send(from, Outcome{j.number});
  }
  void on(Context&, NodeId, const Outcome&) {}
  void on_timer(Context& c, Rest) { c.send(0, Outcome{worked}); }
};

const Registration classes = [] {
  auto builder = system<Master>("test-classes", "for tests: two classes of nodes");
  builder.nodes(3, 2, 8)
      .param<&JobConfig::anywhere>("anywhere", "requests go to any node")
      .also<Worker>([](NodeId id, int, const JobConfig&) { return id > 0; })
      .workload([](Workload& w) {
        for (int i = 0; i < 4; ++i)
          w.request<Master>(i % 2, w.config<Master>().anywhere ? kAnyNode : NodeId{0}, Ask{i});
      })
      .oracle(invariant<Worker>("works", [](const Worker& x) { return x.worked >= 0; }))
      .steps(200)
      .thread_safe();
  return Registration(builder);
}();

// ---- test-unique: a node that cannot be copied --------------------------------------------------

struct Baton {
  int number;
  FIELDS(number)
};
struct alignas(64) Unique : Node<Unique, Baton> {  // nor lies anywhere: a cache line of its own
  std::unique_ptr<int> held = std::make_unique<int>(0);
  FIELDS(*held)

  void start(Context& c) {
    c.require(reinterpret_cast<std::uintptr_t>(this) % 64 == 0, "a node is aligned");
    c.broadcast(Baton{3});
  }
  void on(Context& c, NodeId from, const Baton& b) {
    *held += b.number + static_cast<int>(c.random_below(3));
    if (b.number > 0) c.send(from, Baton{b.number - 1});
  }
};
const Registration unique =
    system<Unique>("test-unique", "for tests: a node that cannot be copied").nodes(3, 1, 8);

// ---- test-silent: disk operations with a tag, but nobody who listens to their completion
// ---------

struct Drop {
  int number;
  FIELDS(number)
};
struct Silent : Node<Silent, Drop> {
  int kept = 0;
  FIELDS(kept)

  void start(Context& c) {
    kept = static_cast<int>(c.disk().length(0));
    if (c.restarts() == 0) c.broadcast(Drop{2});
  }
  void on(Context& c, NodeId from, const Drop& d) {
    DiskHandle disk = c.disk();  // which asks nobody whether he listens
    disk.append(0, d);
    disk.sync(1);
    if (d.number > 0) c.send(from, Drop{d.number - 1});
  }
};
const Registration silent =
    system<Silent>("test-silent", "for tests: syncs whose completion nobody hears").nodes(2, 1, 8);

// ---- test-relay: two classes take requests, and whoever knows answers --------------------------

struct Put {
  int value;
  FIELDS(value)
};
struct Look {
  FIELDS()
};
struct Get {
  FIELDS()
};
struct Reply {
  std::map<int, std::vector<int>> seen;
  FIELDS(seen)
};
struct Pass {  // from the front to every back
  RequestId request;
  int value;
  FIELDS(request, value)
};
struct Fetch {  // from a back to the front
  RequestId request;
  FIELDS(request)
};
using RelayMessages = Types<Pass, Fetch>;
struct RelayConfig {
  int requests = 3;
};

struct Front : Node<Front, RelayMessages> {
  using Config = RelayConfig;
  using Requests = Types<Put, Look>;

  std::vector<RequestId> passed;
  FIELDS(passed)

  void on(Context&, NodeId, const Pass&) {}
  // Says so for the one that was asked, and again for what the others may have said already.
  void on(Context& c, NodeId from, const Fetch& f) {
    c.answer(f.request, Reply{{{from, {static_cast<int>(passed.size())}}}});
    for (const RequestId request : std::exchange(passed, {})) c.answer(request, Reply{});
  }
  void on_request(Context& c, RequestId request, const Put& put) {
    passed.push_back(request);
    c.broadcast(Pass{request, put.value});
  }
  void on_request(Context& c, RequestId request, const Look&) { c.answer(request, Reply{}); }
};

struct Back : Node<Back, RelayMessages> {
  using Config = RelayConfig;
  using Requests = Types<Look, Get>;

  std::map<int, std::vector<int>> seen;  // by client
  FIELDS(seen)

  void on(Context& c, NodeId, const Pass& p) {
    seen[p.request.client].push_back(p.value);
    c.answer(p.request, Reply{seen});
  }
  void on(Context&, NodeId, const Fetch&) {}
  void on_request(Context& c, RequestId request, const Look&) { c.answer(request, Reply{seen}); }
  void on_request(Context& c, RequestId request, const Get&) { c.send(0, Fetch{request}); }
};

const Registration relay = [] {
  auto builder = system<Front>("test-relay", "for tests: nodes that answer for each other");
  builder.nodes(3, 2, 8)
      .also<Back>([](NodeId id, int, const RelayConfig&) { return id > 0; })
      .param<&RelayConfig::requests>("requests", 1, 6, "of a client")
      .answers_anywhere()
      .workload([](Workload& w) {
        for (int client = 0; client < 2; ++client)
          for (int i = 0; i < w.config<Front>().requests; ++i)
            if (i % 3 == client) w.request<Front>(client, kAnyNode, Put{i});
            else if (i % 3 == 2) w.request<Back>(client, client % 2, Look{});
            else w.request<Back>(client, i > 2 ? NodeId{1} : kAnyNode, Get{});
      })
      .oracle(invariant<Front>("few", [](const Front& f) { return f.passed.size() < 9; }))
      .steps(200)
      .thread_safe();
  return Registration(builder);
}();

// ---- test-tellers: clients believe what several nodes answer
// -------------------------------------

struct Asked {
  RequestId request;
  int value = 0;
  bool writes = false;
  FIELDS(request, value, writes)
};
struct Ordered {
  Asked what;
  int place = 0;
  FIELDS(what, place)
};
struct Hold {
  int value;
  FIELDS(value)
};
struct Show {
  int unused = 0;
  FIELDS(unused)
};
struct Holds {
  int value;
  FIELDS(value)
};
struct Held {
  int place;
  FIELDS(place)
};

// Node 0 puts what clients ask for in an order, everybody does it in that order and answers.
struct Teller : Node<Teller, Ordered> {
  struct Config {
    int requests = 2;
    bool gullible = false;
  };
  using Requests = Types<Hold, Show>;

  int value = 0, done = 0, given = 0;
  std::map<int, Asked> ordered;
  FIELDS(value, done, given, ordered)

  void on_request(Context& c, RequestId request, const Hold& hold) {
    take(c, {request, hold.value, true});
  }
  void on_request(Context& c, RequestId request, const Show&) { take(c, {request, 0, false}); }
  void on(Context& c, NodeId from, const Ordered& o) {
    if (from != 0) return;
    ordered.emplace(o.place, o.what);
    follow(c);
  }

 private:
  void take(Context& c, const Asked& what) {
    const Ordered o{what, given++};
    c.broadcast(o);
    c.send(c.self, o);  // so that others may be first
  }
  void follow(Context& c) {
    for (auto next = ordered.find(done); next != ordered.end(); next = ordered.find(++done)) {
      const Asked& asked = next->second;
      if (asked.writes) value = asked.value;
      if (asked.writes) c.answer(asked.request, Held{done});
      else c.answer(asked.request, Holds{value});
    }
  }
};

int tellers_lying(const Setup& s) { return std::max(0, std::min(s.nodes - 2, 1)); }

const Registration tellers =
    system<Teller>("test-tellers", "for tests: a register whose clients believe f + 1 nodes")
        .nodes(4, 2, 8)
        .liars(tellers_lying, [](NodeId id, const Setup&) { return id > 0; })
        .answers([](const Setup& s) {
          const bool gullible = static_cast<const Teller::Config*>(s.config.get())->gullible;
          return tellers_lying(s) + (gullible ? 0 : 1);
        })
        .nil_vote<Ordered>([](Ordered& o) { o.what = {}; })
        .param<&Teller::Config::requests>("requests", 1, 6, "of a client")
        .bug<&Teller::Config::gullible>("gullible", "clients believe what f nodes say")
        .workload([](Workload& w) {
          for (int client = 0; client < 2; ++client)
            for (int i = 0; i < w.config<Teller>().requests; ++i)
              if ((i + client) % 2 == 0) w.request<Teller>(client, 0, Hold{10 * client + i});
              else w.request<Teller>(client, 0, Show{});
        })
        .oracle(Linearizability(
            {.call = [](const World&, const Event& e) -> std::optional<linearize::Call> {
               if (const auto* hold = e.as<Hold>()) return linearize::write("it", hold->value);
               return linearize::read("it");
             },
             .answer =
                 [](linearize::History& history, linearize::OpId op, const Event& e) {
                   if (e.as<Held>()) history.done(op);
                   else if (const auto* holds = e.as<Holds>()) history.saw(op, holds->value);
                 },
             .initial = 0}))
        .steps(200)
        .thread_safe();

}  // namespace
}  // namespace schism
