// Nobody can make a liar say what a correct node has signed, and a correct node has not: by
// changing, by difference, by making up, and by editing a trace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/difference.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/trace/trace.hpp"
#include "systems/pbft/replica.hpp"

namespace pbft {
namespace {

constexpr NodeId kClient = 4;

class Forging : public testing::Test {
 protected:
  void SetUp() override {
    RunText text;
    text.system = {"pbft", {}};
    text.world = {{"liars", "0"}};
    const auto config = make_config(text);
    ASSERT_TRUE(config) << config.error();
    config_ = *config;
    world_.reset(config_.setup);
    ASSERT_EQ(world_.apply(world_.pending().nth(Do::submit, 0)), Refusal::none);
    deliver<Request>(kClient, 0);
  }

  template <class M>
  static Name name(NodeId from, NodeId to, std::uint32_t nth = 0) {
    return Name(from, to, Messages::index<M>(), nth);
  }
  template <class M>
  void deliver(NodeId from, NodeId to, std::uint32_t nth = 0) {
    ASSERT_EQ(world_.apply(make_action(Do::deliver, name<M>(from, to, nth))), Refusal::none);
  }
  // What is in flight.
  template <class M>
  M honest(NodeId from, NodeId to) {
    const Pending& pending = world_.pending();
    for (std::uint32_t i = 0; i < pending.flights.size(); ++i)
      if (pending.flights[i].alive() && pending.flights[i].name == name<M>(from, to))
        return *static_cast<const M*>(pending.flights[i].body->content());
    ADD_FAILURE() << "not in flight";
    return {};
  }
  template <class M>
  Refusal mutate(NodeId from, NodeId to, const Value& content) {
    const std::uint32_t index = world_.add_content(content);
    return world_.apply(make_action(Do::mutate, name<M>(from, to), index));
  }
  template <class M>
  Refusal inject(NodeId from, NodeId to, const M& message) {
    const std::uint32_t index = world_.add_content(to_value(message));
    return world_.apply(make_action(Do::inject, name<M>(from, to), index));
  }

