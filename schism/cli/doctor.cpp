// `schism doctor`: is a system deterministic, and if not, why?
#include "schism/doctor/doctor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/doctor/player.hpp"

namespace schism::cli {
namespace {

using namespace doctor;

struct DoctorFlags {
  explicit DoctorFlags(Flags& flags) : run(flags) {
    flags.example("schism doctor raft", "are runs a function of their seed");
    flags.example("schism doctor raft --runs 100 --time 10s", "in short");
    run.allow_in_file({"runs", "seed", "time", "jobs"});
    flags.option("--runs", runs, "seeds to play (1000)");
    flags.option("--seed", seed, "the first of them (1)");
    flags.option("--time", time, "play as many as fit into about so long, such as 60s");
    flags.option("--jobs", jobs, "workers of the setting that has several (2)");
    flags.option("--hang", hang, "give a run up after so much processor time without a step (2s)");
    flags.flag("--json", json, "the result as JSON on standard output");
    flags.flag("--quiet", quiet, "no progress");
    flags.flag("--play", play, "for the doctor itself: play what another process asks for")
        .hidden();
  }

  RunFlags run;
  std::string runs, seed, time, jobs, hang;
  bool json = false, quiet = false, play = false;
};

Result<Options> options_of(DoctorFlags& f) {
  auto file = f.run.file_values();
  if (!file) return tl::unexpected(file.error());
  for (const auto& [name, text] : *file) {
    std::string& own = name == "runs"   ? f.runs
                       : name == "seed" ? f.seed
                       : name == "time" ? f.time
                                        : f.jobs;
    if (own.empty()) own = text;
  }
  Options o;
  o.self = {program_name(), "doctor", "--play"};
  if (!f.seed.empty()) {
    const auto seed = parse_seed(f.seed);
    if (!seed) return error("seed {}", seed.error());
    o.seed = *seed;
  }
  if (!f.time.empty()) {
    const auto time = parse_duration(f.time);
    if (!time) return error("time {}", time.error());
    if (*time <= 0) return error("time is more than 0");
    o.seconds = static_cast<double>(*time) * 1e-6;
    o.runs = kRunsMost;
  }
  if (!f.hang.empty()) {
    const auto hang = parse_duration(f.hang);
    if (!hang) return error("hang {}", hang.error());
    if (*hang <= 0) return error("hang is more than 0");
    o.hang_seconds = static_cast<double>(*hang) * 1e-6;
  }
  if (!f.runs.empty()) {
    const auto runs = parse_integer(f.runs, 1, kRunsMost);
    if (!runs) return error("runs {}", runs.error());
    o.runs = static_cast<std::uint64_t>(*runs);
  }
  if (!f.jobs.empty()) {
    const auto jobs = parse_integer(f.jobs, 2, 1024);
    if (!jobs) return error("jobs {}", jobs.error());
    o.workers = static_cast<int>(*jobs);
  }
  return o;
}

std::string with_commas(std::uint64_t n) {
  std::string out = std::to_string(n);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

std::string how_many(const Trial& trial) {
  if (!trial.tried) return "not tried: " + trial.note;
  const std::string note = trial.note.empty() ? "" : fmt::format("  ({})", trial.note);
  if (trial.differing == 0) return "same" + note;
  return fmt::format("differs in {} of {} runs{}", with_commas(trial.differing),
                     with_commas(trial.runs), note);
}

void print_trials(const std::vector<Trial>& trials) {
  std::size_t width = 0;
  for (const Trial& trial : trials) width = std::max(width, trial.what.size());
  for (const Trial& trial : trials) say("    {:<{}}  {}\n", trial.what, width, how_many(trial));
}

void print_version(std::string_view name, const StepWords& words, const std::string& ending) {
  say("    {}:\n", name);
  if (words.action.empty() && ending.empty()) say("      the run has ended\n");
  for (const std::string& event : words.events) say("      {}\n", event);
  if (!words.state.empty()) say("      then: {}\n", words.state);
  if (!ending.empty()) say("      {} {}\n", words.action.empty() ? "it" : "then it", ending);
}

// "step 12, node 1, on(Ping)"
std::string place_text(const StepWords& words) {
  std::string out =
      words.step < 0 ? std::string("at the end of the run") : fmt::format("step {}", words.step);
  if (words.node >= 0) out += fmt::format(", node {}", words.node);
  if (!words.handler.empty()) out += ", " + words.handler;
  return out;
}

void print_diagnosis(const Checkup& c, const std::string& system) {
  const Diagnosis& d = *c.diagnosis;
  say("{} is not deterministic\n\n", system);
  if (d.one && d.other) {
    const StepWords& place = d.one->action.empty() ? *d.other : *d.one;
    say("  the first step that differs, in the run of seed {}: {}\n", d.seed, place_text(place));
    const bool one_action =
        d.one->action == d.other->action || d.one->action.empty() || d.other->action.empty();
    if (one_action) say("    {}\n", place.action);
    const auto name = [&](const char* which, const StepWords& words) {
      return one_action || words.action.empty() ? which
                                                : fmt::format("{}, {}", which, words.action);
    };
    print_version(name("one way", *d.one), *d.one, d.one_ending);
    print_version(name("another way", *d.other), *d.other, d.other_ending);
  } else {
    say("  the run of seed {} went differently, and did not again while its steps were told\n",
        d.seed);
  }
  say("\n  most likely cause: {}\n    {}\n", cause_words(d.cause), cause_hint(d.cause));
  for (const Cause cause : d.also)
    say("  also makes a difference: {}\n    {}\n", cause_words(cause), cause_hint(cause));
  say("\n  everything held fast, and one circumstance changed:\n");
  print_trials(d.trials);
  say("\n  against {} seeds in a fresh process:\n", with_commas(c.runs));
  print_trials(c.sweeps);
}

void print_clean(const Checkup& c) {
  say("{}: {} seed{}, {} steps, {} settings, no difference\n",
      c.out_of_time ? "inconclusive" : "deterministic", with_commas(c.runs), c.runs == 1 ? "" : "s",
      with_commas(c.steps), c.sweeps.size() + 1);
  if (c.out_of_time) say("  out of time: not everything was tried\n");
  if (c.undeclared.empty())
    say("  where two ways lead to one state it goes on alike ({} pairs compared)\n",
        with_commas(c.pairs));
  else
    say("  but {}\n    searches by states (dfs, bfs) would leave out what it decides: declare it "
        "in "
        "FIELDS(...)\n",
        c.undeclared);
  if (c.entangled.empty())
    say("  where independent steps change places the same happens ({} orders compared)\n",
        with_commas(c.reordered));
  else
    say("  but {}\n    a search that reduces (dpor) would leave out what that decides\n",
        c.entangled);
  for (const Trial& trial : c.sweeps)
    if (!trial.note.empty()) say("  {}: {}\n", trial.what, trial.note);
  if (c.died > 0)
    say("  {} run{} ended the process, the same way each time\n", with_commas(c.died),
        c.died == 1 ? "" : "s");
}

Value json_trials(const std::vector<Trial>& trials) {
  Value::Array out;
  for (const Trial& trial : trials) {
    Value item;
    item.set("setting", trial.what);
    item.set("tried", trial.tried);
    item.set("runs", static_cast<std::int64_t>(trial.runs));
    item.set("differing", static_cast<std::int64_t>(trial.differing));
    if (!trial.note.empty()) item.set("note", trial.note);
    out.push_back(std::move(item));
  }
  return out;
}

Value json_version(const StepWords& words, const std::string& ending) {
  Value out = to_value(words);
  if (!ending.empty()) out.set("ending", ending);
  return out;
}

Value json_result(const Checkup& c, const std::string& system) {
  Value out;
  out.set("system", system);
  out.set("deterministic", !c.diagnosis && !c.out_of_time);
  out.set("runs", static_cast<std::int64_t>(c.runs));
  out.set("steps", static_cast<std::int64_t>(c.steps));
  out.set("died", static_cast<std::int64_t>(c.died));
  out.set("out_of_time", c.out_of_time);
  out.set("seconds", c.seconds);
  out.set("sweeps", json_trials(c.sweeps));
  out.set("pairs", static_cast<std::int64_t>(c.pairs));
  if (!c.undeclared.empty()) out.set("undeclared", c.undeclared);
  out.set("reordered", static_cast<std::int64_t>(c.reordered));
  if (!c.entangled.empty()) out.set("entangled", c.entangled);
  if (!c.diagnosis) return out;
  const Diagnosis& d = *c.diagnosis;
  out.set("cause", enum_name(d.cause));
  out.set("hint", cause_hint(d.cause));
  Value::Array also;
  for (const Cause cause : d.also) also.emplace_back(enum_name(cause));
  out.set("also", std::move(also));
  out.set("seed", std::to_string(d.seed));
  if (d.one && d.other) {
    out.set("step", d.one->action.empty() ? d.other->step : d.one->step);
    out.set("one", json_version(*d.one, d.one_ending));
    out.set("other", json_version(*d.other, d.other_ending));
  }
  out.set("trials", json_trials(d.trials));
  return out;
}

int run_doctor(DoctorFlags& f) {
  if (f.play) {
    const Status played = play_from_files();
    return played ? kFine : bad_input(played.error());
  }
  const auto options = options_of(f);
  if (!options) return bad_input(options.error());
  const auto text = f.run.text();
  if (!text) return bad_input(text.error());
  const auto config = make_config(*text);
  if (!config) return bad_input(config.error());

  catch_interrupts();
  const bool progress = !f.quiet && !f.json && ::isatty(STDERR_FILENO) != 0;
  const auto checkup = examine(
      *config, *options,
      [&](const std::string& what, std::uint64_t played) {
        if (progress) say_aside("\r\x1b[K{}: {} runs", what, played);
      },
      interrupted());
  if (progress) say_aside("\r\x1b[K");
  if (!checkup) return bad_input(checkup.error());
  if (f.json) say("{}\n", to_json(json_result(*checkup, config->setup.system->name)));
  else if (checkup->diagnosis) print_diagnosis(*checkup, config->setup.system->name);
  else if (!checkup->interrupted) print_clean(*checkup);
  if (checkup->diagnosis || checkup->deceives()) return kViolation;
  return checkup->interrupted ? kInterrupted : checkup->out_of_time ? kInconclusive : kFine;
}

const Registration registered =
    verb<DoctorFlags>(110, "doctor", "is a system deterministic, and if not, why", run_doctor);

}  // namespace
}  // namespace schism::cli
