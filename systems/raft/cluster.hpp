// For tests: a cluster driven by hand. Nothing moves unless it is told to.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "schism/registry.hpp"
#include "schism/sim/sim_world.hpp"
#include "systems/raft/raft.hpp"

namespace schism::raft {

class Cluster {
 public:
  // The clients ask for what `workload` says; without one nobody asks for anything.
  explicit Cluster(int nodes, const std::function<void(Config&)>& change = {},
                   std::function<void(Workload&)> workload = {})
      : system_(*systems().find("raft")) {
    system_.workload = std::move(workload);
    if (!system_.workload) system_.workload = [](Workload&) {};
    auto config = std::make_shared<Config>();
    if (change) change(*config);
    setup_.system = &system_;
    setup_.config = config;
    setup_.nodes = nodes;
    setup_.node_seed = 1;
    setup_.options.faults.crash = setup_.options.faults.duplicate = 100;
    world_.listen(kEveryEvent);
    world_.reset(setup_);
  }

  SimWorld& world() { return world_; }
  const Raft& node(NodeId id) const { return *world_.as<Raft>(id); }

  void apply(const Action& action) {
    const Refusal refusal = world_.apply(action);
    ASSERT_EQ(refusal, Refusal::none) << refusal_text(refusal);
    for (const Event& event : world_.events()) {
      if (event.kind == Happened::answered) answers_.emplace_back(event.peer, *event.as<Answer>());
      if (event.kind == Happened::failed) ADD_FAILURE() << event.as<Failure>()->message;
    }
  }

  void fire(Timer timer, NodeId id) {
    const Pending& pending = world_.pending();
    const auto kind = static_cast<std::uint32_t>(timer);
    for (std::uint32_t i = 0; i < pending.count_fire(kind); ++i)
      if (pending.nth_fire(kind, i).name.from() == id) return apply(pending.nth_fire(kind, i));
    FAIL() << "node " << id << " has no such timer";
  }

  // One message of that type, the oldest; false: there is none.
  template <class M>
  bool deliver(NodeId from, NodeId to) {
    const std::uint32_t slot = find<M>(from, to);
    if (slot == kNone) return false;
    apply(make_action(Do::deliver, world_.pending().flights[slot].name, 0, slot));
    return true;
  }
  template <class M>
  bool in_flight(NodeId from, NodeId to) const {
    return find<M>(from, to) != kNone;
  }

  // What one node's disk has to do.
  void sync(NodeId id) {
    const Pending& pending = world_.pending();
    for (std::uint32_t i = 0; i < pending.count(Do::complete);)
      if (pending.nth(Do::complete, i).name.from() == id)
        apply(pending.nth(Do::complete, i)), i = 0;
      else ++i;
  }

  // Delivers and completes until nothing is left but what concerns isolated nodes. No timers.
  void settle() {
    for (bool moved = true; moved;) {
      moved = false;
      const Pending& pending = world_.pending();
      for (std::uint32_t i = 0; i < pending.deliverable.size(); ++i) {
        const Action action = pending.nth_deliver(i);
        if (isolated_.contains(action.name.from()) || isolated_.contains(action.name.to()))
          continue;
        apply(action);
        moved = true;
        break;
      }
      while (world_.pending().count(Do::complete) > 0) {
        apply(world_.pending().nth(Do::complete, 0));
        moved = true;
      }
    }
  }
  void isolate(std::set<NodeId> nodes) { isolated_ = std::move(nodes); }

  void elect(NodeId id) {
    fire(Timer::election, id);
    settle();
    ASSERT_TRUE(node(id).leads());
  }
  void heartbeat(NodeId id) {
    fire(Timer::heartbeat, id);
    settle();
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

  // (client, answer), in order.
  const std::vector<std::pair<int, Answer>>& answers() const { return answers_; }

 private:
  template <class M>
  std::uint32_t find(NodeId from, NodeId to) const {
    const Pending& pending = world_.pending();
    std::uint32_t best = kNone;
    for (std::uint32_t i = 0; i < pending.flights.size(); ++i) {
      const Flight& flight = pending.flights[i];
      if (!flight.alive() || flight.name.from() != from || flight.name.to() != to ||
          flight.body->type != &type_info<M>())
        continue;
      if (best == kNone || flight.name.nth() < pending.flights[best].name.nth()) best = i;
    }
    return best;
  }

  System system_;
  Setup setup_;
  SimWorld world_;
  std::set<NodeId> isolated_;
  std::vector<std::pair<int, Answer>> answers_;
};

}  // namespace schism::raft
