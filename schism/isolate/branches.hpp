// The baseline: which way branches of the source went, as in "Scalable Statistical Bug Isolation".
// A branch gives two candidates, "is true" and "is false", observed in the runs that reached it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "schism/isolate/table.hpp"

namespace schism::isolate {

class Branches {
 public:
  // With `faults` the facts about its faults are kept, else its branches.
  void add(const Run& run, bool faults = false);
  bool empty() const { return index_.empty(); }
  Table table(std::vector<std::string>& names) const;  // by the branches' names
  // The same of facts: each can be seen in every run, and one that holds in all of them or in no
  // failing one says nothing.
  Table facts(std::vector<std::string>& names) const;

 private:
  struct Seen {
    std::uint32_t run;
    std::uint8_t bits;
  };
  std::map<std::string, std::vector<Seen>, std::less<>> index_;
  std::vector<RunInfo> runs_;
};

}  // namespace schism::isolate
