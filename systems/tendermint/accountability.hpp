// Who is guilty when agreement breaks, from signed votes alone: with more than f liars two correct
// validators may decide differently, and then at least f + 1 of them can be named.
#pragma once

#include "schism/oracle/oracle.hpp"
#include "systems/tendermint/messages.hpp"

namespace tendermint {

struct Guilty {
  NodeSet equivocation;  // two different votes of a kind for one round
  NodeSet amnesia;       // a precommit for one block and later a prevote for another, without a
                         // quorum of prevotes for that in between
  NodeSet all() const;
};
Guilty guilty_of(const std::vector<Signed<Vote>>& votes, int nodes);

// Votes as correct validators have sent and received them. Where at most f lie, it looks at
// nothing. Judged at the end: nobody correct is named, and where two heights are decided
// differently f + 1 are.
class Accountability final : public Oracle {
 public:
  explicit Accountability(const Setup& setup);
  std::string_view name() const override { return "accountability"; }
  EventMask wakes_on() const override;
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  void finish(const World& world, const Ending& ending) override;
  std::optional<Hash128> digest() const override {
    return too_many_ ? std::nullopt : std::optional(Hash128{});
  }

 private:
  void keep(const World& world, const Event& event);
  void keep(const Signed<Vote>& vote);

  bool too_many_ = false;
  std::vector<Signed<Vote>> votes_;
  std::map<int, std::vector<int>> decided_;  // by height
};

}  // namespace tendermint
