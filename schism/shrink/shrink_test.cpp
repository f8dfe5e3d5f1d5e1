// Whatever is shrunk still fails, in the same way, and nothing can be left out of it; over every
// seeded bug of every registered system that is found quickly.
#include <gtest/gtest.h>

#include "schism/campaign/hunt.hpp"
#include "schism/oracle/eventually.hpp"
#include "schism/schism.hpp"
#include "schism/shrink/shrink.hpp"

namespace schism {
namespace {

const std::atomic<bool> kGoOn{false};

std::optional<Trace> find(const std::string& system, const std::string& bug,
                          const std::string& explorer, const Pairs& faults, std::uint64_t seed,
                          int runs = 300) {
  RunText text;
  text.system = *parse_spec(system);
  if (!bug.empty()) text.bugs = {bug};
  text.explorer = *parse_spec(explorer);
  text.faults = faults;
  text.steps = "400";
  auto config = make_config(text);
  if (!config) ADD_FAILURE() << config.error();
  HuntOptions options;
  options.runs = static_cast<std::uint64_t>(runs);
  options.seed = seed;
  options.shrink = false;
  const auto result = hunt(*config, options, {}, kGoOn);
  if (!result || result->finds.empty()) return std::nullopt;
  return result->finds[0].trace;
}

struct Source {
  const char *system, *bug, *explorer;
  Pairs faults;
};

std::vector<Source> sources() {
  const Pairs most = {{"crash", "3"}, {"drop", "5"}, {"duplicate", "5"}, {"partition", "2"}};
  return {
      {"toy-consensus:rounds=3", "distrust-commits", "random", {}},
      {"toy-consensus:rounds=3", "distrust-commits", "timed", {}},
      {"raft:progress=false", "quorum-third", "random", most},
      {"raft:progress=false", "quorum-third", "timed:max=200ms", most},
      {"raft:progress=false", "conflict-not-truncated", "random", most},
      {"raft:progress=false", "retry-applied-twice", "stepped", most},
      {"raft:progress=false", "ack-before-sync", "pos", most},
      {"raft:progress=false", "vote-without-log-check", "pctcp", most},
      {"raft:progress=false", "deposed-leader-read", "random", most},
      {"raft:progress=false,requests=2",
       "term-not-persisted",
       "random:crash=20,restart=50,timer.election=40",
       {{"crash", "20"}}},
  };
}

TEST(Shrink, TheSmallRunStillFailsInTheSameWayAndNothingCanBeLeftOut) {
  std::size_t shrunk = 0, before = 0, after = 0;
  for (const Source& source : sources())
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(std::string(source.system) + " " + source.bug + " " + source.explorer);
      const auto trace =
          find(source.system, source.bug, source.explorer, source.faults, seed * 1000);
      if (!trace) continue;
      const auto small = shrink(*trace, {}, kGoOn);
      ASSERT_TRUE(small) << small.error();
      EXPECT_LE(small->after, small->before);
      EXPECT_EQ(small->after.actions + 1, small->trace.steps.size());
      ASSERT_TRUE(small->trace.violation);
      EXPECT_EQ(small->trace.violation->property, trace->violation->property);
      // It is an ordinary trace: read back and replayed, it is the same.
      const auto read = parse_trace(to_text(small->trace), "small");
      ASSERT_TRUE(read) << read.error();
      const ReplayReport again = replay(*read);
      EXPECT_FALSE(again.difference) << again.difference->recorded << again.difference->now;
      EXPECT_FALSE(again.refused);
      ASSERT_TRUE(again.now.violation);
      EXPECT_TRUE(small->certificate.minimal) << small->certificate.counterexample;
      const auto outline = outline_of(*trace), small_outline = outline_of(small->trace);
      ASSERT_TRUE(outline && small_outline);
      EXPECT_EQ(signature(*small->trace.violation, *small_outline),
                signature(*trace->violation, *outline));
      ++shrunk, before += small->before.actions, after += small->after.actions;
    }
  std::printf("%zu runs, %zu -> %zu actions\n", shrunk, before, after);
  EXPECT_GE(shrunk, 20U);
  EXPECT_LT(after * 5, before);
}

// Minimal also by the plainest definition: the recorded list without one line, replayed by name.
TEST(Shrink, NoLineOfASmallTraceIsSuperfluous) {
  const auto trace = find("toy-consensus:rounds=3", "distrust-commits", "random", {}, 5);
  ASSERT_TRUE(trace);
  const auto small = shrink(*trace, {}, kGoOn);
  ASSERT_TRUE(small);
  for (std::size_t i = 1; i < small->trace.steps.size(); ++i) {
    Trace shorter = small->trace;
    shorter.steps.erase(shorter.steps.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(replay(shorter).now.violation) << "without step " << i;
  }
}

TEST(Shrink, IsDeterministicAndAtItsFixpoint) {
  const auto trace = find("raft:progress=false", "quorum-third", "random", {{"drop", "5"}}, 3);
  ASSERT_TRUE(trace);
  const auto one = shrink(*trace, {}, kGoOn), two = shrink(*trace, {}, kGoOn);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(to_text(one->trace), to_text(two->trace));
  EXPECT_EQ(one->replays, two->replays);
  const auto again = shrink(one->trace, {}, kGoOn);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->after, one->after);
  EXPECT_EQ(again->trace.shrunk_from->actions, trace->steps.size() - 1) << "the first origin stays";
}

TEST(Shrink, AnOutlinePlayedWholeIsTheRun) {
  for (const Source& source : sources()) {
    SCOPED_TRACE(std::string(source.system) + " " + source.bug + " " + source.explorer);
    const auto trace = find(source.system, source.bug, source.explorer, source.faults, 77);
    if (!trace) continue;
    const auto outline = outline_of(*trace);
    ASSERT_TRUE(outline) << outline.error();
    Stage stage;
    const Performance p = stage.perform(*outline);
    ASSERT_TRUE(p.violation);
    EXPECT_TRUE(p.all_applied);
    EXPECT_EQ(p.violation->message, trace->violation->message);
    EXPECT_EQ(p.violation->step, trace->violation->step);
    for (std::size_t i = 0; i < outline->moves.size(); ++i)
      EXPECT_EQ(p.outline.moves[i].step.action, outline->moves[i].step.action) << i;
  }
}

// The causal past of the evidence alone, where the property is about nothing else.
TEST(Shrink, TheCausalPastHoldsEverythingThatWasNeeded) {
  const auto trace = find("toy-consensus:rounds=3", "distrust-commits", "random", {}, 9);
  ASSERT_TRUE(trace);
  auto outline = *outline_of(*trace);
  std::vector<std::uint32_t> evidence;
  for (const Evidence& e : trace->violation->evidence) evidence.push_back(e.step - 1);
  const auto past = causal_past(outline, evidence);
  for (std::size_t i = outline.moves.size(); i-- > 0;)
    if (!past[i]) outline = without_moves(outline, i, 1);
  const Performance p = Stage().perform(outline);
  ASSERT_TRUE(p.violation);
  EXPECT_TRUE(p.all_applied);
}

TEST(Shrink, AStopKeepsWhatItHas) {
  const auto trace = find("raft:progress=false", "quorum-third", "random", {}, 3);
  ASSERT_TRUE(trace);
  const std::atomic<bool> stopped{true};
  const auto small = shrink(*trace, {}, stopped);
  ASSERT_TRUE(small);
  EXPECT_TRUE(small->trace.violation);
  EXPECT_FALSE(small->certificate.minimal);
  const auto few = shrink(*trace, {10}, kGoOn);
  ASSERT_TRUE(few);
  EXPECT_TRUE(few->trace.violation);
  EXPECT_LE(few->replays, 20U);
}

TEST(Shrink, ATraceThatHoldsIsRefused) {
  auto trace = *find("toy-consensus:rounds=3", "distrust-commits", "random", {}, 5);
  trace.steps.resize(2);
  EXPECT_FALSE(shrink(trace, {}, kGoOn));
  trace.violation.reset();
  EXPECT_EQ(shrink(trace, {}, kGoOn).error(), "the trace has no violation");
}

// ---- liveness ------------------------------------------------------------------------------

struct Ball {
  int turn = 0;
  FIELDS(turn)
};

// Passes a ball around; nobody sends it again, so one loss is the end.
struct Passer : Node<Passer, Ball> {
  struct Config {};
  bool seen = false;
  FIELDS(seen)
  void start(Context& c) {
    if (c.self == 0) c.send(1, Ball{1});
  }
  void on(Context& c, NodeId, const Ball& ball) {
    seen = true;
    if (ball.turn < 3 * c.nodes()) c.send((c.self + 1) % c.nodes(), Ball{ball.turn + 1});
  }
};

const Registration passing =
    system<Passer>("test-shrink-passing", "for tests: a ball that is passed around")
        .nodes(4, 2, 8)
        .oracle(eventually("everybody had it", [](const World& world) {
          for (NodeId id = 0; id < world.setup().nodes; ++id) {
            const Passer* node = world.as<Passer>(id);
            if (!node || !node->seen) return false;
          }
          return true;
        }));

// ---- contents ----------------------------------------------------------------------------------

SCHISM_ENUM(Colour, red, green, blue);
struct Paint {
  Colour colour{};
  std::string where;
  FIELDS(colour, where)
};
struct Painter : Node<Painter, Paint> {
  struct Config {
    int walls = 3;
  };
  using Requests = Types<Paint>;
  int painted = 0;
  FIELDS(painted)
  void on(Context&, NodeId, const Paint&) {}
  void on_request(Context& c, RequestId, const Paint& p) {
    c.require(++painted < 2 || p.colour == Colour::blue, "painted over");
  }
};
const Registration painter =
    system<Painter>("painter", "cannot paint over")
        .nodes(1)
        .param<&Painter::Config::walls>("walls", 1, 9, "to paint")
        .workload([](Workload& w) {
          for (int client = 0; client < w.config<Painter>().walls; ++client)
            w.request<Painter>(client, 0, Paint{Colour::green, "wall " + std::to_string(client)});
        });

TEST(Shrink, ContentsStayReadable) {
  const auto trace = find("painter", "", "random", {}, 1);
  ASSERT_TRUE(trace);
  const auto small = shrink(*trace, {}, kGoOn);
  ASSERT_TRUE(small) << small.error();
  const auto read = parse_trace(to_text(small->trace), "small");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(to_text(*read), to_text(small->trace));
  for (const ClientRequest& request : *read->config.setup.requests)
    EXPECT_EQ(*request.content.find("where")->as_text(), "") << "as small as can be";
  // What clients ask for is written down: the workload's size says nothing any more.
  EXPECT_EQ(to_text(read->config).system.values, (Pairs{{"walls", "1"}}));
  EXPECT_TRUE(replay(*read).now.violation);
}

// ---- links that keep order -------------------------------------------------------------------

struct Numbered {
  int number = 0;
  FIELDS(number)
};
SCHISM_ENUM(Dislikes, gaps, overtaking, second);

// Node 1 gets 1, 2, 3 from node 0 and dislikes something about it.
struct Choosy : Node<Choosy, Numbered> {
  struct Config {
    Dislikes dislikes = Dislikes::gaps;
  };
  int last = 0;
  FIELDS(last)
  void start(Context& c) {
    if (c.self == 0)
      for (int i = 1; i <= 3; ++i) c.send(1, Numbered{i});
  }
  void on(Context& c, NodeId, const Numbered& m) {
    switch (c.config().dislikes) {
      case Dislikes::gaps: c.require(m.number <= last + 1, "a gap"); break;
      case Dislikes::overtaking: c.require(m.number > last, "overtaken"); break;
      case Dislikes::second: c.require(m.number != 2 || last != 1, "1 and then 2"); break;
    }
    last = m.number;
  }
};
const Registration choosy = system<Choosy>("choosy", "dislikes some orders")
                                .nodes(2)
                                .param<&Choosy::Config::dislikes>("dislikes", "what");

Shrunk shrunk_choosy(const std::string& dislikes, const std::string& explorer = "random") {
  const auto trace = find("choosy:dislikes=" + dislikes, "", explorer, {}, 1);
  EXPECT_TRUE(trace);
  auto small = shrink(*trace, {}, kGoOn);
  EXPECT_TRUE(small) << small.error();
  return *std::move(small);
}

TEST(ShrinkInOrder, SaysWhetherLinksThatKeepOrderSuffice) {
  const Shrunk as_it_is = shrunk_choosy("second");
  EXPECT_TRUE(as_it_is.in_order);
  EXPECT_FALSE(as_it_is.fifo) << "the same run";

  const Shrunk with_a_loss = shrunk_choosy("gaps");
  EXPECT_EQ(with_a_loss.trace.steps.size(), 2U);
  ASSERT_TRUE(with_a_loss.fifo);
  EXPECT_GT(with_a_loss.fifo->steps.size(), 2U) << "what it overtakes is lost first";
  EXPECT_EQ(with_a_loss.fifo->config.setup.options.links, LinkOrder::fifo);
  EXPECT_FALSE(replay(*with_a_loss.fifo).difference);
  EXPECT_EQ(replay(*with_a_loss.fifo).now.violation->message, with_a_loss.trace.violation->message);

  const Shrunk never = shrunk_choosy("overtaking");
  EXPECT_TRUE(never.any_order);
  EXPECT_FALSE(never.in_order);
  EXPECT_FALSE(never.fifo);
}

// ---- corners -----------------------------------------------------------------------------------

SCHISM_ENUM(Load, light, heavy, weigh);

// Sixty light ones are too much, and so is a heavy one, which comes behind twice as many light
// ones: who takes away from the end loses it first, and is left with the sixty.
struct Scales : Node<Scales, Ball> {
  using Timers = Load;
  int weight = 0;
  FIELDS(weight)
  void start(Context& c) {
    for (int i = 0; i < 130; ++i) c.set_timer(Load::light, (i + 1) * 1_ms, i);
    c.set_timer(Load::heavy, 200_ms);
    c.set_timer(Load::weigh, 300_ms);
  }
  void on(Context&, NodeId, const Ball&) {}
  void on_timer(Context& c, Load load) {
    if (load == Load::weigh) c.require(weight < 60, "too heavy");
    else weight += load == Load::heavy ? 100 : 1;
  }
};
const Registration scales =
    system<Scales>("test-scales", "carries less than sixty").nodes(1, 1, 1).thread_safe();

TEST(Shrink, ALongStoryIsTriedInAnotherOrder) {
  const auto trace = find("test-scales", "", "timed", {}, 1);
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->steps.size(), 133U);
  const auto small = shrink(*trace, {}, kGoOn);
  ASSERT_TRUE(small) << small.error();
  EXPECT_EQ(small->after.actions, 2U) << "the heavy one, and the scales";
  EXPECT_TRUE(small->certificate.minimal) << small->certificate.counterexample;
}

