// What each kind of link promises, in every schedule: of the world's links, and of the components
// that make stronger ones out of weaker ones.
#include <gtest/gtest.h>

#include <set>

#include "schism/schism.hpp"
#include "schism/service/links.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/testing/checked.hpp"

namespace schism::service {
namespace {

using namespace testing_tools;

struct Letter {
  int text;
  FIELDS(text)
};
struct Parcel {
  int number;
  Letter content;
  FIELDS(number, content)
};
struct Slip {
  int number;
  FIELDS(number)
};
SCHISM_ENUM(Alarm, resend);
SCHISM_ENUM(LinkKind, bare, reliable, in_order);

// Node 0 writes to the others.
struct Writer : Node<Writer, Letter, Parcel, Slip> {
  struct Config {
    LinkKind link = LinkKind::bare;
    int letters = 2, tries = 0;
  };
  using Timers = Alarm;

  Reliable<Alarm::resend, Parcel, Slip> reliable;
  InOrder<Parcel> in_order;
  std::vector<int> got;
  FIELDS(reliable, in_order, got)

  void start(Context& c) {
    reliable.tries = c.config().tries;
    for (NodeId to = 1; c.self == 0 && to < c.nodes(); ++to)
      for (int i = 0; i < c.config().letters; ++i) {
        if (c.config().link == LinkKind::bare) c.send(to, Letter{i});
        if (c.config().link == LinkKind::reliable) reliable.send(c, to, Letter{i});
        if (c.config().link == LinkKind::in_order) in_order.send(c, to, Letter{i});
      }
  }
  void on(Context&, NodeId, const Letter& l) { got.push_back(l.text); }
  void on(Context& c, NodeId from, const Parcel& p) {
    if (c.config().link == LinkKind::in_order)
      in_order.on_packet(from, p, [&](const Letter& l) { got.push_back(l.text); });
    else if (reliable.on_packet(c, from, p)) got.push_back(p.content.text);
  }
  void on(Context& c, NodeId from, const Slip& s) { reliable.on_receipt(c, from, s); }
  void on_timer(Context& c, Alarm timer, int key) { reliable.on_timer(c, timer, key); }
};

bool all_once(const World& world) {
  const int letters = static_cast<const Writer::Config*>(world.setup().config.get())->letters;
  for (NodeId id = 1; id < world.setup().nodes; ++id) {
    const auto* node = world.as<Writer>(id);
    if (!node) continue;
    std::multiset<int> got(node->got.begin(), node->got.end()), expected;
    for (int i = 0; i < letters; ++i) expected.insert(i);
    if (world.up(0) && got != expected) return false;
  }
  return true;
}

const Registration registered = [] {
  auto builder = system<Writer>("test-links", "for tests: links made of weaker ones");
  builder.nodes(2, 1, 8)
      .param<&Writer::Config::link>("link", "which kind")
      .param<&Writer::Config::letters>("letters", 0, 8, "to each")
      .param<&Writer::Config::tries>("tries", 0, 8, "of reliable links; 0: for ever")
      .oracle(eventually("all once", all_once))
      .steps(200);
  return Registration(builder);
}();

using Orders = std::set<std::vector<int>>;

Orders orders_of(const std::string& system, const Asked& asked, std::uint32_t drops = 0) {
  Orders out;
  EveryRun every;
  every.drops = drops;
  every.done = [&](const World& world) { out.insert(world.as<Writer>(1)->got); };
  for_every_run(config_of(system, asked), every);
  return out;
}

TEST(Links, ArePerfectAndOvertake) {
  EXPECT_EQ(orders_of("test-links:letters=3", {}),
            (Orders{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}));
  EXPECT_EQ(verdict_of("test-links"), "holds");
}
TEST(Links, KeepOrderWhereTheyAreAskedTo) {
  EXPECT_EQ(orders_of("test-links:letters=3", {.world = {{"links", "fifo"}}}), (Orders{{0, 1, 2}}));
}
TEST(Links, LoseAsMuchAsTheyMay) {
  EXPECT_EQ(orders_of("test-links", {.faults = {{"drop", "1"}}}, 1),
            (Orders{{0, 1}, {1, 0}, {0}, {1}}));
  EXPECT_EQ(orders_of("test-links", {.faults = {{"drop", "2"}}}, 2),
            (Orders{{0, 1}, {1, 0}, {0}, {1}, {}}));
  EXPECT_EQ(verdict_of("test-links", {.faults = {{"drop", "1"}}}), "violated: all once");
  EXPECT_EQ(verdict_of("test-links", {.faults = {{"duplicate", "1"}}}), "violated: all once");
}

TEST(InOrder, KeepsTheOrderOverLinksThatOvertake) {
  EXPECT_EQ(orders_of("test-links:link=in_order,letters=4", {}), (Orders{{0, 1, 2, 3}}));
  EXPECT_EQ(verdict_of("test-links:link=in_order,letters=2", {.faults = {{"duplicate", "1"}}}),
            "holds");
}

// k losses a link, k + 1 sendings: enough, and one less is not.
TEST(Reliable, MakesPerfectLinksOfFairOnes) {
  for (const char* drops : {"1", "2"}) {
    const std::string enough = std::to_string(drops[0] - '0' + 1);
    const Pairs faults = {{"drop", drops}};
    EXPECT_EQ(verdict_of("test-links:link=reliable,letters=1,tries=" + enough, {.faults = faults}),
              "holds");
    EXPECT_EQ(verdict_of("test-links:link=reliable,letters=1,tries=" + std::string(drops),
                         {.faults = faults}),
              "violated: all once");
  }
  EXPECT_EQ(verdict_of("test-links:link=reliable,letters=1,tries=2",
                       {.faults = {{"drop", "1"}, {"duplicate", "1"}}}),
            "holds");
  EXPECT_FALSE(hunted("test-links:link=reliable,letters=4",
                      {.faults = {{"drop", "20"}, {"duplicate", "5"}}}, 2'000));
}

// What has its receipt is forgotten: nothing is left that would send it again.
TEST(Reliable, IsAtRestWhenAllReceiptsAreThere) {
  const RunConfig config = config_of("test-links:link=reliable,letters=3", {});
  SimWorld world;
  world.reset(config.setup);
  const Pending& pending = world.pending();
  EXPECT_EQ(pending.armed_total, 3U);
  while (pending.deliverable.size() > 0)
    ASSERT_EQ(world.apply(pending.nth(Do::deliver, 0)), Refusal::none);
  EXPECT_EQ(pending.armed_total, 0U);
  EXPECT_TRUE(world.as<Writer>(0)->reliable.open.empty());
}

}  // namespace
}  // namespace schism::service
