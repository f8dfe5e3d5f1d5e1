// Every operator against the distribution that it promises: Kolmogorov-Smirnov or chi-square at the
// level 0.001, with the same test refusing a neighbouring distribution.
#include "schism/evolve/operators.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/laplace.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "schism/evolve/draws.hpp"

namespace schism::evolve {
namespace {

constexpr int kDraws = 20'000;

// The largest distance between the samples' distribution and that one, times the root of how many.
double distance_from(std::vector<double> samples, const std::function<double(double)>& cdf) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  double most = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double p = cdf(samples[i]);
    most = std::max({most, std::abs(p - static_cast<double>(i) / n),
                     std::abs(static_cast<double>(i + 1) / n - p)});
  }
  return most * std::sqrt(n);
}
constexpr double kCritical = 1.95;  // of 0.001

double chi_square_p(const std::map<std::size_t, int>& counts, std::size_t cells, int total) {
  const double expected = static_cast<double>(total) / static_cast<double>(cells);
  double sum = (static_cast<double>(cells) - static_cast<double>(counts.size())) * expected;
  for (const auto& [cell, count] : counts)
    sum += (count - expected) * (count - expected) / expected;
  return boost::math::cdf(
      boost::math::complement(boost::math::chi_squared(static_cast<double>(cells) - 1), sum));
}

std::vector<double> draws(const std::function<double(Rng&)>& draw) {
  Rng random(11);
  std::vector<double> out(kDraws);
  for (double& x : out) x = draw(random);
  return out;
}

double mean_of(const std::vector<double>& all) {
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}
double variance_of(const std::vector<double>& all) {
  const double mean = mean_of(all);
  double sum = 0;
  for (const double x : all) sum += (x - mean) * (x - mean);
  return sum / static_cast<double>(all.size() - 1);
}

TEST(Draws, TheLogarithmIsThatOfTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.37)
    EXPECT_NEAR(natural_log(x), std::log(x), 4e-16 * std::max(1.0, std::abs(std::log(x))));
  EXPECT_EQ(natural_log(1), 0);
  EXPECT_NEAR(natural_log(1 + 1e-10), std::log1p(1e-10), 1e-16);
}

TEST(Draws, NormalAndLaplace) {
  const auto normal = draws([](Rng& r) { return standard_normal(r); });
  const auto normal_cdf = [](double deviation) {
    return [=](double x) { return boost::math::cdf(boost::math::normal(0, deviation), x); };
  };
  EXPECT_LT(distance_from(normal, normal_cdf(1)), kCritical);
  EXPECT_GT(distance_from(normal, normal_cdf(1.1)), kCritical) << "the test must be able to fail";
  EXPECT_NEAR(mean_of(normal), 0, 0.03);
  EXPECT_NEAR(variance_of(normal), 1, 0.04);
  const auto laplacian = draws([](Rng& r) { return laplace(r, 0.25, 0.5); });
  const auto laplace_cdf = [](double scale) {
    return [=](double x) {
      return boost::math::cdf(boost::math::laplace_distribution<>(0.25, scale), x);
    };
  };
  EXPECT_LT(distance_from(laplacian, laplace_cdf(0.5)), kCritical);
  EXPECT_GT(distance_from(laplacian, laplace_cdf(0.55)), kCritical);
  EXPECT_NEAR(variance_of(laplacian), 0.5, 0.03);  // twice the squared scale
}

// The density's integral: beta^(eta+1)/2 up to 1, then 1 - beta^-(eta+1)/2.
double beta_cdf(double eta, double beta) {
  return beta <= 1 ? 0.5 * std::pow(beta, eta + 1) : 1 - 0.5 * std::pow(beta, -(eta + 1));
}

// The mean of beta: (eta+1)/2 (1/(eta+2) + 1/eta).
double beta_mean(double eta) { return 0.5 * (eta + 1) * (1 / (eta + 2) + 1 / eta); }

