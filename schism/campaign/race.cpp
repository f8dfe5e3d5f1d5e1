#include "schism/campaign/race.hpp"

#include <fmt/format.h>

#include "schism/campaign/compare.hpp"

namespace schism {
namespace {

// A hunt that never comes back is told, not waited for.
constexpr double kWallSeconds = 60, kWallTimes = 40;

HeatResult play(const Heat& heat, const Exhibit& bug, const std::atomic<bool>& stop) {
  HeatResult out;
  const auto spec = parse_spec(heat.explorer);
  const auto config = spec ? exhibit_config(bug, *spec) : tl::unexpected(spec.error());
  if (!config) {
    out.problem = config.error();
    return out;
  }
  HuntOptions options;
  options.cpu_seconds = heat.budget;
  options.seconds = kWallSeconds + kWallTimes * heat.budget;
  options.seed = trial_seed(1, heat.trial);
  options.shrink = false;
  const auto result = hunt(*config, options, {}, stop);
  if (!result || !result->problem.empty()) {
    out.problem = result ? result->problem : result.error();
    return out;
  }
  if (result->nondeterminism) out.problem = "a run went differently when it was repeated";
  out.found = !result->finds.empty();
  out.at = out.found ? std::min(result->totals.cpu_seconds, heat.budget) : heat.budget;
  out.runs = result->totals.runs;
  out.steps = result->totals.steps;
  if (out.found) out.property = result->finds[0].trace.violation->property;
  return out;
}

}  // namespace

// Bug by bug, so that the beginning of a race compares everybody on some bugs.
std::vector<Heat> Race::heats() const {
  std::vector<Heat> out;
  for (const Exhibit& exhibit : bugs)
    for (int trial = 0; trial < trials; ++trial)
      for (const std::string& explorer : explorers)
        out.push_back({exhibit.name(), explorer, trial, budget});
  return out;
}

Status run_race(const Race& race, RaceBook& book,
                const std::function<void(const Heat&, const HeatResult&, std::size_t left)>& done,
                const std::atomic<bool>& stop) {
  std::vector<Heat> left = race.heats();
  std::erase_if(left, [&](const Heat& heat) { return book.find(heat) != nullptr; });
  for (std::size_t i = 0; i < left.size() && !stop; ++i) {
    const auto exhibit = find_exhibit(left[i].bug);
    if (!exhibit) return tl::unexpected(exhibit.error());
    const HeatResult result = play(left[i], *exhibit, stop);
    if (stop) break;  // what was interrupted says nothing
    if (auto kept = book.add(left[i], result); !kept) return kept;
    if (done) done(left[i], result, left.size() - i - 1);
  }
  return {};
}

std::vector<measure::Trial> trials_of(const Race& race, const RaceBook& book,
                                      const std::string& bug, const std::string& explorer) {
  std::vector<measure::Trial> out;
  for (int trial = 0; trial < race.trials; ++trial)
    if (const HeatResult* r = book.find({bug, explorer, trial, race.budget}))
      if (r->problem.empty()) out.push_back({r->at, r->found});
  return out;
}

Standings standings_of(const Race& race, const RaceBook& book) {
  Standings out;
  for (const Heat& heat : race.heats()) {
    const HeatResult* result = book.find(heat);
    if (!result) ++out.missing;
    else if (!result->problem.empty())
      out.problems.push_back(fmt::format("{} by {}, trial {}: {}", heat.bug, heat.explorer,
                                         heat.trial, result->problem));
  }
  for (const std::string& explorer : race.explorers) {
    Standing row;
    row.explorer = explorer;
    std::vector<measure::Trial> all;
    std::vector<measure::CaseTrials> cases;
    double sum = 0;
    for (const Exhibit& exhibit : race.bugs) {
      auto own = trials_of(race, book, exhibit.name(), explorer);
      auto first = trials_of(race, book, exhibit.name(), race.explorers.front());
      if (own.empty() || first.empty()) continue;
      const auto found =
          std::count_if(own.begin(), own.end(), [](const auto& t) { return t.found; });
      row.found += static_cast<int>(found);
      row.bugs_found += found > 0 ? 1 : 0;
      row.trials += static_cast<int>(own.size());
      sum += measure::par2(own).value_or(0);
      all.insert(all.end(), own.begin(), own.end());
      cases.push_back({exhibit.name(), std::move(own), std::move(first)});
    }
    if (!cases.empty()) row.par2 = sum / static_cast<double>(cases.size());
    if (explorer != race.explorers.front() && cases.size() > 1)
      if (auto ratio = measure::par2_ratio(cases, measure::Resample::cases)) row.ratio = *ratio;
    if (auto curve = measure::kaplan_meier(all)) row.survival = *std::move(curve);
    out.explorers.push_back(std::move(row));
  }
  return out;
}

}  // namespace schism
