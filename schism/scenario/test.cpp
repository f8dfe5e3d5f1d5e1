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

Trace trace_of(const RunConfig& config, Runner& runner, const RunPlan& plan, std::uint64_t run) {
  const World& world = runner.world();
  return make_trace(config, plan, run, record(world.decisions(), world.contents()));
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

Result<Scenario> with_options(Scenario scenario, const TestOptions& options) {
  if (options.runs > 0) scenario.runs = options.runs;
  if (options.explorer.empty()) return scenario;
  auto spec = parse_spec(options.explorer);
  if (!spec) return tl::unexpected(spec.error());
  scenario.run.explorer = *std::move(spec);
  return scenario;
}

RunPlan plan_of(const Scenario& s, std::uint64_t run) {
  RunPlan out{s.seed + run, s.seed + run};
  if (s.node_seed >= 0) out.node_seed = static_cast<std::uint64_t>(s.node_seed);
  return out;
}

namespace {

std::string line_text(const Line& line) {
  std::string out;
  for (const Cue& cue : line.cues) out += (out.empty() ? "" : ", ") + print(cue);
  return out;
}

}  // namespace

Result<Outcome> run_test(const Scenario& given, const TestOptions& options,
                         const std::atomic<bool>& stop) {
  const auto changed = with_options(given, options);
  if (!changed) return tl::unexpected(changed.error());
  const Scenario& scenario = *changed;
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
  const auto& player = static_cast<const Player&>(*scheduler);
  std::map<std::size_t, std::uint64_t> stands;
  const Goal* goal = goal_of(runner);
  out.has_goal = goal && std::find(program.property.goal.begin(), program.property.goal.end(),
                                   true) != program.property.goal.end();
  std::optional<Trace> violating, missing;
  const auto expected = expectations_of(scenario, out.has_goal);
  const bool violations_meant = std::any_of(expected.begin(), expected.end(), [](const auto& e) {
    return e.kind == Expectation::violation && !e.none;
  });
  for (std::uint64_t i = 0; i < scenario.runs && !stop.load(); ++i) {
    const RunPlan plan = plan_of(scenario, i);
    const RunSummary summary = runner.run(*scheduler, plan);
    ++out.runs;
    out.steps += summary.steps;
    if (summary.violated) {
      ++out.violated;
      ++out.violations[runner.violation()->property];
      if (!violating && !violations_meant) violating = trace_of(*config, runner, plan, i);
    }
    if (const auto line = player.stands_at(); line && !summary.violated) ++stands[*line];
    const bool reached = out.has_goal && *goal->met();
    if (reached) ++out.goals;
    else if (!missing && !summary.violated && options.story)
      missing = trace_of(*config, runner, plan, i);
  }
  judge(scenario, out);
  const Tally& tally = player.tally();
  for (std::size_t i = 0; i < program.filters.size(); ++i)
    out.filters.push_back({program.filters[i].filter->name, tally.matches[i]});
  std::size_t step = 0;
  for (const auto& line : program.script)
    for (const BoundCue& cue : line) out.steps_done.push_back({cue.text, tally.cues[step++]});
  for (const auto& [line, runs] : stands)
    out.stands.push_back({line_text(program.source.script[line]), runs});
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
  for (const Standstill& s : o.stands)
    out += fmt::format("  {} runs stood at \"{}\": it could not be done\n", s.runs, s.line);
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
