// What a scenario may do to the world, compared with slow definitions on random runs of every
// registered system: who holds what, what that disables, fates of what is held, digests, snapshots,
// and that a hold depends on nothing but what it touches.
#include <gtest/gtest.h>

#include "schism/run/runner.hpp"
#include "schism/schedule/fair_tail.hpp"
#include "schism/testing/drive.hpp"

namespace schism {
namespace {

using namespace contract;

struct Held {  // one pending event, and who is to hold it or let it go
  PendingKey key;
  Holder who = Holder::scheduler;
  bool on = true;

  std::string text() const {
    return fmt::format("{} {} {:016x} by {}", on ? "hold" : "release", action_name(key.first),
                       key.second, static_cast<int>(who));
  }
};

std::optional<std::uint32_t> slot_of(const World& world, const PendingKey& key) {
  std::optional<std::uint32_t> found;
  world.pending().each([&](Do kind, std::uint32_t slot) {
    if (kind == key.first && world.pending().slot(kind, slot).name.bits() == key.second)
      found = slot;
  });
  return found;
}

void apply(World& world, const Held& h) {
  const auto slot = slot_of(world, h.key);
  ASSERT_TRUE(slot);
  if (h.on) world.hold(h.key.first, *slot, h.who);
  else world.release(h.key.first, *slot, h.who);
}

std::optional<Held> any_hold(const World& world, Rng& rng) {
  const auto keys = pending_keys(world);
  if (keys.empty()) return std::nullopt;
  return Held{keys[rng.below(keys.size())], rng.chance(0.5) ? Holder::scheduler : Holder::scenario,
              rng.chance(0.6)};
}

// ---- what is enabled, from its definition ----------------------------------------------------

bool is_paused(const World& world, NodeId id) {
  return world.pending().paused.has(static_cast<std::uint32_t>(id));
}

bool takes(const World& world, NodeId id) {
  return (world.runs(id) || world.setup().options.down == WhenDown::empty) && !is_paused(world, id);
}

// Nothing older is on its link, or at its disk.
template <class Table>
bool is_first(const Table& table, std::uint32_t slot) {
  return table[slot].prev == kNone;
}

bool should_be_enabled(const World& world, Do kind, std::uint32_t slot) {
  const Pending& p = world.pending();
  const Slot& s = p.slot(kind, slot);
  if (s.held_by(Holder::scheduler) || s.held_by(Holder::scenario)) return false;
  const WorldOptions& o = world.setup().options;
  switch (kind) {
    case Do::fire: return !is_paused(world, s.name.from());
    case Do::complete:
      return o.disk == DiskUse::async && !is_paused(world, s.name.from()) &&
             (o.completions == DiskOrder::any || is_first(p.waits, slot));
    case Do::submit: {
      const NodeId target = p.askings[slot].target;
      return target == kAnyNode || takes(world, target);
    }
    default:
      return takes(world, s.name.to()) && !world.cut(s.name.from(), s.name.to()) &&
             (o.links == LinkOrder::any || is_first(p.flights, slot));
  }
}

// A request to any node is asked of one that is there.
std::uint32_t takers(const World& world, int request) {
  std::uint32_t out = 0;
  for (NodeId id = 0; id < world.pending().nodes; ++id)
    if (world.runs(id) && !is_paused(world, id) &&
        world.setup().system->class_of(world.identity(id), world.setup()).takes(request))
      ++out;
  return out;
}

void check_enabled(const World& world) {
  const Pending& p = world.pending();
  std::map<Do, std::uint32_t> enabled;
  std::uint32_t asked = 0;
  p.each([&](Do kind, std::uint32_t slot) {
    const bool should = should_be_enabled(world, kind, slot);
    ASSERT_EQ(p.slot(kind, slot).at != kNone, should)
        << action_name(kind) << ' ' << p.slot(kind, slot).name.bits();
    const bool any = kind == Do::submit && p.askings[slot].target == kAnyNode;
    if (!should) return;
    if (!any) ++enabled[kind];
    if (any) asked += takers(world, p.askings[slot].name.type());
  });
  for (const Do kind : {Do::deliver, Do::fire, Do::complete})
    ASSERT_EQ(p.count(kind), enabled[kind]) << action_name(kind);
  ASSERT_EQ(p.count(Do::submit), enabled[Do::submit] + asked);
}

// What is held is refused for that reason, whatever else is in its way.
void check_refusals(World& world) {
  std::vector<Action> held;
  world.pending().each([&](Do kind, std::uint32_t slot) {
    if (!world.pending().slot(kind, slot).held()) return;
    const Name name = world.pending().slot(kind, slot).name;
    const NodeId target = kind == Do::submit ? world.pending().askings[slot].target : 0;
    held.push_back(make_action(kind, name, static_cast<std::uint32_t>(std::max(target, 0)), slot));
  });
  for (const Action& action : held) ASSERT_EQ(world.apply(action), Refusal::held);
}

// Random moves, with random holds in between.
void go(Play& play, Rng& rng, int length, std::size_t& holds) {
  for (int i = 0; i < length; ++i) {
    if (rng.chance(0.4))
      if (const auto h = any_hold(play.world(), rng)) {
        ASSERT_NO_FATAL_FAILURE(apply(play.world(), *h));
        ++holds;
      }
    const auto move = play.random_move(rng);
    if (!move) return;
    const Refusal refusal = play.apply(*move);
    ASSERT_EQ(refusal, Refusal::none)
        << "listed, but " << refusal_text(refusal) << ": " << move->text() << story(play);
  }
}

TEST(Holds, DisableExactlyWhatIsHeldOrBehindIt) {
  std::size_t holds = 0, fates = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 41);
      Play play(any_setup(*system, rng), seed);
      play.world().keep_digest(rng.chance(0.5));
      play.restart();
      for (int i = 0; i < 25; ++i) {
        ASSERT_NO_FATAL_FAILURE(go(play, rng, 1, holds));
        ASSERT_NO_FATAL_FAILURE(check_enabled(play.world())) << story(play);
        ASSERT_NO_FATAL_FAILURE(check_refusals(play.world())) << story(play);
        ASSERT_EQ(play.world().digest(), play.world().digest_from_scratch()) << story(play);
        const Action& last = play.steps().empty() ? Action{} : play.steps().back().move.action;
        fates += last.kind == Do::drop || last.kind == Do::duplicate || last.kind == Do::mutate;
      }
      play.world().release_all(Holder::scheduler);
      EXPECT_FALSE(play.world().pending().any_held_by(Holder::scheduler));
      play.world().release_all(Holder::scenario);
      EXPECT_FALSE(play.world().pending().any_held_by(Holder::scenario));
      ASSERT_NO_FATAL_FAILURE(check_enabled(play.world())) << story(play);
    }
  fmt::print("{} holds and releases, {} fates\n", holds, fates);
  EXPECT_GT(holds, 300 * sturdy_systems().size());
  EXPECT_GT(fates, 20 * sturdy_systems().size());
}

