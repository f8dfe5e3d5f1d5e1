// What conditions and actions mean, against a slow definition: on a protocol whose every message is
// known beforehand, so that what arrives in a run is all of them but those that a filter took.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "schism/run/runner.hpp"
#include "schism/scenario/parse.hpp"
#include "schism/scenario/player.hpp"
#include "schism/scenario/test.hpp"
#include "schism/schism.hpp"

namespace schism::scenario {
namespace {

using testing::HasSubstr;

// ---- the protocol ------------------------------------------------------------------------------

struct Letter {
  int number = 0;
  std::optional<int> tag;
  FIELDS(number, tag)
};
struct Card {
  int number = 0;
  FIELDS(number)
};
SCHISM_ENUM(Bell, first, second);

// Everybody writes to all others, node i the letter i, tagged if i is odd, and a card to the next;
// a card is answered by letter 100 + i. The bells do nothing.
struct Postman : Node<Postman, Letter, Card> {
  using Timers = Bell;
  int heard = 0;
  FIELDS(heard)
  void start(Context& c) {
    c.broadcast(Letter{c.self, c.self % 2 == 1 ? std::optional(c.self) : std::nullopt});
    c.send((c.self + 1) % c.nodes(), Card{c.self});
    c.set_timer(Bell::first, 10);
    c.set_timer(Bell::second, 20);
  }
  void on(Context&, NodeId, const Letter&) { ++heard; }
  void on(Context& c, NodeId from, const Card&) {
    ++heard;
    c.send(from, Letter{100 + c.self, {}});
  }
  void on_timer(Context&, Bell) {}
};

bool all_heard(const World& world) {
  int sum = 0;
  for (NodeId id = 0; id < 4; ++id)
    if (const auto* node = world.as<Postman>(id)) sum += node->heard;
  return sum >= 20;
}
const Registration registered = system<Postman>("test-post", "for tests: letters, cards and bells")
                                    .nodes(4, 4, 4)
                                    .oracle(eventually("post", all_heard));

// What arrived; `kind` is its type, or the bell that rang at `to`.
struct Arrival {
  std::string kind;
  int from, to, number;
  auto operator<=>(const Arrival&) const = default;
};
void PrintTo(const Arrival& a, std::ostream* out) {
  *out << a.kind << " " << a.number << " from " << a.from << " to " << a.to;
}

std::set<Arrival> all_arrivals() {
  std::set<Arrival> out;
  for (int i = 0; i < 4; ++i) {
    for (int to = 0; to < 4; ++to)
      if (to != i) out.insert({"Letter", i, to, i});
    const int next = (i + 1) % 4;
    out.insert({"Card", i, next, i});
    out.insert({"Letter", next, i, 100 + next});
    for (const char* bell : {"first", "second"}) out.insert({bell, i, i, 0});
  }
  return out;
}

struct Seen {
  std::vector<Arrival> in_order;
  std::vector<Action> decisions;
  std::set<Arrival> set() const { return {in_order.begin(), in_order.end()}; }
  std::size_t count(Do kind) const {
    return static_cast<std::size_t>(std::count_if(decisions.begin(), decisions.end(),
                                                  [&](const Action& a) { return a.kind == kind; }));
  }
};

constexpr std::uint64_t kRuns = 20;
const std::string kHead = "scenario \"x\"\nsystem test-post\nexplorer random\n";

Scenario parsed(const std::string& text) {
  auto out = parse(kHead + text, "x.scenario");
  EXPECT_TRUE(out) << out.error();
  return out ? out->front() : Scenario();
}

Seen play(const std::string& text, std::uint64_t seed) {
  const auto config = configure(parsed(text));
  EXPECT_TRUE(config) << (config ? "" : config.error());
  Seen out;
  if (!config) return out;
  Runner runner(config->setup, config->limits);
  const auto scheduler = make_scheduler(*config);
  const auto watcher =
      watch(mask_of(Happened::delivered) | mask_of(Happened::timer_fired),
            [&](const World& world, std::span<const Event> events) {
              for (const Event& e : events) {
                const Letter* letter = e.as<Letter>();
                const Card* card = e.as<Card>();
                if (e.kind == Happened::timer_fired)
                  out.in_order.push_back(
                      {world.setup().system->timer_names()[e.detail], e.node, e.node, 0});
                else if (e.kind == Happened::delivered)
                  out.in_order.push_back({std::string(e.type->name), e.peer, e.node,
                                          letter ? letter->number : card->number});
              }
            });
  runner.attach(*watcher);
  runner.run(*scheduler, {seed, seed});
  const auto all = runner.world().decisions();
  out.decisions.assign(all.begin(), all.end());
  return out;
}

// ---- conditions --------------------------------------------------------------------------------

struct Meaning {
  const char* condition;
  std::function<bool(const Arrival&)> holds;
};

bool is_letter(const Arrival& a) { return a.kind == "Letter"; }
bool is_bell(const Arrival& a) { return a.kind == "first" || a.kind == "second"; }
bool is_tagged(const Arrival& a) { return is_letter(a) && a.number < 100 && a.number % 2 == 1; }

const Meaning kMeanings[] = {
    {"sent", [](const Arrival& a) { return !is_bell(a); }},
    {"sent Letter", is_letter},
    {"sent Card", [](const Arrival& a) { return a.kind == "Card"; }},
    {"sent Letter | Card", [](const Arrival& a) { return !is_bell(a); }},
    {"sent and from 1", [](const Arrival& a) { return !is_bell(a) && a.from == 1; }},
    {"sent and to 2", [](const Arrival& a) { return !is_bell(a) && a.to == 2; }},
    {"sent and between(1, 2)",
     [](const Arrival& a) { return (a.from == 1 && a.to == 2) || (a.from == 2 && a.to == 1); }},
    {"sent Letter and .number = 2", [](const Arrival& a) { return is_letter(a) && a.number == 2; }},
    {"sent Letter and .number != 2",
     [](const Arrival& a) { return is_letter(a) && a.number != 2; }},
    {"sent Letter and .number < $two",
     [](const Arrival& a) { return is_letter(a) && a.number < 2; }},
    {"sent Letter and .number >= $two",
     [](const Arrival& a) { return is_letter(a) && a.number >= 2; }},
    {"sent Letter and .number = $two + 1",
     [](const Arrival& a) { return is_letter(a) && a.number == 3; }},
    {"sent Letter and .tag = nothing",
     [](const Arrival& a) { return is_letter(a) && !is_tagged(a); }},
    {"sent Letter and .tag != nothing", is_tagged},
    {"sent Letter and .tag != 3", [](const Arrival& a) { return is_tagged(a) && a.number != 3; }},
    {"sent Letter and .tag != $two", is_tagged},
    {"sent Letter and .number != $unset", [](const Arrival&) { return false; }},
    {"sent Letter and .number = $unset", [](const Arrival&) { return false; }},
    {"sent and $unset != nothing", [](const Arrival&) { return false; }},
    {"sent and $unset = nothing", [](const Arrival& a) { return !is_bell(a); }},
    {"sent Card and from 0 or sent Letter and not from 0",
     [](const Arrival& a) { return is_letter(a) ? a.from != 0 : a.kind == "Card" && a.from == 0; }},
    {"armed", is_bell},
    {"armed first", [](const Arrival& a) { return a.kind == "first"; }},
    {"armed second and at 3", [](const Arrival& a) { return a.kind == "second" && a.to == 3; }},
    {"in nowhere", [](const Arrival&) { return false; }},
};

TEST(ScenarioMeaning, AFilterTakesWhatItsConditionIsTrueOfAndNothingElse) {
  for (const Meaning& meaning : kMeanings) {
    // An answer is sent only where its card has arrived.
    std::set<Arrival> expected;
    for (const Arrival& a : all_arrivals()) {
      const bool answer = a.number >= 100;
      const Arrival card{"Card", a.to, a.from, a.to};
      if (!meaning.holds(a) && !(answer && meaning.holds(card))) expected.insert(a);
    }
    const std::string text =
        "let two = 2\nmachine\n start -> nowhere when crashed\n"
        "filter \"never\" if crashed then record $unset = here\n"
        "filter \"f\" if " +
        std::string(meaning.condition) + " then drop\n";
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      EXPECT_EQ(play(text, seed).set(), expected) << meaning.condition;
  }
}

TEST(ScenarioMeaning, PartsAreDrawnAndTellInsideFromAcross) {
  std::set<std::set<Arrival>> divisions;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const std::string parts =
        "parts left = 2, right = 2\nfilter \"f\" if sent Letter and .number < 100 and ";
    std::set<Arrival> inside, across;
    for (const Arrival& a : play(parts + "across parts then drop", seed).in_order)
      if (is_letter(a) && a.number < 100) inside.insert(a);
    for (const Arrival& a : play(parts + "within parts then drop", seed).in_order)
      if (is_letter(a) && a.number < 100) across.insert(a);
    EXPECT_EQ(inside.size(), 4U) << "two couples, both ways";
    EXPECT_EQ(across.size(), 8U);
    for (const Arrival& a : inside) EXPECT_TRUE(inside.contains({"Letter", a.to, a.from, a.to}));
    divisions.insert(inside);
  }
  EXPECT_EQ(divisions.size(), 3U) << "all ways to make two couples of four";
}

TEST(ScenarioMeaning, OnceIsOnceARun) {
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const Seen cond = play("filter \"f\" if once(sent Letter and from 2) then drop", seed);
    EXPECT_EQ(cond.set().size(), all_arrivals().size() - 1);
    const Seen act = play("filter \"f\" if sent Letter and from 2 then once(drop), pass", seed);
    EXPECT_EQ(act.set().size(), all_arrivals().size() - 1);
  }
}

