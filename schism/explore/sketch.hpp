// A draw in the making: shared by the two files that make it.
#pragma once

#include "schism/explore/draw.hpp"

namespace schism {

struct Draw::Sketch {
  Sketch(const RunText& asked, Rng& rng, const Damping& rarer)
      : text(asked), random(rng), damping(rarer) {}

  RunText text;
  Rng& random;
  const Damping& damping;
  // How unusual it is in each respect, drawn first, so that plain configurations stay common.
  double parameters = 0, faults = 0, weights = 0, timers = 0;

  std::string scheduler;
  int nodes = 0;
  std::int64_t steps = 0;
  bool tail = true;
  bool liars = false, plan = false;  // somebody lies; by a plan in stages
  FaultKinds kinds;                  // that it may have
  std::string about;

  void feature(const std::string& word) {
    if (!about.empty()) about += ' ';
    about += word;
  }
  // A chance that is less for what is to be drawn less.
  bool chance(double p, const std::string& of) {
    const auto rarer = damping.find(of);
    return random.chance(rarer == damping.end() ? p : p * rarer->second);
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return log_uniform_integer(random, low, high);
  }
};

}  // namespace schism
