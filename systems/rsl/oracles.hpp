// What must hold of `rsl`: the lists of decided commands agree, a ballot has one primary, and at a
// fair end there is progress. The first two are functions of the set of announcements.
#pragma once

#include <vector>

#include "schism/oracle/oracle.hpp"
#include "systems/rsl/replica.hpp"

namespace schism::rsl {

// Who was first to say what of a number.
struct First {
  Command command = kEmpty;
  NodeId node = kNobody;  // nobody yet
  std::uint32_t step = 0;
};

// No two replicas, and no replica at two times, have different commands at one position.
class DecidedLists final : public Oracle {
 public:
  std::string_view name() const override { return "decided-lists"; }
  EventMask wakes_on() const override { return announcements_of<Executed>(); }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  std::vector<First> first_;  // by position
};

// Ballots are compared by number, so a number must have one primary.
class OnePrimary final : public Oracle {
 public:
  std::string_view name() const override { return "one-primary"; }
  EventMask wakes_on() const override { return announcements_of<RoleChange>(); }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Elected {
    std::uint32_t ballot;
    First primary;
  };
  std::vector<Elected> elected_;
};

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
