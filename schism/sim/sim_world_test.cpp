// Actions that do not apply are refused for the right reason and change nothing; what is listed as
// enabled applies; memory is bounded by what is in flight.
#include "schism/sim/sim_world.hpp"

#include <gtest/gtest.h>

#include "schism/schedule/scheduler.hpp"
#include "schism/testing/drive.hpp"

namespace schism {
namespace {

using namespace contract;

schism::Setup setup_of(std::string_view name, int nodes = 3) {
  schism::Setup setup;
  setup.system = systems().find(name);
  setup.config = setup.system->fresh_config();
  setup.nodes = nodes;
  setup.node_seed = 1;
  return setup;
}

Faults plenty() { return {9, 99, 9, 9, 9, 9, 9, 9, 9}; }

// A world in which refusals are asked for one by one; the kinds asked for are remembered.
class Refusals : public ::testing::Test {
 protected:
  SimWorld& fresh(const schism::Setup& setup) {
    world_.listen(kEveryEvent);
    world_.reset(setup);
    return world_;
  }
  void refused(const Action& action, Refusal why, const char* what) {
    const std::string state = state_text(world_);
    const auto step = world_.step();
    const auto decided = world_.decisions().size();
    const Refusal got = world_.apply(action);
    EXPECT_EQ(got, why) << what << ": \"" << refusal_text(got) << "\", not \"" << refusal_text(why)
                        << '"';
    if (got == Refusal::none) return;
    EXPECT_EQ(state_text(world_), state) << what;
    EXPECT_EQ(world_.step(), step) << what;
    EXPECT_EQ(world_.decisions().size(), decided) << what;
  }
  void applied(const Action& action) {
    const Refusal got = world_.apply(action);
    EXPECT_EQ(got, Refusal::none) << action_name(action.kind) << ": " << refusal_text(got);
  }
  Action some(Do kind, std::uint32_t i = 0) { return world_.pending().nth(kind, i); }
  Action message(NodeId from, NodeId to, Do kind = Do::deliver, int type = 0,
                 std::uint32_t nth = 0) {
    return make_action(kind, Name(from, to, type, nth));
  }
  SimWorld world_;
};

TEST_F(Refusals, OfMessages) {
  auto setup = setup_of("test-kitchen");
  fresh(setup);
  refused(message(0, 1, Do::deliver, 0, 9), Refusal::not_pending, "no such message");
  refused(message(900, 1), Refusal::not_pending, "no such sender");
  refused(message(0, 900), Refusal::not_pending, "no such receiver");
  refused(make_action(Do::deliver, Name(0, 1, 0, 0), 5), Refusal::wrong_time, "it takes time");
  refused(message(0, 1, Do::drop), Refusal::out_of_budget, "drop");
  refused(message(0, 1, Do::duplicate), Refusal::out_of_budget, "duplicate");
  for (const Do kind : {Do::mutate, Do::inject, Do::omit})
    refused(message(0, 1, kind), Refusal::not_a_liar, "nobody lies");
  setup.options.liars = {0};
  fresh(setup);
  for (const Do kind : {Do::mutate, Do::inject, Do::omit})
    refused(message(0, 1, kind), Refusal::out_of_budget, "a lie");
  setup.options.faults = plenty();
  fresh(setup);
  for (const Do kind : {Do::drop, Do::duplicate, Do::mutate})
    refused(message(0, 1, kind, 0, 9), Refusal::not_pending, "no such message");
  refused(message(0, 1, Do::mutate), Refusal::bad_content, "no content");
  refused(message(0, 1, Do::inject), Refusal::bad_content, "no content");
  const std::uint32_t bad = world_.add_content(Value("nothing of that shape"));
  refused(make_action(Do::mutate, Name(0, 1, 0, 0), bad), Refusal::bad_content, "bad content");
  refused(make_action(Do::inject, Name(0, 1, 0, 0), bad), Refusal::bad_content, "bad content");
  refused(message(1, 0, Do::inject), Refusal::not_a_liar, "an honest sender");
  refused(make_action(Do::inject, Name(7, 1, 0, 0), 0), Refusal::not_allowed, "no such sender");
  refused(make_action(Do::inject, Name(0, 7, 0, 0), 0), Refusal::not_allowed, "no such receiver");
  refused(make_action(Do::inject, Name(0, 1, 9, 0), 0), Refusal::not_allowed, "no such type");
  for (int copy = 1; copy < kCopiesMax; ++copy) applied(message(0, 1, Do::duplicate));
  refused(message(0, 1, Do::duplicate), Refusal::out_of_budget, "the sixteenth copy");
  applied(message(0, 1));
  refused(message(0, 1), Refusal::not_pending, "delivered already");
  applied(node_action(Do::pause, 2));
  for (const Do kind : {Do::deliver, Do::drop, Do::duplicate, Do::mutate})
    refused(message(0, 2, kind), Refusal::node_paused, "its receiver is paused");
}

TEST_F(Refusals, OfMessagesThatWait) {
  auto setup = setup_of("test-kitchen");
  setup.options.faults = plenty();
  setup.options.liars = {0};
  setup.options.down = WhenDown::waits;
  setup.options.cut = WhenCut::holds;
  setup.options.links = LinkOrder::fifo;
  fresh(setup);
  applied(message(0, 1, Do::duplicate));
  for (const Do kind : {Do::deliver, Do::drop, Do::duplicate, Do::mutate})
    refused(make_action(kind, Name(0, 1, 0, 0, 1)), Refusal::not_first, "another is before it");
  applied(link_action(Do::cut, 0, 2));
  for (const Do kind : {Do::deliver, Do::drop, Do::duplicate, Do::mutate})
    refused(message(0, 2, kind), Refusal::link_cut, "the link is cut");
  applied(node_action(Do::crash, 1));
  for (const Do kind : {Do::deliver, Do::drop, Do::duplicate, Do::mutate})
    refused(message(0, 1, kind), Refusal::node_down, "its receiver is down");
  applied(link_action(Do::heal, 0, 2));
  const std::uint32_t slot = some(Do::deliver).hint;
  const Name name = world_.pending().flights[slot].name;
  world_.hold(Do::deliver, slot, Holder::scheduler);
  for (const Do kind : {Do::deliver, Do::drop, Do::duplicate, Do::mutate})
    refused(make_action(kind, name), Refusal::held, "held back");
  world_.hold(Do::deliver, slot, Holder::scenario);
  world_.release(Do::deliver, slot, Holder::scheduler);
  refused(make_action(Do::deliver, name), Refusal::held, "somebody else holds it too");
  world_.release(Do::deliver, slot, Holder::scenario);
  applied(make_action(Do::deliver, name));
}

TEST_F(Refusals, OfFreeActionsWithoutAScript) {
  auto setup = setup_of("test-kitchen");
  setup.options.faults = plenty();
  setup.options.liars = {0};
  fresh(setup);
  const std::uint32_t content = world_.add_content(Value("nothing of that shape"));
  for (const Action& action :
       {message(0, 1, Do::drop), message(0, 1, Do::duplicate),
        make_action(Do::mutate, Name(0, 1, 0, 0), content),
        make_action(Do::inject, Name(0, 1, 0, 0), content), node_action(Do::crash, 0),
        node_action(Do::pause, 0), link_action(Do::cut, 0, 1), begin_macro(Macro::partition)})
    refused(for_free(action), Refusal::not_allowed, "nobody plays by a script");
}

TEST_F(Refusals, InAScript) {
  auto setup = setup_of("test-kitchen");
  setup.options.scripted = true;  // and no budgets at all
  setup.options.links = LinkOrder::fifo;
  setup.options.down_max = 1;
  setup.options.may_crash = {0, 1};
  fresh(setup);
  refused(message(0, 1, Do::drop), Refusal::out_of_budget, "not free");
  refused(node_action(Do::crash, 0), Refusal::out_of_budget, "not free");
  refused(for_free(node_action(Do::crash, 2)), Refusal::not_allowed, "it may not crash");
  applied(for_free(message(0, 1, Do::duplicate)));
  refused(make_action(Do::deliver, Name(0, 1, 0, 0, 1)), Refusal::not_first, "behind another");
  applied(for_free(make_action(Do::drop, Name(0, 1, 0, 0, 1))));
  applied(for_free(link_action(Do::cut, 0, 1)));
  refused(for_free(link_action(Do::cut, 0, 1)), Refusal::link_cut, "cut already");
  applied(for_free(node_action(Do::crash, 0)));
  refused(for_free(node_action(Do::crash, 1)), Refusal::not_allowed, "one at a time");
  EXPECT_EQ(world_.pending().left.crash, 0U);
  for (const Action& action : world_.decisions())
    EXPECT_TRUE(action.free || action.kind == Do::choose);
}

// A label is a text among the contents; macro steps nest, but for partitions.
TEST_F(Refusals, OfMacroSteps) {
  auto setup = setup_of("test-kitchen");
  setup.options.faults = plenty();
  fresh(setup);
  const std::uint32_t text = world_.add_content(Value("isolate the leader"));
  const std::uint32_t other = world_.add_content(Value(7));
  refused(with_content(begin_macro(Macro::scenario), 9), Refusal::bad_content, "no such content");
  refused(with_content(begin_macro(Macro::scenario), other), Refusal::bad_content, "no text");
  applied(with_content(begin_macro(Macro::scenario), text));
  ASSERT_EQ(world_.events().size(), 1U);
  ASSERT_NE(world_.events()[0].as<Label>(), nullptr);
  EXPECT_EQ(world_.events()[0].as<Label>()->text, "isolate the leader");
  applied(begin_macro(Macro::partition));
  refused(begin_macro(Macro::partition), Refusal::not_allowed, "one inside another");
  applied(begin_macro(Macro::other));
  const std::uint32_t cuts = world_.pending().left.cut;
  applied(link_action(Do::cut, 0, 1));
  EXPECT_EQ(world_.pending().left.cut, cuts) << "a partition is around it";
  applied(end_macro(Macro::other));
  applied(link_action(Do::cut, 1, 0));
  EXPECT_EQ(world_.pending().left.cut, cuts) << "still";
  applied(end_macro(Macro::partition));
  applied(link_action(Do::cut, 0, 2));
  EXPECT_EQ(world_.pending().left.cut, cuts - 1);
  applied(end_macro(Macro::scenario));
  refused(end_macro(Macro::other), Refusal::not_allowed, "nothing has begun");
}

TEST_F(Refusals, OfTimersDisksAndRequests) {
  auto setup = setup_of("test-kitchen");
  setup.options.faults = plenty();
  fresh(setup);
  refused(make_action(Do::fire, Name(0, 0, 0, 7)), Refusal::not_pending, "never armed so often");
  refused(make_action(Do::fire, Name(0, 9, 0, 0)), Refusal::not_pending, "no such key");
  refused(make_action(Do::fire, Name(0, 0, 9, 0)), Refusal::not_pending, "no such timer");
  refused(make_action(Do::fire, Name(9, 0, 0, 0)), Refusal::not_allowed, "no such node");
  refused(make_action(Do::submit, Name(0, 0, 0, 3), 0), Refusal::not_pending, "not its turn");
  refused(make_action(Do::submit, Name(5, 0, 0, 0), 0), Refusal::not_pending, "no such client");
  refused(make_action(Do::submit, Name(0, 0, 0, 0), 3), Refusal::not_allowed, "no such node");
  applied(node_action(Do::pause, 1));
  refused(make_action(Do::fire, Name(1, 0, 0, 0)), Refusal::node_paused, "paused");
  refused(make_action(Do::submit, Name(0, 0, 0, 0), 1), Refusal::node_paused, "paused");
  applied(node_action(Do::crash, 2));
  refused(make_action(Do::fire, Name(2, 0, 0, 0)), Refusal::not_pending, "lost in the crash");
  refused(make_action(Do::submit, Name(0, 0, 0, 0), 2), Refusal::node_down, "down");

  setup.options.time = TimeUse::stepped;
  fresh(setup);
  refused(make_action(Do::fire, Name(0, 1, 0, 0)), Refusal::not_due, "due at 20");
  applied(advance_by(19));
  refused(make_action(Do::fire, Name(0, 1, 0, 0)), Refusal::not_due, "due at 20");
  applied(advance_by(1));
  applied(make_action(Do::fire, Name(0, 1, 0, 0)));

  setup = setup_of("test-journal");
  fresh(setup);
  const int sync = static_cast<int>(DiskOp::sync), read = static_cast<int>(DiskOp::read);
  applied(message(0, 1));
  refused(make_action(Do::complete, Name(1, 0, sync, 0)), Refusal::not_first, "after the read");
  refused(make_action(Do::complete, Name(1, 0, sync, 5)), Refusal::not_pending, "never asked");
  refused(make_action(Do::complete, Name(9, 0, read, 0)), Refusal::not_pending, "no such node");
  refused(make_action(Do::complete, Name(1, 0, read, 0), 5), Refusal::wrong_time, "it takes time");
  refused(failing(make_action(Do::complete, Name(1, 0, read, 0))), Refusal::out_of_budget, "fails");
  refused(make_action(Do::submit, Name(0, 0, 0, 0), 1), Refusal::not_allowed, "it is for node 0");
  setup.options.faults = plenty();
  fresh(setup);
  applied(node_action(Do::pause, 1));
  refused(make_action(Do::complete, Name(1, 0, read, 0)), Refusal::node_paused, "paused");
}

TEST_F(Refusals, OfFaults) {
  auto setup = setup_of("test-journal");
  fresh(setup);
  for (const Do kind : {Do::crash, Do::pause})
    refused(node_action(kind, 0), Refusal::out_of_budget, "no budget");
  refused(link_action(Do::cut, 0, 1), Refusal::not_allowed, "no budget for links at all");
  refused(make_action(Do::begin, Name(), static_cast<std::uint32_t>(Macro::partition)),
          Refusal::out_of_budget, "no budget");
  refused(make_action(Do::end, Name()), Refusal::not_allowed, "nothing has begun");
  refused(node_action(Do::restart, 0), Refusal::node_up, "up");
  refused(node_action(Do::resume, 0), Refusal::node_not_paused, "not paused");
  refused(link_action(Do::heal, 0, 1), Refusal::link_not_cut, "not cut");
  for (const Do kind : {Do::crash, Do::restart, Do::pause, Do::resume})
    refused(node_action(kind, 3), Refusal::not_allowed, "no such node");

  setup.options.faults = plenty();
  setup.options.faults.cut = 1;
  setup.options.faults.pause = 2;
  setup.options.may_crash = {0, 1};
  setup.options.down_max = 1;
  fresh(setup);
  for (const auto& [from, to] : {std::pair{0, 0}, {0, 3}, {3, 0}})
    refused(link_action(Do::cut, from, to), Refusal::not_allowed, "no such link");
  refused(link_action(Do::heal, 0, 3), Refusal::not_allowed, "no such link");
  applied(link_action(Do::cut, 0, 1));
  refused(link_action(Do::cut, 0, 1), Refusal::link_cut, "cut already");
  refused(link_action(Do::cut, 1, 0), Refusal::out_of_budget, "one cut only");
  refused(make_action(Do::calm, Name()), Refusal::not_allowed, "a link is cut");
  applied(make_action(Do::begin, Name(), static_cast<std::uint32_t>(Macro::partition)));
  refused(make_action(Do::begin, Name(), static_cast<std::uint32_t>(Macro::partition)),
          Refusal::not_allowed, "one inside another");
  applied(link_action(Do::cut, 1, 0));  // part of the partition: free
  applied(make_action(Do::end, Name()));
  refused(link_action(Do::cut, 2, 0), Refusal::out_of_budget, "the partition is over");
  for (const auto& [from, to] : {std::pair{0, 1}, {1, 0}}) applied(link_action(Do::heal, from, to));
  refused(link_action(Do::heal, 0, 1), Refusal::link_not_cut, "healed");

  refused(node_action(Do::crash, 2), Refusal::not_allowed, "it may not crash");
  refused(node_action(Do::crash, 0, CrashOutcome{1, false}.arg()), Refusal::not_allowed,
          "nothing to keep");
  refused(node_action(Do::crash, 0, CrashOutcome{0, true}.arg()), Refusal::not_allowed,
          "nothing to tear");
  applied(node_action(Do::crash, 0));
  refused(node_action(Do::crash, 0), Refusal::node_down, "down");
  refused(node_action(Do::pause, 0), Refusal::node_down, "down");
  refused(node_action(Do::crash, 1), Refusal::not_allowed, "one down at once");
  refused(make_action(Do::calm, Name()), Refusal::not_allowed, "a node is down");
  applied(node_action(Do::restart, 0));
  applied(node_action(Do::pause, 0));
  refused(node_action(Do::pause, 0), Refusal::node_paused, "paused");
  applied(node_action(Do::pause, 1));
  refused(node_action(Do::pause, 2), Refusal::out_of_budget, "two pauses");
  refused(make_action(Do::calm, Name()), Refusal::not_allowed, "a node is paused");
  applied(node_action(Do::resume, 0));
  applied(node_action(Do::resume, 1));
  refused(advance_by(1), Refusal::wrong_time, "untimed");
  applied(make_action(Do::calm, Name()));
  refused(make_action(Do::calm, Name()), Refusal::not_allowed, "calm already");
  refused(node_action(Do::crash, 1), Refusal::out_of_budget, "calm: faults are over");
  refused(advance_by(-1), Refusal::wrong_time, "back");
  applied(advance_by(1));
  refused(choose_of(0, 2), Refusal::unknown_kind, "not an action of its own");
  refused(Action{}, Refusal::unknown_kind, "nothing");
}

// The table is open: whoever adds a kind adds its refusals here.
TEST_F(Refusals, EveryKindOfTheTableIsRefusedSomewhere) {
  const auto setup = setup_of("tokens");
  std::size_t kinds = 0;
  for (const ActionKind& kind : kActionKinds) {
    fresh(setup);
    // Nodes 77 and 78 do not exist; as an advance this goes back; as a begin it lacks a budget.
    const Action nonsense =
        kind.kind == Do::advance ? advance_by(-5) : make_action(kind.kind, Name(77, 78, 0, 0), 1);
    if (kind.kind == Do::calm) applied(nonsense);  // always possible, but not twice
    const std::string before = state_text(world_);
    EXPECT_NE(world_.apply(nonsense), Refusal::none) << kind.name;
    EXPECT_EQ(state_text(world_), before) << kind.name;
    ++kinds;
  }
  EXPECT_EQ(kinds, 21U) << "a new kind: say above for which reasons it is refused";
}

// An action near what is possible: right kinds, names that are or were pending, odd numbers.
Action odd_action(const Play& play, Rng& rng) {
  const auto kind = static_cast<Do>(rng.below(kActionKindCount));
  const auto& done = play.steps();
  Name name(static_cast<int>(rng.below(5)), static_cast<int>(rng.below(5)),
            static_cast<int>(rng.below(3)), static_cast<std::uint32_t>(rng.below(3)));
  if (!done.empty() && rng.chance(0.3)) name = done[rng.below(done.size())].move.action.name;
  const auto keys = pending_keys(play.world());
  if (!keys.empty() && rng.chance(0.5)) name = Name(keys[rng.below(keys.size())].second);
  if (kind == Do::crash || kind == Do::restart || kind == Do::pause || kind == Do::resume)
    name = Name(name.from() % 5, 0, 0, 0);
  if (kind == Do::cut || kind == Do::heal) name = Name(name.from() % 5, name.to() % 5, 0, 0);
  if (kind == Do::begin || kind == Do::end) name = Name();
  return make_action(kind, name, static_cast<std::uint32_t>(rng.below(4)),
                     static_cast<std::uint32_t>(rng.below(20)));
}

TEST(World, RefusesEverythingThatItDoesNotListAndThenNothingHasChanged) {
  std::size_t refused = 0, accepted = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 3001);
      Play play(any_setup(*system, rng), seed);
      for (int i = 0; i < 20; ++i) {
        std::string problem;
        ASSERT_TRUE(play.go(rng, 2, &problem)) << "listed, but " << problem << "\n" << story(play);
        for (int k = 0; k < 10; ++k) {
          const Action action = odd_action(play, rng);
          // Contents and the calm are not listed: whoever has one makes the action.
          if (carries_content(action.kind) || action.kind == Do::calm) continue;
          Rng same(1);
          const auto listed = play.moves(same);
          const std::string state = state_text(play.world());
          const auto decided = play.world().decisions().size();
          touches(play.world(), action);  // must not mind nonsense
          if (const Refusal why = play.world().apply(action); why != Refusal::none) {
            ++refused;
            ASSERT_EQ(state_text(play.world()), state)
                << action_name(action.kind) << ": " << refusal_text(why) << "\n"
                << story(play);
            ASSERT_EQ(play.world().decisions().size(), decided);
            continue;
          }
          ++accepted;
          // Macro kinds and their arguments are notes: any will do.
          const bool is_note = action.kind == Do::begin || action.kind == Do::end;
          const bool found =
              is_note || std::any_of(listed.begin(), listed.end(), [&](const Move& m) {
                if (m.action.kind != action.kind || m.action.name != action.name) return false;
                // Only for these does the number mean something.
                const bool counts = action.kind == Do::submit || action.kind == Do::crash;
                return !counts || m.action.arg() == action.arg();
              });
          ASSERT_TRUE(found) << action_name(action.kind) << " was applied, but is not listed\n"
                             << state << story(play);
          play.again(play.done());
        }
      }
    }
  fmt::print("{} refused, {} accepted\n", refused, accepted);
  EXPECT_GT(refused, 1500 * sturdy_systems().size());
  EXPECT_GT(accepted, 100 * sturdy_systems().size());
}

