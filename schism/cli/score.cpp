// `schism score`: how many abstract states learning policies see, and how many behind each target.
// The experiment is a file of `schism compare`. A strategy `waypoint:to=...` names a target; all
// others play once a trial and are scored on every target. Everything printed is Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "schism/cli/command.hpp"
#include "schism/cli/experiment_file.hpp"
#include "schism/cli/print.hpp"
#include "schism/learn/score.hpp"
#include "schism/measure/adjust.hpp"
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
    flags.flag("--json", json, "a line of JSON a trial instead of tables");
  }
  std::vector<std::string> paths;
  std::string trials, episodes;
  bool json = false;
};

// All trials of one strategy in one case.
struct Column {
  std::string name, target;  // target: what it was told to reach; empty: nothing
  std::vector<learn::TrialScore> trials;

  std::vector<double> states() const {
    std::vector<double> out;
    for (const auto& t : trials) out.push_back(static_cast<double>(t.states));
    return out;
  }
  std::vector<double> behind(std::size_t target_number) const {
    std::vector<double> out;
    for (const auto& t : trials)
      out.push_back(static_cast<double>(t.targets[target_number].states));
    return out;
  }
};
struct Scored {
  std::string name;
  std::vector<std::string> targets;
  std::vector<Column> columns;
};
// A target: is the policy that was told of it better than each that was not?
struct Row {
  std::string where, target;
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

std::string target_of(const Spec& explorer) {
  if (explorer.name != "waypoint") return {};
  for (const auto& [key, text] : explorer.values)
    if (key == "to") return text;
  return {};
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
    for (const Strategy& s : e.strategies)
      if (const std::string target = target_of(spec_of(c, s)); !target.empty())
        out.targets.push_back(target);
    for (const Strategy& s : e.strategies) {
      RunText text = c.text;
      text.explorer = spec_of(c, s);
      const auto config = make_config(text);
      if (!config) return error("case {}, {}: {}", c.name, s.name, config.error());
      Column column{s.name, target_of(text.explorer), {}};
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
  static Spec spec_of(const Case& c, const Strategy& s) {
    const auto own = c.explorers.find(s.name);
    return own == c.explorers.end() ? s.explorer : own->second;
  }
  const ScoreFlags& flags_;
};

void print_coverage(const Scored& scored) {
  say("\n### {}: states seen\n\n| policy | trials | states | macro steps a trial | episodes with a "
      "violation | muted |\n| --- | --- | --- | --- | --- | --- |\n",
      scored.name);
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
    say("| {} | {} | {} | {:.0f} | {:.1f} | {} |\n", column.name, column.trials.size(),
        spread(column.states()), mean(steps), mean(violated), mutes);
  }
}

// One-sided: larger than each of the policies that were not told.
Result<std::vector<Row>> rows_of(const Scored& scored) {
  std::vector<Row> out;
  for (std::size_t t = 0; t < scored.targets.size(); ++t) {
    const auto own = std::find_if(scored.columns.begin(), scored.columns.end(),
                                  [&](const auto& c) { return c.target == scored.targets[t]; });
    Row row{scored.name, scored.targets[t], 0, {}};
    std::string reached;
    for (const auto& trial : own->trials)
      reached += fmt::format("{}{}", reached.empty() ? "" : " ", trial.targets[t].episodes);
    std::string others, ps;
    for (const Column& other : scored.columns) {
      if (!other.target.empty()) continue;
      const auto test = measure::mann_whitney(own->behind(t), other.behind(t),
                                              {.alternative = measure::Alternative::greater});
      if (!test) return tl::unexpected(test.error());
      const double p = test->p.value_or(1);
      row.worst = std::max(row.worst, p);
      others += fmt::format(" {} |", spread(other.behind(t)));
      ps += fmt::format("{}{:.2g}", ps.empty() ? "" : " / ", p);
    }
    row.text = fmt::format("{} |{} {}", spread(own->behind(t)), others, ps);
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
      say("| `{}` | {} | {:.2g} |\n", rows[i].target, Shown{rows[i].text}, (*holm)[i]);
      better += (*holm)[i] < 0.05 ? 1 : 0;
    }
  }
  say("\nBetter than every policy that was not told: {} of {} rows (Holm, 0.05).\n", better,
      rows.size());
  return {};
}

int run_score(const ScoreFlags& f) {
  catch_interrupts();
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
      flush_out();
      all.push_back(*std::move(scored));
    }
  }
  if (!f.json)
    if (auto good = print_targets(all); !good) return bad_input(good.error());
  return kFine;
}

const Registration registered = verb<ScoreFlags>(
    92, "score", "how many abstract states learning policies see, and behind which targets",
    run_score);

}  // namespace
}  // namespace schism::cli
