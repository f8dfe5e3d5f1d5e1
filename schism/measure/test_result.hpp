// What a statistical test says. It never stands without what one needs to read it: which test,
// how p was made, against which alternative, and in words which way the data point. Where there is
// no honest p there is none, and the reason stands in its place.
//
//   auto u = mann_whitney(swarm, uniform, {.words = {"swarm", "random"}});
//   if (!u) return fail(u.error());        // empty, not a number, ...
//   out << u->line() << "\n";              // Mann-Whitney U = 15, p = 0.2857, two-sided (...); ...
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "schism/base/result.hpp"

namespace schism::measure {

// Always of the first against the second. `any`: of several groups not all are alike.
enum class Alternative { two_sided, less, greater, any };

// How a two-sided p of a lopsided exact distribution is made; what is printed says which.
enum class TwoSided {
  doubling,  // twice the smaller tail, at most 1
  distance,  // outcomes at least as far from the mean
};

enum class Method {
  automatic,    // exact while that is cheap
  exact,        // over all rearrangements, given the ties that there are
  normal,       // approximation, corrected for ties and continuity
  uncorrected,  // approximation, corrected for ties only
};

// How a direction is told: "{a} {verb} fewer {quantity} than {b}".
struct Words {
  std::string a = "A", b = "B", verb = "needs", quantity = "runs";

  // sign: of (a's values - b's values).
  std::string direction(double sign) const;
};

struct TestOptions {
  Alternative alternative = Alternative::two_sided;
  Method method = Method::automatic;
  TwoSided two_sided = TwoSided::doubling;
  double confidence = 0.95;  // of intervals
  Words words{};
};

struct Interval {
  double low = 0, high = 0;
};

// A size beside the p: a p says only whether there is one.
struct Effect {
  std::string name{};
  std::optional<double> value{};       // nothing: undefined
  std::optional<Interval> interval{};  // nothing: none that holds its confidence
  double confidence = 0.95;
};

struct TestResult {
  std::string test{}, symbol{};  // "Mann-Whitney", "U"
  double statistic = 0;
  std::vector<double> freedom{};  // degrees of, where the distribution has them
  std::optional<double> p{};
  std::string why_no_p{};
  std::string method{};
  Alternative alternative = Alternative::two_sided;
  std::string hypothesis{};  // the alternative in words
  std::string direction{};   // which way the data point, whatever p is
  std::vector<Effect> effects{};
  std::vector<std::size_t> sizes{};
  std::string note{};

  std::string line() const;
};

// "p = 0.0123", "p = 3.4e-16".
std::string p_text(double p);
// Of two samples: "two-sided", or the alternative with its names.
std::string hypothesis_text(Alternative alternative, const Words& words);

// Both tails of an observed value; the two-sided p by doubling.
struct Tails {
  double less = 1, greater = 1;
  double distance = 1;  // at least as far from the mean

  double p(Alternative alternative, TwoSided rule) const;
};

// Errors: fewer than `least` values, or one that is not a finite number.
Status check_sample(std::span<const double> values, const std::string& name, std::size_t least = 1);
Status check_confidence(double confidence);

}  // namespace schism::measure
