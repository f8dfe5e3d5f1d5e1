#include "schism/measure/trial.hpp"

#include <fmt/format.h>

#include <cmath>

namespace schism::measure {
namespace {

using Samples = std::vector<std::vector<double>>;

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double cost(const Trial& t, double penalty) { return t.found ? t.at : penalty * t.at; }

// Each case's trials are a stratum, a's and b's apart; they alternate.
double ratio_of_trials(const Samples& samples) {
  double a = 0, b = 0;
  for (std::size_t i = 0; i + 1 < samples.size(); i += 2)
    a += mean(samples[i]), b += mean(samples[i + 1]);
  return a / b;
}

Result<Samples> costs(std::span<const CaseTrials> cases) {
  Samples out;
  for (const CaseTrials& c : cases) {
    for (const auto* trials : {&c.a, &c.b}) {
      if (const Status ok = check_trials(*trials, c.name); !ok) return tl::unexpected(ok.error());
      auto& values = out.emplace_back();
      for (const Trial& t : *trials) values.push_back(cost(t, 2));
    }
  }
  return out;
}

}  // namespace

Status check_trials(std::span<const Trial> trials, const std::string& name) {
  if (trials.empty()) return error("{} has no trials", name);
  for (const Trial& t : trials)
    if (!std::isfinite(t.at) || t.at < 0)
      return error("{}: a trial ended at {}, which is no effort", name, t.at);
  return {};
}

Result<std::vector<double>> at_budget(std::span<const Trial> trials, double budget,
                                      const std::string& name) {
  if (const Status ok = check_trials(trials, name); !ok) return tl::unexpected(ok.error());
  std::vector<double> out;
  for (const Trial& t : trials) {
    if (t.found && t.at > budget)
      return error("{}: a find at {} is beyond the budget of {}", name, t.at, budget);
    if (!t.found && t.at < budget)
      return error("{}: a trial gave up at {}, before the budget of {}", name, t.at, budget);
    out.push_back(t.found ? t.at : budget);
  }
  return out;
}

Result<double> penalised_average(std::span<const Trial> trials, double penalty) {
  if (const Status ok = check_trials(trials, "a penalised average"); !ok)
    return tl::unexpected(ok.error());
  if (!(penalty >= 1)) return error("a penalty of {} would reward misses", penalty);
  double sum = 0;
  for (const Trial& t : trials) sum += cost(t, penalty);
  return sum / static_cast<double>(trials.size());
}

Result<Effect> par2_ratio(std::span<const CaseTrials> cases, Resample resample,
                          const BootstrapOptions& options) {
  if (cases.empty()) return error("a ratio of PAR-2 over no cases says nothing");
  const Result<Samples> values = costs(cases);
  if (!values) return tl::unexpected(values.error());
  const std::string name =
      fmt::format("PAR-2 ratio, {} resampled", resample == Resample::trials ? "trials" : "cases");
  if (resample == Resample::trials) return bootstrap(name, *values, ratio_of_trials, options);
  // Cases are drawn by number, so that both strategies keep what belongs to the case.
  std::vector<double> a, b, numbers;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    a.push_back(mean((*values)[2 * i]));
    b.push_back(mean((*values)[2 * i + 1]));
    numbers.push_back(static_cast<double>(i));
  }
  const auto ratio = [&](const Samples& drawn) {
    double sum_a = 0, sum_b = 0;
    for (const double number : drawn[0]) {
      const auto i = static_cast<std::size_t>(number);
      sum_a += a[i], sum_b += b[i];
    }
    return sum_a / sum_b;
  };
  return bootstrap(name, {numbers}, ratio, options);
}

}  // namespace schism::measure
