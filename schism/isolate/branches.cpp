#include "schism/isolate/branches.hpp"

#include <algorithm>

namespace schism::isolate {

void Branches::add(const Run& run, bool faults) {
  const auto number = static_cast<std::uint32_t>(runs_.size());
  if (faults)
    for (const std::string& fact : run.faults) index_[fact].push_back({number, 1});
  for (const auto& [name, bits] : run.branches)
    if (bits != 0 && !faults) index_[name].push_back({number, bits});
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

Table Branches::facts(std::vector<std::string>& names) const {
  Table out(runs_);
  names.clear();
  for (const auto& [name, seen] : index_) {
    const bool fails =
        std::any_of(seen.begin(), seen.end(), [&](const Seen& s) { return runs_[s.run].failed; });
    if (!fails || seen.size() == runs_.size()) continue;
    const auto holds = out.add();
    names.push_back(name);
    for (const Seen& s : seen) set(holds, s.run);
  }
  return out;
}

}  // namespace schism::isolate
