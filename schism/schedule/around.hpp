// A scheduler around another one: all that the other is and wants, but for what is overridden. What
// is new in Scheduler is forwarded here once, not forgotten in one wrapper of five.
#pragma once

#include <memory>

#include "schism/schedule/scheduler.hpp"

namespace schism {

class Around : public Scheduler {
 public:
  explicit Around(std::unique_ptr<Scheduler> inner) : inner_(std::move(inner)) {}

  TimeUse time_use() const override { return inner_->time_use(); }
  bool plays(Do fault) const override { return inner_->plays(fault); }
  Status check(const Setup& setup) const override { return inner_->check(setup); }
  Manner manner() const override { return inner_->manner(); }
  void heed(std::string_view policy) override { inner_->heed(policy); }
  void prepare(const RunPlan& plan) override { inner_->prepare(plan); }
  double price() const override { return inner_->price(); }
  void begin(const Setup& setup, std::uint64_t seed) override { inner_->begin(setup, seed); }
  Action next(World& world) override { return inner_->next(world); }
  std::string report() const override { return inner_->report(); }
  Watcher* watcher() override { return inner_->watcher(); }
  Liar* liar() override { return inner_->liar(); }
  EventMask listens_to() const override { return inner_->listens_to(); }
  Scheduler& in_tail(Scheduler& tail) override { return inner_->in_tail(tail); }
  bool sees_pending() const override { return inner_->sees_pending(); }
  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    if (inner_->sees_pending()) inner_->on_pending(world, kind, slot);
  }
  std::uint32_t on_choice(World& world, std::uint32_t n) override {
    return inner_->on_choice(world, n);
  }

 protected:
  Scheduler& inner() { return *inner_; }
  const Scheduler& inner() const { return *inner_; }

 private:
  std::unique_ptr<Scheduler> inner_;
};

}  // namespace schism
