#include "schism/measure/distinct.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "schism/base/random.hpp"

namespace {
using namespace schism;

TEST(Distinct, WithinFivePercentFromFewToMany) {
  for (const std::uint64_t n : {1, 10, 100, 1000, 5000, 20000, 200000}) {
    Distinct d;
    for (std::uint64_t i = 0; i < n; ++i) d.add(scatter(i));
    for (std::uint64_t i = 0; i < n; ++i) d.add(scatter(i));  // again: counts once
    EXPECT_NEAR(static_cast<double>(d.estimate()), static_cast<double>(n),
                0.05 * static_cast<double>(n) + 0.5);
  }
}

// Where hardly a register is empty, counting them would be off by a tenth.
TEST(Distinct, IsAsExactAsPromisedWhereRegistersFill) {
  constexpr std::uint64_t kThings = 32'000, kSets = 20;
  double squares = 0;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    Distinct d;
    for (std::uint64_t i = 0; i < kThings; ++i) d.add(scatter(set << 32 | i));
    const double off = static_cast<double>(d.estimate()) / static_cast<double>(kThings) - 1;
    squares += off * off;
  }
  EXPECT_LT(std::sqrt(squares / static_cast<double>(kSets)), 0.03);
}

// Half a hash of a small number is no random number, so that random ones are taken. Where n things
// fall into m registers, counting the empty ones has a standard error of sqrt(m (e^t - t - 1)),
// t = n / m: of 1000 things 11.5.
TEST(Distinct, BothHalvesOfAHashCount) {
  constexpr double kThings = 1000, kRegisters = 4096, kShare = kThings / kRegisters;
  const double error = std::sqrt(kRegisters * (std::exp(kShare) - kShare - 1));
  Distinct low, high;
  Rng rng(1);
  for (int i = 0; i < static_cast<int>(kThings); ++i) low.add({rng.next(), 7});
  for (int i = 0; i < static_cast<int>(kThings); ++i) high.add({7, rng.next()});
  EXPECT_NEAR(static_cast<double>(low.estimate()), kThings, 4 * error);
  EXPECT_NEAR(static_cast<double>(high.estimate()), kThings, 4 * error);
}

TEST(Distinct, OrderDoesNotMatter) {
  Distinct a, b;
  for (std::uint64_t i = 0; i < 1000; ++i) a.add(scatter(i)), b.add(scatter(999 - i));
  EXPECT_EQ(a.estimate(), b.estimate());
}

}  // namespace
