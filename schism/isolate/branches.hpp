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
  void add(const Run& run);
  bool empty() const { return index_.empty(); }
  Table table(std::vector<std::string>& names) const;  // by the branches' names

 private:
  struct Seen {
    std::uint32_t run;
    std::uint8_t bits;
  };
  std::map<std::string, std::vector<Seen>, std::less<>> index_;
  std::vector<RunInfo> runs_;
};

}  // namespace schism::isolate
