// The register holds, its seeded bugs are found, and its oracle says what the clock would say in
// some order of independent steps.
#include <gtest/gtest.h>

#include <map>

#include "schism/testing/checked.hpp"
#include "systems/regular_register/regularity.hpp"

namespace schism::registers {
namespace {

using namespace testing_tools;

const Pairs kOneCrash = {{"crash", "1"}};

TEST(RegularRegister, HoldsInEverySchedule) {
  EXPECT_EQ(verdict_of("regular-register", {.faults = kOneCrash}), "holds");
  EXPECT_EQ(verdict_of("regular-register:asked-by=program"), "holds");
  EXPECT_EQ(verdict_of("regular-register:readers=1,self-delivery=only"), "holds");
  EXPECT_EQ(verdict_of("regular-register:readers=1,writes=2"), "holds");
  EXPECT_EQ(verdict_of("regular-register", {.nodes = 2, .faults = kOneCrash}), "holds");
  EXPECT_EQ(verdict_of("regular-register:writers=2,readers=0", {.nodes = 2}), "holds");
  EXPECT_EQ(verdict_of("regular-register:readers=1", {.faults = kOneCrash, .by = "dfs"}), "holds");
}

struct Planted {
  const char *system, *bug;
};
const Planted kPlanted[] = {
    {"regular-register", "no-majority"},
    {"regular-register", "first-value"},
    {"regular-register:writes=2", "any-ack"},
    {"regular-register:reads=2", "any-reply"},
    {"regular-register:writes=2", "overwrite"},
    {"regular-register:writers=2,writes=2,readers=1", "blind-writer"},
};

TEST(RegularRegister, EveryBugIsFoundByCheckAndByHunt) {
  for (const auto& [system, bug] : kPlanted) {
    EXPECT_EQ(verdict_of(system, {.bugs = {bug}}), "violated: regularity") << bug;
    EXPECT_TRUE(hunted(system, {.bugs = {bug}}, 20'000)) << bug;
  }
  // A lost message is not in the promise: without a majority nothing ends.
  EXPECT_EQ(verdict_of("regular-register:readers=1", {.faults = {{"drop", "1"}}}),
            "violated: termination");
}

TEST(RegularRegister, WithoutABugNothingIsFound) {
  EXPECT_FALSE(hunted("regular-register:writes=3,reads=3", {.faults = kOneCrash}, 3'000));
  EXPECT_FALSE(hunted("regular-register:writers=3,readers=3,writes=2,reads=2",
                      {.nodes = 5, .faults = {{"crash", "2"}}}, 2'000));
  EXPECT_FALSE(hunted("regular-register:writers=2,readers=3", {.explorer = "timed"}, 1'000));
}

// Regularity as the book has it, by the steps of one run.
class ByTheClock {
 public:
  void look(const World& world) {
    for (const Event& event : world.events()) {
      if (event.kind != Happened::announced) continue;
      if (const auto* b = event.as<Began>()) {
        operations_[b->operation] = {b->write, b->value, ++now_, 0};
      } else if (const auto* e = event.as<Ended>()) {
        operations_[e->operation].value = e->value;
        operations_[e->operation].ended = ++now_;
      }
    }
  }
  bool violated() const {
    for (const auto& [r, read] : operations_) {
      if (read.write || read.ended == 0) continue;
      int from_ended = 0;  // the initial value was written before everything
      for (const auto& [w, write] : operations_)
        if (write.write && write.value == read.value)
          from_ended = write.ended > 0 ? write.ended : 1'000'000;
      for (const auto& [w, write] : operations_)
        if (write.write && write.ended > 0 && write.ended < read.began && from_ended < write.began)
          return true;
    }
    return false;
  }

 private:
  struct Operation {
    bool write;
    int value, began, ended;
  };
  std::map<int, Operation> operations_;
  int now_ = 0;
};

TEST(Regularity, IsWhatTheClockSaysInSomeOrder) {
  const std::tuple<const char*, const char*, int> cases[] = {
      {"regular-register:readers=1,reads=1", "first-value", 3},
      {"regular-register:readers=1,reads=1", "no-majority", 3},
      {"regular-register:writers=1,readers=1,writes=2", "no-majority", 2},
      {"regular-register:writers=2,readers=1", "blind-writer", 2},
      {"regular-register:writers=2,readers=1,writes=2", "blind-writer", 2},
      {"regular-register:writers=2,readers=2", "first-value", 2},
      {"regular-register:writers=1,readers=1,writes=2,reads=2", "overwrite", 2}};
  std::size_t runs = 0, classes = 0, violated = 0, hidden = 0;
  for (const auto& [system, bug, nodes] : cases) {
    struct Class {
      bool said = false, shown = false, hid = false;
    };
    std::map<Hash128, Class> seen;
    const RunConfig config = config_of(system, {.nodes = nodes, .bugs = {bug}});
    Regularity oracle(0);
    ByTheClock clock;
    EveryRun every;
    every.mode = check::Reduction::none;
    every.step = [&](const World& world) {
      if (world.step() == 0) oracle.begin(world), clock = {};
      oracle.look(world, world.events());
      clock.look(world);
    };
    every.done = [&](const World& world) {
      const auto [it, is_new] = seen.try_emplace(world.causal_hash());
      if (is_new) it->second.said = oracle.violation().has_value();
      ASSERT_EQ(it->second.said, oracle.violation().has_value()) << system;
      (clock.violated() ? it->second.shown : it->second.hid) = true;
    };
    runs += for_every_run(config, every);
    classes += seen.size();
    for (const auto& [key, c] : seen) {
      EXPECT_EQ(c.said, c.shown) << system << " " << bug;
      violated += c.said;
      hidden += c.said && c.hid;
    }
  }
  fmt::print("{} interleavings, {} classes, {} violated, {} not in every order\n", runs, classes,
             violated, hidden);
  EXPECT_GT(runs, 10'000U);
  EXPECT_GT(violated, 50U);
  EXPECT_GT(hidden, 20U);
}

}  // namespace
}  // namespace schism::registers
