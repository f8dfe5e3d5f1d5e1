#include "schism/isolate/report.hpp"

#include <algorithm>

#include "schism/base/text.hpp"

namespace schism::isolate {
namespace {

std::string percent(double x) { return fmt::format("{:.1f}%", x * 100); }

// Words at most so wide, later lines further in.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  std::string out, line = text.substr(0, begin);
  bool first = true;  // word of its line
  const auto length = [](const std::string& s) {
    return static_cast<std::size_t>(std::count_if(
        s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  };
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!first && length(line) + 1 + length(word) > width) {
      out += line + "\n";
      line = indent + word;
    } else {
      line += (first ? "" : " ") + word;
    }
    first = false;
    begin = end + 1;
  }
  return out + line + "\n";
}

std::string plural(std::size_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string head(const Findings& f, const ReportParts& parts) {
  std::string out = fmt::format("{} runs, {} failing", f.runs.size(), f.failing);
  if (parts.reading.skipped > 0)
    out += fmt::format("; {} damaged skipped, the first one: {}", parts.reading.skipped,
                       printable(parts.reading.first_problem));
  out += "\n";
  if (f.method == Method::branches) {
    out += fmt::format("{} branch predicates\n", f.predicates);
  } else if (f.method == Method::faults) {
    out += fmt::format("{} facts about faults; {} differ in the runs where they hold\n",
                       f.predicates, f.candidates);
  } else {
    out +=
        fmt::format("{} message predicates, {} with tolerance", f.without_tolerance, f.predicates);
    if (f.left_out > 0) out += fmt::format(" ({} of them left out by the schema)", f.left_out);
    out += f.method == Method::refined
               ? fmt::format("; {} differ in the runs where they hold\n", f.candidates)
               : fmt::format("; {} hold in a failing run\n", f.candidates);
  }
  return out + fmt::format("method {}: {} for {} of {} failing runs\n", enum_name(f.method),
                           plural(f.findings.size(), "predictor"), f.failing - f.unexplained.size(),
                           f.failing);
}

// Every share with the runs that it is a share of.
std::string scores(const std::vector<Score>& in_all, const std::vector<Score>& in_failing,
                   std::size_t runs, std::size_t failing, const std::string& indent) {
  std::string out;
  const auto line = [&](const Score& s, const std::string& of) {
    out += fmt::format("{}{:<14} {:<22} precision {:>6}  recall {:>6}  F1 {:>6}  F0.5 {:>6}\n",
                       indent, printable(s.bug), of, percent(s.precision), percent(s.recall),
                       percent(s.f1), percent(s.f05));
  };
  for (std::size_t b = 0; b < in_all.size(); ++b) {
    line(in_all[b], fmt::format("of all {} runs:", runs));
    // With one bug every failing run is a hit.
    if (in_all.size() > 1) line(in_failing[b], fmt::format("of {} failing:", failing));
  }
  return out;
}

std::string one(const Findings& all, std::size_t i, const ReportParts& parts) {
  const Finding& f = all.findings[i];
  const auto width = static_cast<std::size_t>(parts.width);
  const Tally& t = f.predictor.tally;
  std::string out =
      "\n" + wrapped(fmt::format("{}. {}", i + 1, printable(f.notation)), width, "   ");
  if (!f.sentence.empty()) out += wrapped("   " + printable(f.sentence), width, "   ");
  const Tally& whole = f.whole;
  out += fmt::format("   holds in {} of {} failing runs and in {} of {} passing ones",
                     whole.fail_true, whole.fail_observed, whole.pass_true, whole.pass_observed);
  if (t.fail_observed != whole.fail_observed)
    out += fmt::format(
        ";\n   explains {} of the {} failing runs that are left, to which the next "
        "line refers",
        t.fail_true, t.fail_observed);
  out += "\n";
  std::string numbers =
      fmt::format("   increase {:.3f} (95%: {:.3f} to {:.3f}), importance {:.3f}", t.increase(),
                  f.increase.low, f.increase.high, f.predictor.importance);
  if (f.strikes) numbers += fmt::format("; by itself it fails {} of the runs", percent(*f.strikes));
  out += numbers + "\n";
  out += scores(f.in_all, f.in_failing, all.runs.size(), all.failing, "   ");
  if (!f.equivalents.empty()) {
    out +=
        wrapped("   holds in the same runs: " + printable(f.equivalents.front()), width, "     ");
    if (f.equivalents.size() > 1)
      out += fmt::format("   and {} more (--json lists them)\n", f.equivalents.size() - 1);
  }
  std::string runs = fmt::format("   runs:");
  for (std::size_t k = 0; k < f.runs.size() && k < 6; ++k)
    runs += " " + printable(all.runs[f.runs[k]].name);
  if (f.runs.size() > 6) runs += fmt::format(" and {} more", f.runs.size() - 6);
  out += wrapped(runs, width, "     ");
  if (f.typical) out += fmt::format("   most typical: {}\n", printable(all.runs[*f.typical].name));
  if (i < parts.diagrams.size() && !parts.diagrams[i].empty()) out += "\n" + parts.diagrams[i];
  return out;
}

std::string folds(const Findings& f, const ReportParts& parts) {
  std::string out = "\nleft out in turn, judged on the runs left out:\n";
  for (const FoldResult& fold : f.folds) {
    out += fmt::format("  {}: {} learned from {} failing runs, judged on {} failing of {} runs\n",
                       printable(fold.fold), plural(fold.notations.size(), "predictor"),
                       fold.training, fold.failing, fold.runs);
    for (const std::string& n : fold.notations)
      out += wrapped("    " + printable(n), static_cast<std::size_t>(parts.width), "      ");
    out += scores(fold.in_all, fold.in_failing, fold.runs, fold.failing, "    ");
  }
  const auto average = [&](std::size_t b, std::vector<Score> FoldResult::*which, const char* of) {
    double low = 1, high = 0, sum = 0;
    for (const FoldResult& fold : f.folds) {
      const double f1 = (fold.*which)[b].f1;
      low = std::min(low, f1), high = std::max(high, f1);
      sum += f1;
    }
    out += fmt::format("  {:<14} {:<16} F1 {} on average, {} to {}\n", printable(f.bugs[b]), of,
                       percent(sum / static_cast<double>(f.folds.size())), percent(low),
                       percent(high));
  };
  for (std::size_t b = 0; b < f.bugs.size(); ++b) {
    average(b, &FoldResult::in_all, "of all runs:");
    if (f.bugs.size() > 1) average(b, &FoldResult::in_failing, "of the failing:");
  }
  return out;
}

Value to_value(const std::vector<Score>& scores) {
  Value::Array out;
  for (const Score& s : scores) {
    Value item;
    item.set("bug", s.bug);
    item.set("precision", s.precision);
    item.set("recall", s.recall);
    item.set("f1", s.f1);
    item.set("f05", s.f05);
    out.push_back(std::move(item));
  }
  return out;
}

Value texts(const std::vector<std::string>& list) {
  Value::Array out;
  for (const std::string& text : list) out.emplace_back(text);
  return out;
}

Value names(const Findings& f, const std::vector<std::size_t>& runs) {
  Value::Array out;
  for (const std::size_t i : runs) out.emplace_back(f.runs[i].name);
  return out;
}

Value one(const Findings& all, const Finding& f) {
  const Tally& t = f.predictor.tally;
  Value out;
  out.set("predicate", f.notation);
  if (f.id) {
    out.set("sentence", f.sentence);
    out.set("threshold", f.id->threshold);
    out.set("tolerance", f.id->tolerance);
    out.set("assertions", texts(f.assertions));
  }
  out.set("failing", static_cast<std::int64_t>(t.fail_true));
  out.set("failing_in_all", static_cast<std::int64_t>(f.whole.fail_true));
  out.set("passing", static_cast<std::int64_t>(f.whole.pass_true));
  out.set("increase", t.increase());
  out.set("increase_low", f.increase.low);
  out.set("increase_high", f.increase.high);
  out.set("importance", f.predictor.importance);
  if (f.strikes) out.set("strikes", *f.strikes);
  if (!f.in_all.empty()) {
    out.set("scores_in_all", to_value(f.in_all));
    out.set("scores_in_failing", to_value(f.in_failing));
  }
  out.set("equivalent", texts(f.equivalents));
  out.set("runs", names(all, f.runs));
  if (f.typical) out.set("typical", all.runs[*f.typical].name);
  return out;
}

}  // namespace

std::string print(const Findings& findings, const ReportParts& parts) {
  std::string out = head(findings, parts);
  for (std::size_t i = 0; i < findings.findings.size(); ++i) out += one(findings, i, parts);
  if (!findings.unexplained.empty()) {
    std::string runs = "not explained:";
    for (std::size_t k = 0; k < findings.unexplained.size() && k < 10; ++k)
      runs += " " + printable(findings.runs[findings.unexplained[k]].name);
    if (findings.unexplained.size() > 10)
      runs += fmt::format(" and {} more", findings.unexplained.size() - 10);
    out += "\n" + wrapped(runs, static_cast<std::size_t>(parts.width), "  ");
  }
  if (findings.next_chance)
    out += fmt::format("{}the best further predictor would be chance with probability {:.2g}\n",
                       findings.unexplained.empty() ? "\n" : "", *findings.next_chance);
  if (!findings.folds.empty()) out += folds(findings, parts);
  return out;
}

Value to_value(const Findings& f, const ReportParts& parts) {
  Value out;
  out.set("method", enum_name(f.method));
  out.set("runs", static_cast<std::int64_t>(f.runs.size()));
  out.set("failing", static_cast<std::int64_t>(f.failing));
  out.set("skipped", static_cast<std::int64_t>(parts.reading.skipped));
  out.set("predicates", static_cast<std::int64_t>(f.without_tolerance));
  out.set("with_tolerance", static_cast<std::int64_t>(f.predicates));
  out.set("left_out", static_cast<std::int64_t>(f.left_out));
  out.set("candidates", static_cast<std::int64_t>(f.candidates));
  Value::Array predictors;
  for (const Finding& finding : f.findings) predictors.push_back(one(f, finding));
  out.set("predictors", std::move(predictors));
  out.set("unexplained", names(f, f.unexplained));
  if (f.next_chance) out.set("next_chance", *f.next_chance);
  Value::Array folds;
  for (const FoldResult& fold : f.folds) {
    Value item;
    item.set("fold", fold.fold);
    item.set("training", static_cast<std::int64_t>(fold.training));
    item.set("failing", static_cast<std::int64_t>(fold.failing));
    item.set("predictors", texts(fold.notations));
    item.set("runs", static_cast<std::int64_t>(fold.runs));
    item.set("scores_in_all", to_value(fold.in_all));
    item.set("scores_in_failing", to_value(fold.in_failing));
    folds.push_back(std::move(item));
  }
  if (!folds.empty()) out.set("folds", std::move(folds));
  return out;
}

}  // namespace schism::isolate
