#include "schism/measure/distributions.hpp"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace schism::measure {
namespace {

namespace math = boost::math;
// Results that are too large or too small become infinite or zero, as callers expect. Promotion to
// long double would make results differ between processors.
using Policy = math::policies::policy<math::policies::overflow_error<math::policies::ignore_error>,
                                      math::policies::underflow_error<math::policies::ignore_error>,
                                      math::policies::domain_error<math::policies::ignore_error>,
                                      math::policies::promote_double<false>>;

}  // namespace

double normal_upper(double z) {
  return cdf(complement(math::normal_distribution<double, Policy>(), z));
}

double normal_quantile(double p) {
  return quantile(math::normal_distribution<double, Policy>(), p);
}

double chi_squared_upper(double x, double freedom) {
  return cdf(complement(math::chi_squared_distribution<double, Policy>(freedom), x));
}

double f_upper(double f, double between, double within) {
  return cdf(complement(math::fisher_f_distribution<double, Policy>(between, within), f));
}

double t_upper(double t, double freedom) {
  return cdf(complement(math::students_t_distribution<double, Policy>(freedom), t));
}

double beta_quantile(double p, double a, double b) {
  return quantile(math::beta_distribution<double, Policy>(a, b), p);
}

double log_gamma(double x) { return math::lgamma(x, Policy()); }

}  // namespace schism::measure
