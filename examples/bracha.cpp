// `bracha`: reliable broadcast among nodes of which less than a third may lie (Bracha, Asynchronous
// Byzantine Agreement Protocols, 1987). All echo what the sender says; whoever hears enough echoes
// of one value is ready for it, and so is whoever hears that f + 1 others are; 2f + 1 who are ready
// deliver it. Nobody needs signatures.
//
// Node 0 is the sender. It is honest, or a Liar: a class of its own that tells each of the others
// what the scheduler picks (`choose`), one value, the other, both or nothing.
//
//   bracha hunt bracha                             nothing is found
//   bracha hunt bracha --bug ready-after-one       some deliver and others never do
//   bracha list bracha                             the parameters, among them `liar`
#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Initial {
  int value;
  FIELDS(value)
};
struct Echo {
  int value;
  FIELDS(value)
};
struct Ready {
  int value;
  FIELDS(value)
};
using BroadcastMessages = Types<Initial, Echo, Ready>;

struct Delivered {  // announced by honest nodes
  int value;
  FIELDS(value)
};

struct BroadcastConfig {
  bool liar = true;
  bool counts_copies = false, ready_after_one = false;
};

constexpr NodeId kSender = 0;
constexpr int kValues = 2;

int faulty(int nodes) { return (nodes - 1) / 3; }

// How many said a value, and who they were.
struct Voices {
  NodeSet who;
  int messages = 0;
  FIELDS(who, messages)

  void hear(NodeId from) {
    who.insert(from);
    ++messages;
  }
  int count(bool copies) const { return copies ? messages : static_cast<int>(who.size()); }
};

struct Peer : Node<Peer, BroadcastMessages> {
  using Config = BroadcastConfig;

  bool echoed = false, ready = false;
  std::optional<int> delivered;
  Voices echoes[kValues], readies[kValues];
  FIELDS(echoed, ready, delivered, echoes[0], echoes[1], readies[0], readies[1])

  void start(Context& c) {
    if (c.self != kSender) return;
    c.broadcast(Initial{1});
    on(c, c.self, Initial{1});
  }

  void on(Context& c, NodeId from, const Initial& m) {
    if (from != kSender || echoed || !known(m.value)) return;
    echoed = true;
    c.broadcast(Echo{m.value});
    on(c, c.self, Echo{m.value});
  }
  void on(Context& c, NodeId from, const Echo& m) {
    if (!known(m.value)) return;
    echoes[m.value].hear(from);
    // Two sets of so many nodes have an honest one in common, who echoed only once.
    if (count(c, echoes[m.value]) > (c.nodes() + faulty(c.nodes())) / 2) be_ready(c, m.value);
  }
  void on(Context& c, NodeId from, const Ready& m) {
    if (!known(m.value)) return;
    readies[m.value].hear(from);
    const int others = c.config().ready_after_one ? 1 : faulty(c.nodes()) + 1;
    if (count(c, readies[m.value]) >= others) be_ready(c, m.value);
    if (delivered || count(c, readies[m.value]) < 2 * faulty(c.nodes()) + 1) return;
    delivered = m.value;
    c.announce(Delivered{m.value});
  }

 private:
  static bool known(int value) { return value >= 0 && value < kValues; }
  static int count(Context& c, const Voices& voices) {
    return voices.count(c.config().counts_copies);
  }
  void be_ready(Context& c, int value) {
    if (ready) return;
    ready = true;
    c.broadcast(Ready{value});
    on(c, c.self, Ready{value});
  }
};

struct Liar : Node<Liar, BroadcastMessages> {
  using Config = BroadcastConfig;

  bool lied = false;
  FIELDS(lied)

  void start(Context& c) {
    for (NodeId to = 1; to < c.nodes(); ++to) {
      tell<Initial>(c, to);
      tell<Echo>(c, to);
      tell<Ready>(c, to);
    }
    lied = true;
  }
  template <class M>
  void on(Context&, NodeId, const M&) {}

 private:
  template <class M>
  static void tell(Context& c, NodeId to) {
    const std::uint32_t values = c.choose(1U << kValues);
    for (int value = 0; value < kValues; ++value)
      if (values >> value & 1U) c.send(to, M{value});
  }
};

// Among the honest nodes all deliver or none does; with an honest sender all do.
bool all_or_none(const World& w) {
  int honest = 0, delivered = 0;
  for (NodeId id = 0; id < w.setup().nodes; ++id)
    if (const Peer* peer = w.as<Peer>(id)) {
      ++honest;
      delivered += peer->delivered ? 1 : 0;
    }
  const bool liar = honest < w.setup().nodes;
  return delivered == honest || (liar && delivered == 0);
}

const Registration bracha =
    system<Peer>("bracha", "reliable broadcast with a sender that may lie (Bracha)")
        .nodes(4, 4, 10)
        .also<Liar>([](NodeId id, int, const BroadcastConfig& config) {
          return id == kSender && config.liar;
        })
        .param<&BroadcastConfig::liar>("liar", "the sender tells everybody something else")
        .bug<&BroadcastConfig::counts_copies>(
            "counts-copies", "counts messages, not who sent them: a copy is a second voice")
        .bug<&BroadcastConfig::ready_after_one>(
            "ready-after-one", "is ready as soon as one other says so, who may be the liar")
        .survives({Fault::duplicate})
        .thread_safe()
        .oracle(agreement<Delivered>([](const Delivered&) { return 0; }, &Delivered::value))
        .oracle(Eventually("all or none", all_or_none));

}  // namespace
