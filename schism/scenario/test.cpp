#include "schism/scenario/test.hpp"

#include <fmt/format.h>

#include "schism/draw/story.hpp"
#include "schism/measure/proportion.hpp"
#include "schism/run/runner.hpp"
#include "schism/scenario/goal.hpp"
#include "schism/scenario/player.hpp"
#include "schism/scenario/warnings.hpp"
#include "schism/shrink/shrink.hpp"

namespace schism::scenario {
namespace {

const Goal* goal_of(const Runner& runner) {
  for (const auto& oracle : runner.oracles())
    if (const auto* goal = dynamic_cast<const Goal*>(oracle.get())) return goal;
  return nullptr;
}

// With the requests of the scenario's own clients: a replay has no filters that would ask.
Trace trace_of(RunConfig config, Runner& runner, const RunPlan& plan, std::uint64_t run) {
  const World& world = runner.world();
  if (!program_of(config)->requests.empty())
    config.setup.requests = std::make_shared<const std::vector<ClientRequest>>(world.requests());
  auto decisions = record(world.decisions(), world.contents());
  return make_trace(config, plan, run, std::move(decisions));
}

std::string percent_of(std::uint64_t n, std::uint64_t of) {
  const auto interval = measure::wilson(n, of);
  if (!interval) return {};
  return fmt::format("{:.0f}% to {:.0f}%", 100 * interval->low, 100 * interval->high);
}

std::vector<Expectation> expectations_of(const Scenario& s, bool has_goal) {
  if (!s.expectations.empty()) return s.expectations;
  std::vector<Expectation> out = {{Expectation::violation, true, {}, 0}};
  if (has_goal) out.push_back({Expectation::goal, false, {}, 1});
  return out;
}

void judge(const Scenario& s, Outcome& out) {
  for (const Expectation& e : expectations_of(s, out.has_goal)) {
    const bool goal = e.kind == Expectation::goal;
    if (goal && !out.has_goal) {
      out.unmet.push_back("a goal is expected, and the property has no goal state");
      continue;
    }
    std::uint64_t seen = goal ? out.goals : out.violated;
    if (!goal && !e.property.empty()) {
      const auto found = out.violations.find(e.property);
      seen = found == out.violations.end() ? 0 : found->second;
    }
    const std::string what = goal                 ? "the goal"
                             : e.property.empty() ? "a violation"
                                                  : "a violation of " + e.property;
    if (e.none ? seen > 0 : seen * 100 < static_cast<std::uint64_t>(e.percent) * out.runs)
      out.unmet.push_back(
          fmt::format("{} was expected in {}, and was reached in {} of {} runs ({})", what,
                      e.none ? "none" : fmt::format("{}%", e.percent), seen, out.runs,
                      percent_of(seen, out.runs)));
  }
}

}  // namespace

Result<Outcome> run_test(const Scenario& given, const TestOptions& options,
                         const std::atomic<bool>& stop) {
  Scenario scenario = given;
  if (options.runs > 0) scenario.runs = options.runs;
  if (!options.explorer.empty()) {
    auto spec = parse_spec(options.explorer);
    if (!spec) return tl::unexpected(spec.error());
    scenario.run.explorer = *std::move(spec);
  }
  const auto config = configure(scenario);
  if (!config) return tl::unexpected(config.error());
  if (config->explorer.name != "seeds")
    return error(
        "scenario \"{}\": a test plays a scheduler, and {} learns from run to run; "
        "schism hunt --scenario plays it",
        scenario.name, config->explorer.name);
  const Program& program = *program_of(*config);
  Outcome out;
  out.scenario = scenario.name;
  out.explorer = print_spec(config->scheduler);
  Runner runner(config->setup, config->limits);
  const auto scheduler = make_scheduler(*config);
  const Goal* goal = goal_of(runner);
  out.has_goal = goal && std::find(program.property.goal.begin(), program.property.goal.end(),
                                   true) != program.property.goal.end();
  std::optional<Trace> violating, missing;
  const auto expected = expectations_of(scenario, out.has_goal);
  const bool violations_meant = std::any_of(expected.begin(), expected.end(), [](const auto& e) {
    return e.kind == Expectation::violation && !e.none;
  });
  for (std::uint64_t i = 0; i < scenario.runs && !stop.load(); ++i) {
    const RunPlan plan{scenario.seed + i, scenario.seed + i};
    const RunSummary summary = runner.run(*scheduler, plan);
    ++out.runs;
    out.steps += summary.steps;
    if (summary.violated) {
      ++out.violated;
      ++out.violations[runner.violation()->property];
      if (!violating && !violations_meant) violating = trace_of(*config, runner, plan, i);
    }
    const bool reached = out.has_goal && *goal->met();
    if (reached) ++out.goals;
    else if (!missing && !summary.violated && options.story)
      missing = trace_of(*config, runner, plan, i);
  }
  judge(scenario, out);
  const auto& tally = static_cast<const Player&>(*scheduler).tally();
  for (std::size_t i = 0; i < program.filters.size(); ++i)
    out.filters.push_back({program.filters[i].filter->name, tally.matches[i]});
  out.warnings = warnings_of(program, tally, goal);
  if (out.passed()) return out;
  out.example = violating ? std::move(violating) : std::move(missing);
  if (out.example && out.example->violation && options.shrinks)
    if (auto small = shrink(*out.example, {}, stop)) out.example = small->trace;
  return out;
}

std::string summary(const Outcome& o) {
  std::string out;
  if (o.has_goal)
    out +=
        fmt::format("goal in {} of {} runs ({}), ", o.goals, o.runs, percent_of(o.goals, o.runs));
  if (o.violated == 0) return out + fmt::format("no violation in {} runs", o.runs);
  out += fmt::format("violation in {} of {} ({}):", o.violated, o.runs,
                     percent_of(o.violated, o.runs));
  for (const auto& [property, times] : o.violations) out += fmt::format(" {} {}", property, times);
  return out;
}

std::string report(const Outcome& o) {
  std::string out = fmt::format("{} \"{}\" under {}\n  {}\n", o.passed() ? "passed" : "FAILED",
                                o.scenario, o.explorer, summary(o));
  for (const std::string& unmet : o.unmet) out += fmt::format("  {}\n", unmet);
  for (const FilterCount& f : o.filters)
    out += fmt::format("  filter \"{}\" matched {} times\n", f.name, f.matches);
  for (const std::string& warning : o.warnings) out += fmt::format("  warning: {}\n", warning);
  if (!o.example) return out;
  if (o.example->violation)
    out += fmt::format("\n  {} is violated at step {}: {}\n", o.example->violation->property,
                       o.example->violation->step, o.example->violation->message);
  else out += "\n  a run that did not come to the goal:\n";
  StoryOptions story;
  story.rows_max = 80;
  return out + "\n" + tell(*o.example, story);
}

}  // namespace schism::scenario
