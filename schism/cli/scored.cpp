#include "schism/cli/scored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "schism/base/file.hpp"
#include "schism/base/text.hpp"
#include "schism/laboratory/plot.hpp"

namespace schism::cli {
namespace {

std::string file_name(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) out += c;
    else if (!out.empty() && out.back() != '-') out += '-';
  }
  while (out.ends_with("-")) out.pop_back();
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string csv_of(const Scored& scored) {
  std::string out = "strategy,way,trial,episodes,steps,states,violated,pairs,table_bytes";
  for (const std::string& target : scored.targets)
    out += "," + quoted("behind " + target) + "," + quoted("episodes to " + target);
  for (const Spec& coverage : scored.also.coverages)
    out += "," + quoted("covered " + print_spec(coverage));
  for (const std::string& place : scored.also.places) out += "," + quoted("in " + place);
  const std::vector<std::string> properties = scored.properties();
  for (const std::string& property : properties) out += "," + quoted("shows " + property);
  for (std::uint64_t p = 1; p <= learn::kCurvePoints; ++p)
    out += fmt::format(",states at {}/{}", p, learn::kCurvePoints);
  out += '\n';
  for (const Column& column : scored.columns)
    for (std::size_t i = 0; i < column.trials.size(); ++i) {
      const learn::TrialScore& t = column.trials[i];
      out += fmt::format("{},{},{},{},{},{},{},{},{}", quoted(column.name), quoted(column.way),
                         i + 1, t.episodes, t.steps, t.states, t.violated, t.pairs, t.table_bytes);
      for (const auto& target : t.targets)
        out += fmt::format(",{},{}", target.states, target.episodes);
      for (const std::uint64_t keys : t.covered) out += fmt::format(",{}", keys);
      for (const std::uint64_t states : t.places) out += fmt::format(",{}", states);
      for (const std::string& property : properties)
        out += fmt::format(",{}", column.showed(property)[i]);
      for (std::size_t p = 0; p < learn::kCurvePoints; ++p)
        out += p < t.curve.size() ? fmt::format(",{}", t.curve[p]) : std::string(",");
      out += '\n';
    }
  return out;
}

// `curve` is of one trial.
using CurveOf = std::vector<std::uint64_t> (*)(const learn::TrialScore&, std::size_t);

std::string picture(const std::vector<const Column*>& columns, CurveOf curve, std::size_t which,
                    const std::string& words) {
  std::vector<plot::Band> bands;
  double highest = 1, steps = 1;
  for (const Column* column : columns) {
    std::vector<std::vector<double>> trials;
    for (const auto& trial : column->trials) {
      const auto points = curve(trial, which);
      trials.emplace_back(points.begin(), points.end());
      if (!points.empty()) highest = std::max(highest, static_cast<double>(points.back()));
      steps = std::max(steps, static_cast<double>(trial.planned));
    }
    bands.push_back(plot::band_of(column->name, trials));
  }
  const plot::Axis x{0, steps, false, "macro steps"}, y{0, highest, false, words};
  std::string svg = plot::bands(bands, x, y, static_cast<int>(learn::kCurvePoints));
  // It stands alone: a name space, the page's style, and who is who.
  const std::size_t open = svg.find('>');
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\"" +
                    svg.substr(4, open - 4) + "><style>text{font-size:11px;fill:#555}" +
                    ".grid{stroke:#ddd}.end{text-anchor:end}.mid{text-anchor:middle}</style>";
  out += svg.substr(open + 1, svg.rfind("</svg>") - open - 1);
  for (std::size_t i = 0; i < bands.size(); ++i)
    out += fmt::format("<text x=\"80\" y=\"{}\" style=\"fill:{}\">{}</text>\n", 32 + 14 * i,
                       plot::color(i), escape_xml(bands[i].name));
  return out + "</svg>\n";
}

}  // namespace

std::vector<double> Column::states() const {
  std::vector<double> out;
  for (const auto& t : trials) out.push_back(static_cast<double>(t.states));
  return out;
}

std::vector<double> Column::behind(std::size_t target_number) const {
  std::vector<double> out;
  for (const auto& t : trials) out.push_back(static_cast<double>(t.targets[target_number].states));
  return out;
}

std::vector<double> Column::covered(std::size_t coverage) const {
  std::vector<double> out;
  for (const auto& t : trials) out.push_back(static_cast<double>(t.covered[coverage]));
  return out;
}

std::vector<double> Column::within(std::size_t place) const {
  std::vector<double> out;
  for (const auto& t : trials) out.push_back(static_cast<double>(t.places[place]));
  return out;
}

std::vector<double> Column::wrong() const {
  std::vector<double> out;
  for (const auto& t : trials) out.push_back(static_cast<double>(t.wrong));
  return out;
}

std::vector<double> Column::showed(const std::string& property) const {
  std::vector<double> out;
  for (const auto& t : trials) {
    const auto muted = t.muted.find(property), shown = t.shown.find(property);
    out.push_back(static_cast<double>((muted == t.muted.end() ? 0 : muted->second) +
                                      (shown == t.shown.end() ? 0 : shown->second)));
  }
  return out;
}

std::size_t Scored::number_of(const std::string& target) const {
  return static_cast<std::size_t>(std::find(targets.begin(), targets.end(), target) -
                                  targets.begin());
}

std::vector<std::string> Scored::properties() const {
  std::set<std::string> out;
  for (const Column& column : columns)
    for (const auto& trial : column.trials) {
      for (const auto& [name, count] : trial.muted) out.insert(name);
      for (const auto& [name, count] : trial.shown) out.insert(name);
    }
  return {out.begin(), out.end()};
}

Status keep_scored(const Scored& scored, const std::string& folder) {
  const std::string stem = folder + "/" + file_name(scored.name);
  if (auto kept = write_file(stem + ".csv", csv_of(scored)); !kept) return kept;
  std::vector<const Column*> untold;
  for (const Column& column : scored.columns)
    if (column.target.empty()) untold.push_back(&column);
  const auto seen = [](const learn::TrialScore& t, std::size_t) { return t.curve; };
  if (auto kept = write_file(stem + ".svg", picture(untold, seen, 0, "states")); !kept) return kept;
  for (std::size_t t = 0; t < scored.targets.size(); ++t) {
    std::vector<const Column*> columns = untold;
    for (const Column& column : scored.columns)
      if (column.target == scored.targets[t]) columns.push_back(&column);
    const auto behind = [](const learn::TrialScore& s, std::size_t i) {
      return s.targets[i].curve;
    };
    const std::string name = stem + "-" + file_name(scored.targets[t]) + ".svg";
    if (auto kept = write_file(name, picture(columns, behind, t, "behind it")); !kept) return kept;
  }
  return {};
}

}  // namespace schism::cli
