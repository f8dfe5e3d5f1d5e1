// A race as files: CSV, JSON, and one page with survival curves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "schism/base/text.hpp"
#include "schism/campaign/race.hpp"

namespace schism {
namespace {

constexpr const char* kColors[] = {"#2a6fb0", "#c2602b", "#1f7a45", "#8a45c4",
                                   "#b0302f", "#6b7a1f", "#1f7a7a", "#666666"};
constexpr double kWidth = 760, kHeight = 300, kLeft = 52, kBottom = 40, kTop = 12, kRight = 12;

// Median CPU seconds; nothing: less than half of the trials found it.
std::optional<double> median_of(std::span<const measure::Trial> trials) {
  const auto curve = measure::kaplan_meier(trials);
  return curve ? curve->median() : std::nullopt;
}

int found_in(std::span<const measure::Trial> trials) {
  return static_cast<int>(
      std::count_if(trials.begin(), trials.end(), [](const auto& t) { return t.found; }));
}

// Time is drawn by its logarithm: finds come in milliseconds and in seconds.
struct Axis {
  double low, high;
  double x(double at) const {
    const double share = std::log(std::max(at, low) / low) / std::log(high / low);
    return kLeft + share * (kWidth - kLeft - kRight);
  }
  static double y(double survival) { return kTop + (1 - survival) * (kHeight - kTop - kBottom); }
};

std::string curve_of(const measure::Survival& s, const Axis& axis, const char* color) {
  std::string path = fmt::format("M{:.1f} {:.1f}", axis.x(axis.low), Axis::y(1));
  for (const auto& step : s.steps)
    path += fmt::format("H{:.1f}V{:.1f}", axis.x(step.at), Axis::y(step.survival));
  path += fmt::format("H{:.1f}", axis.x(axis.high));
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path,
                     color);
}

std::string axes(const Axis& axis) {
  std::string out;
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
    out += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" class=\"grid\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" class=\"end\">{5:.0f}%</text>\n",
        kLeft, kWidth - kRight, Axis::y(share), kLeft - 6, Axis::y(share) + 4, share * 100);
  for (double at = axis.low; at <= axis.high * 1.001; at *= 10)
    out += fmt::format(
        "<line y1=\"{0}\" y2=\"{1}\" x1=\"{2:.1f}\" x2=\"{2:.1f}\" class=\"grid\"/>"
        "<text x=\"{2:.1f}\" y=\"{3}\" class=\"mid\">{4:g} s</text>\n",
        kTop, kHeight - kBottom, axis.x(at), kHeight - kBottom + 16, at);
  return out +
         fmt::format("<text x=\"{:.1f}\" y=\"{}\" class=\"mid\">CPU time of one core</text>\n",
                     (kLeft + kWidth) / 2, kHeight - 4);
}

std::string interval_text(const Standing& row) {
  if (!row.ratio || !row.ratio->value) return "";
  std::string out = fmt::format("{:.2f}", *row.ratio->value);
  if (row.ratio->interval)
    out += fmt::format(" ({:.2f} to {:.2f})", row.ratio->interval->low, row.ratio->interval->high);
  return out;
}

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --ink: #1d2226; --soft: #667078; --line: #d9dcd8; --back: #fbfbf9; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7e9; --soft: #98a2a9; --line: #333a40;
  --back: #15181b; } }
body { font: 14px/1.5 system-ui, "DejaVu Sans", sans-serif; margin: 24px auto; max-width: 1000px;
  padding: 0 16px; color: var(--ink); background: var(--back); }
table { border-collapse: collapse; margin: 8px 0 24px; }
th, td { padding: 3px 10px; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
.miss { color: #c2402b; } .soft { color: var(--soft); }
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: var(--soft); }
svg .grid { stroke: var(--line); } svg .end { text-anchor: end; } svg .mid { text-anchor: middle; }
)css";

std::string standings_table(const Standings& s, const Race& race) {
  std::string out = fmt::format(
      "<table><tr><th>explorer</th><th>bugs found</th><th>trials</th><th>PAR-2</th>"
      "<th>PAR-2 / {} (95% interval)</th></tr>\n",
      escape_xml(race.explorers.front()));
  for (std::size_t i = 0; i < s.explorers.size(); ++i) {
    const Standing& row = s.explorers[i];
    out += fmt::format(
        "<tr><td><b style=\"color:{}\">&#9632;</b> {}</td><td>{} of {}</td><td>{} of {}</td>"
        "<td>{:.3f} s</td><td>{}</td></tr>\n",
        kColors[i % std::size(kColors)], escape_xml(row.explorer), row.bugs_found, race.bugs.size(),
        row.found, row.trials, row.par2, interval_text(row));
  }
  return out + "</table>\n";
}

