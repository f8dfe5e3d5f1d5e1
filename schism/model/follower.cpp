#include "schism/model/follower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schism/system/system.hpp"

namespace schism::model {
namespace {

constexpr std::size_t kBytesMax = std::size_t{512} << 20;

using Loaded = std::map<std::string, std::shared_ptr<Model>, std::less<>>;

Loaded& loaded() {
  thread_local Loaded models;
  return models;
}

std::string key_of(const std::string& spec, const Setup& setup, Use use) {
  std::string out =
      fmt::format("{}\n{}\n{}\n{}", spec, setup.system->name, setup.nodes, static_cast<int>(use));
  for (const auto& [name, value] : setup.system->params.all(setup.config.get()))
    out += fmt::format("\n{}={}", name, value);
  return out;
}

}  // namespace

void Counts::add_to(NamedCounts& sums, std::string_view who) const {
  const auto add = [&](std::string_view what, std::uint64_t count) {
    sums.emplace_back(fmt::format("{}.{}", who, what), count);
  };
  add("mapped", mapped), add("disabled", disabled), add("ambiguous", ambiguous);
  add("dropped", dropped), add("unknown", unknown), add("lost", lost);
}

std::string doubt_of(const NamedCounts& sums) {
  std::uint64_t mapped = 0;
  for (const auto& [name, count] : sums) {
    if (name.ends_with(".mapped")) mapped = count;
    if (name.ends_with(".mapped") && count == 0)
      return "no event was mapped: nothing was compared with the model";
    if (name.ends_with(".disabled") && 2 * count > mapped)
      return fmt::format(
          "{} of {} mapped events were not possible in the model: its mapping is "
          "hardly that of this system",
          count, mapped);
    if (name.ends_with(".lost") && count > 0)
      return fmt::format(
          "{} run{} given up, because there was too much that could follow, or the model could not "
          "compute it: of what came then nothing is known",
          count, count == 1 ? " was" : "s were");
  }
  return {};
}

Result<Model*> Follower::prepare(const Setup& setup) {
  const bool same = place_ && home_ == &loaded() && system_ == setup.system &&
                    config_ == setup.config && nodes_ == setup.nodes;
  if (same && *place_ && (*place_)->bytes() <= kBytesMax) return (model_ = *place_).get();
  auto& place = loaded()[key_of(spec_, setup, use_)];
  if (!place || place->bytes() > kBytesMax) {
    place.reset();
    auto made = Model::load(spec_, setup, use_);
    if (!made) return tl::unexpected(made.error());
    place = *std::move(made);
  }
  home_ = &loaded(), place_ = &place;
  system_ = setup.system, config_ = setup.config, nodes_ = setup.nodes;
  return (model_ = place).get();
}

void Follower::begin(const World& world) {
  deviation_.clear();
  where_.reset();
  lost_ = false;
  counts_ = {};
  states_.clear();
  // It was loaded when the configuration was read; the file may be gone since.
  if (!prepare(world.setup())) {
    model_ = nullptr;
    lose();
    return;
  }
  states_ = model_->initial();
  if (use_ == Use::guide) {
    states_.resize(1);
    now_ = model_->state(states_.front());
    token_ = model_->new_token();
  }
  if (states_.size() > kStatesMax) lose();
  take(world, world.events());
}

const std::vector<StateId>& Follower::states() {
  if (use_ == Use::guide && !states_.empty()) states_.front() = model_->number_of(now_);
  return states_;
}

bool Follower::take(const World& world, std::span<const Event> events) {
  if (lost_ || states_.empty()) return false;
  bool moved = false;
  for (const Event& event : events) {
    if (!(mask_of(event.kind) & model_->wakes_on())) continue;
    if (use_ == Use::guide) moved = guide(world, event) || moved;
    else if (!step(world, event)) return false;
  }
  return moved || use_ == Use::judge;
}

// False: the model stays where it is.
bool Follower::guide(const World& world, const Event& event) {
  const auto id = model_->event_of(world, event);
  if (!id) return ++counts_.dropped, false;
  const Guided next = model_->guide(now_, token_, *id);
  ++counts_.mapped;
  counts_.disabled += next.disabled ? 1 : 0;
  counts_.ambiguous += next.ambiguous ? 1 : 0;
  counts_.unknown += next.unknown ? 1 : 0;
  return next.moved;
}

bool Follower::lose() {
  states_.clear();
  lost_ = true;
  counts_.lost = 1;
  return false;
}

bool Follower::step(const World& world, const Event& event) {
  const auto own = model_->step_of(world, event);
  const auto after = model_->step_after(world, event);
  if (!own && !after) {
    ++counts_.dropped;
    return true;
  }
  ++counts_.mapped;
  Outcome outcome;
  bool goes_on = true;
  if (own) goes_on = apply(*own, event, outcome);
  if (goes_on && after) goes_on = apply(*after, event, outcome);
  counts_.disabled += outcome.disabled ? 1 : 0;
  counts_.ambiguous += outcome.ambiguous ? 1 : 0;
  counts_.unknown += outcome.unknown ? 1 : 0;
  return goes_on;
}

bool Follower::apply(StepId step, const Event& event, Outcome& outcome) {
  next_.clear();
  for (const StateId s : states_) {
    const Followed followed = model_->follow(s, step);
    outcome.ambiguous = outcome.ambiguous || followed.ambiguous;
    outcome.unknown = outcome.unknown || followed.unknown;
    if (followed.unknown) return lose();
    if (states_.size() == 1 && followed.states.size() == 1) {
      states_.front() = followed.states.front();
      return true;
    }
    for (const StateId t : followed.states)
      if (std::find(next_.begin(), next_.end(), t) == next_.end()) next_.push_back(t);
  }
  if (next_.size() > kStatesMax) return lose();
  if (next_.empty()) {
    outcome.disabled = true;
    return deviate(step, event);
  }
  states_.swap(next_);
  return true;
}

bool Follower::deviate(StepId step, const Event& event) {
  const Followed last = model_->follow(states_.front(), step);
  where_ = Deviation{states_.front(), step, last.failed, static_cast<NodeId>(event.node)};
  deviation_ = model_->why_not(*where_);
  return false;
}

std::optional<Testimony> Follower::testimony(const World& world) {
  if (!model_ || !where_) return std::nullopt;
  return model_->testimony(*where_, world);
}

}  // namespace schism::model
