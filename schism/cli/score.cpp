// `schism score`: how many abstract states learning policies see, and how many behind each target.
// The experiment is a file of `schism compare`. A strategy `waypoint:to=...` names a target; all
// others play once a trial and are scored on every target. Everything printed is Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/experiment_file.hpp"
#include "schism/cli/print.hpp"
#include "schism/cli/scored.hpp"
#include "schism/measure/adjust.hpp"
#include "schism/measure/bootstrap.hpp"
#include "schism/measure/mann_whitney.hpp"

namespace schism::cli {
namespace {

struct ScoreFlags {
  explicit ScoreFlags(Flags& flags) {
    flags.example("schism score experiments/learning-rsl.toml", "the tables of one experiment");
    flags.example("schism score experiments/learning-rsl.toml --trials 3 --episodes 1000",
                  "the same in short");
    flags.option("experiments", paths, "TOML files as of compare, judged together").required();
    flags.option("--trials", trials, "learners a strategy, each with a seed of its own");
    flags.option("--episodes", episodes, "of a trial; the file's runs");
    flags.option("--out", out, "a folder for every trial as CSV, and curves over steps as SVG");
    flags.flag("--json", json, "a line of JSON a trial instead of tables");
  }
  std::vector<std::string> paths;
  std::string trials, episodes, out;
  bool json = false;
};

// A target: is the policy that was told of it better than each that was not?
struct Row {
  std::string where, way, target;
  double worst = 1;  // p against the best of the others
  std::string text;
};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}
std::string spread(const std::vector<double>& values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double v : values) sum += (v - middle) * (v - middle);
  const double deviation =
      values.size() < 2 ? 0 : std::sqrt(sum / static_cast<double>(values.size() - 1));
  return fmt::format("{:.0f} ± {:.0f}", middle, deviation);
}

// Where it was told to go, and by which waypoints.
std::string way_of(const Spec& explorer) {
  if (explorer.name != "waypoint") return {};
  for (const auto& [key, text] : explorer.values)
    if (key == "to") return text;
  return {};
}
// The last of the waypoints: "a; b" has b, a name of the library itself.
Result<std::string> target_of(const System& system, const std::string& way) {
  auto sequence = learn::read_sequence(system, way);
  if (!sequence) return tl::unexpected(sequence.error());
  return sequence->predicates.empty() ? std::string() : sequence->predicates.back().text();
}

Value json_trial(const std::string& where, const Column& column, const learn::TrialScore& t,
                 const std::vector<std::string>& targets) {
  Value out;
  out.set("case", where);
  out.set("strategy", column.name);
  const auto number = [](std::uint64_t n) { return Value(static_cast<std::int64_t>(n)); };
  out.set("episodes", number(t.episodes));
  out.set("steps", number(t.steps));
  out.set("states", number(t.states));
  out.set("violated", number(t.violated));
  Value behind;
  for (std::size_t i = 0; i < targets.size(); ++i)
    behind.set(targets[i], number(t.targets[i].states));
  if (!targets.empty()) out.set("behind", behind);
  return out;
}

class Scorer {
 public:
  explicit Scorer(const ScoreFlags& f) : flags_(f) {}

  Result<Scored> play(const Experiment& e, const Case& c, std::uint64_t episodes) {
    Scored out;
    out.name = c.name;
    if (auto targets = collect_targets(e, c, out); !targets) return tl::unexpected(targets.error());
    for (const Strategy& s : e.strategies) {
      RunText text = c.text;
      text.explorer = spec_of(c, s);
      const auto config = make_config(text);
      if (!config) return error("case {}, {}: {}", c.name, s.name, config.error());
      Column column{s.name, {}, way_of(text.explorer), {}};
      const auto target = target_of(*config->setup.system, column.way);
      if (!target) return error("case {}, {}: {}", c.name, s.name, target.error());
      column.target = *target;
      for (int trial = 0; trial < e.trials && !interrupted(); ++trial) {
        auto scored = learn::score(*config, trial_seed(e.budget.seed, trial), episodes, out.targets,
                                   interrupted());
        if (!scored) return error("case {}, {}: {}", c.name, s.name, scored.error());
        if (flags_.json) say("{}\n", to_json(json_trial(c.name, column, *scored, out.targets)));
        else say_aside("{}, {}, trial {}: {} states\n", c.name, s.name, trial + 1, scored->states);
        flush_out();
        column.trials.push_back(*std::move(scored));
      }
      out.columns.push_back(std::move(column));
    }
    return out;
  }

