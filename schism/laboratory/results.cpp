#include "schism/laboratory/results.hpp"

#include <algorithm>

namespace schism {

std::vector<const Record*> Results::of(std::size_t case_index, std::size_t strategy) const {
  std::vector<const Record*> out;
  for (auto at = records.lower_bound({case_index, strategy, 0});
       at != records.end() && std::get<0>(at->first) == case_index &&
       std::get<1>(at->first) == strategy;
       ++at)
    if (at->second.problem.empty()) out.push_back(&at->second);
  return out;
}

measure::Trial trial_of(const Experiment& experiment, const Record& record) {
  const Unit unit = unit_of(experiment.budget);
  const double limit = limit_of(experiment.budget);
  if (record.found) {
    // CPU time is looked at between runs: the run that was just within its budget may end a
    // moment after it.
    const double at = record.at.in(unit);
    return {limit > 0 ? std::min(at, limit) : at, true};
  }
  return {record.whole && limit > 0 ? limit : record.total.in(unit), false};
}

std::vector<measure::Trial> trials_of(const Experiment& experiment, const Results& results,
                                      std::size_t case_index, std::size_t strategy) {
  std::vector<measure::Trial> out;
  for (const Record* record : results.of(case_index, strategy))
    out.push_back(trial_of(experiment, *record));
  return out;
}

std::optional<double> Cell::median() const {
  const std::size_t n = static_cast<std::size_t>(trials), found = efforts_to_find.size();
  if (n == 0 || found <= n / 2) return std::nullopt;  // the upper middle one is not known
  const auto at = [&](std::size_t i) { return efforts_to_find[i]; };
  return n % 2 == 1 ? at(n / 2) : (at(n / 2 - 1) + at(n / 2)) / 2;
}

Cell cell_of(const Experiment& experiment, const Results& results, std::size_t case_index,
             std::size_t strategy) {
  const Case& c = experiment.cases[case_index];
  Cell cell;
  cell.case_name = c.name;
  cell.strategy = experiment.strategies[strategy].name;
  if (const auto config = config_of(c, experiment.strategies[strategy]))
    cell.command = "schism hunt " + to_flags(*config);
  for (int trial = 0; trial < experiment.trials; ++trial) {
    const auto at = results.records.find({case_index, strategy, trial});
    if (at != results.records.end() && !at->second.problem.empty())
      cell.problems.push_back(at->second.problem);
  }
  for (const Record* record : results.of(case_index, strategy)) {
    ++cell.trials;
    cell.total.runs += record->total.runs;
    cell.total.steps += record->total.steps;
    cell.total.deliveries += record->total.deliveries;
    cell.total.simulated_us += record->total.simulated_us;
    cell.total.cpu += record->total.cpu;
    cell.seconds += record->seconds;
    cell.whole = cell.whole && record->whole;
    if (record->small) cell.small.push_back(*record->small);
    for (const Sighting& s : record->sightings)
      cell.occurrences[s.evidence.empty() ? s.property : s.evidence] += s.occurrences;
    if (!record->found) continue;
    cell.efforts_to_find.push_back(trial_of(experiment, *record).at);
    if (!record->sightings.empty()) ++cell.properties[record->sightings.front().property];
  }
  std::sort(cell.efforts_to_find.begin(), cell.efforts_to_find.end());
  std::sort(cell.small.begin(), cell.small.end(),
            [](const Small& a, const Small& b) { return a.after < b.after; });
  const bool always = cell.found() == cell.trials;
  if (c.expected && !(experiment.quick && *c.expected))
    cell.as_expected = *c.expected ? always : cell.efforts_to_find.empty();
  return cell;
}

std::vector<Standing> standings_of(const Experiment& experiment, const Results& results) {
  std::vector<Standing> out;
  for (std::size_t s = 0; s < experiment.strategies.size(); ++s) {
    Standing row;
    row.strategy = experiment.strategies[s].name;
    std::vector<measure::Trial> all;
    std::vector<measure::CaseTrials> cases;
    double sum = 0;
    for (std::size_t c = 0; c < experiment.cases.size(); ++c) {
      auto own = trials_of(experiment, results, c, s);
      auto first = trials_of(experiment, results, c, 0);
      if (own.empty() || first.empty()) continue;
      const auto found =
          std::count_if(own.begin(), own.end(), [](const auto& t) { return t.found; });
      row.found += static_cast<int>(found);
      row.cases_found += found > 0 ? 1 : 0;
      row.trials += static_cast<int>(own.size());
      sum += measure::par2(own).value_or(0);
      all.insert(all.end(), own.begin(), own.end());
      cases.push_back({experiment.cases[c].name, std::move(own), std::move(first)});
    }
    if (!cases.empty()) row.par2 = sum / static_cast<double>(cases.size());
    if (s > 0 && cases.size() > 1)
      if (auto ratio = measure::par2_ratio(cases, measure::Resample::cases)) row.ratio = *ratio;
    if (auto curve = measure::kaplan_meier(all)) row.survival = *std::move(curve);
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace schism
