#include "schism/schedule/replay.hpp"

#include <algorithm>

#include "schism/words/operands.hpp"

namespace schism {

std::vector<Recorded> without_events(const std::vector<Recorded>& steps) {
  std::vector<Recorded> out;
  out.reserve(steps.size());
  for (const Recorded& step : steps)
    out.push_back({step.action, step.at, step.choices, {}, step.content, step.differs});
  return out;
}

std::vector<Recorded> record(std::span<const Action> decisions, std::span<const Value> contents) {
  std::vector<Recorded> out;
  out.reserve(decisions.size());
  for (const Action& action : decisions) {
    if (action.kind == Do::choose) {
      // Nodes that choose when they start do so before the first action.
      if (out.empty()) out.emplace_back();
      out.back().choices.push_back(action);
      continue;
    }
    Recorded& step = out.emplace_back();
    step.action = action;
    if (const std::uint32_t own = content_index(action); own < contents.size())
      step.content = contents[own];
  }
  return out;
}

Recorded Recorder::step(const World& world) {
  Recorded out;
  for (const Action& action : world.decisions().subspan(decided_)) {
    if (action.kind == Do::choose) out.choices.push_back(action);
    else out.action = action;
  }
  decided_ = world.decisions().size();
  if (has_content(out.action)) out.content = world.contents()[content_index(out.action)];
  if (out.action.kind == Do::mutate)
    out.differs = std::make_shared<const Value>(world.difference(content_index(out.action)));
  const bool ticks = world.setup().options.time != TimeUse::untimed || world.calm();
  if (ticks) out.at = world.clock();
  return out;
}

Recorded with_events(Recorded step, const World& world) {
  for (const Event& event : world.events()) step.events.push_back(recorded(event));
  return step;
}

Action at_its_time(World& world, const Recorded& step, const Action& action) {
  const bool labelled = action.kind == Do::begin && step.content.as_text();
  if (has_content(action) || labelled) return with_content(action, world.add_content(step.content));
  if (step.at < 0) return action;
  const Micros wait = std::max<Micros>(step.at - world.clock(), 0);
  if (action.kind == Do::advance) return advance_by(wait);
  if ((action.kind == Do::deliver || action.kind == Do::complete) &&
      wait <= static_cast<Micros>(kArgMax))
    return with_arg(action, static_cast<std::uint32_t>(wait));
  return action;
}

Action Replay::next(World& world) {
  // A first entry without an action only holds the choices of the start.
  if (next_ == 0 && !steps_.empty() && steps_[0].action.kind == Do::nothing) ++next_;
  if (next_ >= steps_.size()) return {};
  const Recorded& step = steps_[next_++];
  choice_ = 0;
  return at_its_time(world, step, step.action);
}

std::uint32_t Replay::on_choice(World&, std::uint32_t n) {
  const std::size_t step = next_ == 0 ? 0 : next_ - 1;
  if (step >= steps_.size() || (next_ == 0 && steps_[0].action.kind != Do::nothing)) return 0;
  const auto& choices = steps_[step].choices;
  if (choice_ >= choices.size()) return 0;
  return std::min(answer_of(choices[choice_++]), n - 1);
}

}  // namespace schism
