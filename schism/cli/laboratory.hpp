// What `compare` and `zoo race` share: trials carried out and kept, tables printed, files written.
#pragma once

#include <string>
#include <vector>

#include "schism/laboratory/crew.hpp"

namespace schism::cli {

using Rows = std::vector<std::vector<std::string>>;  // the first is the head
void print_table(const Rows& rows, bool markdown);

// How strategies rank, and every case.
Rows standings_rows(const Experiment& experiment, const Results& results);
Rows case_rows(const Experiment& experiment, const Results& results);

// Plays what the store in the folder does not have; without a folder all of it. `name` is that of
// the files: NAME.csv, NAME.json, NAME.html beside results.sqlite.
struct Laboratory {
  std::string out, name;
  int jobs = 1;
  CrewListener listener;

  Result<Results> run(const Experiment& experiment) const;
  // Their names for a line about it; empty: there is no folder.
  Result<std::string> write(const Experiment& experiment, const Results& results) const;
};

}  // namespace schism::cli
