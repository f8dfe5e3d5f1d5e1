// What depends on what, compared with its definitions on random runs of every registered system:
// causal hashes are equal exactly when the labelled happens-before orders are; what touches() calls
// independent commutes; nothing is enabled or disabled by a step that shares no object with it.
#include <gtest/gtest.h>

#include "schism/testing/drive.hpp"

namespace schism {
namespace {

using namespace contract;

// Both directions at once: one hash a class, one class a hash.
class Classes {
 public:
  void add(const std::string& form, const Hash128& hash, const std::string& story) {
    const auto [by_form, new_form] = hash_of_.emplace(form, hash);
    const auto [by_hash, new_hash] = form_of_.emplace(hash, form);
    ++runs_;
    if (!new_form) {
      ++equal_;
      ASSERT_EQ(by_form->second, hash) << "one class, two hashes: " << story << "\n" << form;
    }
    ASSERT_EQ(by_hash->second, form) << "two classes, one hash: " << story;
  }
  std::size_t runs() const { return runs_; }
  std::size_t equal() const { return equal_; }  // runs whose class was known already
  std::size_t distinct() const { return form_of_.size(); }

 private:
  std::map<std::string, Hash128> hash_of_;
  std::map<Hash128, std::string> form_of_;
  std::size_t runs_ = 0, equal_ = 0;
};

std::vector<Observer> any_observers(Rng& rng) {
  if (rng.chance(0.7)) return {};
  std::vector<Observer> out = {{mask_of(Happened::delivered), {}}};
  if (rng.chance(0.3)) out.push_back({kEveryEvent & ~mask_of(Happened::sent), {}});
  return out;
}

// One universe: a run, orders of its class, neighbours of its class.
void compare_classes(const System& system, std::uint64_t seed, Classes& total_runs,
                     std::size_t& swapped) {
  Rng rng(seed);
  const Setup setup = any_setup(system, rng);
  const std::uint64_t choices = rng.below(3);
  Play play(setup, choices, any_observers(rng));
  Classes& classes = total_runs;
  const auto note = [&](const Play& p) {
    // The universe is part of the name: hashes are only compared within one.
    classes.add(fmt::format("{} {} {}", system.name, seed, p.form()), p.world().causal_hash(),
                story(p));
  };
  for (int round = 0; round < 2; ++round) {
    play.restart();
    std::string problem;
    const std::size_t length = rng.chance(0.3) ? 1 + rng.below(6) : 10 + rng.below(60);
    ASSERT_TRUE(play.go(rng, length, &problem)) << problem << "\n" << story(play);
    ASSERT_FALSE(play.resurrected()) << "a pending event came back: " << story(play);
    ASSERT_NO_FATAL_FAILURE(note(play));
    const std::vector<Step> steps = play.steps();
    const Hash128 hash = play.world().causal_hash();
    const std::string form = play.form(), state = state_text(play.world());
    for (int k = 0; k < 3; ++k) {
      const auto order = another_order(steps, rng, 6 * steps.size());
      ASSERT_TRUE(play.again(in_order(steps, order)))
          << "independent steps do not apply in another order after\n"
          << story(play);
      ASSERT_EQ(play.form(), form) << story(play);
      ASSERT_EQ(play.world().causal_hash(), hash) << story(play);
      ASSERT_EQ(state_text(play.world()), state) << story(play);
      ASSERT_NO_FATAL_FAILURE(note(play));
      // A dependent pair of neighbours the other way round, where that is possible at all.
      const auto& here = play.steps();
      if (here.size() < 2) continue;
      const std::size_t at = rng.below(here.size() - 1);
      auto moves = play.done();
      if (!before(here, at, at + 1)) continue;
      std::swap(moves[at], moves[at + 1]);
      if (!play.again(moves)) continue;
      ++swapped;
      ASSERT_NO_FATAL_FAILURE(note(play));
      // And back, as far as they go.
      moves.resize(rng.below(moves.size()));
      if (play.again(moves)) {
        ASSERT_NO_FATAL_FAILURE(note(play));
      }
    }
  }
}

TEST(CausalHash, IsEqualExactlyWhereTheHappensBeforeOrdersAre) {
  std::size_t runs = 0, equal = 0, distinct = 0, swapped = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Classes classes;
      ASSERT_NO_FATAL_FAILURE(compare_classes(*system, seed, classes, swapped));
      runs += classes.runs(), equal += classes.equal(), distinct += classes.distinct();
    }
  fmt::print("{} runs, {} of a class seen before, {} classes, {} dependent swaps that applied\n",
             runs, equal, distinct, swapped);
  const std::size_t n = sturdy_systems().size();
  EXPECT_GT(runs, 700 * n);
  EXPECT_GT(equal, 500 * n);
  EXPECT_GT(distinct, 300 * n);
  EXPECT_GT(swapped, 50 * n);
}

// Short runs in one tiny universe meet each other by chance, not only by construction.
TEST(CausalHash, TellsShortRunsApartThatWereNotMadeFromEachOther) {
  std::size_t runs = 0, equal = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t universe = 1; universe <= 15; ++universe) {
      SCOPED_TRACE(fmt::format("{}, universe {}", system->name, universe));
      Rng rng(universe * 7919);
      schism::Setup setup = any_setup(*system, rng);
      setup.nodes = std::max(2, system->node_range.low);
      std::erase_if(setup.options.may_crash, [&](std::int64_t id) { return id >= setup.nodes; });
      Classes classes;
      Play plays[2] = {Play(setup, 1), Play(setup, 2)};  // choices differ
      for (int k = 0; k < 150; ++k) {
        Play& play = plays[k % 2];
        play.restart();
        std::string problem;
        ASSERT_TRUE(play.go(rng, 1 + rng.below(5), &problem)) << problem << story(play);
        ASSERT_NO_FATAL_FAILURE(classes.add(play.form(), play.world().causal_hash(), story(play)));
      }
      runs += classes.runs(), equal += classes.equal();
    }
  fmt::print("{} runs, {} of a class seen before\n", runs, equal);
  EXPECT_GT(runs, 2000 * sturdy_systems().size());
  EXPECT_GT(equal, 300 * sturdy_systems().size());
}

