// A scheduler in whose runs somebody lies: it wraps another, which decides everything else. Whoever
// lies sees each message of a liar when it becomes pending and says what to do about it before
// anything else happens; in the fair tail too, where network faults have ended.
#pragma once

#include <deque>

#include "schism/base/registry.hpp"
#include "schism/schedule/around.hpp"

namespace schism::byzantine {

class Lying : public Around, public Liar {
 public:
  // `alone`: the scheduler where none is named.
  explicit Lying(std::vector<Child<Scheduler>> children, const Spec& alone = {"timed"});

  bool plays(Do fault) const override;
  Status check(const Setup& setup) const override;
  bool sees_pending() const final { return true; }
  void begin(const Setup& setup, std::uint64_t seed) final;
  Action next(World& world) final;
  void on_pending(World& world, Do kind, std::uint32_t slot) final;
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
  std::deque<Action> said_;
};

}  // namespace schism::byzantine
