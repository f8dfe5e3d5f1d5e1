// What happened in a run, counted: rounds, modes, disputes, bow-outs, branch switches, and how far
// apart validated ledgers are. An oracle that judges nothing: give it to a copy of the system.
#pragma once

#include <algorithm>

#include "systems/xrpl/oracles.hpp"

namespace schism::xrpl {

struct Counts {
  std::uint64_t rounds = 0, accepted = 0, mode_changes = 0, switches = 0, disputes = 0;
  std::uint64_t bow_outs = 0, failed_fetches = 0,
                ledgers = 0;  // ledgers: newly validated by anybody
  std::uint32_t highest_proposal = 0;
  Micros shortest_gap = 0, longest_gap = 0, first_at = 0, last_at = 0;  // of those ledgers
};

class Collector final : public Oracle {
 public:
  explicit Collector(Counts& counts) : counts_(counts) {}
  std::string_view name() const override { return "collector"; }
  EventMask wakes_on() const override { return mask_of(Happened::announced); }
  void begin(const World&) override {
    counts_ = {};
    highest_ = 1;
  }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& e : events) {
      counts_.rounds += announced_as<RoundStarted>(e) != nullptr;
      counts_.accepted += announced_as<Accepted>(e) != nullptr;
      counts_.mode_changes += announced_as<ModeChanged>(e) != nullptr;
      counts_.switches += announced_as<Switched>(e) != nullptr;
      counts_.disputes += announced_as<Disputed>(e) != nullptr;
      counts_.bow_outs += announced_as<BowedOut>(e) != nullptr;
      counts_.failed_fetches += announced_as<AcquireFailed>(e) != nullptr;
      if (const auto* p = announced_as<Positioned>(e); p && p->broadcast && p->seq != kSeqLeave)
        counts_.highest_proposal = std::max(counts_.highest_proposal, p->seq);
      if (const auto* v = announced_as<FullyValidated>(e); v && v->seq > highest_) {
        highest_ = v->seq;
        note(world.clock());
      }
    }
  }

 private:
  void note(Micros now) {
    if (counts_.ledgers++ == 0) {
      counts_.first_at = now;
    } else {
      const Micros gap = now - counts_.last_at;
      counts_.longest_gap = std::max(counts_.longest_gap, gap);
      counts_.shortest_gap = counts_.ledgers == 2 ? gap : std::min(counts_.shortest_gap, gap);
    }
    counts_.last_at = now;
  }
  Counts& counts_;
  Seq highest_ = 1;
};

}  // namespace schism::xrpl
