#include "schism/scenario/clauses.hpp"

#include "schism/run/runner.hpp"
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

namespace {

// The clauses as filters of a scenario of their own, so that their words are found as elsewhere.
Result<std::shared_ptr<const Program>> clause_program(const RunConfig& config) {
  Scenario all;
  all.name = "clauses";
  for (const std::string& clause : clauses_of(*config.setup.system)) {
    auto condition = parse_condition(clause, "a clause");
    if (!condition) return tl::unexpected(condition.error());
    all.filters.push_back({clause, *std::move(condition), {}, {}});
  }
  return Program::bind(std::move(all), config.setup);
}

}  // namespace

Result<std::vector<Clause>> reach(const Scenario& given, const TestOptions& options,
                                  const std::atomic<bool>& stop) {
  const auto scenario = with_options(given, options);
  if (!scenario) return tl::unexpected(scenario.error());
  const auto config = configure(*scenario);
  if (!config) return tl::unexpected(config.error());
  const auto program = clause_program(*config);
  if (!program) return tl::unexpected(program.error());
  std::vector<Clause> out;
  for (const BoundFilter& f : (*program)->filters) out.push_back({f.filter->name, 0});
  State state;
  // A watcher sees the step that ends a run too.
  const auto watcher =
      watch((*program)->listens, [&](const World& world, std::span<const Event> events) {
        if (state.world != &world) state.begin(**program, world);
        for (const Event& e : events)
          for (std::size_t i = 0; i < out.size(); ++i)
            if ((*program)->filters[i].check.holds(world, state, moment_of(e))) ++out[i].reached;
      });
  Runner runner(config->setup, config->limits);
  runner.attach(*watcher);
  const auto scheduler = make_scheduler(*config);
  for (std::uint64_t i = 0; i < scenario->runs && !stop.load(); ++i)
    runner.run(*scheduler, plan_of(*scenario, i));
  return out;
}

}  // namespace schism::scenario
