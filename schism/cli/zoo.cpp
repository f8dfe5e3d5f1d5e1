// `schism zoo`: every seeded bug of every system, to look at, to hunt, and to race on.
#include <fmt/format.h>

#include <algorithm>

#include "schism/cli/command.hpp"
#include "schism/cli/laboratory.hpp"
#include "schism/cli/print.hpp"
#include "schism/laboratory/tables.hpp"

namespace schism::cli {
namespace {

struct ZooFlags {
  explicit ZooFlags(Flags& flags) {
    flags.example("schism zoo run raft/commit-old-term",
                  "from nothing to a famous bug, shrunk and drawn");
    flags.example("schism zoo race --explorer swarm --explorer random --only raft --time 2s",
                  "who finds the bugs of Raft sooner");
    flags.option("what", what, "list, run or race").required();
    flags.option("name", name, "run: which bug, such as raft/commit-old-term");
    flags.option("--explorer", explorers, "race: one that takes part; may be repeated").one_each();
    flags.option("--only", only, "race: this system or bug; may be repeated").one_each();
    flags.option("--time", time, "race: CPU time a trial (2s); run: how long at most (60s)");
    flags.option("--seeds", seeds, "race: trials a bug and explorer (5)");
    flags.option("--seed", seed, "run: the first seed (1)");
    flags.option("--jobs", jobs, "run: worker processes; race: trials at a time (1)");
    flags.option("--out", out, "folder for results (race: zoo-race, run: schism-out)");
    flags.flag("--markdown", markdown, "race: the tables as Markdown");
    flags.flag("--json", json, "the result as JSON on standard output");
    flags.flag("--quiet", quiet, "no progress");
  }

