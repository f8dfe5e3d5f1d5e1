// How many runs there are, before they are run. A search is a tree, and its leaves are estimated by
// going down it with several runs at once (stochastic enumeration: Rubinstein 2013, Vaisman and
// Kroese 2017): of all steps that the runs of one level can take, so many are kept at random, and
// each then stands for as many leaves as there were steps for each kept one. A single random run
// (Knuth 1975) is the case of one: a product of branchings, so skewed that its standard error says
// little. Classes are the leaves of the tree that sleep sets leave over, where each class is once.
//
// The intervals are for 95 of 100, from rounds that know nothing of each other, on the scale of
// logarithms. They cannot know of what no round has met.
#pragma once

#include <functional>

#include "schism/check/model.hpp"

namespace schism::check {

struct Guess {
  double value = 0;          // 0: unknown
  double low = 0, high = 0;  // its interval
  bool exact = false;        // everything was counted

  // Of two numbers that were estimated apart; unknown where one of them is.
  Guess& operator+=(const Guess& o);
  FIELDS(value, low, high, exact)
};

struct Estimate {
  Guess runs;     // interleavings
  Guess classes;  // of runs that differ only in the order of independent steps
  std::uint32_t probes = 0;
  FIELDS(runs, classes, probes)
};

// The model is left at the beginning. `probes`: about so many runs for each of the two. `depth`: as
// for the search; 0: no bound. `endless`: a run of so many steps is taken for one that has no end,
// and then both numbers are unknown, at the price of that run; 0: none is. `stop` is asked at each
// step: once it says so, both are unknown.
Estimate estimate(Model& model, std::uint32_t probes, std::uint32_t depth, std::uint64_t seed,
                  std::uint32_t endless = 0, const std::function<bool()>& stop = nullptr);

// The interval of the mean of what these are drawn from: positive, skewed, some of them 0.
Guess guess_of(const std::vector<double>& rounds);

}  // namespace schism::check
