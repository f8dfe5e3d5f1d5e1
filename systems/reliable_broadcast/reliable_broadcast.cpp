// `reliable-broadcast`: eager reliable broadcast (Cachin, Guerraoui and Rodrigues, Algorithm 3.3),
// as Go-MC's Listing A.4 has it: whoever sees a message first sends it on to everybody. The lazy
// variant (Algorithm 3.2) sends on only what comes from a node that a failure detector suspects.
#include "schism/scenario/vocabulary.hpp"
#include "schism/schism.hpp"
#include "schism/service/eventually_perfect.hpp"

namespace {
using namespace schism;

struct Data {
  int origin;
  FIELDS(origin)
};
struct Crashed {  // from the failure detector, in the name of the node that crashed
  FIELDS()
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
SCHISM_ENUM(Relaying, eager, lazy);
SCHISM_ENUM(Sending, next, suspect, restore, settle);

struct Broadcaster : Node<Broadcaster, Data, Crashed> {
  struct Config {
    int broadcasts = 1, wrong_suspicions = 0;
    Relaying relay = Relaying::eager;
    SelfDelivery self_delivery = SelfDelivery::no;
    bool piecewise = false, own_notice = false;
    bool no_relay = false, deliver_twice = false, relay_first_only = false;
    bool relay_known_only = false;
  };
  using Requests = Types<Broadcast>;
  using Timers = Sending;

  std::uint64_t delivered = 0, wanted = 0;  // a bit an origin
  bool relayed = false;
  std::uint64_t passed_on = 0;             // lazily, a bit an origin
  std::vector<std::array<int, 2>> outbox;  // (to, origin), still to be sent
  bool gone = false;  // it crashed and came back: for this protocol that is still crashed
  service::EventuallyPerfect<Sending::suspect, Sending::restore, Sending::settle> detector;
  FIELDS(delivered, wanted, relayed, passed_on, outbox, gone, detector)

  void start(Context& c) {
    gone = c.restarts() > 0;
    if (!gone && c.config().relay == Relaying::lazy)
      detector.start(c, {.wrong = c.config().wrong_suspicions});
  }

  void on_request(Context& c, RequestId request, const Broadcast&) {
    if (gone) return;
    c.announce(Sent{c.self});
    c.answer(request, Accepted{});
    wanted |= bit(c.self);
    relayed = true;
    if (c.config().self_delivery != SelfDelivery::only) deliver(c, {c.self});
    to_all(c, {c.self});
  }

  void on_timer(Context& c, Sending timer, int key) {
    const auto changed = [&](NodeId who, bool suspected) { suspicion(c, who, suspected); };
    if (detector.on_timer(c, timer, key, changed) || outbox.empty()) return;
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
    if (c.config().relay == Relaying::eager) {
      relayed = true;
      to_all(c, m);
    } else if (detector.suspects(m.origin) && !c.config().relay_known_only) {
      pass_on(c, m);
    }
  }

  void on(Context& c, NodeId who, const Crashed&) {
    if (!gone)
      detector.on_crash(c, who, [&](NodeId n, bool suspected) { suspicion(c, n, suspected); });
  }

 private:
  void suspicion(Context& c, NodeId who, bool suspected) {
    if (suspected && (delivered & bit(who)) && !c.config().no_relay) pass_on(c, {who});
  }
  void pass_on(Context& c, Data m) {
    if (passed_on & bit(m.origin)) return;
    passed_on |= bit(m.origin);
    to_all(c, m);
  }
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
        // Over perfect links: nothing is sent again that was lost.
        .survives({Fault::duplicate, Fault::crash, Fault::pause})
        .colour<Broadcaster>([](const Broadcaster& node, Paint& paint) {
          paint.role(node.gone);
          paint.is(node.delivered);
          paint.is(node.wanted);
          paint.is(node.relayed);
          paint.is(node.passed_on);
          paint.size(node.outbox.size(), 4);
        })
        .param<&Broadcaster::Config::broadcasts>("broadcasts", 0, 64,
                                                 "nodes that broadcast once, the first ones")
        .param<&Broadcaster::Config::self_delivery>(
            "self-delivery", "whether a node sends to itself as well; only: and waits for that")
        .param<&Broadcaster::Config::relay>(
            "relay", "lazy: only what comes from a node that is suspected to have crashed")
        .param<&Broadcaster::Config::wrong_suspicions>(
            "wrong-suspicions", 0, 8, "lazy: how often each node may suspect without reason")
        .param<&Broadcaster::Config::own_notice>(
            "own-notice", "lazy: the failure detector tells the crashed node as well")
        .settled({"own-notice"})  // a detector that breaks its promise
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
        .bug<&Broadcaster::Config::relay_known_only>(
            "relay-known-only",
            "lazy: what comes from a node only after it was suspected is not relayed (piecewise)")
        .crash_notice<Crashed>(
            [](const Broadcaster::Config& c) { return c.own_notice; },
            [](const Broadcaster::Config& c) { return c.relay == Relaying::lazy; })
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
        // Those who only receive; who sends to one after the other does so by their numbers, and
        // what a detector says is kept by them.
        .symmetric([](const Setup& s) {
          const auto& c = *static_cast<const Broadcaster::Config*>(s.config.get());
          std::vector<int> groups(static_cast<std::size_t>(s.nodes), s.nodes);
          for (NodeId id = 0; id < s.nodes; ++id)
            if (id < c.broadcasts || c.piecewise || c.relay == Relaying::lazy)
              groups[static_cast<std::size_t>(id)] = id;
          return groups;
        })
        .thread_safe();

const Registration words =
    scenario::vocabulary("reliable-broadcast")
        .announces<Sent, Delivered>()
        .answers<Accepted>()
        .word("broadcasts", {}, "announced Sent", "a node broadcasts")
        .word("delivers", {}, "announced Delivered", "a node delivers")
        .word("relays", {}, "sent Data and .origin != sender", "a node passes a message on")
        .word("suspects", {}, "received Crashed", "the failure detector tells a node of a crash");

}  // namespace
