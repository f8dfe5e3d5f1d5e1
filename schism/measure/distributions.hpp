// The distributions that tests need, by Boost.Math, which stays out of all headers. Upper tails are
// computed as such, so that a small p keeps its digits.
#pragma once

namespace schism::measure {

double normal_upper(double z);     // P(Z > z)
double normal_quantile(double p);  // 0 < p < 1
double chi_squared_upper(double x, double freedom);
double f_upper(double f, double between, double within);
double t_upper(double t, double freedom);
double beta_quantile(double p, double a, double b);
double log_gamma(double x);  // x > 0; unlike lgamma of libm the same everywhere, and thread-safe

}  // namespace schism::measure
