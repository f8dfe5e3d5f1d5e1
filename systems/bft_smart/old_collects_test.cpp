// A leader that shows the collects of an earlier regency in its SYNC. No way of lying puts a part
// of an old message into a new one, so the run is made by hand: 0 alone decides in epoch 1, and the
// liar 2, who leads regency 2, shows what it got in the SYNC of regency 1.
#include <gtest/gtest.h>

#include "schism/run/config.hpp"
#include "schism/sim/sim_world.hpp"
#include "systems/bft_smart/replica.hpp"

namespace bft_smart {
namespace {

constexpr NodeId kLiar = 2;

class ByHand {
 public:
  explicit ByHand(bool bug) {
    RunText text;
    text.system = {"bft-smart", {{"requests", "1"}}};
    if (bug) text.bugs = {"old-collects"};
    text.world = {{"liars", std::to_string(kLiar)}};
    auto config = make_config(text);
    EXPECT_TRUE(config) << config.error();
    config_ = *config;
    world_.reset(config_.setup);
  }

  // Serves what there is, messages first, until 1 or 3 goes on in regency 2.
  void play() {
    for (int i = 0; i < 3000 && regency(1) < 2 && regency(3) < 2; ++i) {
      const Pending& pending = world_.pending();
      bool served = false;
      for (std::uint32_t slot = 0; slot < pending.flights.size() && !served; ++slot) {
        const Flight& flight = pending.flights[slot];
        if (!flight.alive() || is_late(flight)) continue;
        lie_about(slot);
        served = world_.apply(make_action(Do::deliver, flight.name)) == Refusal::none;
      }
      for (const Do kind : {Do::submit, Do::fire})
        if (!served && pending.count(kind) > 0)
          served = world_.apply(pending.nth(kind, turn_++ % pending.count(kind))) == Refusal::none;
      if (!served) return;
    }
  }

  const Replica& replica(NodeId id) const { return *world_.as<Replica>(id); }
  int told() const { return told_; }

 private:
  int regency(NodeId id) const { return replica(id).stopped ? 0 : replica(id).regency; }

  template <class M>
  static const M* as(const Flight& flight) {
    return flight.body->type == &type_info<M>() ? static_cast<const M*>(flight.body->content())
                                                : nullptr;
  }

  // Nothing is written in epoch 0; 0 alone hears of ACCEPTs, and what it tells is late.
  bool is_late(const Flight& flight) {
    if (const auto* sync = as<Sync>(flight);
        sync && sync->regency == 1 && flight.name.to() == kLiar)
      first_ = *sync;
    if (const auto* write = as<Write>(flight)) return write->epoch == 0;
    if (as<Accept>(flight)) return flight.name.to() != 0;
    return as<FwdDecision>(flight) != nullptr;
  }

  void lie_about(std::uint32_t slot) {
    const Flight& flight = world_.pending().flights[slot];
    const auto* sync = as<Sync>(flight);
    if (!sync || sync->regency != 2 || !first_ || flight.name.to() > 3) return;
    Sync lie = *sync;
    lie.last = {};
    lie.collects = first_->collects;
    lie.batch.nonce = 7;
    const auto content = world_.add_content(to_value(lie));
    EXPECT_EQ(world_.apply(make_action(Do::mutate, flight.name, content)), Refusal::none);
    ++told_;
  }

  RunConfig config_;
  SimWorld world_;
  std::optional<Sync> first_;
  std::uint32_t turn_ = 0;
  int told_ = 0;
};

TEST(BftSmartOldCollects, LetALeaderProposeAnything) {
  for (const bool bug : {true, false}) {
    ByHand run(bug);
    run.play();
    EXPECT_GT(run.told(), 0);
    EXPECT_EQ(run.replica(0).last, 1) << "0 has decided";
    bool written = false;
    for (const NodeId id : {1, 3})
      for (const auto& [cid, slot] : run.replica(id).slots)
        for (const Written& w : slot.written) written = written || w.batch.nonce == 7;
    EXPECT_EQ(written, bug) << "something else is written in the same instance";
  }
}

}  // namespace
}  // namespace bft_smart
