#include "schism/measure/fisher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "schism/measure/distributions.hpp"

namespace schism::measure {
namespace {

constexpr std::uint64_t kMaxTrials = 2'000'000;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

double log_choose(double n, double k) {
  return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

// The hits of a given all margins: the noncentral hypergeometric distribution.
class Margins {
 public:
  Margins(const Counts& a, const Counts& b) : seen_(a.hits) {
    const std::uint64_t of_a = a.hits + a.misses, of_b = b.hits + b.misses, hits = a.hits + b.hits;
    low_ = hits > of_b ? hits - of_b : 0;
    const std::uint64_t high = std::min(hits, of_a);
    for (std::uint64_t x = low_; x <= high; ++x)
      log_weight_.push_back(log_choose(static_cast<double>(of_a), static_cast<double>(x)) +
                            log_choose(static_cast<double>(of_b), static_cast<double>(hits - x)));
  }

  bool only_one() const { return log_weight_.size() == 1; }
  bool at_least() const { return seen_ == low_; }
  bool at_most() const { return seen_ == low_ + log_weight_.size() - 1; }

  struct Under {
    double mean = 0, less = 0, greater = 0;  // tails with what was seen
  };
  // If the true odds ratio were exp(log_odds).
  Under under(double log_odds) const {
    double top = -kInfinite;
    for (std::size_t i = 0; i < log_weight_.size(); ++i)
      top = std::max(top, log_weight_[i] + static_cast<double>(i) * log_odds);
    double all = 0;
    Under out;
    for (std::size_t i = 0; i < log_weight_.size(); ++i) {
      const double w = std::exp(log_weight_[i] + static_cast<double>(i) * log_odds - top);
      all += w;
      out.mean += w * static_cast<double>(low_ + i);
      if (low_ + i <= seen_) out.less += w;
      if (low_ + i >= seen_) out.greater += w;
    }
    return {out.mean / all, out.less / all, out.greater / all};
  }

  // All tables that are no likelier than the one seen; equal ones may differ in the last bits.
  double no_likelier() const {
    const double top = *std::max_element(log_weight_.begin(), log_weight_.end());
    const double limit = log_weight_[seen_ - low_] + 1e-7;
    double all = 0, out = 0;
    for (const double w : log_weight_) {
      all += std::exp(w - top);
      if (w <= limit) out += std::exp(w - top);
    }
    return std::min(1.0, out / all);
  }

  // Where a quantity that rises (or falls) with the odds ratio meets its target.
  template <class Quantity>
  static double solve(Quantity quantity, double target) {
    double low = -1, high = 1;
    const bool rises = quantity(high) > quantity(low);
    const auto before = [&](double x) { return (quantity(x) < target) == rises; };
    while (!before(low) && low > -1e5) low *= 2;
    while (before(high) && high < 1e5) high *= 2;
    while (high - low > 1e-13 * std::max(1.0, std::abs(high))) {
      const double middle = (low + high) / 2;
      (before(middle) ? low : high) = middle;
    }
    return std::exp((low + high) / 2);
  }

  double odds_ratio() const {
    if (at_least()) return 0;
    if (at_most()) return kInfinite;
    return solve([&](double x) { return under(x).mean; }, static_cast<double>(seen_));
  }
  // The odds ratio under which a tail as seen would be this likely.
  double lower(double tail) const {
    if (at_least()) return 0;
    return solve([&](double x) { return under(x).greater; }, tail);
  }
  double upper(double tail) const {
    if (at_most()) return kInfinite;
    return solve([&](double x) { return under(x).less; }, tail);
  }

 private:
  std::uint64_t low_ = 0, seen_;
  std::vector<double> log_weight_;
};

Interval interval(const Margins& margins, Alternative alternative, double confidence) {
  switch (alternative) {
    case Alternative::less: return {0, margins.upper(1 - confidence)};
    case Alternative::greater: return {margins.lower(1 - confidence), kInfinite};
    default: return {margins.lower((1 - confidence) / 2), margins.upper((1 - confidence) / 2)};
  }
}

std::string direction(const Counts& a, const Counts& b, const Words& words) {
  const double of_a = static_cast<double>(a.hits + a.misses),
               of_b = static_cast<double>(b.hits + b.misses);
  const double more = static_cast<double>(a.hits) * of_b - static_cast<double>(b.hits) * of_a;
  const std::string counts = fmt::format("({} of {} against {} of {})", a.hits, of_a, b.hits, of_b);
  if (more == 0) return fmt::format("{} and {} succeed equally often {}", words.a, words.b, counts);
  return fmt::format("{} succeeds {} often than {} {}", words.a, more > 0 ? "more" : "less",
                     words.b, counts);
}

}  // namespace

Result<TestResult> fisher(const Counts& a, const Counts& b, const TestOptions& options) {
  if (const Status ok = check_confidence(options.confidence); !ok)
    return tl::unexpected(ok.error());
  if (options.alternative == Alternative::any)
    return error("two proportions are compared two-sided, less or greater");
  if (options.method == Method::normal || options.method == Method::uncorrected)
    return error("Fisher's test is exact; it has no normal approximation");
  for (const std::uint64_t count : {a.hits, a.misses, b.hits, b.misses})
    if (count > kMaxTrials)
      return error("Fisher's test of {} trials is too much work (at most {})", count, kMaxTrials);
  for (const auto& [counts, name] : {std::pair(a, options.words.a), std::pair(b, options.words.b)})
    if (counts.hits + counts.misses == 0) return error("{} has no trials", name);
  const Margins margins(a, b);
  TestResult out{.test = "Fisher's exact test", .symbol = "odds ratio", .statistic = 0};
  out.alternative = options.alternative;
  out.hypothesis = hypothesis_text(options.alternative, options.words);
  out.method = options.alternative == Alternative::two_sided
                   ? "exact, over tables no likelier; conditional maximum likelihood"
                   : "exact; conditional maximum likelihood";
  out.direction = direction(a, b, options.words);
  out.sizes = {a.hits + a.misses, b.hits + b.misses};
  if (margins.only_one()) {
    out.statistic = std::numeric_limits<double>::quiet_NaN();
    out.p = 1;
    out.note = a.hits == 0 ? "no trial succeeded" : "every trial succeeded";
    out.effects.push_back({"odds ratio", {}, Interval{0, kInfinite}, options.confidence});
    return out;
  }
  const Margins::Under null = margins.under(0);
  out.p = Tails{null.less, null.greater, margins.no_likelier()}.p(options.alternative,
                                                                  TwoSided::distance);
  out.statistic = margins.odds_ratio();
  out.effects.push_back({"odds ratio", out.statistic,
                         interval(margins, options.alternative, options.confidence),
                         options.confidence});
  return out;
}

}  // namespace schism::measure
