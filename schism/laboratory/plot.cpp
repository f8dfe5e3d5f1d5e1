#include "schism/laboratory/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "schism/base/text.hpp"
#include "schism/measure/bootstrap.hpp"

namespace schism::plot {
namespace {

constexpr const char* kColors[] = {"#2a6fb0", "#c2602b", "#1f7a45", "#8a45c4",
                                   "#b0302f", "#6b7a1f", "#1f7a7a", "#666666"};

// The frame of a picture, in its own units.
struct Frame {
  double width = 760, height = 300, left = 64, bottom = 40, top = 18, right = 14;

  double x(double share) const { return left + share * (width - left - right); }
  double y(double share) const { return height - bottom - share * (height - top - bottom); }
};

std::string tick_text(double value) {
  if (value >= 1e6) return fmt::format("{:g}M", value / 1e6);
  return value >= 1e4 ? fmt::format("{:g}k", value / 1e3) : fmt::format("{:g}", value);
}

std::string open(const Frame& f) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n", f.width, f.height);
}

std::string x_axis(const Frame& f, const Axis& axis) {
  std::string out;
  for (const double at : axis.ticks())
    out += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" class=\"grid\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" class=\"mid\">{4}</text>\n",
        f.x(axis.share(at)), f.top, f.height - f.bottom, f.height - f.bottom + 15, tick_text(at));
  return out + fmt::format("<text x=\"{:.1f}\" y=\"{}\" class=\"mid\">{}</text>\n", f.x(0.5),
                           f.height - 6, escape_xml(axis.words));
}

std::string y_axis(const Frame& f, const Axis& axis) {
  std::string out;
  for (const double at : axis.ticks())
    out += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" class=\"grid\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" class=\"end\">{5}</text>\n",
        f.left, f.width - f.right, f.y(axis.share(at)), f.left - 6, f.y(axis.share(at)) + 4,
        tick_text(at));
  return out + fmt::format("<text x=\"{}\" y=\"11\" class=\"end\">{}</text>\n", f.left + 40,
                           escape_xml(axis.words));
}

std::string path(const std::string& d, std::size_t series, bool filled) {
  return filled
             ? fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.15\"/>\n", d, color(series))
             : fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", d,
                           color(series));
}

// As one reads it: 1, 2 or 5 times a power of ten, about `wanted` of them.
double round_step(double span, int wanted) {
  const double rough = span / wanted;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0})
    if (rough <= times * power) return times * power;
  return 10 * power;
}

}  // namespace

const char* color(std::size_t series) { return kColors[series % std::size(kColors)]; }

double Axis::share(double value) const {
  if (!(high > low)) return 0;
  const double at = std::clamp(value, low, high);
  return logarithmic ? std::log(at / low) / std::log(high / low) : (at - low) / (high - low);
}

std::vector<double> Axis::ticks() const {
  std::vector<double> out;
  if (!(high > low)) return {low};
  if (logarithmic) {
    const double first = std::pow(10, std::ceil(std::log10(low) - 1e-9));
    for (double at = first; at <= high * 1.0001; at *= 10) out.push_back(at);
    return out;
  }
  const double step = round_step(high - low, 5);
  for (int i = 0; low + i * step <= high * 1.0001; ++i) out.push_back(low + i * step);
  return out;
}

std::string survival(std::span<const Survivor> series, const Axis& x) {
  const Frame f;
  const Axis y{0, 1, false, "not found"};
  std::string out = open(f) + x_axis(f, x) + y_axis(f, y);
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::string d = fmt::format("M{:.1f} {:.1f}", f.x(0), f.y(1));
    for (const auto& step : series[i].curve.steps)
      d += fmt::format("H{:.1f}V{:.1f}", f.x(x.share(step.at)), f.y(step.survival));
    d += fmt::format("H{:.1f}", f.x(x.share(std::max(series[i].curve.end, x.low))));
    out += path(d, i, false);
  }
  return out + "</svg>\n";
}

Band band_of(std::string name, const std::vector<std::vector<double>>& trials) {
  Band out{std::move(name), {}, {}, {}};
  // As far as all of them came: with fewer it would be a curve of the survivors.
  std::size_t points = trials.empty() ? 0 : trials[0].size();
  for (const auto& trial : trials) points = std::min(points, trial.size());
  for (std::size_t p = 0; p < points; ++p) {
    std::vector<double> values;
    for (const auto& trial : trials) values.push_back(trial[p]);
    std::sort(values.begin(), values.end());
    out.low.push_back(measure::quantile(values, 0.25));
    out.middle.push_back(measure::quantile(values, 0.5));
    out.high.push_back(measure::quantile(values, 0.75));
  }
  return out;
}

std::string bands(std::span<const Band> series, const Axis& x, const Axis& y, int points) {
  const Frame f;
  std::string out = open(f) + x_axis(f, x) + y_axis(f, y);
  const auto at = [&](std::size_t point, double value) {
    const double share = static_cast<double>(point + 1) / points;
    return fmt::format("{:.1f} {:.1f}", f.x(share), f.y(y.share(value)));
  };
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Band& band = series[i];
    if (band.middle.empty()) continue;
    std::string around, middle;
    for (std::size_t p = 0; p < band.middle.size(); ++p) {
      around += (p == 0 ? "M" : "L") + at(p, band.high[p]);
      middle += (p == 0 ? "M" : "L") + at(p, band.middle[p]);
    }
    for (std::size_t p = band.low.size(); p-- > 0;) around += "L" + at(p, band.low[p]);
    out += path(around + "Z", i, true) + path(middle, i, false);
  }
  return out + "</svg>\n";
}

std::string boxes(std::span<const Box> series, const Axis& x) {
  constexpr double kRow = 26;
  Frame f;
  f.left = 170;
  f.right = 110;  // for the misses
  f.height = f.top + f.bottom + kRow * static_cast<double>(series.size());
  std::string out = open(f) + x_axis(f, x);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double y = f.top + kRow * (static_cast<double>(i) + 0.5);
    out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"end\">{}</text>\n", f.left - 8, y + 4,
                       escape_xml(series[i].name));
    if (series[i].misses > 0)
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"miss\">{} missed</text>\n",
                         f.width - f.right + 8, y + 4, series[i].misses);
    std::vector<double> v = series[i].values;
    if (v.empty()) continue;
    std::sort(v.begin(), v.end());
    const double q1 = measure::quantile(v, 0.25), q3 = measure::quantile(v, 0.75);
    const double reach = 1.5 * (q3 - q1);
    const auto px = [&](double value) { return f.x(x.share(value)); };
    const double low = *std::lower_bound(v.begin(), v.end(), q1 - reach);
    const double high = *(std::upper_bound(v.begin(), v.end(), q3 + reach) - 1);
    out += fmt::format(
        "<g stroke=\"{0}\" fill=\"none\" stroke-width=\"1.5\"><path d=\"M{1:.1f} {2:.1f}H{3:.1f}"
        "M{4:.1f} {2:.1f}H{5:.1f}\"/><rect x=\"{3:.1f}\" y=\"{6:.1f}\" width=\"{7:.1f}\" "
        "height=\"14\" fill=\"{0}\" fill-opacity=\"0.15\"/><path stroke-width=\"2.5\" "
        "d=\"M{8:.1f} {6:.1f}v14\"/></g>\n",
        color(i), px(low), y, px(q1), px(q3), px(high), y - 7, px(q3) - px(q1),
        px(measure::quantile(v, 0.5)));
    for (const double value : v)
      if (value < low || value > high)
        out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>\n", px(value),
                           y, color(i));
  }
  return out + "</svg>\n";
}

}  // namespace schism::plot
