// What a system says about itself: its timers by number, who takes requests, its bugs; and the
// table of all of them.
#include "schism/system/system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/system/systems.hpp"

namespace schism {
namespace {

using ::testing::ElementsAre;

struct Ping {
  FIELDS()
};
struct Ask {
  FIELDS()
};
SCHISM_ENUM(Few, tick, tock);
SCHISM_ENUM(Many, tick, tock, chime, gong);
struct Options {
  bool broken = false, worse = false, told = true, own = false;
};

struct Plain : Node<Plain, Ping> {
  using Config = Options;
  using Timers = Few;
  int none = 0;
  FIELDS(none)
  void on(Context&, NodeId, const Ping&) {}
  void on_timer(Context&, Few, int) {}
};
struct Rich : Node<Rich, Ping> {
  using Config = Options;
  using Timers = Many;
  using Requests = Types<Ask>;
  int none = 0;
  FIELDS(none)
  void on(Context&, NodeId, const Ping&) {}
  void on_timer(Context&, Many, int) {}
  void on_request(Context&, RequestId, const Ask&) {}
};

const Registration registered =
    system<Plain>("test-two-classes", "two kinds of nodes with timers of their own")
        .nodes(2, 1, 9)
        .also<Rich>([](NodeId id, int, const Options&) { return id == 1; })
        .bug<&Options::broken>("broken", "it is")
        .bug<&Options::worse>("worse", "it is worse")
        .thread_safe();

// Nodes 1 and 2 are services of two kinds.
struct Detector : Node<Detector, Ping> {
  using Config = Options;
  int none = 0;
  FIELDS(none)
  void on(Context&, NodeId, const Ping&) {}
};
struct Link : Node<Link, Ping> {
  using Config = Options;
  int none = 0;
  FIELDS(none)
  void on(Context&, NodeId, const Ping&) {}
};
const Registration with_services =
    system<Plain>("test-two-services", "one node of its own, and two services")
        .nodes(3, 3, 3)
        .service<Detector>([](NodeId id, int, const Options&) { return id == 1; })
        .service<Link>([](NodeId id, int, const Options&) { return id == 2; })
        .crash_notice<Ping>([](const Options& o) { return o.own; },
                            [](const Options& o) { return o.told; })
        .thread_safe();

const System& two_classes() { return *systems().find("test-two-classes"); }

TEST(System, NamesTheTimersOfAllItsClassesByTheirNumbers) {
  EXPECT_THAT(two_classes().timer_names(), ElementsAre("tick", "tock", "chime", "gong"));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(two_classes().timer_name(i),
              two_classes().timer_names()[static_cast<std::size_t>(i)]);
  EXPECT_EQ(two_classes().timer_name(4), "timer 4");
}

TEST(System, KnowsWhoTakesRequests) {
  const NodeClass* taker = two_classes().request_class();
  ASSERT_TRUE(taker);
  EXPECT_EQ(taker->request_count, 1);
  schism::Setup setup;
  setup.system = &two_classes();
  setup.config = two_classes().fresh_config();
  setup.nodes = 3;
  EXPECT_EQ(&two_classes().class_of(1, setup), taker);
  EXPECT_NE(&two_classes().class_of(0, setup), taker);
  EXPECT_NE(&two_classes().class_of(2, setup), taker);
}

TEST(System, ClassesThatTakeRequestsShareOneListOfThem) {
  const System& relay = *systems().find("test-relay");
  const NodeClass* taker = relay.request_class();
  ASSERT_TRUE(taker);
  std::vector<std::string> names;
  for (int i = 0; i < taker->request_count; ++i) {
    names.emplace_back(taker->requests[i]->name);
    EXPECT_EQ(relay.request_number(*taker->requests[i]), i);
  }
  EXPECT_THAT(names, ElementsAre("Put", "Look", "Get"));
  EXPECT_EQ(relay.request_number(type_info<Ping>()), -1);
  schism::Setup setup;
  setup.system = &relay;
  setup.config = relay.fresh_config();
  setup.nodes = 3;
  const auto takes = [&](NodeId id) {
    std::string out;
    for (int i = 0; i < taker->request_count; ++i)
      out += relay.class_of(id, setup).takes(i) ? names[static_cast<std::size_t>(i)] + " " : "";
    return out;
  };
  EXPECT_EQ(takes(0), "Put Look ");
  EXPECT_EQ(takes(1), "Look Get ");
}

TEST(System, KnowsItsServicesAndWhoIsToldOfCrashes) {
  const System& system = *systems().find("test-two-services");
  schism::Setup setup;
  setup.system = &system;
  const auto config = system.fresh_config();
  setup.config = config;
  setup.nodes = 3;
  for (NodeId id = 0; id < 3; ++id) EXPECT_EQ(system.is_service(id, setup), id > 0) << id;
  auto& options = *static_cast<Options*>(config.get());
  for (const bool told : {false, true})
    for (const bool own : {false, true}) {
      options.told = told, options.own = own;
      const CrashNotice notice = system.crash_notice(setup);
      EXPECT_EQ(notice.type >= 0, told);
      EXPECT_EQ(notice.own, told && own);
    }
}

TEST(System, PlantsTheBugThatIsNamedAndNoOther) {
  EXPECT_THAT(two_classes().bug_names(), ElementsAre("broken", "worse"));
  EXPECT_EQ(two_classes().find_bug("wors"), nullptr);
  for (const std::string& name : two_classes().bug_names()) {
    const Bug* bug = two_classes().find_bug(name);
    ASSERT_TRUE(bug);
    EXPECT_EQ(bug->name, name);
    const auto config = two_classes().fresh_config();
    const auto& options = *static_cast<const Options*>(config.get());
    EXPECT_FALSE(options.broken || options.worse);
    bug->plant(config.get());
    EXPECT_EQ(options.broken, name == "broken");
    EXPECT_EQ(options.worse, name == "worse");
  }
}

TEST(System, AreListedInOrderAndFoundByName) {
  const auto names = systems().names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const std::string& name : names) {
    ASSERT_TRUE(systems().find(name));
    EXPECT_EQ(systems().find(name)->name, name);
  }
  EXPECT_EQ(systems().find("no-such-system"), nullptr);
}

std::shared_ptr<System> copy_of(const System& system, const char* name) {
  auto out = std::make_shared<System>(system);
  out->name = name;
  return out;
}

TEST(SystemDeathTest, WhatCannotBeToldApartIsRefused) {
  EXPECT_DEATH(register_system(copy_of(two_classes(), "test-two-classes")), "registered twice");
  EXPECT_DEATH(register_system(copy_of(two_classes(), "")), "no name");
  const auto twice = copy_of(two_classes(), "test-two-takers");
  twice->classes.push_back(systems().find("test-relay")->request_class());
  EXPECT_DEATH(register_system(twice), "number their requests each for itself");
}

TEST(FaultKindsTest, AreSetsWithNames) {
  const Faults all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};  // in the order of the kinds
  for (std::size_t i = 0; i < enum_count<Fault>(); ++i) {
    const auto kind = static_cast<Fault>(i);
    EXPECT_EQ(budget_of(all, kind), i + 1) << fault_name(kind);
    const FaultKinds one{kind};
    EXPECT_EQ(one.text(), fault_name(kind));
    EXPECT_TRUE(one.has(kind));
    EXPECT_TRUE(one.beyond(one).empty());
    EXPECT_EQ(one.beyond({}), one);
    EXPECT_EQ(kBenignFaults.with(kind).beyond(kBenignFaults).empty(), kBenignFaults.has(kind));
  }
  EXPECT_EQ((FaultKinds{Fault::disk_error, Fault::drop}).text(), "drop, disk-error");
  EXPECT_EQ(FaultKinds{}.text(), "none");
}

}  // namespace
}  // namespace schism