TEST(CausalHash, DependsOnTheNodeSeed) {
  for (const auto& system : sturdy_systems()) {
    Rng rng(5);
    schism::Setup setup = any_setup(*system, rng);
    const Play a(setup);
    ++setup.node_seed;
    const Play b(setup);
    EXPECT_NE(a.world().causal_hash(), b.world().causal_hash()) << system->name;
  }
}

// ---- commutation ---------------------------------------------------------------------------

struct Counts {
  std::size_t states = 0, pairs = 0, dependent = 0, changes = 0;
};

// From here both orders of two enabled moves, if they share nothing.
void commute(Play& play, const std::vector<Move>& prefix, const Move& a, const Move& b,
             Counts& counts) {
  if (dependent(touches(play.world(), a.action), touches(play.world(), b.action))) {
    ++counts.dependent;
    return;
  }
  // Mutate and inject share an index space of contents with nobody: contents are given anew.
  ASSERT_EQ(play.apply(a), Refusal::none) << a.text() << "\n" << story(play);
  const std::vector<Touch> by_a = play.steps().back().touched;
  const bool b_after_a = play.apply(b) == Refusal::none;
  const auto by_b_after = b_after_a ? play.steps().back().touched : std::vector<Touch>{};
  const std::string ab = state_text(play.world());
  const std::string forms[] = {play.form()};
  ASSERT_TRUE(play.again(prefix));
  ASSERT_EQ(play.apply(b), Refusal::none) << b.text() << "\n" << story(play);
  const std::vector<Touch> by_b = play.steps().back().touched;
  if (dependent(by_a, by_b)) {  // by their effects
    ++counts.dependent;
    ASSERT_TRUE(play.again(prefix));
    return;
  }
  ++counts.pairs;
  ASSERT_TRUE(b_after_a) << a.text() << " disables " << b.text() << "\n" << story(play);
  const Refusal a_after_b = play.apply(a);
  ASSERT_EQ(a_after_b, Refusal::none)
      << b.text() << " disables " << a.text() << ": " << refusal_text(a_after_b) << "\n"
      << story(play);
  ASSERT_EQ(play.steps().back().touched, by_a) << "what a step touches depends on the order";
  ASSERT_EQ(by_b_after, by_b) << "what a step touches depends on the order";
  ASSERT_EQ(state_text(play.world()), ab) << a.text() << " and " << b.text() << " do not commute\n"
                                          << story(play);
  ASSERT_EQ(play.form(), forms[0]);
  ASSERT_TRUE(play.again(prefix));
}

