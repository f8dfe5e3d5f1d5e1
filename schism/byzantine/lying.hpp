// A scheduler in whose runs somebody lies: it wraps another, which decides everything else. Whoever
// lies sees each message of a liar when it becomes pending and says what to do about it before
// anything else happens; in the fair tail too, where network faults have ended.
#pragma once

#include <deque>
#include <memory>

#include "schism/base/registry.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism::byzantine {

class Lying : public Scheduler, public Liar {
 public:
  explicit Lying(std::vector<Child<Scheduler>> children);

  TimeUse time_use() const final { return child_->time_use(); }
  bool plays(Do fault) const override;
  Status check(const Setup& setup) const override;
  void heed(std::string_view policy) final { child_->heed(policy); }
  void prepare(const RunPlan& plan) final { child_->prepare(plan); }
  double price() const final { return child_->price(); }
  std::string report() const final { return child_->report(); }
  Watcher* watcher() final { return child_->watcher(); }
  EventMask listens_to() const final { return child_->listens_to(); }
  Scheduler& in_tail(Scheduler& tail) final { return child_->in_tail(tail); }
  bool sees_pending() const final { return true; }
  void begin(const Setup& setup, std::uint64_t seed) final;
  Action next(World& world) final;
  void on_pending(World& world, Do kind, std::uint32_t slot) final;
  std::uint32_t on_choice(World& world, std::uint32_t n) final {
    return child_->on_choice(world, n);
  }
  schism::Liar* liar() final { return this; }

  void hear(World& world, std::uint32_t flight) final;
  Action lie(World& world) final;
  void delivers(World& world, const Action& deliver) override;

 protected:
  virtual void begin_lying(const Setup& setup, std::uint64_t seed) = 0;
  // A message was sent, by anybody; `lies`: its sender is a liar. Made-up messages are not told.
  virtual void sent(World& world, std::uint32_t flight, bool lies) = 0;
  void say(const Action& action) { said_.push_back(action); }

 private:
  std::unique_ptr<Scheduler> child_;
  std::deque<Action> said_;
};

}  // namespace schism::byzantine
