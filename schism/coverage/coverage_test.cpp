// What a coverage counts, against a slow count of what its definition says; and that it can go back
// to a mark as if nothing had happened since.
#include "schism/coverage/coverage.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/coverage/edges.hpp"
#include "schism/coverage/painter.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"
#include "schism/sim/sim_world.hpp"

namespace schism {
namespace {

RunConfig config_of(const System& system, const std::string& scheduler = "random") {
  RunText text;
  text.system = {system.name, {}};
  text.explorer = *parse_spec(scheduler);
  text.steps = "120";
  text.tail = "20ms";
  text.faults = {{"crash", "1"}, {"drop", "2"}, {"duplicate", "1"}, {"partition", "1"}};
  if (system.is_service) text.faults = {{"crash", "1"}};
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

std::unique_ptr<Coverage> made(const std::string& name) {
  auto out = coverages().make({name}, "coverage");
  EXPECT_TRUE(out) << out.error();
  return *std::move(out);
}

// Definitions, as texts. None of them uses what the coverages keep.
using Texts = std::set<std::string>;

std::string all_fields(const World& world) {
  std::string out;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    out += world.up(id) ? to_hex(world.node_type(id).hash(world.node(id))) + "\n" : "down\n";
  return out;
}

// The same as people see it. What differs here differs there; some types show less than they hash.
std::string shown_fields(const World& world) {
  std::string out;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    out += world.up(id) ? to_json(world.inspect(id)) + "\n" : "down\n";
  return out;
}

// Each counter of a node becomes the number of different smaller ones among nodes of its class.
std::string colour_text(const World& world) {
  Painter painter;
  painter.begin(world.setup());
  std::multiset<std::string> nodes;
  for (NodeId id = 0; id < world.setup().nodes; ++id) {
    if (!world.up(id)) {
      nodes.insert("down");
      continue;
    }
    const Paint own = painter.paint(world, id);
    std::string text = fmt::format("{} {}", world.node_type(id).name, own.own());
    for (std::size_t r = 0; r < own.ranks(); ++r) {
      std::set<std::int64_t> smaller;
      for (NodeId other = 0; other < world.setup().nodes; ++other)
        if (world.up(other) && &world.node_type(other) == &world.node_type(id))
          if (const auto value = painter.paint(world, other).ranked(r); value < own.ranked(r))
            smaller.insert(value);
      text += fmt::format(" {}", smaller.size());
    }
    nodes.insert(text);
  }
  std::string out;
  for (const std::string& node : nodes) out += node + "\n";
  return out;
}

class EventTexts {
 public:
  void look(const World& world, Texts& out) {
    Painter painter;
    painter.begin(world.setup());
    if (world.step() == 0) last_.clear();
    for (const Event& event : world.events()) {
      if (!(mask_of(event.kind) & kNodeSteps)) continue;
      std::string now = fmt::format("{} {} ", happened_name(event.kind), event.flag);
      if (event.type) now += event.type->name;
      else if (event.kind == Happened::timer_fired || event.kind == Happened::disk_completed)
        now += std::to_string(event.detail);
      std::string& before = last_[event.node];
      const auto id = static_cast<NodeId>(event.node);
      out.insert(fmt::format("{}: {} after {} as {}", world.node_type(id).name, now, before,
                             painter.paint(world, id).role()));
      before = now;
    }
  }

 private:
  std::map<int, std::string> last_;
};

TEST(Coverages, CountWhatTheirDefinitionsSay) {
  for (const auto& system : systems().sorted()) {
    const RunConfig config = config_of(*system);
    std::map<std::string, std::set<std::uint64_t>> keys;
    std::map<std::string, Texts> texts;
    std::vector<std::unique_ptr<Coverage>> watching;
    Runner runner(config.setup, config.limits);
    const std::vector<std::string> names = {"classes", "states", "colours", "events"};
    for (const std::string& name : names) {
      watching.push_back(made(name));
      runner.attach(*watching.back());
    }
    EventTexts events;
    const bool prints_quickly = system->name != "xrpl" && system->name != "craft";
    const auto slow = watch(kEveryEvent, [&](const World& world, auto) {
      if (world.calm()) return;
      texts["states"].insert(all_fields(world));
      if (prints_quickly) texts["shown"].insert(shown_fields(world));
      texts["colours"].insert(colour_text(world));
      events.look(world, texts["events"]);
    });
    runner.attach(*slow);
    const auto scheduler = make_scheduler(config);
    const std::uint64_t runs = system->fragile ? 4 : 12;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      runner.risk_it();
      runner.run(*scheduler, {seed, seed});
      texts["classes"].insert(to_hex(runner.world().causal_hash()));
      for (std::size_t i = 0; i < names.size(); ++i) {
        std::set<std::uint64_t> of_the_run;
        for (const std::uint64_t key : watching[i]->keys()) {
          EXPECT_EQ(key & Coverage::kTagMask, 0U);
          EXPECT_TRUE(of_the_run.insert(key).second) << "a key twice";
          keys[names[i]].insert(key);
        }
      }
    }
    for (const std::string& name : names)
      EXPECT_EQ(keys[name].size(), texts[name].size()) << system->name << " " << name;
    EXPECT_GT(texts["events"].size(), 0U) << system->name;
    if (prints_quickly) {
      EXPECT_EQ(texts["shown"].size(), texts["states"].size()) << system->name;
    }
  }
}

TEST(Coverages, OfARunAreTheSameInAnotherProcessAndAtAnotherTime) {
  const RunConfig config = config_of(*systems().find("raft"), "pos");
  const auto keys_of = [&](const std::string& name) {
    Runner runner(config.setup, config.limits);
    const auto watching = made(name);
    runner.attach(*watching);
    const auto scheduler = make_scheduler(config);
    runner.run(*scheduler, {1, 1});
    runner.run(*scheduler, {2, 2});
    return std::vector<std::uint64_t>(watching->keys().begin(), watching->keys().end());
  };
  for (const char* name : {"classes", "states", "colours", "events"})
    EXPECT_EQ(keys_of(name), keys_of(name)) << name;
}

// Back to a mark in the middle, then on: as one that has seen the run only once.
TEST(Coverages, GoBackToAMark) {
  for (const char* name : {"classes", "states", "colours", "events"})
    for (const char* system : {"raft", "paxos", "two-phase-commit"})
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const RunConfig config = config_of(*systems().find(system));
        Runner runner(config.setup, config.limits);
        const auto back = made(name), straight = made(name);
        std::optional<std::uint64_t> mark;
        std::size_t at_mark = 0;
        bool again = false;
        constexpr std::uint32_t kMark = 40;
        const auto both = watch(kEveryEvent, [&](const World& world, auto events) {
          const bool wanted = (world.step_mask() & back->wakes_on()) != 0;
          if (world.step() == 0) {
            if (!again) back->begin(world);
            straight->begin(world);
            return;
          }
          if (wanted && (!again || world.step() > kMark)) back->look(world, events);
          if (wanted) straight->look(world, events);
          if (!again && world.step() == kMark) {
            mark = back->mark();
            at_mark = back->keys().size();
          }
        });
        runner.attach(*both);
        const auto scheduler = make_scheduler(config);
        runner.run(*scheduler, {seed, seed});
        if (!mark) continue;  // a short run
        back->back(*mark);
        EXPECT_EQ(back->keys().size(), at_mark);
        again = true;
        runner.run(*scheduler, {seed, seed});
        back->finish(runner.world(), {});
        straight->finish(runner.world(), {});
        EXPECT_TRUE(std::equal(back->keys().begin(), back->keys().end(), straight->keys().begin(),
                               straight->keys().end()))
            << name << " " << system << " " << seed;
      }
}

TEST(Coverages, EdgesAreRefusedWhereTheSystemsDoNotSayThemAndTeachNobody) {
  const Status checked = made("edges")->check({});
  EXPECT_EQ(checked.has_value(), edges::built());
  if (!checked) {
    EXPECT_NE(checked.error().find("-fsanitize-coverage=trace-pc,trace-cmp"), std::string::npos);
  }
  EXPECT_FALSE(made("edges")->mark()) << "it cannot go back";
  EXPECT_FALSE(may_teach("edges"));
  EXPECT_TRUE(may_teach("colours"));
}

TEST(Coverages, AreReadFromOneWord) {
  const auto read = [](const char* text) {
    const auto specs = parse_coverages(text);
    if (!specs) return specs.error();
    std::string out;
    for (const Spec& spec : *specs) out += print_spec(spec) + ";";
    return out;
  };
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("colours"), "colours;");
  EXPECT_EQ(read("states,colours"), "states;colours;");
  EXPECT_EQ(read("colours,colours"), "coverage colours is asked for twice");
  EXPECT_EQ(read("colors"), "no coverage \"colors\"; did you mean \"colours\"?");
  EXPECT_EQ(read("colours:bits=3"), "colours has no parameter \"bits\"; there is none");
}