TEST(ScenarioMeaning, CountersHaveKeys) {
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    std::multiset<int> lost;
    const auto arrived =
        play(
            "filter \"f\" if sent Letter and .number < 100 and count n(.number) < 2\n"
            "  then increment n(.number), drop",
            seed)
            .set();
    for (const Arrival& a : all_arrivals())
      if (!arrived.contains(a)) lost.insert(a.number);
    EXPECT_EQ(lost, (std::multiset<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  }
}

// ---- machines and properties -------------------------------------------------------------------

Outcome outcome_of(const std::string& text) {
  const std::atomic<bool> stop{false};
  auto out = run_test(parsed("mute \"post\"\n" + text), {kRuns, {}, false, false}, stop);
  EXPECT_TRUE(out) << out.error();
  return out ? *std::move(out) : Outcome();
}

TEST(ScenarioMeaning, AGoalIsReachedByItsOwnWayOnly) {
  const auto goals = [](const std::string& lines) {
    const Outcome out = outcome_of("property\n" + lines);
    EXPECT_EQ(out.violated, 0U);
    return out.goals;
  };
  EXPECT_EQ(goals(" start -> goal when received Card and from 2\n"), kRuns);
  EXPECT_EQ(goals(" start -> goal when crashed\n"), 0U);
  EXPECT_EQ(goals(" start -> never when crashed\n never -> goal when received Card\n"), 0U);
  EXPECT_EQ(goals(" start -> led when sent Card and from 2 then record $who = .number\n"
                  " led -> goal when received Card and .number = $who\n"),
            kRuns);
  EXPECT_EQ(goals(" start -> led when received Card and from 2 then record $who = .number\n"
                  " led -> goal when received Card and .number = $who\n"),
            0U)
      << "that card came, and comes no more";
  const std::uint64_t some = goals(
      " start -> second when fired second and at 0\n start -> goal when fired first and at 0\n");
  EXPECT_GT(some, 0U);
  EXPECT_LT(some, kRuns) << "in some runs the other bell rings first";
}

TEST(ScenarioMeaning, AViolationIsCountedWhereItHappens) {
  const Outcome out = outcome_of("property\n start -> violation when received Card and to 3\n");
  EXPECT_EQ(out.violated, kRuns);
  EXPECT_EQ(outcome_of("property\n start -> violation when crashed\n").violated, 0U);
}

// ---- actions -----------------------------------------------------------------------------------

TEST(ScenarioMeaning, ADroppedMessageIsLostAndABellIsHeld) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Seen seen = play(
        "filter \"f\" if sent Letter and from 1 and .number = 1 then drop\n"
        "filter \"g\" if armed first then drop\n",
        seed);
    EXPECT_EQ(seen.count(Do::drop), 3U) << "a decision each";
    EXPECT_EQ(seen.count(Do::fire), 4U);
  }
}

