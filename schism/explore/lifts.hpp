// Which features of what was drawn go with finds: counted by group, weighed by steps.
#pragma once

#include <map>
#include <span>

#include "schism/explore/draw.hpp"
#include "schism/words/codec.hpp"

namespace schism {

class Lifts {
 public:
  // A group of runs: its features, how long it was, and which oracles it violated.
  void add(std::string_view features, std::uint64_t steps, const std::vector<std::uint32_t>& hits);

  std::vector<Lift> table() const;  // the strongest first
  // What leads to a violation that is well known by now: to be drawn less.
  Damping damping() const;

  std::string save() const { return encode(all_); }
  Status load(std::string_view state);

 private:
  struct Count {
    std::uint64_t draws = 0, steps = 0, hits = 0;
    std::map<std::uint32_t, std::uint64_t> by_oracle;  // of the hits
    FIELDS(draws, steps, hits, by_oracle)
  };
  struct All {
    Count total;
    std::map<std::string, Count> features;
    FIELDS(total, features)
  };
  static void count(Count& into, std::uint64_t steps, const std::vector<std::uint32_t>& hits);
  static double lift(std::uint64_t hits, std::uint64_t steps, std::uint64_t all_hits,
                     std::uint64_t all_steps);

  All all_;
};

}  // namespace schism
