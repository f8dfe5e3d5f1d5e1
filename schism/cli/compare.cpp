// `schism compare`: strategies side by side on an experiment that a TOML file describes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "schism/campaign/compare.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/experiment_file.hpp"
#include "schism/cli/print.hpp"

namespace schism::cli {
namespace {

struct CompareFlags {
  explicit CompareFlags(Flags& flags) {
    flags.example("schism compare experiments/raft-bugs.toml",
                  "strategies side by side on one table");
    flags.example("schism compare experiments/raft-bugs.toml --case quorum-third --trials 3",
                  "one case of it, in short");
    flags.option("experiment", path, "a TOML file: strategies, cases, budget").required();
    flags.option("--case", only, "only this one");
    flags.option("--strategy", strategies, "only this one; may be repeated").one_each();
    flags.option("--trials", trials, "hunts a case and strategy, each with seeds of its own");
    flags.option("--runs", runs, "at most so many runs a trial");
    flags.option("--time", time, "at most so long a trial, such as 60s");
    flags.option("--jobs", jobs, "worker processes");
    flags.flag("--shrink", shrink, "also make every find small, and say how small");
    flags.flag("--json", json, "a line of JSON a case and strategy");
    flags.flag("--markdown", markdown, "the table as Markdown");
  }

  std::string path, trials, runs, time, jobs, only;
  std::vector<std::string> strategies;
  bool json = false, markdown = false, shrink = false;
};

Status take_budget(Experiment& e, const Pairs& values) {
  for (const auto& [key, text] : values) {
    if (text.empty()) continue;
    if (key == "time") {
      const auto time = parse_duration(text);
      if (!time || *time <= 0) return error("time {}", time ? "is more than 0" : time.error());
      e.budget.seconds = static_cast<double>(*time) * 1e-6;
    } else if (key == "seed") {
      const auto seed = parse_seed(text);
      if (!seed) return error("seed {}", seed.error());
      e.budget.seed = *seed;
    } else {
      const auto n = parse_integer(text, 1, key == "runs" ? INT64_MAX : 100'000);
      if (!n) return error("{} {}", key, n.error());
      if (key == "runs") e.budget.runs = static_cast<std::uint64_t>(*n);
      else if (key == "jobs") e.budget.jobs = static_cast<int>(*n);
      else e.trials = static_cast<int>(*n);
    }
  }
  if (e.budget.runs == 0 && e.budget.seconds == 0) e.budget.runs = 10'000;
  return {};
}

// "150", "3 of 20" where less than half of the trials found something, "-" where none did.
std::string outcome(const Cell& cell) {
  if (cell.runs_to_find.empty()) return "-";
  if (const auto m = cell.median()) return fmt::format("{:.0f}", *m);
  return fmt::format("{} of {}", cell.runs_to_find.size(), cell.trials);
}

std::string summary_line(const Cell& c) {
  std::string out = fmt::format("{}, {}: {} of {} trials found something", c.case_name, c.strategy,
                                c.runs_to_find.size(), c.trials);
  if (!c.runs_to_find.empty()) {
    out += fmt::format(", after {} to {} runs", c.runs_to_find.front(), c.runs_to_find.back());
    if (const auto m = c.median()) out += fmt::format(", median {:.0f}", *m);
    for (const auto& [property, count] : c.properties)
      out += fmt::format("; {} ({})", property, count);
  }
  out += fmt::format(" [{} runs, {} steps, {:.0f} s]", c.runs, c.steps, c.seconds);
  if (!c.as_expected) out += "\n  not as expected: " + c.command;
  return out;
}

// Sizes of finds a case, over all strategies; and how well their looks tell the cases apart.
std::vector<std::vector<std::string>> size_rows(const Experiment& e,
                                                const std::vector<Cell>& cells) {
  std::vector<std::vector<std::string>> rows = {
      {"case", "finds", "actions before", "after", "worst", "nodes", "minimal", "shapes"}};
  for (const Case& c : e.cases) {
    std::vector<Small> all;
    for (const Cell& cell : cells)
      if (cell.case_name == c.name) all.insert(all.end(), cell.small.begin(), cell.small.end());
    if (all.empty()) continue;
    const auto middle = [&](auto of) {
      std::vector<std::uint64_t> values;
      for (const Small& s : all) values.push_back(static_cast<std::uint64_t>(of(s)));
      std::sort(values.begin(), values.end());
      return values[values.size() / 2];
    };
    std::uint64_t worst = 0, minimal = 0;
    std::set<std::string> looks;
    for (const Small& s : all) {
      worst = std::max(worst, s.after);
      minimal += s.minimal ? 1 : 0;
      looks.insert(s.look);
    }
    rows.push_back({c.name, std::to_string(all.size()),
                    std::to_string(middle([](const Small& s) { return s.before; })),
                    std::to_string(middle([](const Small& s) { return s.after; })),
                    std::to_string(worst),
                    std::to_string(middle([](const Small& s) { return s.nodes; })),
                    std::to_string(minimal), std::to_string(looks.size())});
  }
  return rows;
}

std::string groups_line(const std::vector<Cell>& cells) {
  std::map<std::string, std::set<std::string>> cases_of;
  for (const Cell& cell : cells)
    for (const Small& s : cell.small) cases_of[s.look].insert(cell.case_name);
  const auto shared = std::count_if(cases_of.begin(), cases_of.end(),
                                    [](const auto& group) { return group.second.size() > 1; });
  std::string out = fmt::format("{} groups, {} of them with finds of more than one case",
                                cases_of.size(), shared);
  for (const auto& [look, cases] : cases_of) {
    if (cases.size() < 2) continue;
    out += "\n ";
    for (const std::string& name : cases) out += " " + name;
    out += ": " + look;
  }
  return out;
}

std::vector<std::vector<std::string>> rows_of(const Experiment& e, const std::vector<Cell>& cells) {
  std::vector<std::vector<std::string>> rows(1, {"case"});
  for (const Strategy& s : e.strategies) rows[0].push_back(s.name);
  for (const Cell& cell : cells) {
    if (rows.back()[0] != cell.case_name || rows.size() == 1) rows.push_back({cell.case_name});
    rows.back().push_back(outcome(cell));
  }
  return rows;
}

void print_table(const std::vector<std::vector<std::string>>& rows, bool markdown) {
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      if (markdown) say("| {} ", rows[r][i]);
      else if (i == 0) say("{:<{}}", rows[r][i], widths[i]);
      else say("  {:>{}}", rows[r][i], widths[i]);
    }
    say("{}\n", markdown ? "|" : "");
    if (r == 0 && markdown) {
      say("| --- ");
      for (std::size_t i = 1; i < rows[0].size(); ++i) say("| ---: ");
      say("|\n");
    }
  }
}

Value json_cell(const Cell& c) {
  Value out;
  out.set("case", c.case_name);
  out.set("strategy", c.strategy);
  out.set("command", c.command);
  out.set("trials", c.trials);
  Value::Array runs;
  for (const std::uint64_t n : c.runs_to_find) runs.emplace_back(static_cast<std::int64_t>(n));
  out.set("runs_to_find", std::move(runs));
  if (const auto m = c.median()) out.set("median", *m);
  Value properties;
  for (const auto& [property, count] : c.properties) properties.set(property, count);
  out.set("properties", std::move(properties));
  out.set("runs", static_cast<std::int64_t>(c.runs));
  out.set("steps", static_cast<std::int64_t>(c.steps));
  out.set("seconds", c.seconds);
  out.set("as_expected", c.as_expected);
  return out;
}

int run_compare(const CompareFlags& f) {
  Pairs budget;
  auto experiment = read_experiment(f.path, budget);
  if (!experiment) return bad_input(experiment.error());
  for (const auto& [key, text] :
       Pairs{{"trials", f.trials}, {"runs", f.runs}, {"time", f.time}, {"jobs", f.jobs}})
    budget.emplace_back(key, text);
  if (auto s = take_budget(*experiment, budget); !s) return bad_input(s.error());
  if (!f.only.empty()) {
    std::vector<std::string> names;
    for (const Case& c : experiment->cases) names.push_back(c.name);
    std::erase_if(experiment->cases, [&](const Case& c) { return c.name != f.only; });
    if (experiment->cases.empty()) return bad_input(unknown_word("case", f.only, names));
  }
  if (!f.strategies.empty()) {
    std::vector<std::string> names;
    for (const Strategy& s : experiment->strategies) names.push_back(s.name);
    for (const std::string& name : f.strategies)
      if (std::find(names.begin(), names.end(), name) == names.end())
        return bad_input(unknown_word("strategy", name, names));
    std::erase_if(experiment->strategies, [&](const Strategy& s) {
      return std::find(f.strategies.begin(), f.strategies.end(), s.name) == f.strategies.end();
    });
  }
  experiment->shrink = f.shrink;
  if (auto s = check(*experiment); !s) return bad_input(f.path + ", " + s.error());

  catch_interrupts();
  const bool lines = !f.json && !f.markdown;
  const auto cells = compare(
      *experiment,
      [&](const Cell& cell) {
        if (f.json) say("{}\n", to_json(json_cell(cell)));
        else if (lines) say("{}\n", Shown{summary_line(cell)});
        else say_aside("{}\n", Shown{summary_line(cell)});
        flush_out();
      },
      interrupted());
  if (!cells) return bad_input(cells.error());
  if (lines) say("\n");
  if (!f.json && !cells->empty()) print_table(rows_of(*experiment, *cells), f.markdown);
  if (!f.json && f.shrink && !cells->empty()) {
    say("\n");
    print_table(size_rows(*experiment, *cells), f.markdown);
    say("\n{}\n", Shown{groups_line(*cells)});
  }
  if (interrupted()) return kInterrupted;
  const bool fine =
      std::all_of(cells->begin(), cells->end(), [](const Cell& c) { return c.as_expected; });
  return fine ? kFine : kViolation;
}

const Registration registered = verb<CompareFlags>(
    90, "compare", "strategies side by side, on an experiment that a file describes", run_compare);

}  // namespace
}  // namespace schism::cli
