// An oracle's verdict is that of the whole class: whatever the order of independent steps, it says
// the same. For every oracle of every registered system, with and without its bugs. Each oracle is
// judged alone: only what it says it observes is ordered for it.
#include "schism/oracle/oracle.hpp"

#include <gtest/gtest.h>

#include "schism/run/jury.hpp"
#include "schism/testing/drive.hpp"

namespace schism {
namespace {

using namespace contract;

struct Verdict {
  bool violated = false;
  std::optional<bool> met;
  std::optional<Hash128> digest;  // only where it is not violated: then the rest does not matter
  bool fairly_violated = false;   // had the run ended here fairly

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

Verdict judge(Play& play, const System::OracleMaker& make, const std::vector<Move>& moves) {
  const auto oracle = make(play.setup()), fair = make(play.setup());
  play.restart();
  const auto look = [&] {
    if (!(play.world().step_mask() & oracle->wakes_on())) return;
    const std::vector<Event> events = with_one_of_each(play.world());  // as a jury shows them
    oracle->look(play.world(), events);
    fair->look(play.world(), events);
  };
  oracle->begin(play.world());
  fair->begin(play.world());
  look();
  for (const Move& move : moves) {
    EXPECT_EQ(play.apply(move), Refusal::none) << move.text() << "\n" << story(play);
    look();
  }
  oracle->finish(play.world(), {false});
  fair->finish(play.world(), {true});
  Verdict verdict{
      oracle->violation().has_value(), oracle->met(), {}, fair->violation().has_value()};
  if (!verdict.violated) verdict.digest = oracle->digest();
  return verdict;
}

TEST(Oracles, SayTheSameInEveryOrderOfIndependentSteps) {
  std::size_t orders = 0, oracles = 0;
  std::map<std::string, std::pair<std::size_t, std::size_t>> verdicts;  // violated, not
  for (const auto& system : sturdy_systems())
    for (const auto& make : system->oracles) {
      ++oracles;
      for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Rng rng(seed * 1009);
        schism::Setup setup = any_setup(*system, rng);
        if (seed % 2 == 0) setup.options.faults = {};
        const auto oracle = make(setup);
        SCOPED_TRACE(fmt::format("{}, {}, seed {}", system->name, oracle->name(), seed));
        std::vector<Observer> observers;
        if (auto observer = oracle->observes()) observers.push_back(*std::move(observer));
        Play play(setup, seed, observers);
        play.go(rng, 10 + rng.below(100));
        const std::vector<Step> steps = play.steps();
        const Verdict first = judge(play, make, play.done());
        auto& [violated, not_violated] =
            verdicts[fmt::format("{}: {}", system->name, oracle->name())];
        ++(first.violated || first.fairly_violated ? violated : not_violated);
        for (int k = 0; k < 5; ++k) {
          const auto order = another_order(steps, rng, 8 * steps.size());
          const Verdict other = judge(play, make, in_order(steps, order));
          ASSERT_EQ(other, first) << story(play);
          ++orders;
        }
      }
    }
  for (const auto& [name, counts] : verdicts)
    fmt::print("{}: {} violated, {} not\n", name, counts.first, counts.second);
  fmt::print("{} oracles, {} orders\n", oracles, orders);
  EXPECT_GE(orders, 200 * oracles);
  // Both verdicts occur, or the test would say nothing.
  for (const char* name :
       {"test-kitchen: served before the last poke is heard", "test-kitchen: not all busy",
        "test-kitchen: few alarms", "test-kitchen: agreement", "test-kitchen: integrity",
        "test-kitchen: validity", "test-kitchen: termination", "test-kitchen: somebody counts",
        "toy-consensus: agreement"}) {
    EXPECT_GT(verdicts[name].first, 0U) << name;
    EXPECT_GT(verdicts[name].second, 0U) << name;
  }
}

// The same with an oracle that hides what it observes: the test must notice.
TEST(Oracles, ThatHideWhatTheyObserveAreNoticed) {
  const System* system = systems().find("test-kitchen");
  ASSERT_NE(system, nullptr);
  const System::OracleMaker* ordered = nullptr;
  Rng rng(1);
  const schism::Setup some = any_setup(*system, rng);
  for (const auto& make : system->oracles)
    if (make(some)->observes()) ordered = &make;
  ASSERT_NE(ordered, nullptr);
  std::size_t different = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Play play(any_setup(*system, rng), seed);  // no observers
    play.go(rng, 60);
    const std::vector<Step> steps = play.steps();
    const Verdict first = judge(play, *ordered, play.done());
    for (int k = 0; k < 5; ++k)
      different += judge(play, *ordered,
                         in_order(steps, another_order(steps, rng, 8 * steps.size()))) != first;
  }
  EXPECT_GT(different, 0U);
}

}  // namespace
}  // namespace schism
