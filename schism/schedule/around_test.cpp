// What is around a scheduler is all that the scheduler is.
#include "schism/schedule/around.hpp"

#include <gmock/gmock.h>

#include "schism/run/config.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/testing/runs.hpp"

namespace schism {
namespace {

using testing::Return;
using testing::ReturnRef;
using testing::StrictMock;

class Inner : public Scheduler {
 public:
  MOCK_METHOD(TimeUse, time_use, (), (const, override));
  MOCK_METHOD(bool, plays, (Do), (const, override));
  MOCK_METHOD(Status, check, (const Setup&), (const, override));
  MOCK_METHOD(Manner, manner, (), (const, override));
  MOCK_METHOD(void, heed, (std::string_view), (override));
  MOCK_METHOD(void, prepare, (const RunPlan&), (override));
  MOCK_METHOD(double, price, (), (const, override));
  MOCK_METHOD(void, begin, (const Setup&, std::uint64_t), (override));
  MOCK_METHOD(Action, next, (World&), (override));
  MOCK_METHOD(std::string, report, (), (const, override));
  MOCK_METHOD(Watcher*, watcher, (), (override));
  MOCK_METHOD(Liar*, liar, (), (override));
  MOCK_METHOD(EventMask, listens_to, (), (const, override));
  MOCK_METHOD(Scheduler&, in_tail, (Scheduler&), (override));
  MOCK_METHOD(bool, sees_pending, (), (const, override));
};

TEST(Around, IsWhatItIsAround) {
  auto owned = std::make_unique<StrictMock<Inner>>();
  Inner& inner = *owned;
  Around around(std::move(owned));
  const schism::Setup setup;
  Around tail(nullptr);
  auto* watcher = reinterpret_cast<Watcher*>(&tail);  // never looked into
  EXPECT_CALL(inner, time_use()).WillOnce(Return(TimeUse::timed));
  EXPECT_EQ(around.time_use(), TimeUse::timed);
  EXPECT_CALL(inner, plays(Do::crash)).WillOnce(Return(true));
  EXPECT_TRUE(around.plays(Do::crash));
  EXPECT_CALL(inner, check).WillOnce(Return(error("no")));
  EXPECT_FALSE(around.check(setup));
  EXPECT_CALL(inner, manner()).WillOnce(Return(Scheduler::Manner{7, false, true}));
  const Scheduler::Manner manner = around.manner();
  EXPECT_EQ(manner.steps, 7U);
  EXPECT_FALSE(manner.tail);
  EXPECT_TRUE(manner.scripted);
  EXPECT_CALL(inner, heed(std::string_view("go left")));
  around.heed("go left");
  EXPECT_CALL(inner, prepare);
  around.prepare({1, 2});
  EXPECT_CALL(inner, price()).WillOnce(Return(3.5));
  EXPECT_EQ(around.price(), 3.5);
  EXPECT_CALL(inner, begin(testing::_, 11));
  around.begin(setup, 11);
  EXPECT_CALL(inner, report()).WillOnce(Return("seen"));
  EXPECT_EQ(around.report(), "seen");
  EXPECT_CALL(inner, watcher()).WillOnce(Return(watcher));
  EXPECT_EQ(around.watcher(), watcher);
  auto* liar = reinterpret_cast<Liar*>(&tail);
  EXPECT_CALL(inner, liar()).WillOnce(Return(liar));
  EXPECT_EQ(around.liar(), liar);
  EXPECT_CALL(inner, listens_to()).WillOnce(Return(EventMask{5}));
  EXPECT_EQ(around.listens_to(), EventMask{5});
  EXPECT_CALL(inner, in_tail).WillOnce(ReturnRef(inner));
  EXPECT_EQ(&around.in_tail(tail), &inner);
  EXPECT_CALL(inner, sees_pending()).WillOnce(Return(true));
  EXPECT_TRUE(around.sees_pending());
}

// What a run is like where nobody says it: steps, tail, who may do what.
TEST(Around, ARunIsAsLongAsTheSchedulerInsideWants) {
  const auto config_of = [](const std::string& explorer) {
    RunText text;
    text.system = *parse_spec("raft");
    text.explorer = *parse_spec(explorer);
    return make_config(text);
  };
  const auto plain = config_of("random-steps:horizon=7");
  const auto mixed = config_of("mix(random-steps:horizon=7)");
  ASSERT_TRUE(plain) << plain.error();
  ASSERT_TRUE(mixed) << mixed.error();
  EXPECT_EQ(mixed->limits.steps, plain->limits.steps);
  EXPECT_EQ(mixed->limits.tail, plain->limits.tail);
  EXPECT_EQ(mixed->setup.options.scripted, plain->setup.options.scripted);
  const auto classes = [](const RunConfig& config) {
    const auto scheduler = make_scheduler(config);
    Runner runner(config.setup, config.limits);
    std::vector<Hash128> out;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      out.push_back(runner.run(*scheduler, {seed, seed}).run_class);
    return out;
  };
  EXPECT_EQ(classes(*mixed), classes(*plain));
}

}  // namespace
}  // namespace schism
