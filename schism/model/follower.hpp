// A run beside its model: the model states that it may be in now. Models are loaded once a thread
// and configuration, and again when what they remember has grown large.
#pragma once

#include "schism/model/model.hpp"

namespace schism::model {

struct Counts {
  std::uint64_t mapped = 0, disabled = 0, ambiguous = 0, dropped = 0;
};

class Follower {
 public:
  Follower(std::string spec, Use use) : spec_(std::move(spec)), use_(use) {}

  // The model for runs of that set-up. Its rules decide what must be listened to.
  Result<Model*> prepare(const Setup& setup);
  void begin(const World& world);
  // False: no model state is left, see `deviation`.
  bool take(const World& world, std::span<const Event> events);

  Model& model() { return *model_; }
  const std::vector<StateId>& states() const { return states_; }
  void back_to(std::vector<StateId> states) { states_ = std::move(states); }
  const std::string& deviation() const { return deviation_; }
  const Counts& counts() const { return counts_; }  // of this run

 private:
  bool step(const World& world, const Event& event);

  std::string spec_;
  Use use_;
  Model* model_ = nullptr;
  std::string key_;  // of the model among those of this thread
  std::vector<StateId> states_, next_;
  std::string deviation_;
  Counts counts_;
};

}  // namespace schism::model