struct Nothing {
  FIELDS()
};
// Node i has i - 1.
struct Signed : Node<Signed, Nothing> {
  struct Config {};
  std::int16_t level = 0;
  FIELDS(level)
  void start(Context& c) { level = static_cast<std::int16_t>(c.self - 1); }
  void on(Context&, NodeId, const Nothing&) {}
};
const Registration registered =
    system<Signed>("test-signed", "for tests: numbers on both sides of nought").nodes(3);

TEST(Coverages, CountersHaveTheirSign) {
  const RunConfig config = config_of(*systems().find("test-signed"));
  SimWorld world;
  world.reset(config.setup);
  Painter painter;
  painter.begin(config.setup);
  for (NodeId id = 0; id < 3; ++id) {
    ASSERT_EQ(painter.paint(world, id).ranks(), 1U);
    EXPECT_EQ(painter.paint(world, id).ranked(0), id - 1);
  }
}

// Nothing of it is seen from afar, so that only being down tells its states apart.
struct Faceless : Node<Faceless, Nothing> {
  struct Config {};
  std::vector<int> hidden;
  FIELDS(hidden)
  void on(Context&, NodeId, const Nothing&) {}
};
const Registration faceless =
    system<Faceless>("test-faceless", "for tests: nodes that show nothing").nodes(2);

