// Runs played again and recorded.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "schism/run/asking.hpp"
#include "schism/run/make_world.hpp"
#include "schism/system/liars.hpp"
#include "schism/trace/describe.hpp"
#include "schism/trace/trace.hpp"
#include "schism/words/operands.hpp"

namespace schism {
namespace {

struct Played {
  Trace trace;
  std::optional<std::pair<std::uint32_t, Refusal>> refused;
  std::vector<std::string> known, judged;  // properties
  bool by_the_end = false;
  std::uint32_t patient_since = 0;
};

Played play(const RunConfig& config, const RunPlan& plan, std::uint64_t run,
            const std::function<RunSummary(Runner&)>& how, bool keep = true) {
  Played played;
  Trace& now = played.trace;
  now.config = config;
  if (WorldOptions& options = now.config.setup.options; options.liars_drawn > 0) {
    Setup drawn = config.setup;
    drawn.node_seed = plan.node_seed;
    for (const NodeId id : liars_of(drawn)) options.liars.push_back(id);
    options.liars_drawn = 0;  // a recording names them
  }
  now.plan = plan;
  now.run = run;
  Runner runner(config.setup, config.limits);
  Recorder recorder;
  if (keep) {
    runner.listen_to(kEveryEvent);
    runner.on_step(
        [&](const World& world) { now.steps.push_back(with_events(recorder.step(world), world)); });
  }
  const RunSummary summary = how(runner);
  now.fair = runner.fair();
  for (const auto& oracle : runner.oracles()) {
    played.known.emplace_back(oracle->name());
    // Some oracles that want a fair end do not say that they could not judge without.
    const bool could = oracle->judged() && (!oracle->wants_fair_tail() || now.fair);
    if (could) played.judged.emplace_back(oracle->name());
  }
  now.run_class = summary.run_class;
  now.violation = runner.violation();
  now.config.setup.death = runner.world().setup().death;
  played.refused = runner.first_refusal();
  played.by_the_end = runner.violated_by_the_end();
  played.patient_since = runner.patient_since();
  return played;
}

Played play_again(const RunConfig& config, const RunPlan& plan, std::uint64_t run,
                  std::vector<Recorded> steps, FairEnd end) {
  Replay scheduler(std::move(steps), config.setup.options.time);
  return play(config, plan, run,
              [&](Runner& runner) { return runner.replay(scheduler, plan, end); });
}

}  // namespace

Trace record_run(const RunConfig& config, const RunPlan& plan, std::uint64_t run,
                 Scheduler& scheduler) {
  return play(config, plan, run, [&](Runner& runner) { return runner.run(scheduler, plan); }).trace;
}

std::string repeats_note(const Trace& trace) {
  if (!trace.repeats) return "";
  return fmt::format(
      "{} of {} repetitions violate it: a world of {} replays as best it can, so "
      "that it is not shrunk",
      trace.repeats->times, trace.repeats->of, make_world(trace.config.setup)->name());
}

namespace {

bool wants_fair_tail(const RunConfig& config, std::string_view property) {
  for (const auto& make : config.setup.system->oracles)
    if (const auto oracle = make(config.setup); oracle->name() == property)
      return oracle->wants_fair_tail();
  return false;
}

// How many steps are enough for a property that was found violated at the end though it does not
// want a fair one: it is so from some step on.
std::size_t certain_after(const Trace& trace) {
  Runner runner(trace.config.setup, trace.config.limits);
  const auto violates = [&](std::size_t steps) {
    const auto end = trace.steps.begin() + static_cast<std::ptrdiff_t>(steps);
    Replay scheduler({trace.steps.begin(), end}, trace.config.setup.options.time);
    runner.replay(scheduler, trace.plan, FairEnd::never);
    return runner.violation() && runner.violation()->property == trace.violation->property;
  };
  std::size_t low = 0, high = trace.steps.size();  // not after low; after high
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (violates(middle) ? high : low) = middle;
  }
  return high;
}

// As much of a run as shows its violation: a verdict that was confirmed stands where it was
// certain.
std::size_t steps_needed(const Played& played) {
  const Trace& trace = played.trace;
  if (!played.by_the_end || trace.config.setup.death) return trace.steps.size();
  if (!wants_fair_tail(trace.config, trace.violation->property)) return certain_after(trace);
  return played.patient_since > 0 ? played.patient_since : trace.steps.size();
}

// With the requests of a scenario's own clients, which nobody would plan in a replay.
RunConfig with_own_clients(RunConfig config, const RunPlan& plan) {
  const auto* asking = dynamic_cast<const AskingStaging*>(config.staging.get());
  if (!asking || config.setup.requests || asking->requests().empty()) return config;
  Setup setup = config.setup;
  setup.node_seed = plan.node_seed;
  const auto world = make_world(setup);
  world->reset(setup);
  std::vector<ClientRequest> all = world->requests();
  int first = 0;
  for (const ClientRequest& r : all) first = std::max(first, r.client + 1);
  for (ClientRequest r : asking->requests()) {
    r.client += first;
    all.push_back(std::move(r));
  }
  config.setup.requests = std::make_shared<const std::vector<ClientRequest>>(std::move(all));
  return config;
}

}  // namespace

