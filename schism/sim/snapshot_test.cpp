// A snapshot brings everything back: whatever happened in between, the run goes on as it did. And a
// world that is used again is like a new one.
#include <gtest/gtest.h>

#include "schism/run/runner.hpp"
#include "schism/testing/drive.hpp"
#include "schism/testing/strategies.hpp"

namespace schism {
namespace {

using namespace contract;

struct Tape {  // a run, with the state after each move; the first is the start
  std::vector<Move> moves;
  std::vector<std::string> states;
};

std::string whole_state(const World& world) {
  std::string out = state_text(world) + fmt::format("step {} deliveries {} decisions", world.step(),
                                                    world.deliveries());
  for (const Action& a : world.decisions())
    out += fmt::format(" {} {:x} {}", action_name(a.kind), a.name.bits(),
                       has_content(a) ? 0 : a.arg());
  return out;
}

std::string events_text(const World& world) {
  std::string out;
  for (const Event& e : world.events()) {
    out += fmt::format("{} {} {} {} {:x} {}", happened_name(e.kind), e.node, e.peer, e.detail,
                       e.value, e.flag);
    if (e.body) out += to_json(e.type->to_value(e.body));
  }
  return out;
}

Tape record_tape(Play& play, Rng& rng, std::size_t length) {
  Tape tape;
  tape.states.push_back(whole_state(play.world()));
  for (std::size_t i = 0; i < length; ++i) {
    const auto move = play.random_move(rng);
    if (!move || play.apply(*move) != Refusal::none) break;
    tape.moves.push_back(*move);
    tape.states.push_back(whole_state(play.world()) + events_text(play.world()));
  }
  return tape;
}

// A world driven without any bookkeeping beside it, so that it can be set back.
struct Bare {
  Bare(const schism::Setup& setup, std::uint64_t choices) : chooser(choices) {
    world.listen(kEveryEvent);
    world.attend(&chooser, false);
    world.reset(setup);
  }
  Refusal apply(const Move& move) {
    Action action = move.action;
    if (move.carries()) action = with_content(action, world.add_content(move.content));
    chooser.about_to(action);
    return world.apply(action);
  }
  Chooser chooser;
  SimWorld world;
};

TEST(Snapshot, BringsEverythingBackHoweverOften) {
  std::size_t restores = 0, copyable = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 101);
      const schism::Setup setup = any_setup(*system, rng);
      Play play(setup, 3);
      const Tape tape = record_tape(play, rng, 40);

      Bare bare(setup, 3);
      bare.world.keep_digest(rng.chance(0.5));
      bare.chooser.about_to({});
      bare.world.reset(setup);
      ASSERT_EQ(bare.world.snapshot() != nullptr, bare.world.capabilities().snapshots);
      if (!bare.world.capabilities().snapshots) break;
      ++copyable;
      std::vector<std::pair<std::size_t, std::unique_ptr<World::Snapshot>>> kept;
      std::size_t at = 0;
      for (int k = 0; k < 60; ++k) {
        if (rng.chance(0.3) || kept.empty()) kept.emplace_back(at, bare.world.snapshot());
        if (rng.chance(0.2)) {  // somewhere else altogether, then back
          for (int i = 0; i < 8; ++i) {
            const auto moves = enabled_moves(bare.world, rng, {});
            if (moves.empty()) break;
            bare.apply(moves[rng.below(moves.size())]);
          }
        } else if (at < tape.moves.size()) {
          ASSERT_EQ(bare.apply(tape.moves[at]), Refusal::none) << tape.moves[at].text();
          ++at;
          ASSERT_EQ(whole_state(bare.world) + events_text(bare.world), tape.states[at]);
          if (rng.chance(0.7)) continue;
        }
        const std::size_t which = rng.below(kept.size());
        bare.world.restore(*kept[which].second);
        at = kept[which].first;
        ++restores;
        const std::string now = whole_state(bare.world);
        ASSERT_EQ(now, tape.states[at].substr(0, now.size()));
        ASSERT_EQ(bare.world.digest(), bare.world.digest_from_scratch());
        if (kept.size() > 6)
          kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(rng.below(kept.size())));
      }
    }
  fmt::print("{} restores\n", restores);
  const auto all = sturdy_systems();
  const auto can = std::count_if(all.begin(), all.end(), [](const auto& system) {
    return std::all_of(system->classes.begin(), system->classes.end(),
                       [](const NodeClass* c) { return c->state->copy != nullptr; });
  });
  EXPECT_GE(can, static_cast<std::ptrdiff_t>(all.size()) - 2);  // one of ours, and one that waits
  EXPECT_EQ(copyable, 40 * static_cast<std::size_t>(can));
  EXPECT_GT(restores, 15 * copyable);
}