// Says at each ping whether it lies, and by how much; one lie of three or more is a violation.
struct Liar : Node<Liar, Ball> {
  int lied = 0, most = 0;
  FIELDS(lied, most)
  void start(Context& c) {
    lied += c.choose(2) == 1 ? 1 : 0;
    if (c.self == 0) c.send(1, Ball{});
  }
  void on(Context& c, NodeId from, const Ball&) {
    const auto lie = static_cast<int>(c.choose(6));
    lied += lie > 0 ? 1 : 0;
    most = std::max(most, lie);
    c.send(from, Ball{});
  }
};

const Registration lying =
    system<Liar>("test-lying", "lies now and then")
        .nodes(2, 2, 2)
        .oracle(
            invariant<Liar>("small-lies", [](const Liar& n) { return n.most < 3 || n.lied < 2; }))
        .thread_safe();

TEST(Shrink, ChoicesAreMovesLikeOthers) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto trace = find("test-lying", "", "random", {}, seed * 100);
    ASSERT_TRUE(trace);
    const auto small = shrink(*trace, {}, kGoOn);
    ASSERT_TRUE(small) << small.error();
    EXPECT_TRUE(small->certificate.minimal) << small->certificate.counterexample;
    // A lie at the start and one of exactly three, at the first ping; or two of them at the node
    // that tells them.
    EXPECT_EQ(small->after.choices, 2U) << describe(*small);
    EXPECT_LE(small->after.values, 4U) << describe(*small);
    EXPECT_FALSE(replay(small->trace).difference);
  }
}

