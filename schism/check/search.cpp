#include "schism/check/search.hpp"

#include <algorithm>

namespace schism::check {

Table<Search>& searches() {
  static Table<Search> table;
  return table;
}

Status Search::check(std::uint32_t) const { return {}; }

SearchTotals& SearchTotals::operator+=(const SearchTotals& o) {
  executions += o.executions, cut += o.cut, blocked += o.blocked;
  steps += o.steps, states += o.states;
  longest = std::max(longest, o.longest);
  wakeup_peak = std::max(wakeup_peak, o.wakeup_peak);
  return *this;
}

}  // namespace schism::check
