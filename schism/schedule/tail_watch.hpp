// Whether the end of a recorded run is a fair tail: looks over the shoulder of whoever plays it and
// asks, from the calm on, at each step what the fair tail would do there. A run has ended fairly if
// its last steps are those of a fair tail that has no more to do, or has gone on for the system's
// patience. A file that says so is not
// believed: with its last step cut off it still says so.
#pragma once

#include "schism/schedule/fair_tail.hpp"

namespace schism {

class TailWatch final : public Scheduler, private Liar {
 public:
  // Both outlive it. The tail is begun anew for every run. It hears the recording's lies from here,
  // as it heard them from the liar: what a liar does is neither fair nor unfair, but rounds are
  // counted before it.
  TailWatch(Scheduler& player, FairTail& tail) : player_(player), tail_(tail) {
    tail_.listen_to(this);
  }
  ~TailWatch() override { tail_.listen_to(nullptr); }
  TailWatch(const TailWatch&) = delete;
  TailWatch& operator=(const TailWatch&) = delete;

  TimeUse time_use() const override { return player_.time_use(); }
  bool plays(Do fault) const override { return player_.plays(fault); }
  bool sees_pending() const override { return player_.sees_pending(); }
  void begin(const Setup& setup, std::uint64_t seed) override;
  Action next(World& world) override;
  void on_pending(World& world, Do kind, std::uint32_t slot) override;
  std::uint32_t on_choice(World& world, std::uint32_t n) override;

  bool in_the_tail() const { return in_step_; }  // so far the last steps are those of a fair tail
  bool over() const { return over_; }            // which has no more to do
  std::uint32_t idle_rounds() const { return in_step_ ? tail_.idle_rounds() : 0; }

 private:
  void start_over();
  void hear(World&, std::uint32_t) override {}
  Action lie(World&) override { return recorded_lie_; }
  void delivers(World&, const Action&) override {}

  Scheduler& player_;
  FairTail& tail_;
  const Setup* setup_ = nullptr;
  std::uint64_t seed_ = 0;
  Action recorded_lie_;  // where the next step is one
  bool watching_ = false, in_step_ = false, over_ = false;
};

}  // namespace schism
