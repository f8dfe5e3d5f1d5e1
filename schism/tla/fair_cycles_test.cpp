// Fair behaviours that satisfy a formula, against the definition: every walk of a small random
// graph that comes back to one of its states is a behaviour, and formulas are judged on it position
// by position.
#include "schism/tla/fair_cycles.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "schism/base/random.hpp"

namespace schism::tla {
namespace {

// Atoms 0 to 3 are of states, 4 and 5 are <<A>>_v, 6 is [A]_v.
constexpr std::uint32_t kAtoms = 7, kAngles = 4, kBox = 6;

class RandomGraph : public BehaviourGraph {
 public:
  explicit RandomGraph(Rng& random) {
    const auto n = static_cast<std::uint32_t>(1 + random.below(3));
    std::vector<std::vector<std::uint32_t>> to(n);
    for (std::uint32_t s = 1; s < n; ++s) to[random.below(s)].push_back(s);  // can be reached
    for (std::uint64_t i = random.below(2 * n + 1); i > 0; --i)
      to[random.below(n)].push_back(static_cast<std::uint32_t>(random.below(n)));
    for (std::uint32_t s = 0; s < n; ++s) {
      for (const std::uint32_t t : to[s])
        if (t != s && !has(s, t)) targets.push_back(t);
      begin.push_back(targets.size());
      states_.push_back(random.below(16));
    }
    for (std::size_t e = 0; e < targets.size(); ++e) steps_.push_back(random.below(8));
    initial = {0};
    if (n > 1 && random.below(3) == 0) initial.push_back(1);
  }

  bool of_state(std::uint32_t atom) const override { return atom < kAngles; }
  bool in_state(std::uint32_t atom, std::uint32_t s) override {
    return ((states_[s] >> atom) & 1) != 0;
  }
  bool in_step(std::uint32_t atom, std::uint32_t, std::size_t edge) override {
    return ((steps_[edge] >> (atom - kAngles)) & 1) != 0;
  }
  bool when_stuttering(std::uint32_t atom) const override { return atom == kBox; }

  // Whether there is a step, and what it is like; a stuttering one always is.
  std::optional<std::size_t> edge(std::uint32_t s, std::uint32_t t) const {
    for (std::size_t e = begin[s]; e < begin[s + 1]; ++e)
      if (targets[e] == t) return e;
    return std::nullopt;
  }

 private:
  bool has(std::uint32_t, std::uint32_t t) const {
    return std::find(targets.begin() + static_cast<std::ptrdiff_t>(begin.back()), targets.end(),
                     t) != targets.end();
  }
  std::vector<std::uint64_t> states_, steps_;
};

Formula random_formula(Formulas& to, Rng& random, int depth) {
  const auto sub = [&] { return random_formula(to, random, depth - 1); };
  const auto literal = [&] {
    return to.atom(static_cast<std::uint32_t>(random.below(kAngles)), random.below(2) == 0);
  };
  if (depth == 0) return literal();
  switch (random.below(9)) {
    case 0: return literal();
    case 1: return to.all({sub(), sub()});
    case 2: return to.any({sub(), sub()});
    case 3: return to.always(sub());
    case 4: return to.eventually(sub());
    case 5: return to.leads_to(sub(), sub());
    case 6: return to.eventually(to.atom(kAngles + static_cast<std::uint32_t>(random.below(2))));
    case 7: return to.always(to.atom(kBox));
    default: return to.negation(sub());
  }
}

// --- The definition ------------------------------------------------------------------------------

class Naive {
 public:
  Naive(RandomGraph& graph, const Formulas& formulas) : graph_(graph), formulas_(formulas) {}

  bool is_behaviour(const Lasso& l) const {
    if (l.states.empty() || l.back_to >= l.states.size()) return false;
    if (std::find(graph_.initial.begin(), graph_.initial.end(), l.states[0]) ==
        graph_.initial.end())
      return false;
    for (std::size_t i = 0; i < l.states.size(); ++i) {
      const std::uint32_t s = l.states[i], t = l.states[after(l, i)];
      if (s != t && !graph_.edge(s, t)) return false;
    }
    return true;
  }

