// For tests: node 0 alone among liars, so that a test can say anything to it in the others' names.
// It is the proposer of round 3 of height 1; of round 0 it is node 1, of round 1 node 2.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "schism/registry.hpp"
#include "schism/sim/sim_world.hpp"
#include "systems/tendermint/validator.hpp"

namespace tendermint {

class Alone {
 public:
  explicit Alone(const std::function<void(Config&)>& change = {}) {
    auto config = std::make_shared<Config>();
    if (change) change(*config);
    setup_.system = systems().find("tendermint");
    setup_.config = config;
    setup_.nodes = 4;
    setup_.node_seed = 1;
    setup_.options.faults.crash = setup_.options.faults.inject = 1000;
    setup_.options.liars = {1, 2, 3};
    world_.listen(kEveryEvent);
    world_.reset(setup_);
  }

  const Validator& node() const { return *world_.as<Validator>(0); }

  void apply(const Action& action) {
    const Refusal refusal = world_.apply(action);
    ASSERT_EQ(refusal, Refusal::none) << refusal_text(refusal);
    for (const Event& event : world_.events()) {
      if (event.kind != Happened::announced || event.node != 0) continue;
      if (const Decided* d = event.as<Decided>()) decided.push_back(*d);
      if (const Accused* a = event.as<Accused>()) accused.push_back(a->who);
    }
  }

  // Comes to node 0 at once.
  template <class M>
  void say(NodeId from, const M& message) {
    const std::uint32_t content = world_.add_content(to_value(message));
    apply(make_action(Do::inject, Name(from, 0, Messages::index<M>(), 0), content));
    const Pending& pending = world_.pending();
    for (std::uint32_t i = 0; i < pending.flights.size(); ++i) {
      const Flight& flight = pending.flights[i];
      if (flight.alive() && flight.name.to() == 0 && flight.name.nth() > 0xf000000)
        return apply(make_action(Do::deliver, flight.name, 0, i));
    }
    FAIL() << "it did not come";
  }

  Signed<Block> block(int round, int load = 1) const {
    const auto& chain = node().chain;
    const int parent = chain.empty() ? kNil : id_of(chain.back().block);
    return signed_by(proposer_of(node().height, round, 4),
                     Block{node().height, round, parent, load});
  }
  void propose(int round, const Signed<Block>& what, int pol = -1) {
    const NodeId by = proposer_of(node().height, round, 4);
    say(by, Propose{signed_by(by, Proposal{node().height, round, id_of(what), pol}), what});
  }
  Signed<Vote> vote(NodeId by, Kind kind, int round, int id, int extension = 0) const {
    return signed_by(by, Vote{kind, node().height, round, id, extension});
  }
  void prevote(std::initializer_list<NodeId> by, int round, int id) {
    for (const NodeId from : by) say(from, Prevote{vote(from, Kind::prevote, round, id)});
  }
  void precommit(std::initializer_list<NodeId> by, int round, int id) {
    for (const NodeId from : by) say(from, Precommit{vote(from, Kind::precommit, round, id)});
  }
  // Locked on the block of round 0, in round 1: its precommit was too few.
  int lock_and_move_on() {
    const auto first = block(0);
    propose(0, first);
    prevote({1, 2}, 0, id_of(first));
    EXPECT_EQ(node().locked.round, 0);
    precommit({1, 2}, 1, kNil);
    EXPECT_EQ(node().round, 1);
    return id_of(first);
  }

  bool armed(Clock timer) const { return timer_of(timer).has_value(); }
  void fire(Clock timer) {
    const auto action = timer_of(timer);
    ASSERT_TRUE(action) << "no such timer";
    apply(*action);
  }
  void crash() { apply(node_action(Do::crash, 0, CrashOutcome{}.arg())); }
  void restart() { apply(node_action(Do::restart, 0)); }

  // What it voted; nothing: it did not.
  std::optional<int> own(Kind kind, int round) const {
    const auto at = node().rounds.find(round);
    if (at == node().rounds.end()) return std::nullopt;
    for (const Signed<Vote>& vote : at->second.of(kind).votes)
      if (vote.signer == 0) return vote->id;
    return std::nullopt;
  }
  // What it has said to that node, newest last.
  template <class M>
  std::vector<M> said_to(NodeId to) const {
    std::map<std::uint32_t, M> out;
    const auto& flights = world_.pending().flights;
    for (std::uint32_t i = 0; i < flights.size(); ++i) {
      const Flight& flight = flights[i];
      if (flight.alive() && flight.name.from() == 0 && flight.name.to() == to &&
          flight.body->type == &type_info<M>())
        out.emplace(flight.name.nth(), *static_cast<const M*>(flight.body->content()));
    }
    std::vector<M> list;
    for (auto& [nth, m] : out) list.push_back(std::move(m));
    return list;
  }

  std::vector<Decided> decided;
  std::vector<NodeId> accused;

 private:
  std::optional<Action> timer_of(Clock timer) const {
    const Pending& pending = world_.pending();
    const auto kind = static_cast<std::uint32_t>(timer);
    for (std::uint32_t i = 0; i < pending.count_fire(kind); ++i)
      if (pending.nth_fire(kind, i).name.from() == 0) return pending.nth_fire(kind, i);
    return std::nullopt;
  }

  Setup setup_;
  SimWorld world_;
};

}  // namespace tendermint