std::string bugs_table(const Race& race, const RaceBook& book) {
  std::string out = "<table><tr><th>bug</th>";
  for (const std::string& e : race.explorers) out += "<th>" + escape_xml(e) + "</th>";
  out += "</tr>\n";
  for (const Exhibit& exhibit : race.bugs) {
    out += "<tr><td>" + escape_xml(exhibit.name()) + "</td>";
    for (const std::string& explorer : race.explorers) {
      const auto trials = trials_of(race, book, exhibit.name(), explorer);
      const int found = found_in(trials);
      const auto median = median_of(trials);
      out += found == 0 ? "<td class=\"miss\">-</td>"
                        : fmt::format("<td{}>{}{}</td>", median ? "" : " class=\"miss\"",
                                      median ? fmt::format("{:.3f} s", *median) : "",
                                      found < static_cast<int>(trials.size())
                                          ? fmt::format(" {} of {}", found, trials.size())
                                          : "");
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

}  // namespace

std::string race_csv(const Race& race, const RaceBook& book) {
  std::string out = "bug,explorer,trial,budget,found,cpu,runs,steps,property,problem\n";
  const auto cell = [](const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
  };
  for (const Heat& heat : race.heats())
    if (const HeatResult* r = book.find(heat))
      out += fmt::format("{},{},{},{},{},{:.6f},{},{},{},{}\n", cell(heat.bug), cell(heat.explorer),
                         heat.trial, heat.budget, r->found ? 1 : 0, r->at, r->runs, r->steps,
                         cell(r->property), cell(r->problem));
  return out;
}

Value race_json(const Race& race, const RaceBook& book) {
  const Standings standings = standings_of(race, book);
  Value out;
  out.set("budget", race.budget);
  out.set("trials", race.trials);
  out.set("bugs", static_cast<std::int64_t>(race.bugs.size()));
  out.set("missing", static_cast<std::int64_t>(standings.missing));
  Value::Array rows;
  for (const Standing& row : standings.explorers) {
    Value item;
    item.set("explorer", row.explorer);
    item.set("bugs_found", row.bugs_found);
    item.set("found", row.found);
    item.set("trials", row.trials);
    item.set("par2", row.par2);
    if (row.ratio && row.ratio->value) item.set("ratio_to_first", *row.ratio->value);
    if (row.ratio && row.ratio->interval) {
      item.set("ratio_low", row.ratio->interval->low);
      item.set("ratio_high", row.ratio->interval->high);
    }
    rows.push_back(std::move(item));
  }
  out.set("explorers", std::move(rows));
  Value::Array cells;
  for (const Exhibit& exhibit : race.bugs)
    for (const std::string& explorer : race.explorers) {
      const auto trials = trials_of(race, book, exhibit.name(), explorer);
      Value item;
      item.set("bug", exhibit.name());
      item.set("explorer", explorer);
      item.set("found", found_in(trials));
      item.set("trials", static_cast<std::int64_t>(trials.size()));
      if (const auto median = median_of(trials)) item.set("median", *median);
      cells.push_back(std::move(item));
    }
  out.set("cells", std::move(cells));
  Value::Array problems;
  for (const std::string& problem : standings.problems) problems.emplace_back(problem);
  out.set("problems", std::move(problems));
  return out;
}

std::string race_page(const Race& race, const RaceBook& book) {
  const Standings standings = standings_of(race, book);
  const Axis axis{0.001, race.budget};
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>zoo race</title>"
      "<style>{}</style></head><body>\n<h1>Zoo race</h1>\n<p>{} bugs, {} trials each, {} "
      "CPU-seconds "
      "a trial.{}</p>\n",
      kStyle, race.bugs.size(), race.trials, race.budget,
      standings.missing > 0 ? fmt::format(" <b>{} of {} trials are still missing.</b>",
                                          standings.missing, race.heats().size())
                            : "");
  out += standings_table(standings, race);
  out += "<h2>Share of trials that have not found their bug yet</h2>\n";
  out += fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n{}", kWidth, kHeight, axes(axis));
  for (std::size_t i = 0; i < standings.explorers.size(); ++i)
    if (standings.explorers[i].survival)
      out += curve_of(*standings.explorers[i].survival, axis, kColors[i % std::size(kColors)]);
  out += "</svg>\n<h2>Every bug: median CPU time to the first find</h2>\n";
  out += bugs_table(race, book);
  out +=
      "<p class=\"soft\">A miss counts twice its budget in PAR-2 (Kaplan-Meier curves treat it as "
      "censored). The interval draws bugs again (bootstrap, BCa).</p>\n</body></html>\n";
  return out;
}

}  // namespace schism
