#include "schism/isolate/branches.hpp"

namespace schism::isolate {

void Branches::add(const Run& run) {
  for (const auto& [name, bits] : run.branches)
    if (bits != 0) index_[name].push_back({static_cast<std::uint32_t>(runs_.size()), bits});
  runs_.push_back(run.info);
}

Table Branches::table(std::vector<std::string>& names) const {
  Table out(runs_);
  names.clear();
  for (const auto& [name, seen] : index_)
    for (const bool way : {true, false}) {
      const auto [holds, observed] = out.add_observed();
      names.push_back(name + (way ? " is true" : " is false"));
      for (const Seen& s : seen) {
        set(observed, s.run);
        if (s.bits & (way ? 1 : 2)) set(holds, s.run);
      }
    }
  return out;
}

}  // namespace schism::isolate