// Nothing that is delayed for longer comes before what is delayed for less, where all the rest is
// over sooner.
TEST(ScenarioMeaning, DelaysEndInTheirOrder) {
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const Seen seen = play(
        "filter \"a\" if sent Letter and .number = 1 then delay 5000\n"
        "filter \"b\" if sent Letter and .number = 2 then delay 9000\n",
        seed);
    EXPECT_EQ(seen.set(), all_arrivals());
    std::string ends;
    for (auto a = seen.in_order.end() - 6; a != seen.in_order.end(); ++a)
      ends += std::to_string(a->number);
    EXPECT_EQ(ends, "111222");
  }
}

TEST(ScenarioMeaning, ASetThatWasDeliveredIsEmpty) {
  const Outcome out = outcome_of(
      "machine\n start -> emptied when fired first and at 0\n"
      "filter \"store\" if sent Letter and .number < 100 then store in held\n"
      "filter \"deliver\" if fired first and at 0 then deliver all from held\n"
      "filter \"full\" if in emptied and received Letter and .number >= 100 and size held > 0\n"
      "  then crash 3\n"
      "filter \"empty\" if in emptied and received Letter and .number >= 100 and size held = 0\n"
      "  then once(pause 2)\n"
      "property\n start -> violation when crashed\n start -> goal when paused\n");
  EXPECT_EQ(out.violated, 0U);
  EXPECT_GT(out.goals, 0U);
}

