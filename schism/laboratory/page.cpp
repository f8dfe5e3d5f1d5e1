// An experiment as one page without scripts or anything from elsewhere.
#include <fmt/format.h>

#include <algorithm>

#include "schism/base/text.hpp"
#include "schism/laboratory/plot.hpp"
#include "schism/laboratory/tables.hpp"

namespace schism {
namespace {

constexpr std::size_t kFewCases = 40;  // beyond that only those that differ are drawn

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --ink: #1d2226; --soft: #667078; --line: #d9dcd8; --back: #fbfbf9; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7e9; --soft: #98a2a9; --line: #333a40;
  --back: #15181b; } }
body { font: 14px/1.5 system-ui, "DejaVu Sans", sans-serif; margin: 24px auto; max-width: 1000px;
  padding: 0 16px; color: var(--ink); background: var(--back); }
table { border-collapse: collapse; margin: 8px 0 24px; }
th, td { padding: 3px 10px; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
ul { padding-left: 18px; } li { margin: 2px 0; }
h3 { margin: 18px 0 2px; font-size: 14px; } summary { cursor: pointer; }
.miss { color: #c2402b; } svg .miss { fill: #c2402b; } .soft { color: var(--soft); }
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: var(--soft); }
svg .grid { stroke: var(--line); } svg .end { text-anchor: end; } svg .mid { text-anchor: middle; }
)css";

class Page {
 public:
  Page(const Experiment& experiment, const Results& results)
      : e_(experiment),
        results_(results),
        unit_(unit_of(experiment.budget)),
        limit_(limit_of(experiment.budget)) {}

  std::string text() {
    const std::string title = e_.title.empty() ? "Experiment" : e_.title;
    out_ = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
        "<style>{1}</style></head><body>\n<h1>{0}</h1>\n<p>{2}</p>\n",
        escape_xml(title), kStyle, escape_xml(about()));
    if (results_.unknown > 0)
      out_ +=
          fmt::format("<p class=\"miss\">{} trials were not played yet.</p>\n", results_.unknown);
    standings();
    cases();
    tests("Tests over all cases", judge_all(e_, results_), true);
    tests("Tests case by case", judge_cases(e_, results_), false);
    out_ +=
        "<p class=\"soft\">A miss counts twice its budget in PAR-2, is tied at the budget in "
        "Mann-Whitney's test and A12, and censored in survival curves. The interval of a ratio "
        "draws cases again (bootstrap, BCa). Boxes: quartiles of the trials that found something; "
        "bands: where the middle half of the trials is, as far as all of them came.</p>\n"
        "</body></html>\n";
    return std::move(out_);
  }

 private:
  std::string about() const {
    std::string out = fmt::format("{} cases, {} strategies, {} trials each", e_.cases.size(),
                                  e_.strategies.size(), e_.trials);
    if (limit_ > 0)
      out += fmt::format(", {} {} a trial", effort_text(limit_, unit_), unit_words(unit_));
    if (e_.quick) out += ". Cut short to see that it runs: the numbers say nothing";
    return out + ".";
  }

  std::string swatch(std::size_t s) const {
    return fmt::format("<b style=\"color:{}\">&#9632;</b> {}", plot::color(s),
                       escape_xml(e_.strategies[s].name));
  }

  void standings() {
    const auto rows = standings_of(e_, results_);
    std::vector<plot::Survivor> curves;
    out_ += fmt::format(
        "<table><tr><th>strategy</th><th>cases found</th><th>trials</th><th>PAR-2 ({})</th>"
        "<th>PAR-2 / {} (95% interval)</th></tr>\n",
        unit_words(unit_), escape_xml(rows.empty() ? "" : rows[0].strategy));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out_ += fmt::format(
          "<tr><td>{}</td><td>{} of {}</td><td>{} of {}</td><td>{}</td><td>{}</td></tr>\n",
          swatch(i), rows[i].cases_found, e_.cases.size(), rows[i].found, rows[i].trials,
          rows[i].trials > 0 ? effort_text(rows[i].par2, unit_) : "?", ratio_text(rows[i]));
      curves.push_back({rows[i].strategy, rows[i].survival.value_or(measure::Survival{})});
    }
    out_ += "</table>\n<h2>Share of trials that have not found anything yet</h2>\n" +
            plot::survival(curves, effort_axis());
  }

