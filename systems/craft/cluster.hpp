// For tests: a cluster of C-Raft servers driven by hand, action by action.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "schism/registry.hpp"
#include "schism/sim/sim_world.hpp"
#include "systems/craft/craft.hpp"

namespace schism::craft {

class Cluster {
 public:
  explicit Cluster(int nodes, const std::function<void(Config&)>& change = {},
                   std::function<void(Workload&)> workload = {})
      : system_(*systems().find("craft")) {
    system_.workload = std::move(workload);
    if (!system_.workload) system_.workload = [](Workload&) {};
    auto config = std::make_shared<Config>();
    if (change) change(*config);
    setup_.system = &system_;
    setup_.config = config;
    setup_.nodes = nodes;
    setup_.node_seed = 1;
    setup_.options.faults.crash = setup_.options.faults.disk_error = 100;
    world_.listen(kEveryEvent);
    world_.reset(setup_);
  }

  SimWorld& world() { return world_; }
  const Craft& node(NodeId id) const { return *world_.as<Craft>(id); }
  // What the nodes said to be wrong, in order.
  const std::vector<Flaw>& flaws() const { return flaws_; }
  const std::vector<Answer>& answers() const { return answers_; }

  void apply(const Action& action) {
    const Refusal refusal = world_.apply(action);
    ASSERT_EQ(refusal, Refusal::none) << refusal_text(refusal);
    for (const Event& event : world_.events()) {
      if (const auto* flaw = event.as<Flaw>()) flaws_.push_back(*flaw);
      if (event.kind == Happened::answered) answers_.push_back(*event.as<Answer>());
      if (event.kind == Happened::failed) ADD_FAILURE() << event.as<Failure>()->message;
    }
  }

  bool fire(Timer timer, NodeId id) {
    const Pending& pending = world_.pending();
    const auto kind = static_cast<std::uint32_t>(timer);
    for (std::uint32_t i = 0; i < pending.count_fire(kind); ++i)
      if (pending.nth_fire(kind, i).name.from() == id) {
        apply(pending.nth_fire(kind, i));
        return true;
      }
    return false;
  }

  // One completion of that node's disk; false: none waits.
  bool complete(NodeId id, bool ok = true) {
    const Pending& pending = world_.pending();
    for (std::uint32_t i = 0; i < pending.count(Do::complete); ++i) {
      const Action action = pending.nth(Do::complete, i);
      if (action.name.from() != id) continue;
      apply(ok ? action : failing(action));
      return true;
    }
    return false;
  }

  template <class M>
  bool deliver(NodeId from, NodeId to) {
    const Pending& pending = world_.pending();
    for (std::uint32_t i = 0; i < pending.deliverable.size(); ++i) {
      const Action action = pending.nth_deliver(i);
      if (action.name.from() != from || action.name.to() != to ||
          pending.flights[action.hint].body->type != &type_info<M>())
        continue;
      apply(action);
      return true;
    }
    return false;
  }

  // Messages, disks and callbacks until nothing is left but what concerns isolated nodes.
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
      for (NodeId id = 0; id < world_.setup().nodes && !moved; ++id)
        moved = complete(id) || fire(Timer::sent, id) || fire(Timer::work, id);
    }
  }
  void isolate(std::set<NodeId> nodes) { isolated_ = std::move(nodes); }

  void tick(NodeId id, int times = 1) {
    for (int i = 0; i < times; ++i) {
      fire(Timer::tick, id);
      settle();
    }
  }
  void elect(NodeId id) {
    for (int i = 0; i < 20 && !node(id).leads(); ++i) tick(id);
    ASSERT_TRUE(node(id).leads());
    tick(id, 2);  // its barrier
  }
  // The next request of that client, at that node.
  void submit(int client, NodeId to) {
    const Pending& pending = world_.pending();
    for (std::uint32_t i = 0; i < pending.askings.size(); ++i) {
      const Asking& asking = pending.askings[i];
      if (asking.alive() && asking.name.from() == client)
        return apply(make_action(Do::submit, asking.name, static_cast<std::uint32_t>(to), i));
    }
    FAIL() << "client " << client << " has nothing to ask for";
  }
  void crash(NodeId id, CrashOutcome outcome = {}) {
    apply(node_action(Do::crash, id, outcome.arg()));
  }
  void restart(NodeId id) { apply(node_action(Do::restart, id)); }

 private:
  System system_;
  Setup setup_;
  SimWorld world_;
  std::set<NodeId> isolated_;
  std::vector<Flaw> flaws_;
  std::vector<Answer> answers_;
};

}  // namespace schism::craft
