#include "schism/campaign/compare.hpp"

namespace schism {
namespace {

Result<RunConfig> config_of(const Case& c, const Strategy& strategy) {
  RunText text = c.text;
  const auto own = c.explorers.find(strategy.name);
  text.explorer = own == c.explorers.end() ? strategy.explorer : own->second;
  auto config = make_config(text);
  if (!config) return error("case {}, {}: {}", c.name, strategy.name, config.error());
  return config;
}

Status play(const RunConfig& config, const Experiment& experiment, Cell& cell,
            const std::atomic<bool>& stop) {
  for (int trial = 0; trial < experiment.trials && !stop; ++trial) {
    HuntOptions budget = experiment.budget;
    budget.seed = trial_seed(experiment.budget.seed, trial);
    budget.shrink = experiment.shrink;
    const auto result = hunt(config, budget, {}, stop);
    if (result && !result->problem.empty()) return tl::unexpected(result->problem);
    if (!result) return error("case {}, {}: {}", cell.case_name, cell.strategy, result.error());
    if (result->nondeterminism)
      return error("case {}, {}: run {} from seed {} is not deterministic; `hunt` shows it",
                   cell.case_name, cell.strategy, result->nondeterminism->run, budget.seed);
    cell.runs += result->totals.runs;
    cell.steps += result->totals.steps;
    cell.seconds += result->totals.seconds;
    if (result->interrupted) break;
    ++cell.trials;
    if (result->finds.empty()) continue;
    cell.runs_to_find.push_back(result->totals.runs);
    const Find& find = result->finds[0];
    ++cell.properties[find.trace.violation->property];
    if (find.small)
      cell.small.push_back({find.small->before.actions, find.small->after.actions,
                            find.small->after.nodes, find.small->certificate.minimal,
                            find.small->replays,
                            find.evidence + " " + to_hex(find.shapes.front().shape)});
  }
  std::sort(cell.small.begin(), cell.small.end(),
            [](const Small& a, const Small& b) { return a.after < b.after; });
  std::sort(cell.runs_to_find.begin(), cell.runs_to_find.end());
  return {};
}

}  // namespace

std::optional<double> Cell::median() const {
  const std::size_t n = static_cast<std::size_t>(trials), found = runs_to_find.size();
  if (n == 0 || found <= n / 2) return std::nullopt;  // the upper middle one is not known
  const auto at = [&](std::size_t i) { return static_cast<double>(runs_to_find[i]); };
  return n % 2 == 1 ? at(n / 2) : (at(n / 2 - 1) + at(n / 2)) / 2;
}

std::uint64_t trial_seed(std::uint64_t first, int trial) {
  return first + static_cast<std::uint64_t>(trial) * 1'000'003'000'007;
}

Status check(const Experiment& experiment) {
  for (const Case& c : experiment.cases)
    for (const Strategy& strategy : experiment.strategies)
      if (auto config = config_of(c, strategy); !config) return tl::unexpected(config.error());
  return {};
}

Result<std::vector<Cell>> compare(const Experiment& experiment,
                                  const std::function<void(const Cell&)>& done,
                                  const std::atomic<bool>& stop) {
  std::vector<Cell> cells;
  for (const Case& c : experiment.cases)
    for (const Strategy& strategy : experiment.strategies) {
      const auto config = config_of(c, strategy);
      if (!config) return tl::unexpected(config.error());
      Cell cell;
      cell.case_name = c.name;
      cell.strategy = strategy.name;
      cell.command = "schism hunt " + to_flags(*config);
      if (auto s = play(*config, experiment, cell, stop); !s) return tl::unexpected(s.error());
      const bool always = static_cast<int>(cell.runs_to_find.size()) == cell.trials;
      if (c.expected) cell.as_expected = *c.expected ? always : cell.runs_to_find.empty();
      if (stop) return cells;  // what is not complete is not shown
      if (done) done(cell);
      cells.push_back(std::move(cell));
    }
  return cells;
}

}  // namespace schism
