#include "schism/measure/test_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace schism::measure {
namespace {

std::string effect_text(const Effect& e) {
  if (!e.value) return fmt::format("{} undefined", e.name);
  std::string out = fmt::format("{} = {:.4g}", e.name, *e.value);
  if (e.interval)
    out += fmt::format(" ({:.4g}% interval {:.4g} to {:.4g})", 100 * e.confidence, e.interval->low,
                       e.interval->high);
  return out;
}

}  // namespace

std::string Words::direction(double sign) const {
  if (sign == 0) return fmt::format("neither {} nor {} {} more {}", a, b, verb, quantity);
  return fmt::format("{} {} {} {} than {}", a, verb, sign < 0 ? "fewer" : "more", quantity, b);
}

std::string p_text(double p) {
  if (p <= 0) return "p < 1e-300";  // too small for a double, never impossible
  return p < 0.0001 ? fmt::format("p = {:.2g}", p) : fmt::format("p = {:.4f}", p);
}

std::string hypothesis_text(Alternative alternative, const Words& words) {
  switch (alternative) {
    case Alternative::two_sided: return "two-sided";
    case Alternative::less: return fmt::format("one-sided: {} less than {}", words.a, words.b);
    case Alternative::greater:
      return fmt::format("one-sided: {} greater than {}", words.a, words.b);
    case Alternative::any: return "not all alike";
  }
  return "";
}

std::string TestResult::line() const {
  std::string out = test + " " + symbol;
  if (!freedom.empty()) out += fmt::format("({:.4g})", fmt::join(freedom, ", "));
  out += std::isnan(statistic) ? " undefined" : fmt::format(" = {:.6g}", statistic);
  out += p ? ", " + p_text(*p) : ", no p: " + why_no_p;
  out += fmt::format(", {} ({})", hypothesis, method);
  for (const Effect& e : effects) out += "; " + effect_text(e);
  if (!direction.empty()) out += "; " + direction;
  if (!sizes.empty()) out += fmt::format("; n = {}", fmt::join(sizes, ", "));
  if (!note.empty()) out += "; " + note;
  return out;
}

double Tails::p(Alternative alternative, TwoSided rule) const {
  switch (alternative) {
    case Alternative::less: return std::min(1.0, less);
    case Alternative::greater: return std::min(1.0, greater);
    default: break;
  }
  return std::min(1.0, rule == TwoSided::distance ? distance : 2 * std::min(less, greater));
}

Status check_sample(std::span<const double> values, const std::string& name, std::size_t least) {
  if (values.size() < least)
    return error("{} has {} value{}, and at least {} are needed", name, values.size(),
                 values.size() == 1 ? "" : "s", least);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return error("{}: value {} is {}, not a finite number", name, i + 1, values[i]);
  return {};
}

Status check_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return {};
  return error("a confidence of {} is not between 0 and 1", confidence);
}

}  // namespace schism::measure