Trace make_trace(const RunConfig& given, const RunPlan& plan, std::uint64_t run,
                 std::vector<Recorded> decisions, FairEnd end) {
  const RunConfig config = with_own_clients(given, plan);
  Played played = play_again(config, plan, run, std::move(decisions), end);
  if (end != FairEnd::healed) return std::move(played.trace);
  const std::size_t needed = steps_needed(played);
  if (needed >= played.trace.steps.size()) return std::move(played.trace);
  std::vector<Recorded> beginning(played.trace.steps.begin(),
                                  played.trace.steps.begin() + static_cast<std::ptrdiff_t>(needed));
  Trace shorter = play_again(config, plan, run, std::move(beginning), end).trace;
  const bool same =
      shorter.violation && shorter.violation->property == played.trace.violation->property;
  return same ? std::move(shorter) : std::move(played.trace);
}

FairEnd fair_end_of(const Trace& trace) {
  return trace.checked_by.empty() ? FairEnd::healed : FairEnd::stopped;
}

std::shared_ptr<const Death> death_in(const Trace& trace) {
  if (!is_guarded(trace.config.setup)) return nullptr;
  Runner runner(trace.config.setup, trace.config.limits);
  Replay scheduler(trace.steps, trace.config.setup.options.time);
  runner.replay(scheduler, trace.plan, fair_end_of(trace));
  return runner.world().setup().death;
}

namespace {

bool same_evidence(const Violation& a, const Violation& b) {
  return std::equal(
      a.evidence.begin(), a.evidence.end(), b.evidence.begin(), b.evidence.end(),
      [](const Evidence& x, const Evidence& y) { return x.step == y.step && x.role == y.role; });
}

// With the hints: they say which others were pending.
bool same(const Recorded& a, const Recorded& b) {
  const Do kind = a.action.kind;
  if (kind != b.action.kind || a.action.free != b.action.free || a.action.hint != b.action.hint)
    return false;
  for (const Operand& operand : operands_of(kind))
    if (get(a.action, operand.part) != get(b.action, operand.part)) return false;
  return a.at == b.at && a.choices == b.choices && a.content == b.content && a.events == b.events;
}

// What the last line of a recording says, against a run with the same steps.
std::vector<std::string> unlike_in(const Trace& recorded, const Trace& now) {
  std::vector<std::string> out;
  if (recorded.fair != now.fair) out.emplace_back(now.fair ? "a fair end" : "no fair end");
  const auto& was = recorded.violation;
  const auto& is = now.violation;
  if (was.has_value() != is.has_value() || (is && was->property != is->property))
    out.push_back(is ? is->property + " is violated" : "nothing is violated");
  else if (is && was->step != is->step) out.push_back(fmt::format("violated at step {}", is->step));
  else if (is && !same_evidence(*was, *is)) out.emplace_back("other evidence");
  else if (is && was->message != is->message) out.emplace_back("another message");
  if (recorded.run_class != now.run_class) out.push_back("class " + to_hex(now.run_class));
  return out;
}

}  // namespace

std::vector<std::string> untrue_of(const Trace& trace) {
  Replay scheduler(without_events(trace.steps), trace.config.setup.options.time);
  const auto how = [&](Runner& runner) {
    return runner.replay(scheduler, trace.plan, fair_end_of(trace));
  };
  return unlike_in(trace, play(trace.config, trace.plan, trace.run, how, false).trace);
}

ReplayReport replay(const Trace& trace) {
  Played played = play_again(trace.config, trace.plan, trace.run, trace.steps, fair_end_of(trace));
  ReplayReport report{std::move(played.trace), std::nullopt, played.refused, {}};
  report.now.checked_by = trace.checked_by;
  const auto among = [&](const std::vector<std::string>& properties) {
    return !trace.violation || std::find(properties.begin(), properties.end(),
                                         trace.violation->property) != properties.end();
  };
  report.known = among(played.known);
  report.judged = among(played.judged);
  const System& system = *trace.config.setup.system;
  const std::size_t n = std::max(trace.steps.size(), report.now.steps.size());
  const auto line = [&](const std::vector<Recorded>& steps, std::size_t i) -> std::string {
    if (i >= steps.size()) return "nothing";
    return to_json(describe_action(system, steps[i])) + " " + events_text(system, steps[i].events);
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (i < trace.steps.size() && i < report.now.steps.size() &&
        same(trace.steps[i], report.now.steps[i]))
      continue;
    report.difference =
        Difference{static_cast<std::uint32_t>(i), line(trace.steps, i), line(report.now.steps, i)};
    return report;
  }
  report.unlike = unlike_in(trace, report.now);
  return report;
}

}  // namespace schism
