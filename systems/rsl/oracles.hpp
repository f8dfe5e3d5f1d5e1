// What must hold of `rsl` beside what holds of every replicated log: progress at a fair end.
#pragma once

#include "schism/oracle/oracle.hpp"
#include "systems/rsl/replica.hpp"

namespace schism::rsl {

// On a fair tail there comes a primary that decides the decree it began with, and all others follow
// it there. Not promised by the published rules, nor where replicas quit.
class Progressing final : public Oracle {
 public:
  explicit Progressing(const Setup& setup);
  std::string_view name() const override { return "progress"; }
  EventMask wakes_on() const override {
    return wanted_ ? kNodeActed | mask_of(Happened::calmed) : 0;
  }
  bool wants_fair_tail() const override { return wanted_; }
  bool satisfied() const override { return satisfied_; }
  bool judged() const override { return judged_ || !wanted_; }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  void finish(const World& world, const Ending& ending) override;
  std::optional<Hash128> digest() const override { return Hash128{}; }

 private:
  static NodeId primary(const World& world);  // of the highest ballot; kNobody: there is none
  NodeId behind(const World& world) const;    // kNobody: none

  bool wanted_, judged_ = false, satisfied_ = false;
  NodeId primary_ = kNobody;  // in the calm
  std::uint32_t ballot_ = 0;
  Decree due_ = 0;  // the decree that it was at when it was seen first
};

}  // namespace schism::rsl
