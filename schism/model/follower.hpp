// A run beside its model: the model states that it may be in now. Models are loaded once a thread
// and configuration, and again when what they remember has grown large.
#pragma once

#include "schism/model/model.hpp"
#include "schism/world/counting.hpp"

namespace schism::model {

// Of a run. `dropped`: no rule is for it; `unknown`: the model could not say what follows; `lost`:
// 1 where a judge gave the run up.
struct Counts {
  std::uint64_t mapped = 0, disabled = 0, ambiguous = 0, dropped = 0, unknown = 0, lost = 0;

  void add_to(NamedCounts& sums, std::string_view who) const;
};
// What sums of many runs say about the mapping that made them; empty: nothing to worry about.
std::string doubt_of(const NamedCounts& sums);

class Follower {
 public:
  Follower(std::string spec, Use use) : spec_(std::move(spec)), use_(use) {}

  // The model for runs of that set-up. Its rules decide what must be listened to.
  Result<Model*> prepare(const Setup& setup);
  void begin(const World& world);
  // False: no model state is left, see `deviation`; or nobody knows any more in which it is; or a
  // guide is where it was.
  bool take(const World& world, std::span<const Event> events);

  Model& model() { return *model_; }
  // A guide is in one, which gets a number when somebody asks.
  const std::vector<StateId>& states();
  std::uint64_t key() { return model_->key_of(now_); }  // of a guide's
  // To where it was in those: none, if it was lost.
  void back_to(std::vector<StateId> states) {
    lost_ = states.empty();
    counts_.lost = lost_ ? 1 : 0;
    deviation_.clear();
    where_.reset();
    if (use_ == Use::guide && !lost_)
      now_ = model_->state(states.front()), token_ = model_->new_token();
    states_ = std::move(states);
  }
  const std::string& deviation() const { return deviation_; }
  // Where it deviated: the model's state beside the node's, which is that of the world.
  std::optional<Testimony> testimony(const World& world);
  // Too many states to keep, or one that the model cannot compute: from there on it judges nothing.
  bool lost() const { return lost_; }
  const Counts& counts() const { return counts_; }  // of this run

 private:
  // What an event turned out to be.
  struct Outcome {
    bool disabled = false, ambiguous = false, unknown = false;
  };
  bool guide(const World& world, const Event& event);
  bool step(const World& world, const Event& event);
  bool apply(StepId step, const Event& event, Outcome& outcome);
  bool deviate(StepId step, const Event& event);  // always false
  bool lose();                                    // always false

  std::string spec_;
  Use use_;
  std::shared_ptr<Model> model_;  // another follower may have loaded it anew since
  // Where the model is among those of this thread, and for what.
  const void* home_ = nullptr;
  const std::shared_ptr<Model>* place_ = nullptr;
  const System* system_ = nullptr;
  std::shared_ptr<const void> config_;
  int nodes_ = 0;
  std::vector<StateId> states_, next_;
  tla::State now_;  // of a guide
  std::uint64_t token_ = 0;
  std::string deviation_;
  std::optional<Deviation> where_;
  bool lost_ = false;
  Counts counts_;
};

}  // namespace schism::model