TEST(Shrink, LivenessIsJudgedOnTheFairTail) {
  const auto trace = find("test-shrink-passing", "", "random:drop=20", {{"drop", "3"}}, 1);
  ASSERT_TRUE(trace);
  const auto small = shrink(*trace, {}, kGoOn);
  ASSERT_TRUE(small) << small.error();
  EXPECT_EQ(small->after.actions, 1U);  // the first pass is lost
  EXPECT_EQ(small->after.nodes, 2);
  EXPECT_TRUE(small->trace.fair);
  EXPECT_TRUE(small->certificate.minimal) << small->certificate.counterexample;
  EXPECT_FALSE(replay(small->trace).difference);
}

// Deals two cards; whoever has the first must get the second.
struct Card {
  int number = 0;
  FIELDS(number)
};
SCHISM_ENUM(Deal, next);
struct Dealer : Node<Dealer, Card> {
  using Timers = Deal;
  int dealt = 0;
  bool first = false, second = false;
  FIELDS(dealt, first, second)
  void start(Context& c) { c.set_timer(Deal::next, c.self == 0 ? 10_ms : 1_ms); }
  void on_timer(Context& c, Deal) {
    if (c.self != 0) return;  // the one step before the tail
    c.send(1, Card{dealt});
    if (++dealt < 2) c.set_timer(Deal::next, 10_ms);
  }
  void on(Context&, NodeId, const Card& card) { (card.number == 0 ? first : second) = true; }
};

