#include "schism/draw/relevance.hpp"

namespace schism::draw {
namespace {

bool still_violates(const Trace& trace, const std::vector<bool>& keep) {
  Runner runner(trace.config.setup, trace.config.limits);
  Replay scheduler(keep_only(trace.steps, keep), trace.config.setup.options.time);
  runner.replay(scheduler, trace.plan, trace.fair);
  return runner.violation() && runner.violation()->property == trace.violation->property;
}

// The last step at each node up to a step: what a judge of global states has looked at.
std::vector<std::uint32_t> frontier(const Trace& trace, std::uint32_t until) {
  std::vector<std::int64_t> last(static_cast<std::size_t>(trace.config.setup.nodes), 0);
  for (std::uint32_t step = 0; step < trace.steps.size() && step <= until; ++step) {
    const NodeId node = place_of(trace.steps[step].action);
    if (node >= 0 && node < trace.config.setup.nodes) last[static_cast<std::size_t>(node)] = step;
  }
  std::vector<std::uint32_t> out = {until};
  for (const std::int64_t step : last) out.push_back(static_cast<std::uint32_t>(step));
  return out;
}

}  // namespace

std::vector<std::uint32_t> evidence_steps(const Trace& trace, const Causality& causality) {
  std::vector<std::uint32_t> out = {0};
  if (!trace.violation) return out;
  for (const Evidence& e : trace.violation->evidence) {
    if (e.step >= trace.steps.size()) continue;
    out.push_back(e.step);
    if (const std::int64_t answer = causality.answered_in(e.step); answer >= 0)
      out.push_back(static_cast<std::uint32_t>(answer));
  }
  // A verdict at the end of a fair run is about no single step.
  if (!trace.fair || out.size() == 1) out.push_back(trace.violation->step);
  return out;
}

std::vector<Recorded> keep_only(const std::vector<Recorded>& steps, const std::vector<bool>& keep) {
  std::vector<Recorded> out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!keep[i]) continue;
    out.push_back({steps[i].action, steps[i].at, steps[i].choices, {}, steps[i].content});
  }
  return out;
}

std::vector<bool> relevant_steps(const Trace& trace, const Causality& causality) {
  std::vector<bool> all(trace.steps.size(), true);
  if (!trace.violation) return all;
  std::vector<bool> past = causality.past(evidence_steps(trace, causality));
  if (still_violates(trace, past)) return past;
  past = causality.past(frontier(trace, trace.violation->step));
  return still_violates(trace, past) ? past : all;
}

}  // namespace schism::draw
