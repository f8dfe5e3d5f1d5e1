// `schism compare`: strategies side by side on an experiment that a TOML file describes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "schism/cli/command.hpp"
#include "schism/cli/experiment_file.hpp"
#include "schism/cli/laboratory.hpp"
#include "schism/cli/print.hpp"
#include "schism/laboratory/tables.hpp"

namespace schism::cli {
namespace {

struct CompareFlags {
  explicit CompareFlags(Flags& flags) {
    flags.example("schism compare experiments/raft-bugs.toml",
                  "strategies side by side on one table");
    flags.example("schism compare experiments/raft-bugs.toml --case quorum-third --trials 3",
                  "one case of it, in short");
    flags.example("schism compare experiments/raft-bugs.toml --out raft --jobs 4",
                  "kept, and as a page; killed, the same command goes on");
    flags.option("experiment", path, "a TOML file: strategies, cases, budget").required();
    flags.option("--case", only, "only this one");
    flags.option("--strategy", strategies, "only this one; may be repeated").one_each();
    flags.option("--trials", trials, "hunts a case and strategy, each with seeds of its own");
    flags.option("--runs", runs, "at most so many runs a trial");
    flags.option("--steps", steps, "at most so many steps a trial");
    flags.option("--deliveries", deliveries, "at most so many deliveries a trial");
    flags.option("--simulated", simulated, "at most so long a trial on the world's clock");
    flags.option("--cpu", cpu, "at most so much CPU time a trial, such as 2s");
    flags.option("--time", time, "at most so long a trial, such as 60s");
    flags.option("--coverage", coverage, "what is counted over time, such as colours,states");
    flags.option("--jobs", jobs, "trials at a time (1)");
    flags.option("--out", out, "folder for results, which go on from there: CSV, JSON, a page");
    flags.flag("--keep-going", keep_going, "a find does not end a trial: occurrences count");
    flags.flag("--shrink", shrink, "also make every find small, and say how small");
    flags.flag("--quick", quick, "all of it in a few seconds, to see that it runs");
    flags.flag("--tests", tests, "also every statistical test, case by case");
    flags.flag("--json", json, "a line of JSON a case and strategy");
    flags.flag("--markdown", markdown, "the tables as Markdown");
  }

  // Flags win over the file.
  Pairs budget() const {
    return {
        {"trials", trials}, {"runs", runs},           {"steps", steps}, {"deliveries", deliveries},
        {"cpu", cpu},       {"simulated", simulated}, {"time", time},   {"coverage", coverage}};
  }

