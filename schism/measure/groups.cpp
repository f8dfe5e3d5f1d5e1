#include "schism/measure/groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schism::measure {

Status check_groups(std::span<const Group> groups, std::size_t least) {
  if (groups.size() < 2)
    return error("{} group{} cannot be compared", groups.size(), groups.size() == 1 ? "" : "s");
  for (const Group& g : groups)
    if (const Status ok = check_sample(g.values, g.name, least); !ok) return ok;
  return {};
}

Status check_paired(std::span<const Group> groups) {
  if (const Status ok = check_groups(groups, 2); !ok) return ok;
  for (const Group& g : groups)
    if (g.values.size() != groups[0].values.size())
      return error("{} has {} values and {} has {}: every row needs one in each column", g.name,
                   g.values.size(), groups[0].name, groups[0].values.size());
  return {};
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

std::string extremes(std::span<const Group> groups, std::span<const double> centres,
                     const std::string& what) {
  const auto [low, high] = std::minmax_element(centres.begin(), centres.end());
  if (*low == *high) return fmt::format("every {} is {:.6g}", what, *low);
  return fmt::format("lowest {}: {} ({:.6g}), highest: {} ({:.6g})", what,
                     groups[static_cast<std::size_t>(low - centres.begin())].name, *low,
                     groups[static_cast<std::size_t>(high - centres.begin())].name, *high);
}

}  // namespace schism::measure
