// Outlines on the stage: which message a delivery means, what an end may judge, and which
// violations are the same; outlines with less in them, and what a certificate has tried.
#include "schism/shrink/stage.hpp"

#include <gtest/gtest.h>

#include "schism/oracle/eventually.hpp"
#include "schism/schism.hpp"
#include "schism/shrink/certificate.hpp"
#include "schism/testing/checked.hpp"
#include "schism/testing/recorded.hpp"

namespace schism {
namespace {

// A ball that nobody keeps.
struct Ball {
  FIELDS()
};
struct Wish {
  FIELDS()
};
struct Player : Node<Player, Ball> {
  using Requests = Types<Wish>;
  FIELDS()
  void on_request(Context&, RequestId, const Wish&) {}
  void start(Context& c) {
    if (c.self == 0) c.send(1, Ball{});
  }
  void on(Context& c, NodeId from, const Ball&) { c.send(from, Ball{}); }
};

// Violated at every end, fair or not.
class NoEnd final : public Oracle {
 public:
  std::string_view name() const override { return "no end"; }
  EventMask wakes_on() const override { return 0; }
  void begin(const World&) override { absolve(); }
  void look(const World&, std::span<const Event>) override {}
  void finish(const World& world, const Ending&) override { violate(world, "it ended"); }
};

// Registered by whoever needs it: tests that play every system want sound ones.
RunConfig game(bool fair) {
  [[maybe_unused]] static const Registration any =
      system<Player>("test-stage-any-end", "for tests: a ball, and no end is a good one")
          .nodes(2, 2, 2)
          .steps(6)
          .oracle([](const schism::Setup&) { return std::make_unique<NoEnd>(); });
  [[maybe_unused]] static const Registration at_last =
      system<Player>("test-stage-fair-end", "for tests: a ball that should stop")
          .nodes(2, 2, 2)
          .steps(6)
          .tail(1_s)
          .oracle(eventually("stops", [](const World&) { return false; }));
  return testing_tools::config_of(fair ? "test-stage-fair-end" : "test-stage-any-end",
                                  {.explorer = "random"});
}

Outline outline_of_game(bool fair) {
  const Trace trace = testing_tools::recorded(game(fair), {1, 1});
  EXPECT_TRUE(trace.violation);
  EXPECT_EQ(trace.fair, fair);
  auto out = outline_of(trace);
  EXPECT_TRUE(out) << out.error();
  return *std::move(out);
}

TEST(Stage, ATailFollowsOnlyWhereTheEndWasFair) {
  EXPECT_TRUE(outline_of_game(true).tail);
  EXPECT_FALSE(outline_of_game(false).tail);
}

// What shrinking adds (a loss, where links are to keep their order) its strategy need not make: the
// trace can be read again all the same.
TEST(Stage, WhatItRecordsCanBeReadWhateverStrategyMadeTheRun) {
  Outline outline = outline_of_game(true);
  const Spec never_drops = *parse_spec("modelfuzz:guidance=random");
  outline.config.explorer = never_drops;
  outline.config.setup.options.faults.drop = 1;
  EXPECT_FALSE(make_config(to_text(outline.config))) << "then there is nothing to test";
  const Trace trace = Stage().record(outline);
  const auto again = parse_trace(to_text(trace), "again");
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->config.setup.options.faults.drop, 1U);
  EXPECT_EQ(again->steps.size(), trace.steps.size());
}

TEST(Stage, ADeliveryMeansItsOwnMessageUnlessAnyWillDo) {
  Outline outline = outline_of_game(true);
  outline.tail = false;
  ASSERT_EQ(outline.moves.size(), 6U);
  Stage stage;
  EXPECT_TRUE(stage.perform(outline).all_applied);
  outline.moves[2].nth = 1;  // the second ball of that step, which was never there
  const Performance own = stage.perform(outline);
  EXPECT_EQ(own.first_skipped, 2U);
  EXPECT_EQ(own.applied, 2U) << "nor what it would have sent";
  EXPECT_TRUE(stage.perform(outline, Messages::any).all_applied);
}

TEST(Stage, SaysWhatTheLastRunCouldJudge) {
  Outline outline = outline_of_game(true);
  Stage stage;
  stage.perform(outline);
  EXPECT_TRUE(stage.judged("stops"));
  EXPECT_FALSE(stage.judged("nothing of that name"));
  outline.tail = false;
  stage.perform(outline);
  EXPECT_FALSE(stage.judged("stops")) << "without a fair end";
}

TEST(Signature, IsTheSameWhicheverNodeOrTermItIs) {
  const Outline outline = outline_of_game(true);
  ASSERT_GT(outline.moves.size(), 4U);
  const auto of = [&](const char* property, const char* role, std::uint32_t step) {
    return signature({property, "", 6, {{0, "begun"}, {step, role}}}, outline);
  };
  const std::string one = of("agreement", "node 1 decided 12", 3);
  EXPECT_EQ(of("agreement", "node 23 decided 4", 4), one);
  EXPECT_NE(of("agreement", "node 1 was decided 12", 3), one);
  EXPECT_NE(of("validity", "node 1 decided 12", 3), one);
  EXPECT_NE(of("agreement", "node 1 decided 12", 0), one) << "not by a delivery, in the beginning";
}

// What can be left out of a run that fails whatever happens: everything.
TEST(Certificate, TriesEveryActionAndEveryRequest) {
  Outline outline = outline_of_game(true);
  Stage stage;
  outline.moves.resize(1);
  const Certificate one = certify(stage.record(outline));
  EXPECT_TRUE(one.complete);
  EXPECT_FALSE(one.minimal);
  EXPECT_EQ(one.counterexample, "deliver Ball 0->1 #0");
  outline.moves.clear();
  EXPECT_TRUE(certify(stage.record(outline)).minimal);
  ClientRequest wish;
  wish.content = Value::Object{};
  outline.config.setup.requests =
      std::make_shared<const std::vector<ClientRequest>>(std::vector{wish});
  const Certificate asked = certify(stage.record(outline));
  EXPECT_FALSE(asked.minimal);
  EXPECT_EQ(asked.counterexample, "a request of client 0");
}

TEST(Certificate, SaysNothingOfWhatWasNotTried) {
  Outline outline = outline_of_game(true);
  outline.moves.clear();
  const Trace trace = Stage().record(outline);
  const Certificate whole = certify(trace);
  EXPECT_TRUE(whole.minimal && whole.complete);
  outline.moves = outline_of_game(true).moves;
  const Certificate short_of_time = certify(Stage().record(outline), 1);
  EXPECT_FALSE(short_of_time.minimal);
  EXPECT_FALSE(short_of_time.complete);
  EXPECT_EQ(short_of_time.counterexample, "");
}

Outline of_actions(const std::vector<Action>& actions) {
  Outline out;
  out.config = game(false);
  out.config.setup.nodes = 4;
  out.config.setup.requests = std::make_shared<const std::vector<ClientRequest>>();
  for (const Action& action : actions) {
    Move& move = out.moves.emplace_back();
    move.id = static_cast<std::uint32_t>(out.moves.size());
    move.step.action = action;
  }
  return out;
}

std::vector<Action> actions_of(const Outline& outline) {
  std::vector<Action> out;
  for (const Move& move : outline.moves) out.push_back(move.step.action);
  return out;
}

TEST(Outlines, WithoutANodeHaveNothingOfItAndTheOthersMoveDown) {
  const auto deliver = [](NodeId from, NodeId to) {
    return make_action(Do::deliver, Name(from, to, 0, 0));
  };
  const Outline outline =
      of_actions({node_action(Do::crash, 0), node_action(Do::crash, 1), node_action(Do::crash, 2),
                  deliver(0, 1), deliver(1, 3), deliver(3, 2), link_action(Do::cut, 2, 1),
                  link_action(Do::cut, 0, 3)});
  const Outline fewer = without_node(outline, 1);
  EXPECT_EQ(fewer.config.setup.nodes, 3);
  EXPECT_EQ(actions_of(fewer),
            (std::vector<Action>{node_action(Do::crash, 0), node_action(Do::crash, 1),
                                 deliver(2, 1), link_action(Do::cut, 0, 2)}));
  EXPECT_EQ(size_of(outline).faults, 5U) << "three crashes and two cuts";
  EXPECT_EQ(size_of(fewer).faults, 3U);
}

TEST(Outlines, AreLargerWithLargerNumbersHoweverLarge) {
  const auto size = [](const std::vector<std::int64_t>& numbers) {
    Outline outline = of_actions({node_action(Do::crash, 0)});
    Value::Array all;
    for (const std::int64_t n : numbers) all.emplace_back(n);
    outline.moves[0].step.content = Value(std::move(all));
    return size_of(outline);
  };
  const std::int64_t low = std::numeric_limits<std::int64_t>::min();
  const std::int64_t high = std::numeric_limits<std::int64_t>::max();
  EXPECT_LT(size({0}), size({1}));
  EXPECT_LT(size({1}), size({-1}));
  EXPECT_LT(size({-1}), size({high}));
  EXPECT_LT(size({high}), size({low}));
  EXPECT_LT(size({low}), size({low, low, low}));
  EXPECT_LT(size({high, 0, high, high}), size({high, high, high, high}));
}

TEST(Outlines, WithoutARequestTheLaterOnesOfItsClientMoveUp) {
  const auto submit = [](int client, std::uint32_t nth, NodeId to) {
    return make_action(Do::submit, Name(client, 0, 0, nth), static_cast<std::uint32_t>(to));
  };
  Outline outline = of_actions({submit(0, 0, 1), submit(1, 0, 1), submit(0, 1, 2), submit(1, 1, 2),
                                submit(0, 2, 3), submit(1, 2, 3)});
  std::vector<ClientRequest> requests(6);
  for (std::size_t i = 0; i < 6; ++i) requests[i].client = i < 3 ? 0 : 1;
  outline.config.setup.requests =
      std::make_shared<const std::vector<ClientRequest>>(std::move(requests));
  const Outline fewer = without_request(outline, 1);
  EXPECT_EQ(fewer.requests().size(), 5U);
  EXPECT_EQ(actions_of(fewer),
            (std::vector<Action>{submit(0, 0, 1), submit(1, 0, 1), submit(1, 1, 2), submit(0, 1, 3),
                                 submit(1, 2, 3)}));
}

}  // namespace
}  // namespace schism