TEST(Coverages, ANodeThatIsDownLooksLikeNoneThatIsUp) {
  RunConfig config = config_of(*systems().find("test-faceless"));
  config.setup.options.faults.crash = 2;
  SimWorld world;
  world.listen(kEveryEvent);
  world.reset(config.setup);
  const auto colours = made("colours");
  colours->begin(world);
  EXPECT_EQ(colours->keys().size(), 1U);
  for (NodeId id = 0; id < 2; ++id) {
    ASSERT_EQ(world.apply(node_action(Do::crash, id)), Refusal::none);
    colours->look(world, world.events());
    EXPECT_EQ(colours->keys().size(), 2U + static_cast<std::size_t>(id));
  }
}

// What a node looks like does not depend on the counters of nodes of another class.
TEST(Coverages, CountersAreRankedAmongNodesOfOneClass) {
  const auto with = [](int counter) {
    Paint out;
    out.rank(counter);
    return out;
  };
  Palette palette;
  const auto hue_of_last = [&](std::vector<int> counters, std::vector<std::uint64_t> types) {
    std::vector<Paint> paints;
    for (const int counter : counters) paints.push_back(with(counter));
    return palette.hues(paints, types).back();
  };
  for (const std::uint64_t own : {5U, 1U}) {
    const std::uint64_t other = 3;
    const std::uint64_t alone = hue_of_last({7}, {own});
    EXPECT_EQ(hue_of_last({1, 2, 7}, {other, other, own}), alone);
    EXPECT_EQ(hue_of_last({8, 9, 7}, {other, other, own}), alone);
    EXPECT_NE(hue_of_last({1, 7}, {own, own}), alone) << "it is ahead of one";
    EXPECT_EQ(hue_of_last({9, 7}, {own, own}), alone) << "and behind another";
  }
}

// A comma goes on with the parameters of the coverage before it.
TEST(Coverages, AParameterBelongsToTheCoverageBeforeIt) {
  const auto twice = parse_coverages("colours,model:spec=a.tla,spec=b.tla");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error(), parse_spec("model:spec=a.tla,spec=b.tla").error());
}

}  // namespace
}  // namespace schism