// The distance between the distributions of eta and of eta + d is about d / (2 e (eta + 1)), where
// beta^(eta+1) is 1/e: so many draws as tell a twentieth of eta apart with twice that to spare.
TEST(Sbx, SpreadsByItsDensity) {
  for (const double eta : {1.0, 2.0, 3.0, 4.5, 20.0}) {
    const double d = eta / 20;
    const double apart = d / (2 * 2.718281828 * (eta + 1));
    const auto count = static_cast<std::size_t>(4 * kCritical * kCritical / (apart * apart));
    Rng random(11);
    std::vector<double> betas(count);
    for (double& beta : betas) beta = sbx_beta(eta, random);
    EXPECT_LT(distance_from(betas, [&](double b) { return beta_cdf(eta, b); }), kCritical) << eta;
    for (const double wrong : {eta - d, eta + d})
      EXPECT_GT(distance_from(betas, [&](double b) { return beta_cdf(wrong, b); }), kCritical)
          << wrong;
    // Half of the children are nearer to each other than their parents were.
    const auto nearer = std::count_if(betas.begin(), betas.end(), [](double b) { return b <= 1; });
    const auto n = static_cast<double>(count);
    EXPECT_NEAR(static_cast<double>(nearer), n / 2, 1.65 * std::sqrt(n));
    if (eta > 2) {
      EXPECT_NEAR(mean_of(betas), beta_mean(eta), 4 * std::sqrt(variance_of(betas) / n));
    }
  }
}

// What a gene of a child is distributed like, not only the spread that was drawn for it: around the
// parents' mean, beta times half their distance away, on the first parent's side for the first
// child; where it was not recombined it is the parent's.
TEST(Sbx, ChildrenAreSpreadByTheSameDensity) {
  Rng random(13);
  const Genome a(400'000, 10), b(400'000, 30);
  const auto [c, d] = simulated_binary(a, b, 3, random);
  std::vector<double> first, second;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (c[i] == a[i]) continue;
    first.push_back((20 - c[i]) / 10);
    second.push_back((d[i] - 20) / 10);
  }
  for (const auto& betas : {first, second}) {
    EXPECT_LT(distance_from(betas, [](double x) { return beta_cdf(3, x); }), kCritical);
    EXPECT_GT(distance_from(betas, [](double x) { return beta_cdf(3.2, x); }), kCritical);
  }
}

TEST(Sbx, ChildrenAreSymmetricAroundTheirParents) {
  Rng random(3);
  const Genome a(1000, 10), b(1000, 30);
  const auto [c, d] = simulated_binary(a, b, 3, random);
  int recombined = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(c[i] + d[i], 40, 1e-9);
    recombined += c[i] != a[i];
  }
  EXPECT_NEAR(recombined, 500, 60);  // one gene of two
  EXPECT_NE(c, d) << "the seed's equations give twins";
}

TEST(LaplaceCrossover, MovesBothByTheSameShare) {
  Rng random(5);
  const Genome a(kDraws, 10), b(kDraws, 14);
  const auto [c, d] = laplace_crossover(a, b, 0, 0.5, random);
  std::vector<double> shares;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(c[i] - a[i], d[i] - b[i], 1e-9);
    shares.push_back((c[i] - a[i]) / 4);
  }
  EXPECT_LT(distance_from(shares,
                          [](double x) {
                            return boost::math::cdf(boost::math::laplace_distribution<>(0, 0.5), x);
                          }),
            kCritical);
}