// ---- digests, snapshots ----------------------------------------------------------------------

TEST(Holds, AreInTheDigestByHolderAndGoWithTheirRelease) {
  std::size_t compared = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 43);
      Play play(any_setup(*system, rng), seed);
      play.world().keep_digest(true);
      play.restart();
      ASSERT_TRUE(play.go(rng, rng.below(25)));
      const auto h = any_hold(play.world(), rng);
      if (!h) continue;
      World& world = play.world();
      std::vector<Hash128> digests;
      const auto look = [&] {
        ASSERT_EQ(world.digest(), world.digest_from_scratch());
        digests.push_back(world.digest());
      };
      const Hash128 causal = world.causal_hash();
      look();
      for (const Held& one :
           {Held{h->key, Holder::scheduler, true}, Held{h->key, Holder::scenario, true},
            Held{h->key, Holder::scheduler, false}}) {
        ASSERT_NO_FATAL_FAILURE(apply(world, one));
        look();
      }
      for (std::size_t i = 0; i < digests.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) ASSERT_NE(digests[i], digests[j]) << i << ' ' << j;
      ASSERT_NO_FATAL_FAILURE(apply(world, {h->key, Holder::scenario, false}));
      ASSERT_EQ(world.digest(), digests[0]) << "released by everybody: as if never held";
      ASSERT_EQ(world.causal_hash(), causal) << "a hold is no step";
      ++compared;
    }
  EXPECT_GT(compared, 30 * sturdy_systems().size());  // in some nothing is left
}

