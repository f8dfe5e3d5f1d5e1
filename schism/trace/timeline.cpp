#include "schism/trace/timeline.hpp"

#include <algorithm>

#include "schism/run/make_world.hpp"

namespace schism {

Timeline::Timeline(const Trace& trace, std::uint32_t checkpoint_every)
    : config_(trace.config),
      plan_(trace.plan),
      replay_(without_events(trace.steps), trace.config.setup.options.time),
      world_(make_world(trace.config.setup)),
      every_(checkpoint_every),
      length_(trace.steps.empty() ? 0 : static_cast<std::uint32_t>(trace.steps.size() - 1)) {
  config_.setup.node_seed = plan_.node_seed;
  config_.setup.death = death_in(trace);
  world_->listen(kEveryEvent);
  restart();
}

// Snapshots borrow the world's memory: they go first.
Timeline::~Timeline() { checkpoints_.clear(); }

void Timeline::restart() {
  checkpoints_.clear();  // they belong to the run that ends here
  world_->attend(&replay_, false);
  replay_.begin(config_.setup, plan_.seed);
  world_->reset(config_.setup);
  position_ = 0;
}

void Timeline::go_on() {
  const Action action = replay_.next(*world_);
  world_->apply(action);  // an action that no longer applies leaves the position empty
  ++position_;
  ++replayed_;
  if (every_ == 0 || position_ % every_ != 0 || checkpoints_.contains(position_)) return;
  if (auto snapshot = world_->snapshot()) checkpoints_[position_] = std::move(snapshot);
}

const World& Timeline::seek(std::uint32_t step) {
  step = std::min(step, length_);
  auto checkpoint = checkpoints_.upper_bound(step);
  const bool have = checkpoint != checkpoints_.begin();
  if (have) --checkpoint;
  const bool worth_it = have && (step < position_ || checkpoint->first > position_);
  if (worth_it) {
    world_->restore(*checkpoint->second);
    position_ = checkpoint->first;
    replay_.go_to(position_ + 1);  // entry 0 is the start
  } else if (step < position_) {
    restart();
  }
  while (position_ < step) go_on();
  return *world_;
}

}  // namespace schism