TEST(Gaussian, IsNormalAroundTheGeneAndAsFrequentAsAsked) {
  Rng random(7);
  Genome genome(100'000, 2000);
  gaussian_mutation(genome, 0.2, 40, random);
  std::vector<double> moved;
  for (const double gene : genome)
    if (gene != 2000) moved.push_back(gene);
  EXPECT_NEAR(static_cast<double>(moved.size()), 20'000, 500);  // four deviations
  const auto cdf = [](double deviation) {
    return [=](double x) { return boost::math::cdf(boost::math::normal(2000, deviation), x); };
  };
  EXPECT_LT(distance_from(moved, cdf(40)), kCritical);
  EXPECT_GT(distance_from(moved, cdf(43)), kCritical);
}

// With t the place of the gene, P(moved <= y) = t (1 - ((t-y)/t)^(1/b)) below t, and
// t + (1-t) ((y-t)/(1-t))^(1/b) above.
double mptm_cdf(double t, double power, double y) {
  if (y < t) return t * (1 - std::pow((t - y) / t, 1 / power));
  return t + (1 - t) * std::pow((y - t) / (1 - t), 1 / power);
}

TEST(Mptm, IsAPowerLawWithinTheRange) {
  Rng random(9);
  const Space space{kDraws, 0, 300, false};
  Genome genome(kDraws, 90);
  mpt_mutation(genome, 1, 9, space, random);
  std::vector<double> places;
  for (const double gene : genome) {
    EXPECT_GE(gene, 0);
    EXPECT_LE(gene, 300);
    places.push_back(gene / 300);
  }
  EXPECT_LT(distance_from(places, [](double y) { return mptm_cdf(0.3, 9, y); }), kCritical);
  EXPECT_GT(distance_from(places, [](double y) { return mptm_cdf(0.3, 8, y); }), kCritical);
}

bool is_permutation_of_its_size(Genome genome) {
  std::sort(genome.begin(), genome.end());
  for (std::size_t i = 0; i < genome.size(); ++i)
    if (genome[i] != static_cast<double>(i + 1)) return false;
  return true;
}

RC_GTEST_PROP(Pmx, KeepsPermutationsAndTheSegment, (std::uint64_t seed)) {
  Rng random(seed);
  const Space space{1 + random.below(40), 0, 0, true};
  const Genome a = space.draw(random), b = space.draw(random);
  const auto from = static_cast<std::size_t>(random.below(space.genes + 1));
  const auto to = from + static_cast<std::size_t>(random.below(space.genes - from + 1));
  const Genome child = partially_mapped(a, b, from, to);
  RC_ASSERT(is_permutation_of_its_size(child));
  for (std::size_t i = 0; i < child.size(); ++i) {
    if (i >= from && i < to) {
      RC_ASSERT(child[i] == a[i]);
    } else if (std::find(a.begin() + static_cast<std::ptrdiff_t>(from),
                         a.begin() + static_cast<std::ptrdiff_t>(to),
                         b[i]) == a.begin() + static_cast<std::ptrdiff_t>(to)) {
      RC_ASSERT(child[i] == b[i]);
    }
  }
}

TEST(Pmx, TheSeedsExample) {  // its Figure 3.5
  EXPECT_EQ(partially_mapped({1, 4, 3, 2}, {2, 1, 3, 4}, 1, 3), (Genome{2, 4, 3, 1}));
}

TEST(Swap, EveryPairIsAsLikely) {
  std::map<std::size_t, int> pairs;
  int swaps = 0;
  for (std::uint64_t seed = 0; swaps < kDraws; ++seed) {
    Rng random(seed);
    Genome genome = {1, 2, 3, 4, 5, 6};
    swap_mutation(genome, 0.05, random);
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < genome.size(); ++i)
      if (genome[i] != static_cast<double>(i + 1)) moved.push_back(i);
    if (moved.size() != 2) continue;
    ++pairs[moved[0] * 6 + moved[1]];
    ++swaps;
  }
  EXPECT_EQ(pairs.size(), 15U);
  EXPECT_GT(chi_square_p(pairs, 15, swaps), 0.001);
  pairs.begin()->second += 300;
  EXPECT_LT(chi_square_p(pairs, 15, swaps + 300), 0.001) << "the test must be able to fail";
}

TEST(Space, DrawsEveryPermutationAlike) {
  std::map<std::size_t, int> counts;
  Rng random(1);
  const Space space{4, 0, 0, true};
  for (int i = 0; i < kDraws; ++i) {
    const Genome genome = space.draw(random);
    EXPECT_TRUE(is_permutation_of_its_size(genome));
    ++counts[static_cast<std::size_t>(genome[0] * 1000 + genome[1] * 100 + genome[2] * 10 +
                                      genome[3])];
  }
  EXPECT_EQ(counts.size(), 24U);
  EXPECT_GT(chi_square_p(counts, 24, kDraws), 0.001);
}

TEST(Genome, TravelsInAPlan) {
  const Genome genome = {0, 3.5, 4000};
  EXPECT_EQ(unpack(pack(genome)), genome);
  EXPECT_TRUE(unpack("anything").empty());
  EXPECT_TRUE(unpack(pack({1, std::nan("")})).empty());
}

}  // namespace
}  // namespace schism::evolve