 private:
  // Two sequences may lead to one target.
  static Status collect_targets(const Experiment& e, const Case& c, Scored& out) {
    for (const Strategy& s : e.strategies) {
      const std::string way = way_of(spec_of(c, s));
      if (way.empty()) continue;
      const auto target = target_of(*systems().find(c.text.system.name), way);
      if (!target) return error("case {}, {}: {}", c.name, s.name, target.error());
      if (std::find(out.targets.begin(), out.targets.end(), *target) == out.targets.end())
        out.targets.push_back(*target);
    }
    return {};
  }
  static Spec spec_of(const Case& c, const Strategy& s) {
    const auto own = c.explorers.find(s.name);
    return own == c.explorers.end() ? s.explorer : own->second;
  }
  const ScoreFlags& flags_;
};

// What the others are measured against: the one that learns nothing, else the first.
const Column& baseline_of(const Scored& scored) {
  for (const Column& column : scored.columns)
    if (column.name == "random") return column;
  return scored.columns.front();
}

// Of the means, with an interval of 95% by drawing trials again.
std::string ratio_text(const std::vector<double>& a, const std::vector<double>& b) {
  if (mean(b) == 0) return "-";
  const auto ratio = measure::bootstrap("ratio", {a, b}, [](const auto& samples) {
    return mean(samples[0]) / std::max(1.0, mean(samples[1]));
  });
  std::string out = fmt::format("{:.2f}", mean(a) / mean(b));
  if (ratio && ratio->interval)
    out += fmt::format(" ({:.2f} to {:.2f})", ratio->interval->low, ratio->interval->high);
  return out;
}

void print_coverage(const Scored& scored) {
  say("\n### {}: states seen\n\n| policy | trials | states | macro steps a trial | episodes with a "
      "violation | muted | against {} |\n| --- | --- | --- | --- | --- | --- | --- |\n",
      scored.name, baseline_of(scored).name);
  for (const Column& column : scored.columns) {
    if (!column.target.empty()) continue;
    std::vector<double> steps, violated;
    std::map<std::string, double> muted;
    for (const auto& t : column.trials) {
      steps.push_back(static_cast<double>(t.steps));
      violated.push_back(static_cast<double>(t.violated));
      for (const auto& [name, count] : t.muted) muted[name] += static_cast<double>(count);
    }
    std::string mutes;
    for (const auto& [name, count] : muted)
      mutes += fmt::format("{}{} {:.1f}", mutes.empty() ? "" : ", ", name,
                           count / static_cast<double>(column.trials.size()));
    say("| {} | {} | {} | {:.0f} | {:.1f} | {} | {} |\n", column.name, column.trials.size(),
        spread(column.states()), mean(steps), mean(violated), mutes,
        ratio_text(column.states(), baseline_of(scored).states()));
  }
}

// One-sided: larger than each of the policies that were not told.
Result<std::vector<Row>> rows_of(const Scored& scored) {
  std::vector<Row> out;
  for (const Column& own : scored.columns) {
    if (own.target.empty()) continue;
    const std::size_t t = scored.number_of(own.target);
    Row row{scored.name, own.way, own.target, 0, {}};
    std::string others, ps;
    for (const Column& other : scored.columns) {
      if (!other.target.empty()) continue;
      const auto test = measure::mann_whitney(own.behind(t), other.behind(t),
                                              {.alternative = measure::Alternative::greater});
      if (!test) return tl::unexpected(test.error());
      const double p = test->p.value_or(1);
      row.worst = std::max(row.worst, p);
      others += fmt::format(" {} |", spread(other.behind(t)));
      ps += fmt::format("{}{:.2g}", ps.empty() ? "" : " / ", p);
    }
    row.text = fmt::format("{} |{} {}", spread(own.behind(t)), others, ps);
    out.push_back(row);
  }
  return out;
}

Status print_targets(const std::vector<Scored>& all) {
  std::vector<Row> rows;
  for (const Scored& scored : all) {
    auto own = rows_of(scored);
    if (!own) return tl::unexpected(own.error());
    rows.insert(rows.end(), own->begin(), own->end());
  }
  if (rows.empty()) return {};
  std::vector<double> p;
  for (const Row& row : rows) p.push_back(row.worst);
  const auto holm = measure::holm(p);
  if (!holm) return tl::unexpected(holm.error());
  std::size_t better = 0;
  for (const Scored& scored : all) {
    if (scored.targets.empty()) continue;
    std::string head, line;
    for (const Column& column : scored.columns)
      if (column.target.empty()) head += " " + column.name + " |", line += " --- |";
    say("\n### {}: states behind a target\n\n| target | waypoint |{} p against each, one-sided U | "
        "Holm over {} rows, of the largest p |\n| --- | --- |{} --- | --- |\n",
        scored.name, Shown{head}, rows.size(), Shown{line});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].where != scored.name) continue;
      say("| `{}` | {} | {:.2g} |\n", rows[i].way, Shown{rows[i].text}, (*holm)[i]);
      better += (*holm)[i] < 0.05 ? 1 : 0;
    }
  }
  say("\nBetter than every policy that was not told: {} of {} rows (Holm, 0.05).\n", better,
      rows.size());
  return {};
}

