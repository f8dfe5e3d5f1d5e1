// `busy`: uses everything that a node can do, so that its traces hold every kind of action: timers
// with keys, disk, choices, clients, announcements. It counts; a crash may lose what was not
// synced.
#include "schism/schism.hpp"

namespace {
using namespace schism;

SCHISM_ENUM(Chore, save, gossip);

struct Gossip {
  int total;
  std::vector<int> parts;
  FIELDS(total, parts)
};
struct Add {
  int amount;
  FIELDS(amount)
};
struct Sum {
  int total;
  FIELDS(total)
};
struct Counted {
  int total;
  std::string how;
  FIELDS(total, how)
};

struct Busy : Node<Busy, Gossip> {
  struct Config {
    int requests = 4;
    bool forgetful = false;
  };
  using Timers = Chore;
  using Requests = Types<Add>;

  int total = 0, saved = 0, promised = 0;
  std::vector<int> parts;
  FIELDS(total, saved, promised, parts)

  void start(Context& c) {
    parts.assign(static_cast<std::size_t>(c.nodes()), 0);
    for (const auto& record : c.disk().load<Sum>(0))
      if (!record.torn) total = record.value.total;
    saved = promised = total;
    c.set_timer(Chore::gossip, 1000 + static_cast<Micros>(c.random_below(500)), c.self);
    c.announce(Counted{total, c.choose(2) == 0 ? "started" : "began"});
  }
  void on(Context& c, NodeId from, const Gossip& g) {
    if (from >= 0 && static_cast<std::size_t>(from) < parts.size())
      parts[static_cast<std::size_t>(from)] = g.total;
    if (c.choose(3) == 2) c.announce(Counted{g.total, "heard"});
  }
  void on_timer(Context& c, Chore chore, int) {
    if (chore == Chore::gossip) {
      c.broadcast(Gossip{total, parts});
      c.set_timer(Chore::gossip, 1000, c.self);
    } else {
      c.disk().write(0, Sum{total}, total & 0xff);
      c.disk().sync(0);
    }
  }
  void on_request(Context& c, RequestId id, const Add& a) {
    total = (total + a.amount) % 1'000'000;
    promised = total;
    if (c.config().forgetful) c.set_timer(Chore::save, 5000);
    else c.disk().write(0, Sum{total}), c.disk().sync_now(), saved = total;
    c.answer(id, Sum{total});
  }
  void on_disk(Context& c, const DiskDone&) {
    saved = total;
    c.announce(Counted{total, "saved"});
  }
};

const Registration busy =
    system<Busy>("busy", "counts on disk for its clients: uses all that a node can do")
        .nodes(3, 1, 8)
        .steps(60)
        .param<&Busy::Config::requests>("requests", 0, 100, "requests of its clients")
        .bug<&Busy::Config::forgetful>("forgetful", "answers before its count is on disk")
        .workload([](Workload& w) {
          for (int i = 0; i < w.config<Busy>().requests; ++i)
            w.request<Busy>(i % 2, i % w.nodes, Add{1 + i});
        })
        .oracle(sometimes<Counted>("counted", [](const Counted&) { return true; }))
        .oracle(
            Property("answers survive")
                .on("start", happened(Happened::answered), "answered")
                .on("answered",
                    {mask_of(Happened::started), nullptr,
                     [](const World& w, const Event& e) {
                       const Busy* b = w.as<Busy>(e.node);
                       return b && b->total == 0 && w.step() > 0 &&
                              static_cast<const Busy::Config*>(w.setup().config.get())->forgetful;
                     }},
                    Property::failing));

}  // namespace
