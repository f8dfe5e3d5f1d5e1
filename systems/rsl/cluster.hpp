// For tests: replicas driven by hand. Nothing moves unless it is told to.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <utility>

#include "schism/registry.hpp"
#include "schism/sim/sim_world.hpp"
#include "systems/rsl/replica.hpp"

namespace schism::rsl {

class Cluster {
 public:
  explicit Cluster(int nodes, const std::function<void(Config&)>& change = {})
      : system_(*systems().find("rsl")) {
    auto config = std::make_shared<Config>();
    config->clients = 1;
    if (change) change(*config);
    setup_.system = &system_;
    setup_.config = config;
    setup_.nodes = nodes;
    setup_.node_seed = 1;
    setup_.options.faults.crash = 100;
    world_.listen(kEveryEvent);
    world_.reset(setup_);
  }

  const Replica& node(NodeId id) const { return *world_.as<Replica>(id); }

  void apply(const Action& action) {
    const Refusal refusal = world_.apply(action);
    ASSERT_EQ(refusal, Refusal::none) << refusal_text(refusal);
  }
  void tick(NodeId id, int times = 1) {
    for (; times > 0; --times) {
      const Pending& pending = world_.pending();
      for (std::uint32_t i = 0; i < pending.count_fire(0); ++i)
        if (pending.nth_fire(0, i).name.from() == id) {
          apply(pending.nth_fire(0, i));
          break;
        }
    }
  }
  // Delivers until nothing is left but what concerns isolated replicas, which is kept.
  void settle() {
    for (bool moved = true; moved;) {
      moved = false;
      const Pending& pending = world_.pending();
      for (std::uint32_t i = 0; i < pending.deliverable.size() && !moved; ++i) {
        const Action action = pending.nth_deliver(i);
        if (isolated_.contains(action.name.from()) || isolated_.contains(action.name.to()))
          continue;
        apply(action);
        moved = true;
      }
    }
  }
  void isolate(std::set<NodeId> nodes) { isolated_ = std::move(nodes); }
  // Ticks that replica, and lets the messages come, until it is primary and has decided.
  void elect(NodeId id) {
    settle();
    for (int i = 0; i < 100 && !(node(id).leads() && node(id).ready); ++i) {
      tick(id);
      settle();
    }
    ASSERT_TRUE(node(id).leads() && node(id).ready);
  }
  void submit(NodeId to) {
    const Pending& pending = world_.pending();
    for (std::uint32_t i = 0; i < pending.askings.size(); ++i)
      if (pending.askings[i].alive())
        return apply(
            make_action(Do::submit, pending.askings[i].name, static_cast<std::uint32_t>(to), i));
    FAIL() << "nothing to ask for";
  }
  // The next command, decided by that primary.
  void decide(NodeId id) {
    submit(id);
    tick(id);
    settle();
  }
  void crash(NodeId id) { apply(node_action(Do::crash, id, CrashOutcome{}.arg())); }
  void restart(NodeId id) { apply(node_action(Do::restart, id)); }

 private:
  System system_;
  Setup setup_;
  SimWorld world_;
  std::set<NodeId> isolated_;
};

}  // namespace schism::rsl