  RunConfig config_;
  SimWorld world_;
};

const Op kInvented{kClient, 1, 99};

TEST_F(Forging, ByChangingAMessage) {
  PrePrepare lie = honest<PrePrepare>(0, 1);
  const Value before = to_value(lie);
  lie.op = signed_by(kClient, kInvented);
  EXPECT_EQ(mutate<PrePrepare>(0, 1, to_value(lie)), Refusal::forged);
  EXPECT_EQ(mutate<PrePrepare>(0, 1, difference(before, to_value(lie))), Refusal::forged);
  EXPECT_EQ(to_value(honest<PrePrepare>(0, 1)), before);
}

TEST_F(Forging, ByMakingUpAMessage) {
  EXPECT_EQ(inject(0, 1, Request{signed_by(kClient, kInvented)}), Refusal::forged);
  EXPECT_EQ(inject(0, 1, Prepare{signed_by(2, Accept{0, 1, 5})}), Refusal::forged);
  EXPECT_EQ(inject(0, 1, Commit{signed_by(3, Settle{0, 1, 5})}), Refusal::forged);
  EXPECT_EQ(inject(0, 1, Checkpoint{signed_by(1, Mark{4, 5})}), Refusal::forged);
  // However deep: a certificate of its own with somebody else's vote in it.
  Change change{1, 0, {}, {}};
  change.prepared.push_back({signed_by(0, Proposal{0, 1, 5}),
                             {signed_by(1, Accept{0, 1, 5}), signed_by(0, Accept{0, 1, 5})},
                             signed_by(kClient, kInvented)});
  EXPECT_EQ(inject(0, 1, ViewChange{signed_by(0, change)}), Refusal::forged);
  EXPECT_EQ(inject(0, 1, NewView{1, {signed_by(0, change)}, {}, {}}), Refusal::forged);
  EXPECT_EQ(inject(0, 1, State{{signed_by(kClient, kInvented)}, {}}), Refusal::forged);
}

TEST_F(Forging, InTheNameOfSomebodyElse) {
  EXPECT_EQ(inject(1, 2, Prepare{signed_by(1, Accept{0, 1, 5})}), Refusal::not_a_liar);
  EXPECT_EQ(world_.apply(make_action(Do::omit, name<PrePrepare>(1, 2))), Refusal::not_pending);
}

TEST_F(Forging, ByChangingWhatACorrectNodeSays) {
  deliver<PrePrepare>(0, 1);
  Prepare vote = honest<Prepare>(1, 2);
  EXPECT_EQ(mutate<Prepare>(1, 2, to_value(vote)), Refusal::not_a_liar);
  EXPECT_EQ(world_.apply(make_action(Do::omit, name<Prepare>(1, 2))), Refusal::not_a_liar);
  EXPECT_EQ(world_.apply(node_action(Do::restart, 1)), Refusal::node_up) << "it forgets nothing";
}

// A liar that forgets has lost its state; what it once held it may still show.
TEST_F(Forging, AnAmnesiacSignsForNobodyElse) {
  deliver<PrePrepare>(0, 1);
  const Prepare vote = honest<Prepare>(1, 0);
  ASSERT_EQ(world_.apply(node_action(Do::restart, 0)), Refusal::none);
  EXPECT_EQ(inject(0, 2, vote), Refusal::forged) << "it has not arrived";
  deliver<Prepare>(1, 0);
  EXPECT_EQ(inject(0, 2, vote), Refusal::none);
  EXPECT_EQ(inject(0, 1, Request{signed_by(kClient, kInvented)}), Refusal::forged);
  EXPECT_EQ(world_.as<Replica>(0), nullptr) << "nobody judges it";
}

TEST_F(Forging, OwnItemsAreSignedAnew) {
  PrePrepare lie = honest<PrePrepare>(0, 1);
  lie.proposal.value.n = 2;
  EXPECT_FALSE(lie.proposal.valid());
  ASSERT_EQ(mutate<PrePrepare>(0, 1, to_value(lie)), Refusal::none);
  const PrePrepare now = honest<PrePrepare>(0, 1);
  EXPECT_TRUE(now.proposal.valid());
  EXPECT_EQ(now.proposal->n, 2);
  EXPECT_TRUE(now.op.valid()) << "the client's is as it was";
}

TEST_F(Forging, WhatWasReceivedMayBeShown) {
  deliver<PrePrepare>(0, 1);
  const Prepare vote = honest<Prepare>(1, 0);
  EXPECT_EQ(inject(0, 2, vote), Refusal::forged) << "it has not arrived";
  deliver<Prepare>(1, 0);
  EXPECT_EQ(inject(0, 2, vote), Refusal::none);
}

TEST_F(Forging, WhatDoesNotVerifyMayBeSent) {
  PrePrepare lie = honest<PrePrepare>(0, 1);
  lie.op.value.add += 1;
  ASSERT_EQ(mutate<PrePrepare>(0, 1, to_value(lie)), Refusal::none);
  EXPECT_FALSE(honest<PrePrepare>(0, 1).op.valid());
}

TEST_F(Forging, ByEditingATrace) {
  PrePrepare lie = honest<PrePrepare>(0, 1);
  lie.proposal.value.n = 2;
  ASSERT_EQ(mutate<PrePrepare>(0, 1, to_value(lie)), Refusal::none);
  Trace trace = make_trace(config_, {}, 0, record(world_.decisions(), world_.contents()));
  EXPECT_FALSE(replay(trace).refused);
  lie.op = signed_by(kClient, kInvented);
  trace.steps.back().content = to_value(lie);
  const auto read = parse_trace(to_text(trace), "edited");
  ASSERT_TRUE(read) << read.error();
  const ReplayReport report = replay(*read);
  ASSERT_TRUE(report.refused);
  EXPECT_EQ(report.refused->second, Refusal::forged);
}

TEST_F(Forging, ATraceTellsWhatALieChanged) {
  PrePrepare lie = honest<PrePrepare>(0, 1);
  lie.proposal.value.n = 2;
  ASSERT_EQ(mutate<PrePrepare>(0, 1, to_value(lie)), Refusal::none);
  const Trace trace = make_trace(config_, {}, 0, record(world_.decisions(), world_.contents()));
  EXPECT_THAT(to_text(trace), testing::HasSubstr(R"(["proposal","value","n"],"by",1])"));
  const auto read = parse_trace(to_text(trace), "it");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(to_text(*read), to_text(trace));
}

}  // namespace
}  // namespace pbft
