// What must hold of Tendermint beside agreement, integrity and termination.
#pragma once

#include "schism/oracle/oracle.hpp"
#include "systems/tendermint/messages.hpp"

namespace tendermint {

// What is decided goes on from what the same validator decided before, is in order, and was made by
// whoever was to make it: a liar, or a correct validator that says so. Judged at the end.
class Validity final : public Oracle {
 public:
  std::string_view name() const override { return "validity"; }
  EventMask wakes_on() const override {
    return announcements_of<Decided>() | announcements_of<Proposed>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  void finish(const World& world, const Ending& ending) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Decision {
    Decided decided;
    std::uint32_t step;
  };
  std::string fault_of(const World& world, NodeId node, const Decided& decided) const;

  std::map<NodeId, std::map<int, Decision>> decisions_;  // by height
  std::map<NodeId, std::vector<int>> made_;
};

// Evidence is against liars only.
class Accusations final : public Oracle {
 public:
  std::string_view name() const override { return "no-false-accusation"; }
  EventMask wakes_on() const override { return announcements_of<Accused>(); }
  void begin(const World&) override { absolve(); }
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override { return Hash128{}; }
};

}  // namespace tendermint
