// The trials of one case of `schism score`, and their files: a line a trial, and curves over macro
// steps as pictures.
#pragma once

#include "schism/learn/score.hpp"

namespace schism::cli {

// All trials of one strategy in one case.
struct Column {
  std::string name;
  std::string target, way;  // what it was told to reach, and how it was told; empty: nothing
  std::vector<learn::TrialScore> trials = {};

  std::vector<double> states() const;
  std::vector<double> behind(std::size_t target_number) const;
  std::vector<double> covered(std::size_t coverage) const;
  std::vector<double> within(std::size_t place) const;
  // Episodes that showed it, as a violation or muted.
  std::vector<double> showed(const std::string& property) const;
  std::vector<double> wrong() const;  // episodes that showed any
};

struct Scored {
  std::string name;
  std::vector<std::string> targets;
  learn::Also also = {};
  std::vector<Column> columns = {};

  std::size_t number_of(const std::string& target) const;
  // What was muted and what was violated, in any trial.
  std::vector<std::string> properties() const;
};

// NAME.csv, NAME.svg, and NAME-TARGET.svg for each target, in a folder that is there.
Status keep_scored(const Scored& scored, const std::string& folder);

}  // namespace schism::cli
