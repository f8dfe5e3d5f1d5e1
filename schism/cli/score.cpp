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
std::string spread(const std::vector<double>& values, int digits = 0) {
  const double middle = mean(values);
  double sum = 0;
  for (const double v : values) sum += (v - middle) * (v - middle);
  const double deviation =
      values.size() < 2 ? 0 : std::sqrt(sum / static_cast<double>(values.size() - 1));
  return fmt::format("{:.{}f} ± {:.{}f}", middle, digits, deviation, digits);
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

  Result<Scored> play(const Experiment& e, const Case& c, std::uint64_t episodes,
                      const learn::Also& also) {
    Scored out;
    out.name = c.name;
    out.also = also;
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
                                   interrupted(), also);
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

// What went wrong, of all policies, muted or not: how often a trial, and in how many trials.
void print_shown(const Scored& scored) {
  const std::vector<std::string> properties = scored.properties();
  if (properties.empty()) return;
  std::string head, line;
  for (const Column& column : scored.columns) head += " " + column.name + " |", line += " --- |";
  say("\n### {}: episodes of a trial that show it (trials)\n\n| what |{}\n| --- |{}\n", scored.name,
      Shown{head}, Shown{line});
  for (const std::string& what : properties) {
    std::string cells;
    for (const Column& column : scored.columns) {
      const std::vector<double> episodes = column.showed(what);
      const auto trials =
          std::count_if(episodes.begin(), episodes.end(), [](double count) { return count > 0; });
      cells +=
          trials == 0 ? std::string(" - |") : fmt::format(" {:.1f} ({}) |", mean(episodes), trials);
    }
    say("| {} |{}\n", what, Shown{cells});
  }
}

// A number of each trial, of one policy beside the one that all are measured against.
struct Beside {
  std::string where, what;
  const Column *own, *base;
  std::vector<double> ours, theirs;
};

// Who has more of it: one-sided, corrected over all that is printed.
Status print_beside(const std::vector<Beside>& all, std::string_view title, std::string_view head,
                    int digits) {
  if (all.empty()) return {};
  std::vector<double> p;
  for (const Beside& b : all) {
    const auto test =
        measure::mann_whitney(b.ours, b.theirs, {.alternative = measure::Alternative::greater});
    if (!test) return tl::unexpected(test.error());
    p.push_back(test->p.value_or(1));
  }
  const auto holm = measure::holm(p);
  if (!holm) return tl::unexpected(holm.error());
  say("\n### {}\n\n| where | {} | policy | a trial | against | a trial | p, one-sided U | Holm "
      "over "
      "{} rows |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      title, head, all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    say("| {} | {} | {} | {} | {} | {} | {:.2g} | {:.2g} |\n", all[i].where, all[i].what,
        all[i].own->name, spread(all[i].ours, digits), all[i].base->name,
        spread(all[i].theirs, digits), p[i], (*holm)[i]);
  return {};
}

Status print_more_often(const std::vector<Scored>& all) {
  std::vector<Beside> rows;
  for (const Scored& scored : all) {
    const std::vector<std::string> shown = scored.properties();
    if (shown.empty()) continue;
    const Column& base = baseline_of(scored);
    const std::string what = fmt::format("{}", fmt::join(shown, ", "));
    for (const Column& own : scored.columns)
      if (&own != &base)
        rows.push_back({scored.name, what, &own, &base, own.wrong(), base.wrong()});
  }
  return print_beside(rows, "Who goes wrong more often", "episodes that show any of", 1);
}

Status print_covered(const std::vector<Scored>& all) {
  std::vector<Beside> rows;
  for (const Scored& scored : all)
    for (std::size_t c = 0; c < scored.also.coverages.size(); ++c)
      for (const Column& own : scored.columns) {
        const Column& base = baseline_of(scored);
        if (&own == &base) continue;
        rows.push_back({scored.name, print_spec(scored.also.coverages[c]), &own, &base,
                        own.covered(c), base.covered(c)});
      }
  return print_beside(rows, "Who covers more", "keys of", 0);
}

// States in which each place's predicate holds.
void print_places(const Scored& scored) {
  if (scored.also.places.empty()) return;
  std::string head, line;
  for (const Column& column : scored.columns) head += " " + column.name + " |", line += " --- |";
  say("\n### {}: states in a place\n\n| place |{}\n| --- |{}\n", scored.name, Shown{head},
      Shown{line});
  for (std::size_t p = 0; p < scored.also.places.size(); ++p) {
    std::string cells;
    for (const Column& column : scored.columns) cells += " " + spread(column.within(p)) + " |";
    say("| `{}` |{}\n", scored.also.places[p], Shown{cells});
  }
}

// What the file says of its size, and of what is counted beside states.
struct Size {
  std::uint64_t episodes = 10'000;
  learn::Also also;
};

Status take_key(const std::string& key, const std::string& text, Experiment& e, Size& size) {
  if (text.empty() || key == "title") return {};
  if (key == "coverage") {
    auto coverages = parse_coverages(text);
    if (!coverages) return tl::unexpected(coverages.error());
    size.also.coverages = *std::move(coverages);
    return {};
  }
  if (key == "places") {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(';', at), text.size());
      const std::size_t from = text.find_first_not_of(" \n", at);
      if (from < end) size.also.places.push_back(text.substr(from, end - from));
      at = end + 1;
    }
    return {};
  }
  if (key != "runs" && key != "trials" && key != "seed")
    return error("{}: a trial is so many episodes, as `runs` says", key);
  const auto n = parse_integer(text, 1, 1'000'000'000);
  if (!n) return error("{} {}", key, n.error());
  if (key == "runs") size.episodes = static_cast<std::uint64_t>(*n);
  else if (key == "trials") e.trials = static_cast<int>(*n);
  else e.budget.seed = static_cast<std::uint64_t>(*n);
  return {};
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
    Size size;
    budget.emplace_back("trials", f.trials);
    budget.emplace_back("runs", f.episodes);
    for (const auto& [key, text] : budget)
      if (auto taken = take_key(key, text, *experiment, size); !taken)
        return bad_input(path + ": " + taken.error());
    if (auto good = check(*experiment); !good) return bad_input(path + ": " + good.error());
    for (const Case& c : experiment->cases) {
      auto scored = Scorer(f).play(*experiment, c, size.episodes, size.also);
      if (!scored) return bad_input(path + ": " + scored.error());
      if (interrupted()) return kInterrupted;
      if (!f.json) print_coverage(*scored);
      if (!f.json) print_shown(*scored);
      if (!f.json) print_places(*scored);
      if (!f.out.empty())
        if (auto kept = keep_scored(*scored, f.out); !kept) return bad_input(kept.error());
      flush_out();
      all.push_back(*std::move(scored));
    }
  }
  if (!f.json)
    for (const auto& print : {print_targets, print_sequences, print_covered, print_more_often})
      if (auto good = print(all); !good) return bad_input(good.error());
  return kFine;
}

const Registration registered = verb<ScoreFlags>(
    92, "score", "how many abstract states learning policies see, and behind which targets",
    run_score);

}  // namespace
}  // namespace schism::cli
