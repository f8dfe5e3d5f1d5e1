// `tokens`: n nodes that forward tokens for ever. Nothing can go wrong: it measures the engine, and
// shows the shortest protocol there is.
#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Token {
  int number, hops;
  FIELDS(number, hops)
};

struct Forwarder : Node<Forwarder, Token> {
  struct Config {
    int tokens = 10;
  };

  int seen = 0;
  FIELDS(seen)

  void start(Context& c) {
    for (int t = c.self; t < c.config().tokens; t += c.nodes()) forward(c, {t, 0});
  }
  void on(Context& c, NodeId, const Token& t) {
    ++seen;
    forward(c, {t.number, t.hops + 1});
  }

 private:
  // To a neighbour that depends on the token, so that they mix.
  void forward(Context& c, Token t) {
    if (c.nodes() < 2) return;
    const int step = 1 + (t.number * 7 + t.hops * 3) % (c.nodes() - 1);
    c.send((c.self + step) % c.nodes(), t);
  }
};

const Registration registered =
    system<Forwarder>("tokens", "nodes that forward tokens for ever: for measuring")
        .nodes(10)
        .survives(kBenignFaults)
        .colour<Forwarder>([](const Forwarder& node, Paint& paint) { paint.rank(node.seen); })
        .param<&Forwarder::Config::tokens>("tokens", 1, 1'000'000, "tokens in flight")
        .oracle(invariant<Forwarder>("counts up", [](const Forwarder& f) { return f.seen >= 0; }))
        .thread_safe();

}  // namespace
