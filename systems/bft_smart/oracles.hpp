// Judges of `bft-smart` beside those of consensus: local ones, which see the first wrong step of a
// replica.
#pragma once

#include "systems/bft_smart/messages.hpp"

namespace bft_smart {

// No vote in an epoch that a replica has reported as left: others have relied on that.
class EpochsLeft final : public Oracle {
 public:
  std::string_view name() const override { return "epochs-left"; }
  EventMask wakes_on() const override {
    return announcements_of<Left>() | announcements_of<Voted>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct At {
    int epoch;
    std::uint32_t step;
  };
  std::map<std::pair<NodeId, int>, At> left_;  // by node and instance
};

// A quorum of WRITEs that a replica reports has existed: as many of its members as are correct have
// written that, in that epoch.
class ClaimedQuorums final : public Oracle {
 public:
  std::string_view name() const override { return "claimed-quorums"; }
  EventMask wakes_on() const override {
    return announcements_of<Left>() | announcements_of<Voted>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  std::map<std::tuple<int, int, int>, NodeSet> writers_;  // by instance, epoch and digest
};

// Once a value is decided, nobody writes another in a later epoch of that instance. Every instance
// begins in epoch 0, in whatever regency: later are epochs of regencies after the one in which it
// was decided.
class DecidedKept final : public Oracle {
 public:
  std::string_view name() const override { return "decided-kept"; }
  EventMask wakes_on() const override {
    return announcements_of<Decided>() | announcements_of<Voted>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Seen {
    int epoch, digest, node;
    std::uint32_t step;
    int regency = 0;  // of who decides
  };
  struct Instance {
    std::vector<Seen> decided, written;
  };
  void compare(const World& world, int cid, const Seen& decided, const Seen& written);

  std::map<int, Instance> instances_;
};

}  // namespace bft_smart