TEST(ScenarioMeaning, LinksAreCutBothWaysAndHealedAgain) {
  using Links = std::multiset<std::pair<int, int>>;
  const auto links = [](const Seen& seen, Do kind) {
    Links out;
    for (const Action& a : seen.decisions)
      if (a.kind == kind) out.emplace(a.name.from(), a.name.to());
    return out;
  };
  const Links pair = {{1, 2}, {2, 1}};
  const Links around = {{3, 0}, {0, 3}, {3, 1}, {1, 3}, {3, 2}, {2, 3}};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Seen one = play(
        "filter \"f\" if once(fired first) then cut(1, 2)\n"
        "filter \"g\" if once(fired second) then heal(1, 2)\n",
        seed);
    EXPECT_EQ(links(one, Do::cut), pair);
    const Seen many = play("filter \"f\" if once(fired first) then isolate 3\n", seed);
    EXPECT_EQ(links(many, Do::cut), around);
    const Seen back = play(
        "filter \"f\" if once(fired first and at 0) then isolate 3\n"
        "filter \"g\" if fired first and at 1 then rejoin 3\n",
        seed);
    const Links healed = links(back, Do::heal);
    EXPECT_TRUE(healed.empty() || healed == around) << "empty: it rang before they were cut";
  }
}

// Nearly all of it happens in the fair tail.
TEST(ScenarioMeaning, FiltersStayInTheTailUnlessTheyAreUntilCalm) {
  const auto answers = [](const std::string& more, std::uint64_t seed) {
    int out = 0;
    for (const Arrival& a :
         play("steps 1\ntail 1s\nfilter \"f\" if sent Letter and .number >= 100 then drop\n" + more,
              seed)
             .in_order)
      out += a.number >= 100 ? 1 : 0;
    return out;
  };
  int until_calm = 0;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    EXPECT_EQ(answers("", seed), 0);
    until_calm += answers("until calm\n", seed);
  }
  EXPECT_GE(until_calm, 3 * static_cast<int>(kRuns));
}

TEST(ScenarioMeaning, AFileStandsInFrontOfItsOwnSystemOnly) {
  RunText text;
  text.system = {"toy-consensus", {}};
  text.explorer = {"random", {}};
  text.scenario = kHead + "filter \"f\" if sent Letter then drop\n";
  const auto other = make_config(text);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error(), HasSubstr("is for test-post, not for toy-consensus"));
  text.scenario = "scenario \"x\"\nsystem raft\nfilter \"f\" if sent then pass\n";
  EXPECT_FALSE(make_config(text)) << "though it would fit any system";
  text.system.name = "test-post";
  text.scenario = kHead + "filter \"f\" if sent Letter then drop\n";
  EXPECT_TRUE(make_config(text));
}

}  // namespace
}  // namespace schism::scenario
