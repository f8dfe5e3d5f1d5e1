#include "schism/scenario/clauses.hpp"

#include "schism/scenario/parse.hpp"
#include "schism/scenario/vocabulary.hpp"
#include "schism/system/systems.hpp"

namespace schism::scenario {

std::vector<std::string> clauses_of(const System& system) {
  std::vector<std::string> out;
  for (int i = 0; i < system.message_count(); ++i)
    out.push_back("received " + std::string(system.message(i).name));
  for (const std::string& timer : system.timer_names()) out.push_back("fired " + timer);
  if (const NodeClass* taker = system.request_class())
    for (int i = 0; i < taker->request_count; ++i)
      out.push_back("invoked " + std::string(taker->requests[i]->name));
  for (const NamedCondition& word : vocabulary_of(system.name).words)
    if (word.parameters.empty()) out.push_back(word.name);
  return out;
}

Result<std::vector<Clause>> reach(const Scenario& scenario, const TestOptions& options,
                                  const std::atomic<bool>& stop) {
  const auto config = configure(scenario);
  if (!config) return tl::unexpected(config.error());
  Scenario watched = scenario;
  std::vector<Filter> all;
  for (const std::string& clause : clauses_of(*config->setup.system)) {
    auto condition = parse_condition(clause, "a clause");
    if (!condition) return tl::unexpected(condition.error());
    Act go_on;
    go_on.kind = Act::go_on;
    all.push_back({clause, *std::move(condition), {go_on}, {}});
  }
  const std::size_t count = all.size();
  all.insert(all.end(), watched.filters.begin(), watched.filters.end());
  watched.filters = std::move(all);
  TestOptions quiet = options;
  quiet.story = quiet.shrinks = false;
  const auto outcome = run_test(watched, quiet, stop);
  if (!outcome) return tl::unexpected(outcome.error());
  std::vector<Clause> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({outcome->filters[i].name, outcome->filters[i].matches});
  return out;
}

}  // namespace schism::scenario
