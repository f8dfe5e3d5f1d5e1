#include "schism/laboratory/effort.hpp"

#include <fmt/format.h>

#include "schism/campaign/hunt.hpp"

namespace schism {

double Effort::in(Unit unit) const {
  switch (unit) {
    case Unit::runs: return static_cast<double>(runs);
    case Unit::steps: return static_cast<double>(steps);
    case Unit::deliveries: return static_cast<double>(deliveries);
    case Unit::simulated: return static_cast<double>(simulated_us) * 1e-6;
    case Unit::cpu: return cpu;
  }
  return 0;
}

Effort effort_of(const HuntProgress& totals) {
  return {totals.runs, totals.steps, totals.deliveries, totals.simulated_us, totals.cpu_seconds};
}

Unit unit_of(const HuntOptions& budget) {
  if (budget.runs > 0) return Unit::runs;
  if (budget.steps > 0) return Unit::steps;
  if (budget.deliveries > 0) return Unit::deliveries;
  if (budget.simulated_us > 0) return Unit::simulated;
  return budget.cpu_seconds > 0 ? Unit::cpu : Unit::runs;
}

double limit_of(const HuntOptions& budget) {
  const Effort limits{budget.runs, budget.steps, budget.deliveries, budget.simulated_us,
                      budget.cpu_seconds};
  return limits.in(unit_of(budget));
}

bool is_exact(const HuntOptions& budget) { return budget.seconds == 0 && budget.cpu_seconds == 0; }

std::string unit_words(Unit unit) {
  if (unit == Unit::simulated) return "simulated seconds";
  return unit == Unit::cpu ? "CPU-seconds" : std::string(enum_name(unit));
}

std::string effort_text(double effort, Unit unit) {
  if (unit == Unit::cpu) return fmt::format("{:.3f}", effort);
  return unit == Unit::simulated ? fmt::format("{:.2f}", effort) : fmt::format("{:.0f}", effort);
}

}  // namespace schism