// A step that enables or disables a move shares an object with it, or made what it takes.
void blame(const Play& play, const std::vector<Move>& was, const std::vector<Move>& is,
           const std::map<std::string, std::vector<Touch>>& touched_before, Counts& counts) {
  std::map<std::string, Move> before_it, after_it;
  for (const Move& move : was) before_it.emplace(move.text(), move);
  for (const Move& move : is) after_it.emplace(move.text(), move);
  const Step& step = play.steps().back();
  const int number = static_cast<int>(play.steps().size()) - 1;
  const auto check = [&](const Move& move, bool enabled, const std::vector<Touch>& touched) {
    ++counts.changes;
    const auto key = key_of(move.action);
    const bool made = key && play.knows(*key) && play.born(*key) == number;
    ASSERT_TRUE(made || dependent(touched, step.touched))
        << step.label << (enabled ? " enables " : " disables ") << move.text()
        << ", but they share no object\n"
        << story(play);
  };
  for (const auto& [text, move] : after_it)
    if (!before_it.contains(text) && !move.carries()) {
      ASSERT_NO_FATAL_FAILURE(check(move, true, touches(play.world(), move.action)));
    }
  for (const auto& [text, move] : before_it)
    if (!after_it.contains(text) && !move.carries()) {
      ASSERT_NO_FATAL_FAILURE(check(move, false, touched_before.at(text)));
    }
}

// The calm ends all faults at once, so it is ordered against each of them.
void calm_down(Play& play, const std::vector<Move>& prefix, Rng& rng, Counts& counts) {
  const auto was = play.moves(rng);
  std::map<std::string, std::vector<Touch>> touched;
  for (const Move& move : was) touched.emplace(move.text(), touches(play.world(), move.action));
  if (play.apply({make_action(Do::calm, Name()), {}}) != Refusal::none) return;
  ASSERT_NO_FATAL_FAILURE(blame(play, was, play.moves(rng), touched, counts));
  ASSERT_TRUE(play.again(prefix));
}

void commute_in_universe(const System& system, std::uint64_t seed, Counts& counts) {
  Rng rng(seed * 31 + 7);
  Play play(any_setup(system, rng), rng.below(3), any_observers(rng));
  for (int at = 0; at < 40; ++at) {
    if (rng.chance(0.25)) {
      ++counts.states;
      const auto prefix = play.done();
      ASSERT_NO_FATAL_FAILURE(calm_down(play, prefix, rng, counts));
      const auto moves = play.moves(rng);
      for (int k = 0; k < 6 && moves.size() > 1; ++k) {
        const Move& a = moves[rng.below(moves.size())];
        const Move& b = moves[rng.below(moves.size())];
        if (a.text() == b.text()) continue;
        ASSERT_NO_FATAL_FAILURE(commute(play, prefix, a, b, counts));
      }
    }
    const auto was = play.moves(rng);
    std::map<std::string, std::vector<Touch>> touched;
    for (const Move& move : was) touched.emplace(move.text(), touches(play.world(), move.action));
    const auto move = play.random_move(rng, 0.4);
    if (!move) return;
    ASSERT_EQ(play.apply(*move), Refusal::none) << move->text() << "\n" << story(play);
    ASSERT_TRUE(ids_are_unique(play.world())) << "one identity twice\n" << story(play);
    ASSERT_NO_FATAL_FAILURE(blame(play, was, play.moves(rng), touched, counts));
  }
}

TEST(Touches, IndependentMovesCommuteAndOnlyDependentOnesEnableOrDisable) {
  Counts counts;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      ASSERT_NO_FATAL_FAILURE(commute_in_universe(*system, seed, counts));
    }
  fmt::print("{} states, {} pairs that commute, {} dependent ones, {} changes of enabledness\n",
             counts.states, counts.pairs, counts.dependent, counts.changes);
  const std::size_t n = sturdy_systems().size();
  EXPECT_GT(counts.states, 300 * n);
  EXPECT_GT(counts.pairs, 500 * n);
  EXPECT_GT(counts.dependent, 300 * n);
  EXPECT_GT(counts.changes, 2000 * n);
}

}  // namespace
}  // namespace schism
