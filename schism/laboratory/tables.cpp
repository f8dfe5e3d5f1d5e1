#include "schism/laboratory/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schism {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

Value judgement_json(const Judgement& one) {
  Value out;
  out.set("question", one.question);
  if (!one.case_name.empty()) out.set("case", one.case_name);
  if (!one.a.empty()) out.set("a", one.a), out.set("b", one.b);
  if (!one.why_not.empty()) {
    out.set("why_not", one.why_not);
    return out;
  }
  out.set("test", one.test.test);
  out.set("statistic", one.test.statistic);
  if (one.test.p) out.set("p", *one.test.p);
  else out.set("why_no_p", one.test.why_no_p);
  if (one.adjusted) out.set("p_holm", *one.adjusted);
  out.set("method", one.test.method);
  out.set("alternative", one.test.hypothesis);
  out.set("direction", one.test.direction);
  for (const measure::Effect& effect : one.test.effects) {
    Value item;
    if (effect.value) item.set("value", *effect.value);
    if (effect.interval) item.set("low", effect.interval->low);
    if (effect.interval) item.set("high", effect.interval->high);
    out.set(effect.name, std::move(item));
  }
  return out;
}

Value standing_json(const Standing& row) {
  Value out;
  out.set("strategy", row.strategy);
  out.set("cases_found", row.cases_found);
  out.set("found", row.found);
  out.set("trials", row.trials);
  out.set("par2", row.par2);
  if (row.ratio && row.ratio->value) out.set("ratio_to_first", *row.ratio->value);
  if (row.ratio && row.ratio->interval) {
    out.set("ratio_low", row.ratio->interval->low);
    out.set("ratio_high", row.ratio->interval->high);
  }
  return out;
}

}  // namespace

std::string outcome_text(const Cell& cell, Unit unit) {
  if (cell.trials == 0) return "?";
  if (cell.found() == 0) return "-";
  const std::string share = fmt::format("{} of {}", cell.found(), cell.trials);
  const auto median = cell.median();
  if (!median) return share;
  const std::string text = effort_text(*median, unit);
  return cell.found() == cell.trials ? text : fmt::format("{} ({})", text, share);
}

std::string ratio_text(const Standing& row) {
  if (!row.ratio || !row.ratio->value) return "";
  if (!row.ratio->interval) return fmt::format("{:.2f}", *row.ratio->value);
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", *row.ratio->value, row.ratio->interval->low,
                     row.ratio->interval->high);
}

std::string trials_csv(const Experiment& experiment, const Results& results) {
  std::vector<std::string> curves;
  for (const auto& [place, record] : results.records)
    for (const Curve& curve : record.curves)
      if (std::find(curves.begin(), curves.end(), curve.name) == curves.end())
        curves.push_back(curve.name);
  std::string out =
      "case,strategy,trial,seed,found,at_runs,at_steps,at_deliveries,at_simulated,at_cpu,runs,"
      "steps,deliveries,simulated,cpu,violated,whole,property,problem";
  for (const std::string& name : curves) out += "," + quoted(name);
  out += "\n";
  for (const auto& [place, r] : results.records) {
    const auto& [c, s, trial] = place;
    out += fmt::format("{},{},{},{},{}", quoted(experiment.cases[c].name),
                       quoted(experiment.strategies[s].name), trial,
                       trial_seed(experiment.budget.seed, trial), r.found ? 1 : 0);
    for (const Effort* e : {&r.at, &r.total})
      out += e == &r.at && !r.found ? ",,,,,"
                                    : fmt::format(",{},{},{},{:.6f},{:.6f}", e->runs, e->steps,
                                                  e->deliveries, e->in(Unit::simulated), e->cpu);
    out +=
        fmt::format(",{},{},{},{}", r.violated, r.whole ? 1 : 0,
                    quoted(r.sightings.empty() ? "" : r.sightings[0].property), quoted(r.problem));
    for (const std::string& name : curves) {
      const Curve* curve = r.curve(name);
      out += curve ? fmt::format(",{}", curve->last) : ",";
    }
    out += "\n";
  }
  return out;
}

Value cell_json(const Experiment& experiment, const Cell& c) {
  const Unit unit = unit_of(experiment.budget);
  Value out;
  out.set("case", c.case_name);
  out.set("strategy", c.strategy);
  out.set("command", c.command);
  out.set("trials", c.trials);
  out.set("unit", std::string(enum_name(unit)));
  Value::Array efforts;
  for (const double n : c.efforts_to_find)
    efforts.push_back(unit == Unit::cpu || unit == Unit::simulated
                          ? Value(n)
                          : Value(static_cast<std::int64_t>(n)));
  out.set(std::string(enum_name(unit)) + "_to_find", std::move(efforts));
  if (const auto m = c.median()) out.set("median", *m);
  Value properties, occurrences;
  for (const auto& [property, count] : c.properties) properties.set(property, count);
  for (const auto& [bug, count] : c.occurrences)
    occurrences.set(bug, static_cast<std::int64_t>(count));
  out.set("properties", std::move(properties));
  out.set("occurrences", std::move(occurrences));
  out.set("runs", static_cast<std::int64_t>(c.total.runs));
  out.set("steps", static_cast<std::int64_t>(c.total.steps));
  out.set("deliveries", static_cast<std::int64_t>(c.total.deliveries));
  out.set("simulated", c.total.in(Unit::simulated));
  out.set("cpu", c.total.cpu);
  out.set("seconds", c.seconds);
  out.set("as_expected", c.as_expected);
  Value::Array problems;
  for (const std::string& problem : c.problems) problems.emplace_back(problem);
  if (!problems.empty()) out.set("problems", std::move(problems));
  return out;
}

Value experiment_json(const Experiment& experiment, const Results& results) {
  Value out;
  if (!experiment.title.empty()) out.set("title", experiment.title);
  out.set("unit", std::string(enum_name(unit_of(experiment.budget))));
  out.set("budget", limit_of(experiment.budget));
  out.set("trials", experiment.trials);
  out.set("quick", experiment.quick);
  out.set("missing", static_cast<std::int64_t>(results.unknown));
  Value::Array standings, cells, tests;
  for (const Standing& row : standings_of(experiment, results))
    standings.push_back(standing_json(row));
  for (std::size_t c = 0; c < experiment.cases.size(); ++c)
    for (std::size_t s = 0; s < experiment.strategies.size(); ++s)
      cells.push_back(cell_json(experiment, cell_of(experiment, results, c, s)));
  for (const auto& all : {judge_all(experiment, results), judge_cases(experiment, results)})
    for (const Judgement& one : all) tests.push_back(judgement_json(one));
  out.set("strategies", std::move(standings));
  out.set("cells", std::move(cells));
  out.set("tests", std::move(tests));
  return out;
}

}  // namespace schism
