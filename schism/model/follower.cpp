#include "schism/model/follower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schism/system/system.hpp"

namespace schism::model {
namespace {

constexpr std::size_t kBytesMax = std::size_t{512} << 20;

using Loaded = std::map<std::string, std::unique_ptr<Model>, std::less<>>;

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

Result<Model*> Follower::prepare(const Setup& setup) {
  key_ = key_of(spec_, setup, use_);
  auto& place = loaded()[key_];
  if (place && place->bytes() > kBytesMax) place->begin_anew();
  if (!place) {
    auto made = Model::load(spec_, setup, use_);
    if (!made) {
      loaded().erase(key_);
      return tl::unexpected(made.error());
    }
    place = *std::move(made);
  }
  return model_ = place.get();
}

void Follower::begin(const World& world) {
  deviation_.clear();
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
  if (use_ == Use::guide) states_.resize(1);
  if (states_.size() > kStatesMax) lose();
  take(world, world.events());
}

bool Follower::take(const World& world, std::span<const Event> events) {
  if (lost_ || states_.empty()) return false;
  for (const Event& event : events)
    if ((mask_of(event.kind) & model_->wakes_on()) && !step(world, event)) return false;
  return true;
}

bool Follower::lose() {
  states_.clear();
  lost_ = true;
  return false;
}

bool Follower::step(const World& world, const Event& event) {
  const auto id = model_->step_of(world, event);
  if (!id) {
    ++counts_.dropped;
    return true;
  }
  ++counts_.mapped;
  if (states_.size() == 1) {
    const Followed followed = model_->follow(states_.front(), *id);
    counts_.ambiguous += followed.ambiguous ? 1 : 0;
    counts_.disabled += followed.failed > 0 ? 1 : 0;
    if (use_ == Use::judge && followed.unknown) return lose();
    if (followed.states.size() == 1) {
      states_.front() = followed.states.front();
      return true;
    }
    next_.assign(followed.states.begin(), followed.states.end());
  } else {
    next_.clear();
    for (const StateId s : states_) {
      const Followed followed = model_->follow(s, *id);
      if (followed.unknown) return lose();
      for (const StateId t : followed.states)
        if (std::find(next_.begin(), next_.end(), t) == next_.end()) next_.push_back(t);
    }
    if (next_.size() > kStatesMax) return lose();
  }
  if (next_.empty()) {
    const Followed last = model_->follow(states_.front(), *id);
    deviation_ = model_->why_not(states_.front(), *id, last.failed);
    return false;
  }
  states_.swap(next_);
  return true;
}

}  // namespace schism::model
