// `schism test`: scenarios as unit tests.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <thread>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/junit.hpp"
#include "schism/cli/print.hpp"
#include "schism/scenario/clauses.hpp"
#include "schism/scenario/distance.hpp"
#include "schism/scenario/files.hpp"
#include "schism/scenario/parse.hpp"
#include "schism/scenario/test.hpp"

namespace schism::cli {
namespace {

namespace fs = std::filesystem;

struct TestFlags {
  explicit TestFlags(Flags& flags) {
    flags.example("schism test scenarios", "all scenarios of a folder");
    flags.example("schism test raft.scenario --explorer pos --runs 1000",
                  "those of a file, under another explorer");
    flags.example("schism test raft.scenario --watch", "again whenever the file is saved");
    flags.option("files", files, "scenario files, folders of them, or - for standard input")
        .required();
    flags.option("--runs", runs, "of each scenario (as it says)").positive();
    flags.option("--explorer", explorer, "scheduler behind the filters (as the scenario says)");
    flags.option("--only", only, "those whose name has this text in it");
    flags.option("--junit", junit, "write the results there, as JUnit XML");
    flags.flag("--format", format, "print the files as they are meant to look, and run nothing");
    flags.flag("--distance", distance,
               "what each filter is worth: its distance, and what is reached without it");
    flags.flag("--clauses", clauses,
               "which handlers and named branches of the systems the scenarios reach");
    flags.flag("--watch", watch, "run again whenever a file changes");
    flags.flag("--json", json, "for programs");
  }

