// Steps that choose: every vector of answers in every class of orders, once. Random protocols whose
// nodes choose while they handle messages, compared with a slow definition.
#include <gtest/gtest.h>

#include "schism/base/random.hpp"
#include "schism/check/testing/reference.hpp"
#include "schism/check/world_model.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"

namespace schism::check {
namespace {

struct Hop {
  int kind = 0;
  FIELDS(kind)
};

SCHISM_ENUM(Tick, tick);

// What a node does is a function of the protocol's number, its own state and the message, and there
// is little of it, so that all runs can be counted.
struct Chooser : Node<Chooser, Hop> {
  struct Config {
    std::int64_t protocol = 0;
  };
  using Timers = Tick;
  int state = 0, sent = 0, asked = 0;
  FIELDS(state, sent, asked)

  void start(Context& c) {
    if (c.self == 0) c.send(1, Hop{0}), c.send(1, Hop{1});
    if (c.self == 1) c.set_timer(Tick::tick, 10);
  }
  void on(Context& c, NodeId from, const Hop& hop) { act(c, hop.kind * 7 + from); }
  void on_timer(Context& c, Tick) { act(c, 99); }

 private:
  std::uint64_t what(Context& c, int input) const {
    return keyed(static_cast<std::uint64_t>(c.config().protocol),
                 static_cast<std::uint64_t>(input * 16 + state),
                 static_cast<std::uint64_t>(c.self));
  }
  void act(Context& c, int input) {
    const std::uint64_t w = what(c, input);
    state = static_cast<int>(w % 4);
    if ((w >> 8 & 1) == 0 && asked < 2) {
      ++asked;
      const auto a = static_cast<int>(c.choose(2 + static_cast<std::uint32_t>(w >> 12 & 1)));
      state = (state + a) % 4;
      if (a == 1 && (w >> 16 & 1) != 0) state = (state + static_cast<int>(c.choose(2))) % 4;
    }
    if ((w >> 20 & 1) != 0) c.cancel_timer(Tick::tick);
    if ((w >> 24 & 1) == 0 || sent > 0) return;
    ++sent;
    const int kind = static_cast<int>(w >> 32 & 1) + state;
    c.send((c.self + 1 + kind % (c.nodes() - 1)) % c.nodes(), Hop{kind});
  }
};

const Registration chooser =
    system<Chooser>("test-chooser", "random protocols whose nodes choose")
        .nodes(3, 2, 4)
        .param<&Chooser::Config::protocol>("protocol", 0, 1'000'000'000, "which");

Setup setup_of(int protocol, int nodes) {
  RunText text;
  text.system = *parse_spec("test-chooser:protocol=" + std::to_string(protocol));
  text.nodes = std::to_string(nodes);
  return make_config(text)->setup;
}

TEST(Choices, EveryClassOfRandomProtocolsOnceInEveryOrder) {
  std::size_t compared = 0, classes = 0, chose = 0;
  for (int protocol = 0; protocol < 300; ++protocol) {
    const schism::Setup setup = setup_of(protocol, 2 + protocol % 3);
    WorldModel model(setup, {}, true);
    const Counted counted = count_classes(model, 1'500);
    if (!counted.complete) continue;
    ++compared;
    classes += counted.classes.size();
    for (const Pend& p : model.pends()) chose += p.choices.count;
    for (const Reduction mode : {Reduction::optimal, Reduction::source, Reduction::sleep})
      for (const DporOptions& options : six_orders(mode)) {
        WorldModel own(setup, {}, true);
        const Compared c = compare(own, options, counted.classes);
        ASSERT_TRUE(c.exact()) << "protocol " << protocol << " missed " << c.missed << " twice "
                               << c.twice << " foreign " << c.foreign << " " << own.problem();
      }
  }
  EXPECT_GE(compared, 200U);
  EXPECT_GE(classes, 5'000U);
  EXPECT_GE(chose, 20U);
}

}  // namespace
}  // namespace schism::check
