#include "schism/check/search.hpp"

#include <algorithm>

namespace schism::check {

Table<Search>& searches() {
  static Table<Search> table;
  return table;
}

Status Search::check(const Limits&) const { return {}; }

SearchTotals& SearchTotals::operator+=(const SearchTotals& o) {
  executions += o.executions, cut += o.cut, blocked += o.blocked;
  steps += o.steps, withheld += o.withheld, states += o.states;
  endless += o.endless;
  longest = std::max(longest, o.longest);
  wakeup_peak = std::max(wakeup_peak, o.wakeup_peak);
  return *this;
}

SearchTotals totals_of(const DporTotals& t) {
  SearchTotals out;
  out.executions = t.executions, out.cut = t.cut, out.blocked = t.blocked;
  out.steps = t.steps, out.withheld = t.withheld, out.longest = t.longest;
  out.wakeup_peak = t.wakeup_peak;
  return out;
}

}  // namespace schism::check
