#include "schism/laboratory/trial.hpp"

#include <algorithm>

namespace schism {
namespace {

// A hunt that never comes back is told, not waited for.
constexpr double kWallSeconds = 60, kWallTimes = 40;

// Looks on at the runs of a trial.
class Notes {
 public:
  explicit Notes(const HuntOptions& budget) : unit_(unit_of(budget)), limit_(limit_of(budget)) {}

  void count(const HuntProgress& totals, const RunSummary& run, const Book& book,
             std::optional<double> fitness) {
    const Effort now = effort_of(totals);
    if (run.violated && !record_.found) {
      record_.found = true;
      record_.at = now;
    }
    if (record_.curves.empty())
      for (const Spec& spec : book.coverages()) record_.curves.push_back({spec.name, {}, 0});
    for (std::size_t i = 0; i < book.coverages().size(); ++i)
      record_.curves[i].last = static_cast<double>(book.keys(i));
    if (fitness) count_fitness(*fitness);
    if (limit_ > 0)
      while (points_ < kCurvePoints && now.in(unit_)*kCurvePoints >= limit_ * (points_ + 1))
        point();
  }

  // `used_up`: the last run that counted is within the budget, and the next one was not.
  Record finish(bool used_up) {
    while (used_up && limit_ > 0 && points_ < kCurvePoints) point();
    return std::move(record_);
  }

 private:
  void count_fitness(double fitness) {
    auto at = std::find_if(record_.curves.begin(), record_.curves.end(),
                           [](const Curve& curve) { return curve.name == kFitness; });
    // Points before the first run that was judged have no number: the curve begins with it.
    if (at == record_.curves.end())
      at = record_.curves.insert(
          at, {kFitness, std::vector<double>(static_cast<std::size_t>(points_), fitness), fitness});
    at->last = std::max(at->last, fitness);
  }

  void point() {
    ++points_;
    for (Curve& curve : record_.curves) curve.values.push_back(curve.last);
  }

  Unit unit_;
  double limit_;
  int points_ = 0;
  Record record_;
};

HuntOptions options_of(const Experiment& experiment, const TrialOrder& order) {
  HuntOptions out = experiment.budget;
  out.seed = order.seed;
  out.jobs = 1;
  out.shrink = experiment.shrink;
  out.clocked = true;
  if (out.seconds == 0 && out.cpu_seconds > 0)
    out.seconds = kWallSeconds + kWallTimes * out.cpu_seconds;
  return out;
}

Small small_of(const Find& find) {
  return {find.small->before.actions, find.small->after.actions,
          find.small->after.nodes,    find.small->certificate.minimal,
          find.small->replays,        find.evidence + " " + to_hex(find.shapes.front().shape)};
}

// Whether it ended by itself: with a find, all its runs, or a budget that the next run would pass.
bool is_whole(const HuntOptions& options, const HuntResult& result) {
  if (!result.finds.empty() && !options.keep_going) return true;
  if (!result.out_of_time) return true;
  return limit_of(options) > 0 && (options.seconds == 0 || result.totals.seconds < options.seconds);
}

Record failed(std::string why) {
  Record out;
  out.problem = std::move(why);
  return out;
}

}  // namespace

std::optional<Record> play(const Experiment& experiment, const TrialOrder& order,
                           const std::atomic<bool>& stop) {
  const auto config =
      config_of(experiment.cases[order.case_index], experiment.strategies[order.strategy]);
  if (!config) return failed(config.error());
  const HuntOptions options = options_of(experiment, order);
  Notes notes(experiment.budget);
  HuntListener listener;
  listener.counted = [&](const HuntProgress& totals, const RunSummary& run, const Book& book,
                         std::optional<double> fitness) {
    notes.count(totals, run, book, fitness);
  };
  const auto result = hunt(*config, options, listener, stop);
  if (!result) return failed(result.error());
  if (!result->problem.empty()) return failed(result->problem);
  if (result->interrupted) return std::nullopt;
  if (result->nondeterminism)
    return failed(fmt::format("run {} from seed {} is not deterministic; `hunt` shows it",
                              result->nondeterminism->run, order.seed));
  const bool ended_by_find = !result->finds.empty() && !options.keep_going;
  Record record = notes.finish(!ended_by_find);
  // A violation that could not be examined is none.
  record.found = !result->finds.empty();
  record.total = effort_of(result->totals);
  record.violated = result->totals.violated;
  record.seconds = result->totals.seconds;
  record.whole = is_whole(options, *result);
  for (const Find& find : result->finds)
    record.sightings.push_back({find.trace.violation->property, find.evidence, find.count});
  if (!result->finds.empty() && result->finds[0].small) record.small = small_of(result->finds[0]);
  return record;
}

}  // namespace schism
