// The end of a run, served fairly: links heal, nodes resume and restart, then everything happens in
// due order with one latency, until nothing is left or the time is over. `eventually` is judged
// after it.
//
// Protocols with heartbeats never have nothing left, so rounds are counted: a round is over when
// all that was pending at its beginning was served or cancelled. How many rounds without progress
// are enough is for whoever plays the tail to say.
#pragma once

#include "schism/schedule/scheduler.hpp"
#include "schism/schedule/timed_queue.hpp"

namespace schism {

// What was judged after a system's patience is only believed if it is the same after so many times
// of it.
inline constexpr std::uint32_t kSurely = 10;

class FairTail final : public Scheduler {
 public:
  explicit FairTail(Micros bound) : bound_(bound) {}

  TimeUse time_use() const override { return TimeUse::timed; }
  bool plays(Do) const override { return true; }
  bool sees_pending() const override { return true; }
  void begin(const Setup& setup, std::uint64_t seed) override;
  Action next(World& world) override;
  void on_pending(World& world, Do kind, std::uint32_t slot) override;

  // From now on this one lies; null: nobody.
  void listen_to(Liar* liar) { liar_ = liar; }

  void made_progress() { idle_rounds_ = 0; }
  std::uint32_t idle_rounds() const { return idle_rounds_; }  // that are over, since then
  bool round_over() const { return served_ == 0; }            // one began just now

 private:
  struct Item {
    Do kind;
    std::uint32_t slot, generation;
  };
  void count_round(const World& world);

  Micros bound_;
  Micros ends_ = -1;  // before the calm
  bool until_calm_ = false;
  Liar* liar_ = nullptr;
  TimedQueue queue_;
  std::vector<Item> round_;  // what was pending at its beginning
  std::size_t served_ = 0;   // of these, in their order
  std::uint32_t idle_rounds_ = 0;
};

// Whether a step may be progress: somebody said something that an oracle listens to.
constexpr EventMask kProgress = mask_of(Happened::announced) | mask_of(Happened::answered) |
                                mask_of(Happened::invoked) | ~EventMask{0xffffffff};

}  // namespace schism