  std::string what, name, time, seeds, seed, jobs, out;
  std::vector<std::string> explorers, only;
  bool json = false, quiet = false, markdown = false;
};

int list_zoo(const ZooFlags& f) {
  const std::vector<Exhibit> all = zoo();
  if (f.json) {
    Value::Array out;
    for (const Exhibit& exhibit : all) {
      Value item;
      item.set("name", exhibit.name());
      item.set("system", exhibit.system->name);
      item.set("bug", exhibit.bug->name);
      item.set("meaning", exhibit.bug->meaning);
      if (!exhibit.blurred().empty()) item.set("blurred", exhibit.blurred());
      if (const std::string with = exhibit.seen().text(); !with.empty()) item.set("seen", with);
      out.push_back(std::move(item));
    }
    say("{}\n", to_json(Value(std::move(out))));
    return kFine;
  }
  const System* last = nullptr;
  for (const Exhibit& exhibit : all) {
    if (exhibit.system != last) {
      if (last) say("\n");
      say("{}: {}\n", exhibit.system->name, exhibit.system->description);
      const std::string& fails = exhibit.system->drawing.fails_itself;
      if (!fails.empty()) say("  (not in races: {})\n", fails);
    }
    last = exhibit.system;
    say("  {:<42} {}\n", exhibit.name(), exhibit.bug->meaning);
    const Seen& seen = exhibit.seen();
    if (!seen.text().empty()) say("  {:<42} (seen with {})\n", "", seen.text());
    if (!seen.hidden.empty()) say("  {:<42} (not in races: {})\n", "", seen.hidden);
  }
  say("\n{} bugs. To find one:  {} zoo run NAME\n", all.size(), program_name());
  return kFine;
}

// The same as a hunt of it without any flag that knows more than its name.
int run_zoo(const ZooFlags& f) {
  if (f.name.empty()) return bad_input("which bug? `zoo list` shows them");
  const auto exhibit = find_exhibit(f.name);
  if (!exhibit) return bad_input(exhibit.error());
  const Spec system{exhibit->system->name, exhibit->seen().parameters};
  std::vector<std::string> words = {print_spec(system), "--bug", exhibit->bug->name, "--time",
                                    f.time.empty() ? "60s" : f.time};
  for (const auto& [name, value] : exhibit->seen().world)
    words.insert(words.end(), {"--world", name + "=" + value});
  const auto also = [&](const char* flag, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {flag, value});
  };
  also("--seed", f.seed);
  also("--jobs", f.jobs);
  also("--out", f.out);
  if (!f.explorers.empty()) also("--explorer", f.explorers[0]);
  if (f.json) words.emplace_back("--json");
  if (f.quiet) words.emplace_back("--quiet");
  if (!f.json) {
    say("{}: {}\n", exhibit->name(), exhibit->bug->meaning);
    std::string command = quote(program_name()) + " hunt";
    for (const std::string& word : words) command += " " + quote(word);
    say("{}\n\n", command);
  }
  const auto& all = verbs();
  const auto hunt =
      std::find_if(all.begin(), all.end(), [](const Verb& verb) { return verb.name == "hunt"; });
  Flags flags;
  const auto run = hunt->declare(flags);
  if (auto read = read_words(flags, words); !read) return bad_input(read.error());
  return run();
}

// ---- race --------------------------------------------------------------------------------------

bool wanted(const Exhibit& exhibit, const std::vector<std::string>& only) {
  if (only.empty()) return exhibit.blurred().empty();
  return std::any_of(only.begin(), only.end(), [&](const std::string& word) {
    return word == exhibit.system->name || word == exhibit.name() || word == exhibit.bug->name;
  });
}

Status add_exhibits(const ZooFlags& f, Experiment& race) {
  std::vector<Exhibit> bugs;
  for (const Exhibit& exhibit : zoo())
    if (wanted(exhibit, f.only)) bugs.push_back(exhibit);
  for (const std::string& word : f.only) {
    if (systems().find(word)) continue;
    const bool named = std::any_of(bugs.begin(), bugs.end(),
                                   [&](const Exhibit& e) { return e.bug->name == word; });
    if (auto known = find_exhibit(word); !known && !named) return tl::unexpected(known.error());
  }
  if (bugs.empty()) return error("there is no bug to race for");
  for (const Exhibit& exhibit : bugs) {
    Case& c = race.cases.emplace_back();
    c.name = exhibit.name();
    c.exhibit = exhibit;
  }
  return {};
}

Status add_explorers(const ZooFlags& f, Experiment& race) {
  std::vector<std::string> words = f.explorers;
  if (words.empty()) words = {"swarm", "random", "pos"};
  for (const std::string& word : words) {
    for (const Strategy& other : race.strategies)
      if (other.name == word) return error("explorer {} takes part twice", word);
    auto spec = parse_spec(word);
    if (!spec) return tl::unexpected(spec.error());
    if (auto made = explorers().make(*spec, "explorer"); !made) return tl::unexpected(made.error());
    race.strategies.push_back({word, *std::move(spec)});
  }
  return {};
}

Result<Experiment> race_of(const ZooFlags& f) {
  Experiment race;
  race.title = "Zoo race";
  race.trials = 5;
  race.budget.cpu_seconds = 2;
  if (auto s = add_exhibits(f, race); !s) return tl::unexpected(s.error());
  if (auto s = add_explorers(f, race); !s) return tl::unexpected(s.error());
  if (!f.time.empty()) {
    const auto time = parse_duration(f.time);
    if (!time) return error("time {}", time.error());
    if (*time <= 0) return error("time is more than 0");
    race.budget.cpu_seconds = static_cast<double>(*time) * 1e-6;
  }
  if (!f.seeds.empty()) {
    const auto seeds = parse_integer(f.seeds, 1, 1000);
    if (!seeds) return error("seeds {}", seeds.error());
    race.trials = static_cast<int>(*seeds);
  }
  return race;
}

void print_race(const Experiment& race, const Results& results, bool markdown) {
  print_table(standings_rows(race, results), markdown);
  say("\n");
  print_table(case_rows(race, results), markdown);
  say("\nmedian CPU-seconds to the first find, {} trials of {} s; k of n: so many found it; -: "
      "none\n",
      race.trials, race.budget.cpu_seconds);
  for (const auto& [place, record] : results.records)
    if (!record.problem.empty())
      say("not played: {} by {}, trial {}: {}\n", race.cases[std::get<0>(place)].name,
          race.strategies[std::get<1>(place)].name, std::get<2>(place) + 1, record.problem);
  if (results.unknown > 0)
    say("{} trials are missing; the same command goes on\n", results.unknown);
}

int race_zoo(const ZooFlags& f) {
  const auto race = race_of(f);
  if (!race) return bad_input(race.error());
  Laboratory laboratory{f.out.empty() ? "zoo-race" : f.out, "race", 1, {}};
  if (!f.jobs.empty()) {
    const auto jobs = parse_integer(f.jobs, 1, 1000);
    if (!jobs) return bad_input("jobs " + jobs.error());
    laboratory.jobs = static_cast<int>(*jobs);
  }
  laboratory.listener.done = [&](const TrialOrder& order, const Record& r, std::size_t left) {
    if (f.quiet || f.json) return;
    say_aside("{} by {}, trial {}: {}; {} left\n", race->cases[order.case_index].name,
              race->strategies[order.strategy].name, order.trial + 1,
              !r.problem.empty() ? r.problem
              : r.found          ? fmt::format("{:.3f} s, {} runs", r.at.cpu, r.at.runs)
                                 : "not found",
              left);
  };
  const auto results = laboratory.run(*race);
  if (!results) return bad_input(results.error());
  if (f.json) say("{}\n", to_json(experiment_json(*race, *results)));
  else print_race(*race, *results, f.markdown);
  const auto written = laboratory.write(*race, *results);
  if (!written) return bad_input(written.error());
  if (!f.json) say("written: {}\n", *written);
  return interrupted() ? kInterrupted : kFine;
}

int run_zoo_verb(const ZooFlags& f) {
  if (f.what == "list") return list_zoo(f);
  if (f.what == "run") return run_zoo(f);
  if (f.what == "race") return race_zoo(f);
  return bad_input(unknown_word("thing to do in the zoo:", f.what, {"list", "run", "race"}));
}

const Registration registered = verb<ZooFlags>(
    75, "zoo", "the seeded bugs: list them, find one, race explorers on them", run_zoo_verb);

}  // namespace
}  // namespace schism::cli
