// As analysis of variance, by ranks: where values are far from normal, as efforts to find a bug
// are. Both correct for ties; both are chi-squared approximations, rough below about six rows or
// values.
#pragma once

#include "schism/measure/groups.hpp"

namespace schism::measure {

// Kruskal and Wallis 1952: unrelated groups.
Result<TestResult> kruskal_wallis(std::span<const Group> groups);
// Friedman 1937: columns measured on the same rows; ranks are taken within each row.
Result<TestResult> friedman(std::span<const Group> columns);

}  // namespace schism::measure