  std::vector<std::string> files;
  std::uint64_t runs = 0;
  std::string explorer, only, junit;
  bool format = false, distance = false, clauses = false, watch = false, json = false;
};

Value json_of(const std::string& file, const scenario::Outcome& o) {
  Value v;
  v.set("file", file);
  v.set("scenario", o.scenario);
  v.set("explorer", o.explorer);
  v.set("passed", o.passed());
  v.set("runs", static_cast<std::int64_t>(o.runs));
  v.set("steps", static_cast<std::int64_t>(o.steps));
  if (o.has_goal) v.set("goals", static_cast<std::int64_t>(o.goals));
  v.set("violated", static_cast<std::int64_t>(o.violated));
  Value violations = Value::Object();
  for (const auto& [property, times] : o.violations)
    violations.set(property, static_cast<std::int64_t>(times));
  v.set("violations", std::move(violations));
  Value filters = Value::Object();
  for (const auto& f : o.filters) filters.set(f.name, static_cast<std::int64_t>(f.matches));
  v.set("filters", std::move(filters));
  Value::Array warnings, unmet;
  for (const std::string& text : o.warnings) warnings.emplace_back(text);
  for (const std::string& text : o.unmet) unmet.emplace_back(text);
  v.set("warnings", std::move(warnings));
  v.set("unmet", std::move(unmet));
  return v;
}

void tell_passed(const scenario::Outcome& o) {
  say("passed \"{}\" under {}: {}\n", o.scenario, o.explorer, summary(o));
  for (const std::string& warning : o.warnings) say("  warning: {}\n", warning);
}

// Of a system: a clause each, and how many scenarios reach it.
using Reached = std::map<std::string, std::vector<std::pair<std::string, std::size_t>>>;

Status look_at_clauses(const TestFlags& f, const scenario::Scenario& s,
                       const scenario::TestOptions& options, Reached& all) {
  const auto clauses = reach(s, options, interrupted());
  if (!clauses) return tl::unexpected(clauses.error());
  auto& system = all[s.run.system.name];
  if (system.empty())
    for (const scenario::Clause& c : *clauses) system.emplace_back(c.text, 0);
  std::size_t reached = 0;
  for (std::size_t i = 0; i < clauses->size(); ++i) {
    const bool yes = (*clauses)[i].reached > 0;
    reached += yes ? 1 : 0, system[i].second += yes ? 1 : 0;
  }
  if (!f.json) say("{} of {} clauses  \"{}\"\n", reached, clauses->size(), s.name);
  return {};
}

void tell_clauses(const TestFlags& f, const Reached& all) {
  for (const auto& [system, clauses] : all) {
    std::size_t missed = 0;
    if (!f.json) say("\n{}: clauses, and how many scenarios reach each\n", system);
    for (const auto& [text, scenarios] : clauses) {
      missed += scenarios == 0 ? 1 : 0;
      if (f.json) {
        Value v;
        v.set("system", system);
        v.set("clause", text);
        v.set("scenarios", static_cast<std::int64_t>(scenarios));
        say("{}\n", Shown{to_json(v)});
      } else {
        say("  {:>4}  {}{}\n", scenarios, text, scenarios == 0 ? "   reached by none" : "");
      }
    }
    if (!f.json) say("  {} of {} are reached\n", clauses.size() - missed, clauses.size());
  }
}

int run_once(const TestFlags& f, const std::vector<std::string>& files) {
  std::vector<JUnitCase> cases;
  std::size_t failed = 0, ran = 0;
  Reached reached;
  for (const std::string& path : files) {
    const auto content = read_file(path);
    if (!content) return bad_input(content.error());
    const auto scenarios = scenario::parse(*content, path == "-" ? "standard input" : path);
    if (!scenarios) return bad_input(scenarios.error());
    for (std::size_t i = 0; i < scenarios->size(); ++i) {
      const scenario::Scenario& s = (*scenarios)[i];
      if (s.name.find(f.only) == std::string::npos) continue;
      ++ran;
      if (f.format) {
        say("{}{}", Shown{ran > 1 ? "\n" : ""}, Shown{scenario::print(s)});
        continue;
      }
      scenario::TestOptions options;
      options.runs = f.runs;
      options.explorer = f.explorer;
      if (f.distance) {
        const auto worth = worth_of_filters(s, options, interrupted());
        if (!worth) return bad_input(path + ": " + worth.error());
        if (interrupted().load()) return kInterrupted;
        say("\"{}\"\n{}\n", s.name, Shown{describe(*worth)});
        continue;
      }
      if (f.clauses) {
        const auto looked = look_at_clauses(f, s, options, reached);
        if (!looked) return bad_input(path + ": " + looked.error());
        if (interrupted().load()) return kInterrupted;
        continue;
      }
      const auto outcome = run_test(s, options, interrupted());
      if (!outcome) return bad_input(path + ": " + outcome.error());
      if (interrupted().load()) return kInterrupted;
      failed += outcome->passed() ? 0 : 1;
      if (f.json) say("{}\n", Shown{to_json(json_of(path, *outcome))});
      else if (outcome->passed()) tell_passed(*outcome);
      else say("{}\n", Shown{report(*outcome)});
      cases.push_back({path, s.name, outcome->passed() ? "" : report(*outcome), {}});
    }
  }
  if (f.format && ran > 0) return kFine;
  if (ran == 0) return bad_input("no scenario's name has the text \"" + f.only + "\" in it");
  if (f.clauses) tell_clauses(f, reached);
  if (f.clauses || f.distance) return kFine;
  if (!f.junit.empty())
    if (auto written = write_file(f.junit, junit_xml("schism test", cases)); !written)
      return bad_input(written.error());
  if (!f.json) say("{} of {} scenarios passed\n", ran - failed, ran);
  return failed > 0 ? kViolation : kFine;
}

std::vector<fs::file_time_type> times_of(const std::vector<std::string>& files) {
  std::vector<fs::file_time_type> out;
  std::error_code none;
  for (const std::string& path : files) out.push_back(fs::last_write_time(path, none));
  return out;
}

int run_tests(const TestFlags& f) {
  const auto files = scenario::list_files(f.files);
  if (!files) return bad_input(files.error());
  if (f.watch && std::find(files->begin(), files->end(), "-") != files->end())
    return bad_input("--watch looks at files, and standard input is none");
  catch_interrupts();
  if (!f.watch) return run_once(f, *files);
  for (;;) {
    const auto before = times_of(*files);
    run_once(f, *files);
    say("waiting for changes; Ctrl-C ends\n");
    flush_out();
    while (times_of(*files) == before && !interrupted().load())
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    if (interrupted().load()) return kInterrupted;
  }
}

const Registration registered =
    verb<TestFlags>(45, "test", "run scenarios: unit tests of a protocol", run_tests);

}  // namespace
}  // namespace schism::cli
