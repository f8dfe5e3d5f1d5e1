// `reliable-broadcast`: eager reliable broadcast (Cachin, Guerraoui and Rodrigues, Algorithm 3.3),
// as Go-MC's Listing A.4 has it: whoever sees a message first sends it on to everybody.
#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Data {
  int origin;
  FIELDS(origin)
};
struct Broadcast {
  FIELDS()
};
struct Accepted {  // the client's answer
  FIELDS()
};
// Announced, for oracles.
struct Sent {
  int origin;
  FIELDS(origin)
};
struct Delivered {
  int origin;
  FIELDS(origin)
};

// `also`: a node sends every message to itself as well; `only`: and its own is delivered only when
// that copy arrives, as in the listing.
SCHISM_ENUM(SelfDelivery, no, also, only);
SCHISM_ENUM(Sending, next);

struct Broadcaster : Node<Broadcaster, Data> {
  struct Config {
    int broadcasts = 1;
    SelfDelivery self_delivery = SelfDelivery::no;
    bool piecewise = false;
    bool no_relay = false, deliver_twice = false, relay_first_only = false;
  };
  using Requests = Types<Broadcast>;
  using Timers = Sending;

  std::uint64_t delivered = 0, wanted = 0;  // a bit an origin
  bool relayed = false;
  std::vector<std::array<int, 2>> outbox;  // (to, origin), still to be sent
  bool gone = false;  // it crashed and came back: for this protocol that is still crashed
  FIELDS(delivered, wanted, relayed, outbox, gone)

  void start(Context& c) { gone = c.restarts() > 0; }

  void on_request(Context& c, RequestId request, const Broadcast&) {
    if (gone) return;
    c.announce(Sent{c.self});
    c.answer(request, Accepted{});
    wanted |= bit(c.self);
    relayed = true;
    if (c.config().self_delivery != SelfDelivery::only) deliver(c, {c.self});
    to_all(c, {c.self});
  }

  void on_timer(Context& c, Sending) {
    if (outbox.empty()) return;
    const auto [to, origin] = outbox.front();
    outbox.erase(outbox.begin());
    c.send(to, Data{origin});
    if (!outbox.empty()) c.set_timer(Sending::next, 1'000);
  }

  void on(Context& c, NodeId, const Data& m) {
    if (gone) return;
    const bool seen = (delivered & bit(m.origin)) != 0;
    if (!seen || c.config().deliver_twice) deliver(c, m);
    if (seen || c.config().no_relay || (relayed && c.config().relay_first_only)) return;
    relayed = true;
    to_all(c, m);
  }

 private:
  static std::uint64_t bit(int origin) { return std::uint64_t{1} << (origin & 63); }
  void to_all(Context& c, Data m) {
    for (NodeId to = 0; to < c.nodes(); ++to) {
      if (to == c.self && c.config().self_delivery == SelfDelivery::no) continue;
      if (c.config().piecewise) outbox.push_back({to, m.origin});
      else c.send(to, m);
    }
    if (!outbox.empty()) c.set_timer(Sending::next, 1'000);
  }
  void deliver(Context& c, Data m) {
    delivered |= bit(m.origin);
    c.announce(Delivered{m.origin});
  }
};

std::vector<const Broadcaster*> correct(const World& world) {
  std::vector<const Broadcaster*> out;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (const auto* node = world.as<Broadcaster>(id); node && !node->gone) out.push_back(node);
  return out;
}

bool all_deliver_the_same(const World& world) {
  const auto nodes = correct(world);
  for (const Broadcaster* node : nodes)
    if (node->delivered != nodes.front()->delivered) return false;
  return true;
}

bool deliver_their_own(const World& world) {
  for (const Broadcaster* node : correct(world))
    if ((node->wanted & ~node->delivered) != 0) return false;
  return true;
}

const Registration registered =
    system<Broadcaster>("reliable-broadcast", "eager reliable broadcast: who sees it first relays")
        .nodes(3, 1, 64)
        .param<&Broadcaster::Config::broadcasts>("broadcasts", 0, 64,
                                                 "nodes that broadcast once, the first ones")
        .param<&Broadcaster::Config::self_delivery>(
            "self-delivery", "whether a node sends to itself as well; only: and waits for that")
        .param<&Broadcaster::Config::piecewise>(
            "piecewise", "a node sends to one after the other, and can crash in between")
        .bug<&Broadcaster::Config::no_relay>(
            "no-relay",
            "nobody relays: if the origin crashes in between (piecewise), some deliver and others "
            "do not")
        .bug<&Broadcaster::Config::deliver_twice>(
            "deliver-twice", "as in Go-MC's listing: every copy of a message is delivered")
        .bug<&Broadcaster::Config::relay_first_only>(
            "relay-first-only",
            "a node sends only the first message that it ever sees, or its own (piecewise, two "
            "broadcasts)")
        .workload([](Workload& w) {
          for (NodeId id = 0; id < w.nodes && id < w.config<Broadcaster>().broadcasts; ++id)
            w.request<Broadcaster>(id, id, Broadcast{});
        })
        .oracle(eventually("agreement", all_deliver_the_same))
        .oracle(eventually("validity", deliver_their_own))
        .oracle([](const Setup&) {
          // No duplication: a node delivers a message once.
          return std::make_unique<Integrity<Delivered, int Delivered::*, int Delivered::*>>(
              &Delivered::origin, &Delivered::origin);
        })
        .thread_safe();

}  // namespace
