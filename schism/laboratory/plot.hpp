// Pictures of an experiment as SVG: survival curves, curves with bands, boxes. Plain elements that
// take their colours from the page's style.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "schism/measure/survival.hpp"

namespace schism::plot {

struct Axis {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::string words = {};  // below it, or at its top

  // Between 0 and 1; what is outside is at the edge.
  double share(double value) const;
  // Where lines are: few, round.
  std::vector<double> ticks() const;
};

const char* color(std::size_t series);

struct Survivor {
  std::string name;
  measure::Survival curve;
};
// The share that has not found it yet, falling with effort.
std::string survival(std::span<const Survivor> series, const Axis& x);

// Of several trials at the same points: the middle one, and where half of them are.
struct Band {
  std::string name;
  std::vector<double> low, middle, high;
};
Band band_of(std::string name, const std::vector<std::vector<double>>& trials);
// Points lie at equal parts of the axis, the first after one part, `points` in all.
std::string bands(std::span<const Band> series, const Axis& x, const Axis& y, int points);

// Median, quartiles, and the outermost within 1.5 times their distance; dots beyond. A row each.
struct Box {
  std::string name;
  std::vector<double> values;
  std::size_t misses = 0;  // that are not among the values: told in words
};
std::string boxes(std::span<const Box> series, const Axis& x);

}  // namespace schism::plot