// Which of two equal messages is held makes no difference; holding one or both does.
TEST(Holds, OfEqualMessagesAreEqual) {
  schism::Setup setup;
  setup.system = systems().find("test-kitchen");
  setup.config = setup.system->fresh_config();
  setup.nodes = 3;
  setup.options.scripted = true;
  Play play(setup);
  const Action copy = for_free(make_action(Do::duplicate, Name(0, 1, 0, 0)));
  ASSERT_EQ(play.apply({copy, {}}), Refusal::none);
  const PendingKey original{Do::deliver, Name(0, 1, 0, 0).bits()};
  const PendingKey second{Do::deliver, Name(0, 1, 0, 0, 1).bits()};
  World& world = play.world();
  apply(world, {original, Holder::scenario, true});
  const Hash128 one = world.digest();
  apply(world, {second, Holder::scenario, true});
  EXPECT_NE(world.digest(), one);
  apply(world, {original, Holder::scenario, false});
  EXPECT_EQ(world.digest(), one);
}

TEST(Holds, AreInSnapshots) {
  std::size_t restored = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 47);
      Play play(any_setup(*system, rng), seed);
      if (!play.world().capabilities().snapshots) break;
      std::size_t holds = 0;
      ASSERT_NO_FATAL_FAILURE(go(play, rng, 15, holds));
      const auto kept = play.world().snapshot();
      const std::string state = state_text(play.world());
      ASSERT_NO_FATAL_FAILURE(go(play, rng, 10, holds));
      play.world().release_all(Holder::scenario);
      play.world().restore(*kept);
      ASSERT_EQ(state_text(play.world()), state);
      ASSERT_NO_FATAL_FAILURE(check_enabled(play.world()));
      ++restored;
    }
  EXPECT_GT(restored, 100U);
}

// ---- what depends on a hold ------------------------------------------------------------------

// Both orders of a hold and of a move that shares nothing with it.
TEST(Holds, CommuteWithWhatTheyDoNotTouch) {
  std::size_t pairs = 0, shared = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 53);
      Play play(any_setup(*system, rng), seed);
      for (int k = 0; k < 6; ++k) {
        play.restart();
        ASSERT_TRUE(play.go(rng, rng.below(20)));
        const auto prefix = play.done();
        const auto h = any_hold(play.world(), rng);
        const auto move = play.random_move(rng, 0.5);
        if (!h || !move) break;
        const auto slot = *slot_of(play.world(), h->key);
        const auto by_hold = touched_by_hold(play.world(), h->key.first, slot);
        ASSERT_NO_FATAL_FAILURE(apply(play.world(), {h->key, h->who, true}));
        const bool possible = play.apply(*move) == Refusal::none;
        const std::string hold_first = state_text(play.world());
        ASSERT_TRUE(play.again(prefix));
        ASSERT_EQ(play.apply(*move), Refusal::none);
        if (dependent(by_hold, play.steps().back().touched) || !slot_of(play.world(), h->key)) {
          ++shared;
          continue;
        }
        ++pairs;
        ASSERT_TRUE(possible) << h->text() << " disables " << move->text() << story(play);
        ASSERT_NO_FATAL_FAILURE(apply(play.world(), {h->key, h->who, true}));
        ASSERT_EQ(state_text(play.world()), hold_first)
            << h->text() << " and " << move->text() << story(play);
      }
    }
  fmt::print("{} pairs that commute, {} dependent ones\n", pairs, shared);
  EXPECT_GT(pairs, 60 * sturdy_systems().size());
  EXPECT_GT(shared, 20 * sturdy_systems().size());
}

