#include "schism/check/plan.hpp"

#include <algorithm>

namespace schism::check {

// What is chosen belongs to the step before it.
std::uint32_t Plan::steps_given() const {
  return static_cast<std::uint32_t>(
      std::count_if(beginning.begin(), beginning.end(),
                    [](const Action& action) { return action.kind != Do::choose; }));
}

Search::Limits Plan::limits(std::uint32_t depth) const {
  Search::Limits out;
  out.depth = depth;
  out.most = config.limits.steps;
  out.delays = delays;
  out.from = steps_given();
  return out;
}

std::unique_ptr<WorldModel> Plan::model(const Part& part, bool reducing) const {
  auto out = std::make_unique<WorldModel>(config.setup, bounds(part), reducing, part.start);
  if (!beginning.empty() && !follow(*out, beginning)) return nullptr;
  return out;
}

Outcome explore(const Plan& plan, Search& search, const Part& part, std::uint32_t depth,
                std::function<bool(const SearchTotals&)> stop) {
  const auto model = plan.model(part, search.reducing());
  if (model->violation()) return outcome_of(*model, Finished::by_model, {});
  Search::Limits limits = plan.limits(depth);
  // Runs that do not end by themselves will not end later either.
  limits.stop = [&, stop = std::move(stop)](const SearchTotals& t) {
    return (depth == 0 && t.cut > 0 && search.exhaustive()) || (stop && stop(t));
  };
  if (plan.graph) {
    const auto number = static_cast<std::size_t>(&part - plan.parts.data());
    limits.graph = &plan.graph->part(number);
  }
  SearchTotals totals;
  const Finished ending = search.run(*model, limits, totals);
  if (limits.graph) limits.graph->flush();
  return outcome_of(*model, ending, totals);
}

}  // namespace schism::check