TEST(Snapshot, IsRefusedWhereANodeCannotBeCopiedAndReplayStillWorks) {
  const System* system = systems().find("test-unique");
  ASSERT_NE(system, nullptr);
  Rng rng(4);
  Play play(any_setup(*system, rng), 0);
  play.go(rng, 30);
  EXPECT_FALSE(play.world().capabilities().snapshots);
  EXPECT_EQ(play.world().snapshot(), nullptr);
  const std::string state = state_text(play.world());
  ASSERT_TRUE(play.again(play.done()));
  EXPECT_EQ(state_text(play.world()), state);
}

// ---- a world that is used again ----------------------------------------------------------------

TEST(Reuse, OneWorldForAllSystemsIsLikeAFreshOneEach) {
  SimWorld reused;
  reused.listen(kEveryEvent);
  std::size_t runs = 0;
  Rng rng(77);
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const auto all = sturdy_systems();
    const System& system = *all[rng.below(all.size())];
    SCOPED_TRACE(fmt::format("{}, seed {}", system.name, seed));
    const schism::Setup setup = any_setup(system, rng);
    Play fresh(setup, seed);
    const Tape tape = record_tape(fresh, rng, 25);
    Chooser chooser(seed);
    reused.attend(&chooser, false);
    for (int again = 0; again < 2; ++again) {
      chooser.about_to({});
      if (again == 0) reused.reset(setup);
      else reused.reset(setup.node_seed);
      ASSERT_EQ(whole_state(reused), tape.states[0]);
      for (std::size_t i = 0; i < tape.moves.size(); ++i) {
        Action action = tape.moves[i].action;
        if (tape.moves[i].carries())
          action = with_content(action, reused.add_content(tape.moves[i].content));
        chooser.about_to(action);
        ASSERT_EQ(reused.apply(action), Refusal::none);
      }
      ASSERT_EQ(whole_state(reused) + (tape.moves.empty() ? "" : events_text(reused)),
                tape.states.back());
      ++runs;
    }
  }
  fmt::print("{} runs\n", runs);
}

// Run A, then B, then A again.
TEST(Reuse, ARunnerForgetsTheRunBefore) {
  std::size_t runs = 0;
  for (const auto& system : sturdy_systems())
    for (const auto& entry : schedulers().sorted()) {
      SCOPED_TRACE(fmt::format("{}, {}", system->name, entry.name));
      Rng rng(hash_text(system->name));
      schism::Setup setup = any_setup(*system, rng);
      setup.options.faults.mutate = setup.options.faults.inject = 0;
      const RunLimits limits{60, 2'000'000, 60};
      const auto scheduler = testing_tools::made(entry);
      Runner reused(setup, limits);
      struct Outcome {
        RunSummary summary;
        std::vector<Action> decisions;
        std::string state;
      };
      const auto play = [&](Runner& runner, Scheduler& by, std::uint64_t seed) {
        Outcome out;
        out.summary = runner.run(by, {seed, seed ^ 5});
        out.decisions.assign(runner.world().decisions().begin(), runner.world().decisions().end());
        out.state = state_text(runner.world());
        ++runs;
        return out;
      };
      for (std::uint64_t k = 0; k < 40; ++k) {
        const std::uint64_t seed = rng.below(12);  // the same ones come again
        const auto own = testing_tools::made(entry);
        Runner fresh(setup, limits);
        const Outcome a = play(reused, *scheduler, seed), b = play(fresh, *own, seed);
        ASSERT_EQ(a.decisions, b.decisions) << seed;
        ASSERT_EQ(a.state, b.state) << seed;
        ASSERT_EQ(a.summary.run_class, b.summary.run_class) << seed;
        ASSERT_EQ(a.summary.violated, b.summary.violated) << seed;
        ASSERT_EQ(a.summary.met, b.summary.met) << seed;
      }
    }
  fmt::print("{} runs\n", runs);
  EXPECT_GE(runs, 240 * sturdy_systems().size());
}

}  // namespace
}  // namespace schism