  bool holds(const Lasso& l, Formula f, std::size_t at) {
    const FormulaNode& n = formulas_[f];
    const auto from_here = [&](bool wanted) {  // whether the kid is so at some position from here
      for (std::size_t i = std::min(at, l.back_to); i < l.states.size(); ++i)
        if ((i >= at || i >= l.back_to) && holds(l, n.kids[0], i) == wanted) return true;
      return false;
    };
    switch (n.op) {
      case Temporal::truth: return true;
      case Temporal::falsity: return false;
      case Temporal::atom: return atom(l, n.atom, at) != n.negated;
      case Temporal::all:
        for (const Formula k : n.kids)
          if (!holds(l, k, at)) return false;
        return true;
      case Temporal::any:
        for (const Formula k : n.kids)
          if (holds(l, k, at)) return true;
        return false;
      case Temporal::always: return !from_here(false);
      case Temporal::eventually: return from_here(true);
    }
    return false;
  }

  bool fair(const Lasso& l, const Fairness& f) {
    bool enabled_once = false, disabled_once = false, taken = false;
    for (std::size_t i = l.back_to; i < l.states.size(); ++i) {
      (atom(l, f.enabled, i) ? enabled_once : disabled_once) = true;
      taken = taken || atom(l, f.taken, i);
    }
    return taken || (f.strong ? !enabled_once : disabled_once);
  }

  bool satisfies(const Lasso& l, Formula what, const std::vector<Fairness>& fairness) {
    for (const Fairness& f : fairness)
      if (!fair(l, f)) return false;
    return holds(l, what, 0);
  }

  // Any behaviour with so many positions.
  bool any(Formula what, const std::vector<Fairness>& fairness, std::size_t length) {
    for (const std::uint32_t s : graph_.initial) {
      Lasso l{{s}, 0};
      if (any_from(l, what, fairness, length)) return true;
    }
    return false;
  }

 private:
  static std::size_t after(const Lasso& l, std::size_t i) {
    return i + 1 < l.states.size() ? i + 1 : l.back_to;
  }

  bool atom(const Lasso& l, std::uint32_t a, std::size_t at) {
    const std::uint32_t s = l.states[at], t = l.states[after(l, at)];
    if (graph_.of_state(a)) return graph_.in_state(a, s);
    return s == t ? graph_.when_stuttering(a) : graph_.in_step(a, s, *graph_.edge(s, t));
  }

  bool any_from(Lasso& l, Formula what, const std::vector<Fairness>& fairness, std::size_t length) {
    const std::uint32_t last = l.states.back();
    for (std::size_t back = 0; back < l.states.size(); ++back) {
      l.back_to = back;
      if ((l.states[back] == last || graph_.edge(last, l.states[back])) &&
          satisfies(l, what, fairness))
        return true;
    }
    if (l.states.size() == length) return false;
    for (std::size_t e = graph_.begin[last]; e < graph_.begin[last + 1]; ++e) {
      l.states.push_back(graph_.targets[e]);
      if (any_from(l, what, fairness, length)) return true;
      l.states.pop_back();
    }
    return false;
  }

  RandomGraph& graph_;
  const Formulas& formulas_;
};

TEST(TlaFairCycles, RandomGraphsAndFormulas) {
  int found = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Rng random(seed);
    RandomGraph graph(random);
    Formulas formulas;
    const Formula what = random_formula(formulas, random, 3);
    std::vector<Fairness> fairness;
    for (std::uint64_t i = random.below(4); i > 0; --i)
      fairness.push_back({random.below(2) == 0, static_cast<std::uint32_t>(random.below(kAngles)),
                          kAngles + static_cast<std::uint32_t>(random.below(2))});
    Naive naive(graph, formulas);
    const auto lasso = fair_lasso(graph, formulas, what, fairness);
    (lasso ? found : none)++;
    if (lasso) {
      EXPECT_TRUE(naive.is_behaviour(*lasso)) << seed;
      EXPECT_TRUE(naive.satisfies(*lasso, what, fairness)) << seed;
    } else {
      EXPECT_FALSE(naive.any(what, fairness, 7)) << seed;
    }
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(none, 500);
}

TEST(TlaFairCycles, LawsOfAlwaysAndEventually) {
  Formulas f;
  const Formula p = f.atom(0), q = f.atom(1);
  EXPECT_EQ(f.always(f.eventually(f.always(p))), f.eventually(f.always(p)));
  EXPECT_EQ(f.eventually(f.always(f.eventually(p))), f.always(f.eventually(p)));
  EXPECT_EQ(f.always(f.all({p, q})), f.all({f.always(p), f.always(q)}));
  EXPECT_EQ(f.negation(f.leads_to(p, q)), f.eventually(f.all({p, f.always(f.atom(1, true))})));
  EXPECT_EQ(f.negation(f.negation(f.leads_to(p, q))), f.leads_to(p, q));
}

}  // namespace
}  // namespace schism::tla
