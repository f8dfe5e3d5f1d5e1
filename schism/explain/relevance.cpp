#include "schism/explain/relevance.hpp"

#include <algorithm>

#include "schism/shrink/stage.hpp"

namespace schism::draw {
namespace {

// The last step at each node up to a step: what a judge of global states has looked at.
std::vector<std::uint32_t> frontier(const Trace& trace, std::uint32_t until) {
  std::vector<std::int64_t> last(static_cast<std::size_t>(trace.config.setup.places()), 0);
  for (std::uint32_t step = 0; step < trace.steps.size() && step <= until; ++step) {
    const NodeId node = place_of(trace.steps[step].action);
    if (node >= 0 && node < trace.config.setup.places())
      last[static_cast<std::size_t>(node)] = step;
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
  // A verdict at the end of a run is about no single step.
  const bool at_the_end = trace.violation->step + 1 >= trace.steps.size();
  if (!at_the_end || !trace.fair || out.size() == 1) out.push_back(trace.violation->step);
  return out;
}

std::vector<Recorded> keep_only(const std::vector<Recorded>& steps, const std::vector<bool>& keep) {
  std::vector<Recorded> out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!keep[i]) continue;
    out.push_back({steps[i].action, steps[i].at, steps[i].choices, {}, steps[i].content, {}});
  }
  return out;
}

namespace {

class Judge {
 public:
  Judge(const Trace& trace, Outline outline, const RelevanceLimits& limits)
      : steps_(trace.steps.size()), outline_(std::move(outline)), limits_(limits) {
    const Performance whole = perform(outline_);
    if (whole.violation && whole.all_applied) wanted_ = signature(*whole.violation, whole.outline);
  }

  // The moves of a run as it was recorded: move i is step i + 1, and a tail may follow.
  bool good() const { return !wanted_.empty(); }

  // Without those that are not kept, together and one by one; what cannot go alone stays.
  bool proves(std::vector<bool>& keep) {
    if (!violates_without(dropped(keep))) return false;
    bool all_alone = true;
    for (const std::size_t move : dropped(keep)) {
      if (violates_without({move})) continue;
      keep[move + 1] = true;
      all_alone = false;
    }
    return all_alone || violates_without(dropped(keep));
  }

 private:
  std::vector<std::size_t> dropped(const std::vector<bool>& keep) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < outline_.moves.size(); ++i)
      if (!keep[i + 1]) out.push_back(i);
    return out;
  }

  bool violates_without(const std::vector<std::size_t>& moves) {
    if (moves.empty()) return true;
    if (played_ > limits_.steps) return false;
    Outline fewer = outline_;
    for (std::size_t end = moves.size(); end > 0;) {  // in one piece what stands together
      std::size_t begin = end - 1;
      while (begin > 0 && moves[begin - 1] + 1 == moves[begin]) --begin;
      fewer = without_moves(fewer, moves[begin], end - begin);
      end = begin;
    }
    const Performance p = perform(fewer);
    return p.violation && signature(*p.violation, p.outline) == wanted_;
  }

  Performance perform(const Outline& outline) {
    played_ += steps_;
    return stage_.perform(outline);
  }

  std::size_t steps_;
  Outline outline_;
  const RelevanceLimits& limits_;
  Stage stage_;
  std::string wanted_;
  std::uint64_t played_ = 0;
};

}  // namespace

std::vector<bool> relevant_steps(const Trace& trace, const Causality& causality,
                                 const RelevanceLimits& limits) {
  const std::vector<bool> all(trace.steps.size(), true);
  if (!trace.violation || replay(trace).difference) return all;
  auto outline = outline_of(trace);
  if (!outline) return all;
  const std::size_t moves = outline->moves.size();
  if (moves + 1 != trace.steps.size() && !outline->tail) return all;
  Judge judge(trace, *std::move(outline), limits);
  if (!judge.good()) return all;
  for (std::vector<bool> past : {causality.past(evidence_steps(trace, causality)),
                                 causality.past(frontier(trace, trace.violation->step))}) {
    std::fill(past.begin() + static_cast<std::ptrdiff_t>(moves + 1), past.end(), true);
    if (judge.proves(past)) return past;
  }
  return all;
}

}  // namespace schism::draw
