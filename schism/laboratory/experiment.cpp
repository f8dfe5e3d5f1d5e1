#include "schism/laboratory/experiment.hpp"

#include <algorithm>

namespace schism {
namespace {

constexpr double kQuickSeconds = 5;  // CPU time of players; starting them comes on top

// All that decides a trial beside its configuration and seed.
std::string terms_of(const Experiment& e) {
  std::string out;
  const auto add = [&](const char* word, auto value) {
    if (value != decltype(value){}) out += fmt::format(" {}={}", word, value);
  };
  add("runs", e.budget.runs);
  add("steps", e.budget.steps);
  add("deliveries", e.budget.deliveries);
  add("simulated", e.budget.simulated_us);
  add("cpu", e.budget.cpu_seconds);
  add("time", e.budget.seconds);
  add("keep-going", e.budget.keep_going);
  add("shrink", e.shrink);
  for (const Spec& coverage : e.budget.coverage) out += " coverage=" + print_spec(coverage);
  return out;
}

}  // namespace

std::uint64_t trial_seed(std::uint64_t first, int trial) {
  return first + static_cast<std::uint64_t>(trial) * 1'000'003'000'007;
}

Result<RunConfig> config_of(const Case& c, const Strategy& strategy) {
  const auto own = c.explorers.find(strategy.name);
  const Spec& explorer = own == c.explorers.end() ? strategy.explorer : own->second;
  RunText text = c.text;
  text.explorer = explorer;
  auto config = c.exhibit ? exhibit_config(*c.exhibit, explorer) : make_config(text);
  if (!config) return error("case {}, {}: {}", c.name, strategy.name, config.error());
  return config;
}

Status check(const Experiment& experiment) {
  for (const Case& c : experiment.cases)
    for (const Strategy& strategy : experiment.strategies) {
      const auto config = config_of(c, strategy);
      if (!config) return tl::unexpected(config.error());
      if (auto book = Book::open(experiment.budget.coverage, config->setup, 8); !book)
        return error("case {}, {}: {}", c.name, strategy.name, book.error());
    }
  return {};
}

std::vector<TrialOrder> orders_of(const Experiment& experiment) {
  std::vector<TrialOrder> out;
  const std::string terms = terms_of(experiment);
  for (std::size_t c = 0; c < experiment.cases.size(); ++c)
    for (std::size_t s = 0; s < experiment.strategies.size(); ++s) {
      const auto config = config_of(experiment.cases[c], experiment.strategies[s]);
      const std::string flags = config ? to_flags(*config) : config.error();
      for (int trial = 0; trial < experiment.trials; ++trial) {
        const std::uint64_t seed = trial_seed(experiment.budget.seed, trial);
        out.push_back({c, s, trial, seed, fmt::format("{} --seed {}{}", flags, seed, terms)});
      }
    }
  return out;
}

void make_quick(Experiment& experiment) {
  experiment.trials = 1;
  experiment.quick = true;
  const auto cells = static_cast<double>(experiment.cases.size() * experiment.strategies.size());
  double& most = experiment.budget.cpu_seconds;
  const double share = kQuickSeconds / std::max(1.0, cells);
  most = most > 0 ? std::min(most, share) : share;
}

}  // namespace schism
