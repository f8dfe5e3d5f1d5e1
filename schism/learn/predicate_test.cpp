// Predicates and libraries: what they mean on a real system, and what is said of mistakes.
#include "schism/learn/predicate.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "schism/learn/library.hpp"
#include "schism/learn/waypoint.hpp"
#include "schism/registry.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/system/system.hpp"

namespace schism::learn {
namespace {

SCHISM_ENUM(Role, follower, leader);
struct Item {
  int number = 0;
  FIELDS(number)
};
struct Note {
  int n;
  FIELDS(n)
};
// Node i has i in every number, and as many items.
struct Numbered : Node<Numbered, Note> {
  struct Config {};
  int term = 0;
  Role role = Role::follower;
  std::vector<Item> log;
  FIELDS(term, role, log)
  void start(Context& c) {
    term = c.self;
    role = c.self == 2 ? Role::leader : Role::follower;
    for (int i = 0; i < c.self; ++i) log.push_back({i * 10});
  }
  void on(Context&, NodeId, const Note&) {}
};
Lessons numbered_lessons() {
  Lessons out;
  out.predicates = {"diff(k): max(term) - min(term) >= k via diff(1..k-1)",
                    "both(k, t): any(term = t) and diff_is_no_word(k) via diff(k)",
                    "far(k): any(term >= k) via diff(k), any(role = leader)",
                    "circle(k): any(term = k) via circle(k)"};
  return out;
}
const Registration registered =
    system<Numbered>("test-numbered", "for tests: nodes with known numbers")
        .nodes(4)
        .lessons(numbered_lessons());

class PredicateWords : public testing::Test {
 protected:
  PredicateWords() : system(*systems().find("test-numbered")) {
    ::schism::Setup setup;
    setup.system = &system;
    setup.config = system.fresh_config();
    setup.nodes = 4;
    world.reset(setup);
  }
  bool holds(std::string_view text) {
    const auto predicate = Predicate::parse(system, text);
    EXPECT_TRUE(predicate) << predicate.error();
    return predicate && predicate->holds(world);
  }
  std::vector<std::string> expanded(std::string_view text) {
    auto out = expand(system, text);
    return out ? *out : std::vector<std::string>{out.error()};
  }
  std::string refused(std::string_view text) {
    const auto out = expand(system, text);
    return out ? "" : out.error();
  }
  std::string wrong(std::string_view text) {
    const auto predicate = Predicate::parse(system, text);
    return predicate ? "" : predicate.error();
  }
  const System& system;
  SimWorld world;
};

TEST_F(PredicateWords, OverAllNodes) {
  EXPECT_TRUE(holds("any(term >= 3)"));
  EXPECT_FALSE(holds("any(term >= 4)"));
  EXPECT_TRUE(holds("all(term >= 0)"));
  EXPECT_FALSE(holds("all(term >= 1)"));
  EXPECT_TRUE(holds("count(role = leader) = 1"));
  EXPECT_TRUE(holds("max(term) - min(term) = 3"));
  EXPECT_TRUE(holds("max(log.size()) - min(log.size()) >= 2"));
  EXPECT_TRUE(holds("max(term + log.size) = 6"));
  EXPECT_TRUE(holds("sum(term) = 6 and not any(term = 9)"));
  EXPECT_TRUE(holds("min(term where term > 0) = 1"));
  EXPECT_FALSE(holds("min(term where term > 7) < 100")) << "the least of nothing is no number";
  EXPECT_TRUE(holds("(any(term = 9) or any(term = 2)) and any(role = leader)"));
  EXPECT_TRUE(holds("3 - 1 <= max(term)"));
}

// The highest predicate that holds, whatever of those below it does; and a target that was reached
// once stays so until the next episode.
TEST_F(PredicateWords, ATableIsThatOfTheHighestThatHolds) {
  Sequence sequence;
  for (const char* text : {"any(term >= 9)", "any(term >= 1)", "any(term >= 3)"})
    sequence.predicates.push_back(*Predicate::parse(system, text));
  SimWorld small;  // whose terms are 0 and 1
  ::schism::Setup setup = world.setup();
  setup.nodes = 2;
  small.reset(setup);
  Waypoint policy({});
  policy.follow(&sequence);
  Episode episode;
  const auto table_in = [&](const World& where) {
    episode.add(7, 0);
    policy.see(where, episode);
    return episode.now().waypoint;
  };
  policy.start();
  EXPECT_EQ(table_in(small), 2U);
  EXPECT_EQ(table_in(world), 3U);
  EXPECT_EQ(table_in(small), 3U) << "it was there";
  episode.clear();
  policy.start();
  EXPECT_EQ(table_in(small), 2U);
  sequence.predicates = {*Predicate::parse(system, "any(term >= 9)")};
  EXPECT_EQ(table_in(world), 0U);
}

TEST_F(PredicateWords, AllOfNobodyIsNobody) {
  SimWorld alone;  // a node without items
  ::schism::Setup setup = world.setup();
  setup.nodes = 1;
  alone.reset(setup);
  EXPECT_FALSE(Predicate::parse(system, "all(log: number >= 0)")->holds(alone));
  EXPECT_TRUE(holds("all(log: number >= 0)"));
}

TEST_F(PredicateWords, OverItemsOfLists) {
  EXPECT_TRUE(holds("any(log: number = 20)"));
  EXPECT_FALSE(holds("any(log: number = 30)"));
  EXPECT_TRUE(holds("count(log: number >= 0) = 6"));
  EXPECT_TRUE(holds("max(log: number) = 20"));
}

TEST_F(PredicateWords, MistakesAreNamed) {
  EXPECT_NE(wrong("any(trem >= 3)").find("did you mean term?"), std::string::npos);
  EXPECT_NE(wrong("any(role = king)").find("none of follower, leader"), std::string::npos);
  EXPECT_NE(wrong("some(term = 1)").find("some"), std::string::npos);
  EXPECT_NE(wrong("max(term)").find("compared"), std::string::npos);
  EXPECT_NE(wrong("max(role) > 1").find("no whole number"), std::string::npos);
  EXPECT_NE(wrong("any(term = 1").find("not closed"), std::string::npos);
  EXPECT_NE(wrong("any(term = 1) term").find("too much"), std::string::npos);
  EXPECT_NE(wrong("any(term: number = 1)").find("no list"), std::string::npos);
  EXPECT_NE(wrong("").find("begins with"), std::string::npos);
}

TEST_F(PredicateWords, TheLibraryBringsWaypoints) {
  EXPECT_EQ(expanded("diff(3)"),
            (std::vector<std::string>{"max(term) - min(term) >= 1", "max(term) - min(term) >= 2",
                                      "max(term) - min(term) >= 3"}));
  EXPECT_EQ(expanded("far(1)"), (std::vector<std::string>{"max(term) - min(term) >= 1",
                                                          "any(role = leader)", "any(term >= 1)"}));
  EXPECT_NE(refused("dif(3)").find("did you mean \"diff\"?"), std::string::npos);
  EXPECT_NE(refused("diff(3, 4)").find("takes 1 number"), std::string::npos);
  EXPECT_NE(refused("diff(x)").find("no whole number"), std::string::npos);
  EXPECT_NE(refused("circle(1)").find("leads back"), std::string::npos);
  EXPECT_EQ(library_names(system)[1], "both(k, t)");
}

TEST_F(PredicateWords, SequencesInTextAndFiles) {
  EXPECT_EQ(read_sequence(system, "any(term = 1); diff(2)")->predicates.size(), 3U);
  EXPECT_TRUE(read_sequence(system, "")->predicates.empty());
  const std::string path = testing::TempDir() + "/sequence.txt";
  std::ofstream(path) << "# first things first\nany(term = 1)\n\ndiff(2)\n";
  EXPECT_EQ(read_sequence(system, "@" + path)->predicates.size(), 3U);
  std::ofstream(path) << "any(term = 1)\nany(tern = 1)\n";
  EXPECT_NE(read_sequence(system, "@" + path).error().find("line 2"), std::string::npos);
  EXPECT_FALSE(read_sequence(system, "@/nowhere/at/all"));
}

// The steps of a script as a sequence; a file of scenarios is one.
TEST(Predicates, AlongAScript) {
  const System& raft = *systems().find("raft");
  const std::string path = testing::TempDir() + "/way.scenario";
  std::ofstream(path)
      << "# written by hand\n\nscenario \"x\"\nsystem raft\nscript\n"
         "  fire election at $a\n  drop MsgVote from $a\n  crash $a\n  restart $a\n";
  const auto sequence = read_sequence(raft, "@" + path);
  ASSERT_TRUE(sequence) << sequence.error();
  ASSERT_EQ(sequence->predicates.size(), 3U);
  EXPECT_EQ(sequence->predicates[1].text(), "script(" + path + ") >= 2");
  EXPECT_EQ(read_sequence(raft, "any(term >= 1); script(" + path + ") >= 3 and any(term >= 2)")
                ->predicates.size(),
            2U);
  EXPECT_NE(
      Predicate::parse(raft, "script(" + path + ") >= 1").error().find("waypoints and targets"),
      std::string::npos);
  EXPECT_NE(read_sequence(raft, "script(/nowhere) >= 1").error().find("/nowhere"),
            std::string::npos);
  EXPECT_NE(read_sequence(raft, "script(" + path + ")").error().find("compared"),
            std::string::npos);
  EXPECT_NE(read_sequence(*systems().find("paxos"), "@" + path).error().find("for raft, not for"),
            std::string::npos);
  std::ofstream(path) << "scenario \"x\"\nsystem raft\nscript\n  drop MsgVote from $a\n";
  EXPECT_NE(read_sequence(raft, "@" + path).error().find("no step"), std::string::npos);
}

// What systems declare for learners is read once here, all of it.
TEST(Lessons, OfAllSystemsAreUnderstood) {
  for (const auto& system : systems().sorted()) {
    if (system->name.starts_with("test-")) continue;
    const Lessons& lessons = system->lessons;
    if (!lessons.bound.empty()) {
      EXPECT_TRUE(Predicate::parse(*system, lessons.bound));
    }
    for (const std::string& name : library_names(*system)) {
      std::string call = name;
      const std::size_t open = call.find('(');
      if (open != std::string::npos) call = call.substr(0, open) + "(3)";
      const auto sequence = read_sequence(*system, call);
      EXPECT_TRUE(sequence) << system->name << ": " << sequence.error();
    }
  }
}

}  // namespace
}  // namespace schism::learn
