// Many tests at once: a p of 0.03 among forty tests is no news. Each function gives the p's back in
// their order, to be compared with the wanted level as they are.
#pragma once

#include <span>
#include <vector>

#include "schism/base/result.hpp"

namespace schism::measure {

// Holm 1979: the chance of any false claim stays below the level, whatever depends on what. Ours.
Result<std::vector<double>> holm(std::span<const double> p);
// Benjamini and Hochberg 1995: the expected share of false claims among the claims.
Result<std::vector<double>> benjamini_hochberg(std::span<const double> p);
Result<std::vector<double>> bonferroni(std::span<const double> p);

}  // namespace schism::measure
