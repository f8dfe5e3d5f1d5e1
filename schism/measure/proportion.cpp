#include "schism/measure/proportion.hpp"

#include <algorithm>
#include <cmath>

#include "schism/measure/distributions.hpp"

namespace schism::measure {
namespace {

Status check(std::uint64_t hits, std::uint64_t of, double confidence) {
  if (of == 0) return error("a proportion of no trials says nothing");
  if (hits > of) return error("{} hits of {} trials", hits, of);
  return check_confidence(confidence);
}

}  // namespace

Result<Interval> wilson(std::uint64_t hits, std::uint64_t of, double confidence) {
  if (const Status ok = check(hits, of, confidence); !ok) return tl::unexpected(ok.error());
  const double z = normal_quantile((1 + confidence) / 2);
  const double n = static_cast<double>(of), p = static_cast<double>(hits) / n;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // At the ends the bound is the end itself, not what rounding leaves of it.
  return Interval{hits == 0 ? 0 : middle - half, hits == of ? 1 : middle + half};
}

Result<Interval> clopper_pearson(std::uint64_t hits, std::uint64_t of, double confidence) {
  if (const Status ok = check(hits, of, confidence); !ok) return tl::unexpected(ok.error());
  const double tail = (1 - confidence) / 2;
  const auto h = static_cast<double>(hits), m = static_cast<double>(of - hits);
  return Interval{hits == 0 ? 0 : beta_quantile(tail, h, m + 1),
                  hits == of ? 1 : beta_quantile(1 - tail, h + 1, m)};
}

}  // namespace schism::measure