// Where only one class of nodes takes requests, no other is offered one.
TEST(World, OffersRequestsOnlyToNodesThatTakeThem) {
  schism::Setup setup = setup_of("test-classes", 3);
  const auto config = setup.system->fresh_config();
  ASSERT_TRUE(setup.system->params.set(config.get(), "anywhere", "true", "test-classes"));
  setup.config = config;
  SimWorld world;
  world.reset(setup);
  const std::uint32_t n = world.pending().count(Do::submit);
  EXPECT_EQ(n, 2U);  // two clients, one master
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(world.pending().nth(Do::submit, i).arg(), 0U);
}

// Who asks for all announcements need not name their types.
TEST(World, TellsAnnouncementsToWhoAsksForAllOfThem) {
  SimWorld world;
  world.listen(mask_of(Happened::announced));
  world.reset(setup_of("test-kitchen"));
  // A message to itself, which announces that it was heard.
  ASSERT_EQ(world.apply(make_action(Do::deliver, Name(0, 0, 1, 0))), Refusal::none);
  ASSERT_EQ(world.events().size(), 1U);
  EXPECT_EQ(world.events()[0].type->name, "Heard");
}

// ---- memory --------------------------------------------------------------------------------

TEST(World, NeedsNoMoreSlotsThanWereInFlightAtOnce) {
  schism::Setup setup = setup_of("tokens", 10);
  SimWorld world;
  world.reset(setup);
  Rng rng(9);
  std::uint32_t most = world.pending().deliverable.size();
  for (int step = 0; step < 100'000; ++step) {
    const auto i = static_cast<std::uint32_t>(rng.below(world.pending().deliverable.size()));
    ASSERT_EQ(world.apply(world.pending().nth_deliver(i)), Refusal::none);
    most = std::max(most, world.pending().deliverable.size());
    ASSERT_LE(world.pending().flights.size(), most) << "at step " << step;
  }
  EXPECT_EQ(world.deliveries(), 100'000U);
  EXPECT_LE(world.pending().flights.size(), 10U);
}

TEST(World, NeedsNoMoreSlotsForTimersDisksAndRequestsThanWereOpenAtOnce) {
  std::size_t steps = 0;
  for (const char* name : {"test-kitchen", "test-journal", "test-classes"})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      schism::Setup setup = setup_of(name);
      setup.options.faults = plenty();
      setup.node_seed = seed;
      Play play(setup, seed);
      Rng rng(seed);
      const auto alive = [](const auto& table) {
        std::uint32_t n = 0;
        for (std::uint32_t s = 0; s < table.size(); ++s) n += table[s].alive();
        return n;
      };
      std::uint32_t timers = 0, waits = 0, askings = 0, flights = 0;
      for (int i = 0; i < 200; ++i) {
        const Pending& p = play.world().pending();
        const std::uint32_t before_timers = alive(p.timers), before_flights = alive(p.flights);
        const auto move = play.random_move(rng);
        if (!move || play.apply(*move) != Refusal::none) break;
        ++steps;
        // Within a step what it takes and what it makes may be open together.
        timers = std::max(timers, std::max(before_timers, alive(p.timers)) + 6);
        flights = std::max(flights, std::max(before_flights, alive(p.flights)) + 8);
        waits = std::max(waits, alive(p.waits) + 4);
        askings = std::max(askings, alive(p.askings) + 2);
        ASSERT_LE(p.timers.size(), timers);
        ASSERT_LE(p.flights.size(), flights);
        ASSERT_LE(p.waits.size(), waits);
        ASSERT_LE(p.askings.size(), askings);
      }
    }
  EXPECT_GT(steps, 2000U);
}

}  // namespace
}  // namespace schism