// A liar that keeps the second card back, and not the first, does so in the fair tail. That it
// keeps all cards back would be a shorter story, but nobody is wronged in it.
TEST(Shrink, LiesOfTheFairTailAreKeptApart) {
  [[maybe_unused]] static const Registration cards =
      system<Dealer>("test-cards", "for tests: two cards, in a fair tail")
          .nodes(2, 2, 2)
          .liars([](const schism::Setup&) { return 1; })
          .oracle(eventually("both-cards",
                             [](const World& world) {
                               const auto* n = world.as<Dealer>(1);
                               return !n || !n->first || n->second;
                             }))
          .thread_safe();
  RunText text;
  text.system = {"test-cards", {}};
  text.world = {{"liars", "0"}};
  text.explorer = *parse_spec("liar(timed)");
  text.steps = "1";
  const auto config = make_config(text);
  ASSERT_TRUE(config) << config.error();
  HuntOptions options;
  options.runs = 2000;
  options.shrink = false;
  const auto result = hunt(*config, options, {}, kGoOn);
  ASSERT_TRUE(result) << result.error();
  ASSERT_FALSE(result->finds.empty());
  const auto small = shrink(result->finds[0].trace, {}, kGoOn);
  ASSERT_TRUE(small) << small.error();
  EXPECT_EQ(small->after.actions, 0U) << describe(*small);
  EXPECT_EQ(small->after.lies, 1U) << describe(*small);
  const ReplayReport again = replay(small->trace);
  EXPECT_FALSE(again.difference);
  ASSERT_TRUE(again.now.violation);
  EXPECT_EQ(again.now.violation->property, "both-cards");
}

}  // namespace
}  // namespace schism
