#include "schism/laboratory/judgement.hpp"

#include <algorithm>
#include <cmath>

#include "schism/measure/adjust.hpp"
#include "schism/measure/bootstrap.hpp"
#include "schism/measure/fisher.hpp"
#include "schism/measure/mann_whitney.hpp"
#include "schism/measure/rank_groups.hpp"
#include "schism/measure/shapiro_wilk.hpp"
#include "schism/measure/signed_rank.hpp"
#include "schism/measure/tukey.hpp"

namespace schism {
namespace {

using measure::Trial;

// Two strategies on one case, or on all.
struct Pair {
  std::string case_name, a, b;

  measure::TestOptions options(std::string verb, std::string quantity) const {
    measure::TestOptions out;
    out.words = {a, b, std::move(verb), std::move(quantity)};
    return out;
  }
  Judgement judged(std::string question, Result<measure::TestResult> test) const {
    Judgement out{std::move(question), case_name, a, b, {}, {}, {}};
    if (test) out.test = *std::move(test);
    else out.why_not = test.error();
    return out;
  }
};

// U with A12's interval beside it.
Result<measure::TestResult> larger(const std::vector<double>& a, const std::vector<double>& b,
                                   const measure::TestOptions& options) {
  auto test = measure::mann_whitney(a, b, options);
  if (!test) return test;
  for (measure::Effect& effect : test->effects)
    if (effect.name == "A12")
      if (const auto drawn = measure::bootstrap_a12(a, b)) effect.interval = drawn->interval;
  return test;
}

Result<measure::TestResult> effort(const Experiment& e, const Pair& pair,
                                   const std::vector<Trial>& a, const std::vector<Trial>& b,
                                   const std::string& unit) {
  const double limit = limit_of(e.budget);
  if (limit == 0) return error("trials gave up at different {}", unit);
  const auto own = measure::at_budget(a, limit, pair.a);
  const auto other = measure::at_budget(b, limit, pair.b);
  if (!own || !other) return tl::unexpected(own ? other.error() : own.error());
  return larger(*own, *other, pair.options("needs", unit));
}

measure::Counts counts_of(const std::vector<Trial>& trials) {
  const auto hits = static_cast<std::uint64_t>(
      std::count_if(trials.begin(), trials.end(), [](const Trial& t) { return t.found; }));
  return {hits, trials.size() - hits};
}

// Where a curve of every trial ended; nothing: not all have it.
std::optional<std::vector<double>> ends(const std::vector<const Record*>& records,
                                        const std::string& name) {
  std::vector<double> out;
  for (const Record* record : records) {
    const Curve* curve = record->curve(name);
    if (!curve) return std::nullopt;
    out.push_back(curve->last);
  }
  return out;
}

// Trials that a find ended earlier cover less, which is no fault of theirs.
bool as_long(const Experiment& e, const std::vector<const Record*>& records) {
  return e.budget.keep_going ||
         std::none_of(records.begin(), records.end(), [](const Record* r) { return r->found; });
}

void judge_curves(const Experiment& e, const Pair& pair, const std::vector<const Record*>& a,
                  const std::vector<const Record*>& b, std::vector<Judgement>& out) {
  for (const Curve& curve : a.front()->curves) {
    const bool fitness = curve.name == kFitness;
    const std::string question = fitness ? "best fitness" : "coverage: " + curve.name;
    const auto own = ends(a, curve.name), other = ends(b, curve.name);
    if (!own || !other) continue;
    if (!as_long(e, a) || !as_long(e, b)) {
      out.push_back(pair.judged(question, error("finds ended trials early: keep-going = true")));
      continue;
    }
    out.push_back(pair.judged(question, larger(*own, *other,
                                               pair.options(fitness ? "reaches" : "covers",
                                                            fitness ? "fitness" : curve.name))));
  }
}

void judge_occurrences(const Pair& pair, const std::vector<const Record*>& a,
                       const std::vector<const Record*>& b, std::vector<Judgement>& out) {
  const auto values = [](const std::vector<const Record*>& records) {
    std::vector<double> all;
    for (const Record* record : records) all.push_back(static_cast<double>(record->violated));
    return all;
  };
  out.push_back(pair.judged("occurrences",
                            larger(values(a), values(b), pair.options("has", "violating runs"))));
}

void adjust(std::vector<Judgement>& all) {
  std::map<std::string, std::vector<Judgement*>> families;
  for (Judgement& one : all)
    if (one.why_not.empty() && one.test.p) families[one.question].push_back(&one);
  for (const auto& [question, family] : families) {
    std::vector<double> p;
    for (const Judgement* one : family) p.push_back(*one->test.p);
    const auto adjusted = measure::holm(p);
    for (std::size_t i = 0; adjusted && i < family.size(); ++i)
      family[i]->adjusted = (*adjusted)[i];
  }
}

// PAR-2 of each case, a column a strategy; only cases of which everybody has trials.
std::vector<measure::Group> columns_of(const Experiment& e, const Results& results) {
  std::vector<measure::Group> out;
  for (const Strategy& strategy : e.strategies) out.push_back({strategy.name, {}});
  for (std::size_t c = 0; c < e.cases.size(); ++c) {
    std::vector<double> row;
    for (std::size_t s = 0; s < e.strategies.size(); ++s)
      if (const auto value = measure::par2(trials_of(e, results, c, s))) row.push_back(*value);
    if (row.size() < e.strategies.size()) continue;
    for (std::size_t s = 0; s < row.size(); ++s) out[s].values.push_back(row[s]);
  }
  return out;
}

// What is left when the means of rows and columns are taken out.
std::vector<double> residuals(const std::vector<measure::Group>& columns) {
  const std::size_t rows = columns[0].values.size();
  std::vector<double> column_means, row_means(rows, 0), out;
  for (const auto& column : columns) column_means.push_back(measure::mean(column.values));
  for (std::size_t r = 0; r < rows; ++r) {
    for (const auto& column : columns) row_means[r] += column.values[r];
    row_means[r] /= static_cast<double>(columns.size());
  }
  const double grand = measure::mean(column_means);
  for (std::size_t s = 0; s < columns.size(); ++s)
    for (std::size_t r = 0; r < rows; ++r)
      out.push_back(columns[s].values[r] - column_means[s] - row_means[r] + grand);
  return out;
}

void judge_columns(const std::vector<measure::Group>& columns, std::vector<Judgement>& out) {
  const Pair all{"", "", ""};
  out.push_back(all.judged("PAR-2, all strategies", measure::friedman(columns)));
  const auto anova = measure::repeated_anova(columns);
  if (!anova) {
    out.push_back(all.judged("PAR-2, all strategies", tl::unexpected(anova.error())));
    return;
  }
  out.push_back(all.judged("PAR-2, all strategies", anova->corrected));
  out.push_back(all.judged("is what the repeated measures assume true?",
                           measure::shapiro_wilk(residuals(columns), "residuals")));
  const auto pairs = measure::tukey_repeated(columns);
  for (std::size_t i = 0; pairs && i < pairs->pairs.size(); ++i) {
    const measure::TukeyPair& one = pairs->pairs[i];
    const Pair names{"", columns[one.first].name, columns[one.second].name};
    out.push_back(names.judged("PAR-2, pair by pair", one.test));
  }
}

}  // namespace

std::string Judgement::line() const {
  std::string where = case_name.empty() ? "all cases" : case_name;
  std::string out = fmt::format("{}, {}: {}", where, question,
                                why_not.empty() ? test.line() : "no test: " + why_not);
  if (adjusted) out += fmt::format("; {} among all such tests (Holm)", measure::p_text(*adjusted));
  return out;
}

std::vector<Judgement> judge_cases(const Experiment& e, const Results& results) {
  std::vector<Judgement> out;
  const std::string unit = unit_words(unit_of(e.budget));
  for (std::size_t c = 0; c < e.cases.size(); ++c)
    for (std::size_t s = 1; s < e.strategies.size(); ++s) {
      const Pair pair{e.cases[c].name, e.strategies[s].name, e.strategies[0].name};
      const auto own = results.of(c, s), first = results.of(c, 0);
      if (own.empty() || first.empty()) continue;
      const auto a = trials_of(e, results, c, s), b = trials_of(e, results, c, 0);
      out.push_back(pair.judged(unit + " to the first find", effort(e, pair, a, b, unit)));
      out.push_back(pair.judged("found at all", measure::fisher(counts_of(a), counts_of(b),
                                                                pair.options("has", "finds"))));
      out.push_back(
          pair.judged("found sooner", measure::log_rank(a, b, pair.options("needs", unit))));
      judge_curves(e, pair, own, first, out);
      if (e.budget.keep_going) judge_occurrences(pair, own, first, out);
    }
  adjust(out);
  return out;
}

std::vector<Judgement> judge_all(const Experiment& e, const Results& results) {
  std::vector<Judgement> out;
  const auto columns = columns_of(e, results);
  if (columns.size() < 2 || columns[0].values.size() < 2) return out;
  for (std::size_t s = 1; s < columns.size(); ++s) {
    const Pair pair{"", columns[s].name, columns[0].name};
    out.push_back(pair.judged(
        "PAR-2", measure::signed_rank(columns[s].values, columns[0].values,
                                      pair.options("needs", unit_words(unit_of(e.budget))))));
  }
  adjust(out);
  if (columns.size() > 2) judge_columns(columns, out);
  return out;
}

}  // namespace schism