// Several sequences to one target: each against the first of them that the file names, two-sided.
Status print_sequences(const std::vector<Scored>& all) {
  struct Line {
    const Scored* scored;
    const Column *first, *other;
    std::size_t target;
  };
  std::vector<Line> lines;
  std::vector<double> p;
  for (const Scored& scored : all)
    for (std::size_t t = 0; t < scored.targets.size(); ++t) {
      const Column* first = nullptr;
      for (const Column& column : scored.columns) {
        if (column.target != scored.targets[t]) continue;
        if (!first) {
          first = &column;
          continue;
        }
        const auto test = measure::mann_whitney(column.behind(t), first->behind(t), {});
        if (!test) return tl::unexpected(test.error());
        lines.push_back({&scored, first, &column, t});
        p.push_back(test->p.value_or(1));
      }
    }
  if (lines.empty()) return {};
  const auto holm = measure::holm(p);
  if (!holm) return tl::unexpected(holm.error());
  say("\n### Sequences to one target\n\n| where | sequence | states behind its target | against | "
      "states | p, two-sided U | Holm |\n| --- | --- | --- | --- | --- | --- | --- |\n");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    say("| {} | {}: `{}` | {} | {} | {} | {:.2g} | {:.2g} |\n", line.scored->name, line.other->name,
        line.other->way, spread(line.other->behind(line.target)), line.first->name,
        spread(line.first->behind(line.target)), p[i], (*holm)[i]);
  }
  return {};
}

// What went wrong, of all policies: how often a trial, and in how many trials.
void print_shown(const Scored& scored) {
  std::map<std::string, std::map<std::string, std::pair<std::uint64_t, std::size_t>>> shown;
  for (const Column& column : scored.columns)
    for (const auto& trial : column.trials)
      for (const auto& [what, count] : trial.shown) {
        auto& [times, trials] = shown[what][column.name];
        times += count;
        ++trials;
      }
  if (shown.empty()) return;
  std::string head, line;
  for (const Column& column : scored.columns) head += " " + column.name + " |", line += " --- |";
  say("\n### {}: episodes of a trial that show it (trials)\n\n| what |{}\n| --- |{}\n", scored.name,
      Shown{head}, Shown{line});
  for (const auto& [what, by] : shown) {
    std::string cells;
    for (const Column& column : scored.columns) {
      const auto own = by.find(column.name);
      const double trials = static_cast<double>(std::max<std::size_t>(1, column.trials.size()));
      cells += own == by.end()
                   ? std::string(" - |")
                   : fmt::format(" {:.1f} ({}) |", static_cast<double>(own->second.first) / trials,
                                 own->second.second);
    }
    say("| {} |{}\n", what, Shown{cells});
  }
}

int run_score(const ScoreFlags& f) {
  catch_interrupts();
  if (!f.out.empty())
    if (auto made = make_directory(f.out); !made) return bad_input(made.error());
  std::vector<Scored> all;
  for (const std::string& path : f.paths) {
    Pairs budget;
    auto experiment = read_experiment(path, budget);
    if (!experiment) return bad_input(experiment.error());
    std::uint64_t episodes = 10'000;
    budget.emplace_back("trials", f.trials);
    budget.emplace_back("runs", f.episodes);
    for (const auto& [key, text] : budget) {
      if (text.empty()) continue;
      const auto n = parse_integer(text, 1, 1'000'000'000);
      if (!n) return bad_input(fmt::format("{}: {} {}", path, key, n.error()));
      if (key == "runs") episodes = static_cast<std::uint64_t>(*n);
      if (key == "trials") experiment->trials = static_cast<int>(*n);
      if (key == "seed") experiment->budget.seed = static_cast<std::uint64_t>(*n);
    }
    if (auto good = check(*experiment); !good) return bad_input(path + ": " + good.error());
    for (const Case& c : experiment->cases) {
      auto scored = Scorer(f).play(*experiment, c, episodes);
      if (!scored) return bad_input(path + ": " + scored.error());
      if (interrupted()) return kInterrupted;
      if (!f.json) print_coverage(*scored);
      if (!f.json) print_shown(*scored);
      if (!f.out.empty())
        if (auto kept = keep_scored(*scored, f.out); !kept) return bad_input(kept.error());
      flush_out();
      all.push_back(*std::move(scored));
    }
  }
  if (!f.json)
    for (const auto& print : {print_targets, print_sequences})
      if (auto good = print(all); !good) return bad_input(good.error());
  return kFine;
}

const Registration registered = verb<ScoreFlags>(
    92, "score", "how many abstract states learning policies see, and behind which targets",
    run_score);

}  // namespace
}  // namespace schism::cli