// ---- links that keep order -------------------------------------------------------------------

// Whatever was held and released in between, and whatever became of some of them: what arrives on a
// FIFO link arrives in the order in which it was sent. (Copies are sent when they are made.)
TEST(Holds, KeepTheOrderOfALinkThatKeepsOrder) {
  std::size_t arrived = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 59);
      schism::Setup setup = any_setup(*system, rng);
      setup.options.links = LinkOrder::fifo;
      setup.options.scripted = true;
      Play play(setup, seed);
      std::map<std::pair<int, int>, std::vector<std::uint64_t>> sent, got;
      std::size_t holds = 0;
      const auto note = [&](const World& world) {
        for (const Event& e : world.events()) {
          const Name n = e.name();
          if (e.kind == Happened::sent || e.kind == Happened::duplicated ||
              e.kind == Happened::injected)
            sent[{n.from(), n.to()}].push_back(n.bits());
          if (e.kind == Happened::delivered) got[{n.from(), n.to()}].push_back(n.bits());
        }
      };
      note(play.world());
      for (int i = 0; i < 60; ++i) {
        const std::size_t before = play.steps().size();
        ASSERT_NO_FATAL_FAILURE(go(play, rng, 1, holds));
        if (play.steps().size() > before) note(play.world());
      }
      for (const auto& [link, names] : got) {
        auto at = sent[link].begin();
        for (const std::uint64_t name : names) {
          at = std::find(at, sent[link].end(), name);
          ASSERT_NE(at, sent[link].end()) << "out of order" << story(play);
          ++arrived;
        }
      }
    }
  EXPECT_GT(arrived, 500U);
}

// ---- the fair tail ---------------------------------------------------------------------------

// Holds what it is told to by name, for one holder, and delivers nothing.
class Keeper final : public Scheduler {
 public:
  Keeper(Holder who) : who_(who) {}
  TimeUse time_use() const override { return TimeUse::untimed; }
  bool plays(Do) const override { return true; }
  void begin(const Setup&, std::uint64_t) override {}
  Action next(World&) override { return {}; }
  bool sees_pending() const override { return true; }
  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    world.hold(kind, slot, who_);
    if (kind == Do::deliver) {  // and once more, to and fro
      world.release(kind, slot, who_);
      world.hold(kind, slot, who_);
    }
  }

 private:
  Holder who_;
};

TEST(Holds, OfTheSchedulerEndWithTheFairTailAndThoseOfAScenarioWhereItSaysSo) {
  for (const bool until_calm : {false, true})
    for (const Holder who : {Holder::scheduler, Holder::scenario}) {
      schism::Setup setup;
      setup.system = systems().find("test-kitchen");
      setup.config = setup.system->fresh_config();
      setup.nodes = 3;
      setup.options.until_calm = until_calm;
      const auto world = std::make_unique<SimWorld>();
      Keeper keeper(who);
      world->attend(&keeper, true);
      world->reset(setup);
      ASSERT_TRUE(world->pending().any_held_by(who));
      EXPECT_EQ(world->pending().count(Do::deliver) + world->pending().count(Do::fire) +
                    world->pending().count(Do::submit),
                0U);
      auto tail = std::make_unique<FairTail>(1'000'000);
      tail->begin(setup, 1);
      world->attend(tail.get(), true);
      int steps = 0;
      for (Action a = tail->next(*world); a.kind != Do::nothing && steps < 1000; ++steps) {
        ASSERT_EQ(world->apply(a), Refusal::none);
        a = tail->next(*world);
      }
      const bool released = who == Holder::scheduler || until_calm;
      EXPECT_EQ(world->pending().any_held_by(who), !released);
      EXPECT_EQ(world->deliveries() > 0, released);
    }
}

}  // namespace
}  // namespace schism
