// Planted causes are found again, and nothing where there is nothing.
#include "schism/isolate/refined.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "schism/base/random.hpp"

namespace schism::isolate {
namespace {

TEST(NoisyOr, FitIsTheBestOfAGrid) {
  const std::vector<Pattern> patterns = {{0, 3, 400}, {1, 30, 5}, {2, 20, 30}, {3, 9, 1}};
  const NoisyOr best = fit(patterns, 2);
  const auto likelihood = [&](double w0, double w1, double w2) {
    double out = -0.5 * (w0 + w1 + w2);
    for (const Pattern& p : patterns) {
      const double z = w0 + (p.causes & 1 ? w1 : 0) + (p.causes & 2 ? w2 : 0);
      out += p.failing * std::log(1 - std::exp(-z)) - p.passing * z;
    }
    return out;
  };
  for (double w0 = 0.001; w0 < 0.05; w0 += 0.001)
    for (double w1 = 0.2; w1 < 4; w1 += 0.1)
      for (double w2 = 0.05; w2 < 2; w2 += 0.05)
        ASSERT_LE(likelihood(w0, w1, w2), best.log_likelihood + 1e-9);
  EXPECT_NEAR(best.log_likelihood, likelihood(best.weights[0], best.weights[1], best.weights[2]),
              1e-9);
  EXPECT_NEAR(best.strikes(0), 0.86, 0.03);
}

// Runs with two causes, each sometimes there; candidates are the causes, symptoms, and noise.
struct Planted {
  Planted(std::uint64_t seed, int runs, double first, double second) {
    Rng rng(seed);
    std::vector<RunInfo> infos;
    std::vector<std::vector<bool>> columns(60);
    for (int i = 0; i < runs; ++i) {
      const bool a = rng.chance(0.12), b = rng.chance(0.12);
      RunInfo info;
      info.failed = (a && rng.chance(first)) || (b && rng.chance(second)) || rng.chance(0.003);
      if (info.failed && a) info.bugs.emplace_back("a");
      if (info.failed && b) info.bugs.emplace_back("b");
      infos.push_back(info);
      columns[0].push_back(a);
      columns[1].push_back(b);
      columns[2].push_back(a);                                           // the same again
      columns[3].push_back(a && rng.chance(0.7));                        // a part of it
      columns[4].push_back((a || rng.chance(0.1)) && !rng.chance(0.1));  // a smudged one
      columns[5].push_back(info.failed && rng.chance(0.3));              // an effect of any failure
      for (std::size_t c = 6; c < columns.size(); ++c)
        columns[c].push_back(rng.chance(static_cast<double>(c) / 70));
    }
    table = std::make_unique<Table>(std::move(infos));
    for (const auto& column : columns) {
      const auto bits = table->add();
      for (std::size_t i = 0; i < column.size(); ++i)
        if (column[i]) set(bits, i);
    }
  }
  std::unique_ptr<Table> table;
};

TEST(Refined, FindsPlantedCausesInMixedRuns) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Planted planted(seed, 1500, 0.8, 0.5);
    const Refined r = refine(*planted.table, {});
    std::vector<std::size_t> found;
    for (const Predictor& p : r.predictors) found.push_back(p.candidate);
    ASSERT_GE(found.size(), 2U) << "seed " << seed;
    EXPECT_TRUE(std::find(found.begin(), found.end(), 0U) != found.end()) << "seed " << seed;
    EXPECT_TRUE(std::find(found.begin(), found.end(), 1U) != found.end()) << "seed " << seed;
    EXPECT_LE(found.size(), 3U);  // the effect of any failure is a predictor too
    for (const Predictor& p : r.predictors)
      if (p.candidate == 0) {
        EXPECT_EQ(p.others, std::vector<std::size_t>{2});
      }
  }
}

TEST(Refined, SaysNothingWhereFailuresAreChance) {
  int too_many = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    std::vector<RunInfo> infos(400);
    for (RunInfo& info : infos) info.failed = rng.chance(0.2);
    Table table(std::move(infos));
    for (int c = 0; c < 200; ++c) {
      const auto bits = table.add();
      for (std::size_t i = 0; i < 400; ++i)
        if (rng.chance(0.3)) set(bits, i);
    }
    too_many += refine(table, {}).predictors.empty() ? 0 : 1;
  }
  EXPECT_LE(too_many, 5);  // 5% of 40 are 2; the test of many candidates is a bound
}

TEST(Statistics, IntervalsAreKnownOnes) {
  // Wilson's interval for 1 of 10, as textbooks have it.
  EXPECT_NEAR(wilson(1, 10).low, 0.0179, 1e-4);
  EXPECT_NEAR(wilson(1, 10).high, 0.4042, 1e-4);
  // Newcombe's for 56 of 70 against 48 of 80: 0.0524 to 0.3339.
  Tally t;
  t.fail_true = 56, t.pass_true = 14, t.fail_observed = 56 + 48, t.pass_observed = 14 + 32;
  const double share = 80.0 / 150;
  EXPECT_NEAR(t.increase_interval().low / share, 0.0524, 1e-4);
  EXPECT_NEAR(t.increase_interval().high / share, 0.3339, 1e-4);
  EXPECT_NEAR(t.increase(), (0.8 - 0.6) * share, 1e-12);
}

TEST(Statistics, FScores) {
  EXPECT_NEAR(f_score(1.0, 0.871, 1), 0.931, 1e-3);
  EXPECT_NEAR(f_score(1.0, 0.871, 0.5), 0.971, 1e-3);
  EXPECT_EQ(f_score(0, 0, 1), 0);
}

}  // namespace
}  // namespace schism::isolate