  std::string path, trials, runs, steps, deliveries, simulated, cpu, time, coverage, jobs, only,
      out;
  std::vector<std::string> strategies;
  bool json = false, markdown = false, shrink = false, quick = false, tests = false;
  bool keep_going = false;
};

Status take_time(const std::string& key, const std::string& text, Experiment& e) {
  const auto time = parse_duration(text);
  if (!time || *time <= 0) return error("{} {}", key, time ? "is more than 0" : time.error());
  if (key == "simulated") e.budget.simulated_us = static_cast<std::uint64_t>(*time);
  else (key == "cpu" ? e.budget.cpu_seconds : e.budget.seconds) = static_cast<double>(*time) * 1e-6;
  return {};
}

Status take_count(const std::string& key, const std::string& text, Experiment& e) {
  const auto n = parse_integer(text, 1, key == "trials" ? 100'000 : INT64_MAX);
  if (!n) return error("{} {}", key, n.error());
  const auto count = static_cast<std::uint64_t>(*n);
  if (key == "runs") e.budget.runs = count;
  else if (key == "steps") e.budget.steps = count;
  else if (key == "deliveries") e.budget.deliveries = count;
  else e.trials = static_cast<int>(*n);
  return {};
}

Status take_one(const std::string& key, const std::string& text, Experiment& e) {
  if (key == "title") {
    e.title = text;
  } else if (key == "seed") {
    const auto seed = parse_seed(text);
    if (!seed) return error("seed {}", seed.error());
    e.budget.seed = *seed;
  } else if (key == "keep-going") {
    const auto on = parse_flag(text);
    if (!on) return error("keep-going {}", on.error());
    e.budget.keep_going = *on;
  } else if (key == "coverage") {
    auto coverage = parse_coverages(text);
    if (!coverage) return tl::unexpected(coverage.error());
    e.budget.coverage = *std::move(coverage);
  } else if (key == "places") {
    return error("places are counted by `score`, not here");
  } else if (key == "time" || key == "cpu" || key == "simulated") {
    return take_time(key, text, e);
  } else {
    return take_count(key, text, e);
  }
  return {};
}

bool is_limited(const HuntOptions& b) {
  return b.runs > 0 || b.steps > 0 || b.deliveries > 0 || b.simulated_us > 0 || b.cpu_seconds > 0 ||
         b.seconds > 0;
}

// What the file says, then the flags. A budget among the flags replaces all of the file's: which
// one efforts are counted in is then the person's choice.
Status take_budget(Experiment& e, const Pairs& file, const Pairs& flags) {
  for (const Pairs* values : {&file, &flags}) {
    const auto limits = [](const auto& pair) {
      return !pair.second.empty() && pair.first != "trials" && pair.first != "coverage" &&
             pair.first != "title" && pair.first != "seed" && pair.first != "keep-going";
    };
    if (values == &flags && std::any_of(flags.begin(), flags.end(), limits)) {
      HuntOptions& b = e.budget;
      b.runs = b.steps = b.deliveries = b.simulated_us = 0;
      b.cpu_seconds = b.seconds = 0;
    }
    for (const auto& [key, text] : *values)
      if (!text.empty())
        if (auto s = take_one(key, text, e); !s) return s;
  }
  if (!is_limited(e.budget)) e.budget.runs = 10'000;
  return {};
}

// Those that are asked for alone.
Status narrow(Experiment& e, const CompareFlags& f) {
  if (!f.only.empty()) {
    std::vector<std::string> names;
    for (const Case& c : e.cases) names.push_back(c.name);
    std::erase_if(e.cases, [&](const Case& c) { return c.name != f.only; });
    if (e.cases.empty()) return tl::unexpected(unknown_word("case", f.only, names));
  }
  if (f.strategies.empty()) return {};
  std::vector<std::string> names;
  for (const Strategy& s : e.strategies) names.push_back(s.name);
  for (const std::string& name : f.strategies)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return tl::unexpected(unknown_word("strategy", name, names));
  std::erase_if(e.strategies, [&](const Strategy& s) {
    return std::find(f.strategies.begin(), f.strategies.end(), s.name) == f.strategies.end();
  });
  return {};
}

std::string summary_line(const Experiment& e, const Cell& c) {
  const Unit unit = unit_of(e.budget);
  std::string out = fmt::format("{}, {}: {} of {} trials found something", c.case_name, c.strategy,
                                c.found(), c.trials);
  if (c.found() > 0) {
    out += fmt::format(", after {} to {} {}", effort_text(c.efforts_to_find.front(), unit),
                       effort_text(c.efforts_to_find.back(), unit), unit_words(unit));
    if (const auto m = c.median()) out += ", median " + effort_text(*m, unit);
    for (const auto& [property, count] : c.properties)
      out += fmt::format("; {} ({})", property, count);
    if (e.budget.keep_going)
      for (const auto& [bug, count] : c.occurrences)
        out += fmt::format("\n  {} runs: {}", count, bug);
  }
  out += fmt::format(" [{} runs, {} steps, {:.0f} s]", c.total.runs, c.total.steps, c.seconds);
  for (const std::string& problem : c.problems) out += "\n  not played: " + problem;
  if (!c.as_expected) out += "\n  not as expected: " + c.command;
  return out;
}

// Sizes of finds a case, over all strategies; and how well their looks tell the cases apart.
Rows size_rows(const Experiment& e, const std::vector<Cell>& cells) {
  Rows rows = {{"case", "finds", "actions before", "after", "worst", "nodes", "minimal", "shapes"}};
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

// Cells are told in their order, each as soon as all of its trials are known.
class Teller {
 public:
  Teller(const Experiment& e, const CompareFlags& f) : e_(e), f_(f) {}

  void take(const TrialOrder& order, const Record& record) {
    known_.records.emplace(std::tuple(order.case_index, order.strategy, order.trial), record);
    while (next_ < e_.cases.size() * e_.strategies.size() && is_complete()) {
      tell(cell_of(e_, known_, next_ / e_.strategies.size(), next_ % e_.strategies.size()));
      ++next_;
    }
  }

 private:
  bool is_complete() const {
    const std::size_t c = next_ / e_.strategies.size(), s = next_ % e_.strategies.size();
    for (int trial = 0; trial < e_.trials; ++trial)
      if (!known_.records.contains({c, s, trial})) return false;
    return true;
  }

  void tell(const Cell& cell) const {
    if (f_.json) say("{}\n", to_json(cell_json(e_, cell)));
    else if (f_.markdown) say_aside("{}\n", Shown{summary_line(e_, cell)});
    else say("{}\n", Shown{summary_line(e_, cell)});
    flush_out();
  }

  const Experiment& e_;
  const CompareFlags& f_;
  Results known_;
  std::size_t next_ = 0;
};

void print_all(const Experiment& e, const Results& results, const std::vector<Cell>& cells,
               const CompareFlags& f) {
  if (!f.markdown) say("\n");
  print_table(case_rows(e, results), f.markdown);
  if (f.shrink) {
    say("\n");
    print_table(size_rows(e, cells), f.markdown);
    say("\n{}\n", Shown{groups_line(cells)});
  }
  if (e.strategies.size() > 1 && e.trials > 1) {
    say("\n");
    print_table(standings_rows(e, results), f.markdown);
    say("\n");
    for (const Judgement& one : judge_all(e, results)) say("{}\n", one.line());
    if (f.tests)
      for (const Judgement& one : judge_cases(e, results)) say("{}\n", one.line());
  }
  if (results.unknown > 0)
    say("\n{} trials are missing{}\n", results.unknown,
        f.out.empty() ? "" : "; the same command goes on");
  if (e.quick) say("\nquick: cut short to see that it runs; the numbers say nothing\n");
}

int run_compare(const CompareFlags& f) {
  Pairs budget;
  auto experiment = read_experiment(f.path, budget);
  if (!experiment) return bad_input(experiment.error());
  if (auto s = take_budget(*experiment, budget, f.budget()); !s) return bad_input(s.error());
  if (auto s = narrow(*experiment, f); !s) return bad_input(s.error());
  experiment->shrink = f.shrink;
  experiment->budget.keep_going = experiment->budget.keep_going || f.keep_going;
  if (f.quick) make_quick(*experiment);
  if (auto s = check(*experiment); !s) return bad_input(f.path + ", " + s.error());

  Laboratory laboratory{f.out, "experiment", 1, {}};
  if (!f.jobs.empty()) {
    const auto jobs = parse_integer(f.jobs, 1, 1000);
    if (!jobs) return bad_input("jobs " + jobs.error());
    laboratory.jobs = static_cast<int>(*jobs);
  }
  Teller teller(*experiment, f);
  laboratory.listener.done = [&](const TrialOrder& order, const Record& record, std::size_t) {
    teller.take(order, record);
  };
  const auto results = laboratory.run(*experiment);
  if (!results) return bad_input(results.error());
  std::vector<Cell> cells;
  for (std::size_t c = 0; c < experiment->cases.size(); ++c)
    for (std::size_t s = 0; s < experiment->strategies.size(); ++s)
      cells.push_back(cell_of(*experiment, *results, c, s));
  if (!f.json) print_all(*experiment, *results, cells, f);
  const auto written = laboratory.write(*experiment, *results);
  if (!written) return bad_input(written.error());
  if (!written->empty() && !f.json) say("\nwritten: {}\n", *written);
  if (interrupted()) return kInterrupted;
  for (const Cell& cell : cells)
    if (!cell.problems.empty())
      return bad_input(
          fmt::format("case {}, {}: {}", cell.case_name, cell.strategy, cell.problems.front()));
  const bool fine =
      std::all_of(cells.begin(), cells.end(), [](const Cell& c) { return c.as_expected; });
  return fine ? kFine : kViolation;
}

const Registration registered = verb<CompareFlags>(
    90, "compare", "strategies side by side, on an experiment that a file describes", run_compare);

}  // namespace
}  // namespace schism::cli
