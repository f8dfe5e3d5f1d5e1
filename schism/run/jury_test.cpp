#include "schism/run/jury.hpp"

#include <gtest/gtest.h>

#include <cassert>

#include "schism/schism.hpp"
#include "schism/system/systems.hpp"

namespace schism {
namespace {

struct Nothing {
  FIELDS()
};
struct Idle : Node<Idle, Nothing> {
  FIELDS()
  void on(Context&, NodeId, const Nothing&) {}
};

TEST(Jury, HasWhatEverySystemHas) {
  const auto system = systems().sorted().front();
  schism::Setup setup;
  setup.system = system.get();
  setup.config = system->fresh_config();
  setup.nodes = system->node_range.fallback;
  const Jury jury(setup);
  ASSERT_EQ(jury.oracles().size(), system->oracles.size() + 2);
  EXPECT_EQ(jury.oracles()[0]->name(), "assertion");
  EXPECT_EQ(jury.oracles()[1]->name(), "crash");
}

TEST(JuryDeathTest, TakesNoMoreThanItCanTell) {
  const auto with = [](int oracles) {
    auto builder = system<Idle>("test-judged-by-many", "too many oracles");
    for (int i = 0; i < oracles; ++i)
      builder.oracle(
          invariant<Idle>("invariant " + std::to_string(i), [](const Idle&) { return true; }));
    const Registration registered = builder;
    static_cast<void>(registered);
  };
  EXPECT_DEATH(with(63), "more than 62 oracles");
}

TEST(AssertionsDeathTest, AreOnWhereTestsRun) {
  EXPECT_DEATH(assert(systems().names().empty()), "");
}

}  // namespace
}  // namespace schism
