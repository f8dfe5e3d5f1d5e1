// `schism zoo`: every seeded bug of every system, to look at, to hunt, and to race on.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/campaign/race.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"

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
    flags.option("--jobs", jobs, "run: worker processes (1)");
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
      if (!exhibit.blurred().empty()) say("  (not in races: {})\n", exhibit.blurred());
    }
    last = exhibit.system;
    say("  {:<42} {}\n", exhibit.name(), exhibit.bug->meaning);
  }
  say("\n{} bugs. To find one:  {} zoo run NAME\n", all.size(), program_name());
  return kFine;
}

// The same as a hunt of it without any flag that knows more than its name.
int run_zoo(const ZooFlags& f) {
  if (f.name.empty()) return bad_input("which bug? `zoo list` shows them");
  const auto exhibit = find_exhibit(f.name);
  if (!exhibit) return bad_input(exhibit.error());
  std::vector<std::string> words = {exhibit->system->name, "--bug", exhibit->bug->name, "--time",
                                    f.time.empty() ? "60s" : f.time};
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

Result<Race> race_of(const ZooFlags& f) {
  Race race;
  for (const Exhibit& exhibit : zoo())
    if (wanted(exhibit, f.only)) race.bugs.push_back(exhibit);
  for (const std::string& word : f.only) {
    if (!systems().find(word))
      if (auto known = find_exhibit(word);
          !known && !std::any_of(race.bugs.begin(), race.bugs.end(),
                                 [&](const Exhibit& e) { return e.bug->name == word; }))
        return tl::unexpected(known.error());
  }
  if (race.bugs.empty()) return error("there is no bug to race for");
  race.explorers = f.explorers;
  if (race.explorers.empty()) race.explorers = {"swarm", "random", "pos"};
  if (!f.time.empty()) {
    const auto time = parse_duration(f.time);
    if (!time) return error("time {}", time.error());
    if (*time <= 0) return error("time is more than 0");
    race.budget = static_cast<double>(*time) * 1e-6;
  }
  if (!f.seeds.empty()) {
    const auto seeds = parse_integer(f.seeds, 1, 1000);
    if (!seeds) return error("seeds {}", seeds.error());
    race.trials = static_cast<int>(*seeds);
  }
  for (std::size_t i = 0; i < race.explorers.size(); ++i) {
    const std::string& own = race.explorers[i];
    if (std::find(race.explorers.begin(), race.explorers.begin() + static_cast<std::ptrdiff_t>(i),
                  own) != race.explorers.begin() + static_cast<std::ptrdiff_t>(i))
      return error("explorer {} takes part twice", own);
    const auto spec = parse_spec(own);
    if (!spec) return tl::unexpected(spec.error());
    if (auto made = explorers().make(*spec, "explorer"); !made) return tl::unexpected(made.error());
  }
  return race;
}

std::string ratio_text(const Standing& row) {
  if (!row.ratio || !row.ratio->value) return "";
  if (!row.ratio->interval) return fmt::format("{:.2f}", *row.ratio->value);
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", *row.ratio->value, row.ratio->interval->low,
                     row.ratio->interval->high);
}

// "0.123", "0.51 (3 of 5)", "-".
std::string cell_text(const std::vector<measure::Trial>& trials) {
  int found = 0;
  for (const auto& t : trials) found += t.found ? 1 : 0;
  if (trials.empty()) return "?";
  if (found == 0) return "-";
  const auto curve = measure::kaplan_meier(trials);
  const auto median = curve ? curve->median() : std::nullopt;
  const bool all = found == static_cast<int>(trials.size());
  const std::string share = all ? "" : fmt::format("{} of {}", found, trials.size());
  if (!median) return share;
  return fmt::format("{:.3f}{}", *median, all ? "" : " (" + share + ")");
}

using Row = std::vector<std::string>;

void print_table(const std::vector<Row>& rows, bool markdown) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = markdown ? "|" : "";
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const std::string& text = rows[r][i];
      if (markdown) line += " " + text + " |";
      else if (i == 0) line += fmt::format("{:<{}}", text, widths[i]);
      else line += fmt::format("  {:>{}}", text, widths[i]);
    }
    say("{}\n", line);
    if (markdown && r == 0) {
      std::string rule = "| --- |";
      for (std::size_t i = 1; i < rows[r].size(); ++i) rule += " ---: |";
      say("{}\n", rule);
    }
  }
}

void print_race(const Race& race, const RaceBook& book, bool markdown) {
  const Standings standings = standings_of(race, book);
  std::vector<Row> rows = {{"explorer", "bugs found", "trials found", "PAR-2 (s)",
                            "to " + race.explorers.front() + " (95%)"}};
  for (const Standing& row : standings.explorers)
    rows.push_back({row.explorer, fmt::format("{} of {}", row.bugs_found, race.bugs.size()),
                    fmt::format("{} of {}", row.found, row.trials), fmt::format("{:.3f}", row.par2),
                    ratio_text(row)});
  print_table(rows, markdown);
  say("\n");
  rows = {{"bug"}};
  for (const std::string& explorer : race.explorers) rows[0].push_back(explorer);
  for (const Exhibit& exhibit : race.bugs) {
    Row row = {exhibit.name()};
    for (const std::string& explorer : race.explorers)
      row.push_back(cell_text(trials_of(race, book, exhibit.name(), explorer)));
    rows.push_back(std::move(row));
  }
  print_table(rows, markdown);
  say("\nmedian CPU-seconds to the first find, {} trials of {} s; k of n: so many found it; -: "
      "none\n",
      race.trials, race.budget);
  for (const std::string& problem : standings.problems) say("not played: {}\n", problem);
  if (standings.missing > 0)
    say("{} trials are missing; the same command goes on\n", standings.missing);
}

int race_zoo(const ZooFlags& f) {
  const auto race = race_of(f);
  if (!race) return bad_input(race.error());
  const std::string out = f.out.empty() ? "zoo-race" : f.out;
  if (auto made = make_directory(out); !made) return bad_input(made.error());
  auto book = RaceBook::open(out + "/results.jsonl");
  if (!book) return bad_input(book.error());
  catch_interrupts();
  const auto done = [&](const Heat& heat, const HeatResult& r, std::size_t left) {
    if (f.quiet || f.json) return;
    say_aside("{} by {}, trial {}: {}; {} left\n", heat.bug, heat.explorer, heat.trial + 1,
              !r.problem.empty() ? r.problem
              : r.found          ? fmt::format("{:.3f} s, {} runs", r.at, r.runs)
                                 : "not found",
              left);
  };
  const Status raced = run_race(*race, *book, done, interrupted());
  const auto write = [&](const char* name, const std::string& text) {
    return write_file(out + "/" + name, text);
  };
  for (const Status& written : {raced, write("race.csv", race_csv(*race, *book)),
                                write("race.json", to_json(race_json(*race, *book)) + "\n"),
                                write("race.html", race_page(*race, *book))})
    if (!written) return bad_input(written.error());
  if (f.json) say("{}\n", to_json(race_json(*race, *book)));
  else print_race(*race, *book, f.markdown);
  if (!f.json) say("written: {0}/results.jsonl, race.csv, race.json, race.html\n", out);
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