  // Finds come in one run and in a hundred thousand: by logarithm.
  plot::Axis effort_axis() const {
    double low = limit_, high = limit_;
    for (const auto& [place, record] : results_.records) {
      if (!record.problem.empty()) continue;
      const double at = trial_of(e_, record).at;
      high = std::max(high, at);
      if (at > 0) low = low > 0 ? std::min(low, at) : at;
    }
    if (!(low > 0)) low = 1;
    return {low, std::max(high, low * 10), true, unit_words(unit_)};
  }

  void cases() {
    out_ += "<h2>Every case: median " + unit_words(unit_) +
            " to the first find</h2>\n<table><tr><th>case</th>";
    for (std::size_t s = 0; s < e_.strategies.size(); ++s) out_ += "<th>" + swatch(s) + "</th>";
    out_ += "</tr>\n";
    for (std::size_t c = 0; c < e_.cases.size(); ++c) {
      out_ += "<tr><td>" + escape_xml(e_.cases[c].name) + "</td>";
      for (std::size_t s = 0; s < e_.strategies.size(); ++s) {
        const Cell cell = cell_of(e_, results_, c, s);
        out_ += fmt::format("<td{}>{}</td>", cell.median() ? "" : " class=\"miss\"",
                            outcome_text(cell, unit_));
      }
      out_ += "</tr>\n";
    }
    out_ += "</table>\n";
    for (std::size_t c = 0; c < e_.cases.size(); ++c) pictures(c);
  }

  void pictures(std::size_t c) {
    std::vector<plot::Box> boxes;
    bool found = false;
    for (std::size_t s = 0; s < e_.strategies.size(); ++s) {
      plot::Box box{e_.strategies[s].name, {}, 0};
      for (const measure::Trial& t : trials_of(e_, results_, c, s))
        if (t.found) box.values.push_back(t.at);
        else ++box.misses;
      found = found || !box.values.empty();
      boxes.push_back(std::move(box));
    }
    std::string drawn;
    if (found && e_.trials > 1) drawn += plot::boxes(boxes, effort_axis());
    drawn += curves(c);
    if (drawn.empty()) return;
    out_ += fmt::format("<details{}><summary>{}</summary>\n{}</details>\n",
                        e_.cases.size() <= kFewCases ? " open" : "", escape_xml(e_.cases[c].name),
                        drawn);
  }

  // Coverage and fitness over time.
  std::string curves(std::size_t c) const {
    std::vector<std::string> names;
    for (std::size_t s = 0; s < e_.strategies.size(); ++s)
      for (const Record* record : results_.of(c, s))
        for (const Curve& curve : record->curves)
          if (std::find(names.begin(), names.end(), curve.name) == names.end())
            names.push_back(curve.name);
    std::string out;
    for (const std::string& name : names) {
      std::vector<plot::Band> bands;
      double low = 0, high = 0;
      for (std::size_t s = 0; s < e_.strategies.size(); ++s) {
        std::vector<std::vector<double>> trials;
        for (const Record* record : results_.of(c, s))
          if (const Curve* curve = record->curve(name)) trials.push_back(curve->values);
        bands.push_back(plot::band_of(e_.strategies[s].name, trials));
        for (const double value : bands.back().high) high = std::max(high, value);
        for (const double value : bands.back().low) low = std::min(low, value);
      }
      if (!(high > low)) continue;
      const plot::Axis x{0, limit_, false, unit_words(unit_)};
      const plot::Axis y{low, high * 1.05, false, name};
      out += plot::bands(bands, x, y, kCurvePoints);
    }
    return out;
  }

  void tests(const char* title, const std::vector<Judgement>& all, bool open) {
    if (all.empty()) return;
    out_ += fmt::format("<h2>{}</h2>\n<details{}><summary>{} tests</summary><ul>\n", title,
                        open ? " open" : "", all.size());
    for (const Judgement& one : all) out_ += "<li>" + escape_xml(one.line()) + "</li>\n";
    out_ += "</ul></details>\n";
  }

  const Experiment& e_;
  const Results& results_;
  Unit unit_;
  double limit_;
  std::string out_;
};

}  // namespace

std::string experiment_page(const Experiment& experiment, const Results& results) {
  return Page(experiment, results).text();
}

}  // namespace schism
