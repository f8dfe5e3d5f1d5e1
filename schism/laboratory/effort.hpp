// What a search costs, counted in several ways at once, so that strategies can be compared in the
// one that is asked about: runs say nothing of their length, steps nothing of their price.
#pragma once

#include <cstdint>
#include <string>

#include "schism/base/enum.hpp"
#include "schism/base/fields.hpp"

namespace schism {

struct HuntOptions;
struct HuntProgress;

// Time inside the world is `simulated`; `cpu` is that of players and director on this machine.
SCHISM_ENUM(Unit, runs, steps, deliveries, simulated, cpu);

struct Effort {
  std::uint64_t runs = 0, steps = 0, deliveries = 0, simulated_us = 0;
  double cpu = 0;  // seconds; the only one that differs from one time to the next

  double in(Unit unit) const;  // times in seconds
  friend bool operator==(const Effort&, const Effort&) = default;
  FIELDS(runs, steps, deliveries, simulated_us, cpu)
};

Effort effort_of(const HuntProgress& totals);

// What efforts are counted in: the first in which there is a budget; runs where only time is
// limited.
Unit unit_of(const HuntOptions& budget);
// The budget in that unit; 0: there is none, and trials give up at different efforts.
double limit_of(const HuntOptions& budget);

std::string unit_words(Unit unit);                  // "CPU-seconds"
std::string effort_text(double effort, Unit unit);  // "1234", "0.123"
// Whether the same program finds the same numbers again.
bool is_exact(const HuntOptions& budget);

}  // namespace schism
