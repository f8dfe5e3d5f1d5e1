// `schism hunt`: many schedules of one system.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>

#include "schism/base/file.hpp"
#include "schism/campaign/hunt.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/junit.hpp"
#include "schism/cli/print.hpp"
#include "schism/finds/folder.hpp"
#include "schism/fuzz/keep.hpp"
#include "schism/model/follower.hpp"
#include "schism/run/idle.hpp"
#include "schism/trace/claim.hpp"

namespace schism::cli {
namespace {

constexpr std::uint64_t kRunsByDefault = 10'000;
constexpr const char* kExplorerByDefault = "swarm";

struct HuntFlags {
  explicit HuntFlags(Flags& flags) : run(flags), color(flags) {
    flags.example("schism hunt raft --bug vote-without-log-check --faults crash=2",
                  "until the first violation, which is then shrunk, drawn and kept in schism-out");
    flags.example("schism hunt raft --time 60s --jobs 2 --keep-going",
                  "a minute on two cores, all that is found");
    run.allow_in_file({"seed", "runs", "time", "jobs", "out", "keep-going", "coverage"});
    flags.option("--model", model,
                 "a TLA+ model beside the system, as a judge: FILE.tla, its mapping FILE.toml");
    flags.option("--seed", seed, "the first seed (1)");
    flags.option("--runs", runs, "how many runs (10000, or no limit with --time)");
    flags.option("--time", time, "how long, such as 60s");
    flags.option("--jobs", jobs, "worker processes (1); what is found does not depend on it");
    flags.option("--out", out, "folder for traces (schism-out)");
    flags.flag("--keep-going", keep_going, "do not end with the first violation");
    flags.flag("--no-shrink", no_shrink, "leave finds as long as they are");
    flags.option("--shrink-time", shrink_time, "how long a find may be shrunk (30s)");
    flags.option("--again", again, "the hunt that made this folder of a find, to its run");
    flags.flag("--resume", resume, "go on with the hunt of --out that was killed or interrupted");
    flags.flag("--in-process", in_process, "no player processes: for debuggers");
    flags.option("--coverage", coverage,
                 "what runs cover is counted and shown: states,colours (`schism list`)");
    flags.option("--coverage-bits", coverage_bits, "of a map of coverage: 2^bits keys (20)")
        .within(CoverageMap::kBitsMin, CoverageMap::kBitsMax);
    flags.option("--junit", junit, "the result as JUnit XML, to this file");
    flags.flag("--json", json, "the result as JSON on standard output");
    flags.flag("--quiet", quiet, "no progress");
  }

  RunFlags run;
  ColorFlag color;
  std::string seed, runs, time, jobs, out, junit, shrink_time, again, coverage, model;
  int coverage_bits = Book::kBitsByDefault;
  bool keep_going = false, no_shrink = false, json = false, quiet = false, resume = false;
  bool in_process = false;
};

Result<HuntOptions> options_of(HuntFlags& f) {
  if (!f.again.empty()) f.run.read_from(f.again + "/hunt.toml");
  auto file = f.run.file_values();
  if (!file) return tl::unexpected(file.error());
  const auto from_file = [&](const char* key, std::string& own) {
    for (const auto& [name, text] : *file)
      if (name == key && own.empty()) own = text;
  };
  from_file("seed", f.seed);
  from_file("runs", f.runs);
  from_file("time", f.time);
  from_file("jobs", f.jobs);
  from_file("out", f.out);
  from_file("coverage", f.coverage);
  std::string going;
  from_file("keep-going", going);
  if (!going.empty()) {
    const auto flag = parse_flag(going);
    if (!flag) return error("keep-going {}", flag.error());
    f.keep_going = f.keep_going || *flag;
  }
  if (f.out.empty()) f.out = "schism-out";

  HuntOptions o;
  o.keep_going = f.keep_going;
  o.shrink = !f.no_shrink;
  o.in_process = f.in_process;
  o.resume = f.resume;
  o.state = f.out + "/hunt.state";
  auto coverage = parse_coverages(f.coverage);
  if (!coverage) return tl::unexpected(coverage.error());
  o.coverage = *std::move(coverage);
  o.coverage_bits = f.coverage_bits;
  if (!f.shrink_time.empty()) {
    const auto time = parse_duration(f.shrink_time);
    if (!time) return error("shrink-time {}", time.error());
    o.shrink_seconds = static_cast<double>(*time) * 1e-6;
  }
  o.pictures.story = !f.json || !f.junit.empty();
  o.pictures.color = f.color.wanted(STDOUT_FILENO) && f.junit.empty();
  o.pictures.width = terminal_width();
  o.pictures.out = f.out;
  o.pictures.program = program_name();
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
  }
  if (!f.runs.empty()) {
    const auto runs = parse_integer(f.runs, 1, INT64_MAX);
    if (!runs) return error("runs {}", runs.error());
    o.runs = static_cast<std::uint64_t>(*runs);
  } else if (o.seconds == 0) {
    o.runs = kRunsByDefault;
  }
  if (!f.jobs.empty()) {
    const auto jobs = parse_integer(f.jobs, 1, 1024);
    if (!jobs) return error("jobs {}", jobs.error());
    o.jobs = static_cast<int>(*jobs);
  }
  return o;
}

std::string rate(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.1f}M", per_second / 1e6);
  if (per_second >= 1e4) return fmt::format("{:.0f}k", per_second / 1e3);
  return fmt::format("{:.0f}", per_second);
}

// "1915 colours (12% of the last 1000 runs new)"
std::string covered_text(const Covered& c) {
  if (c.full) return fmt::format("over {} {} (map full)", c.keys, c.name);
  return fmt::format("{} {} ({:.0f}% of the last {} runs new, map {:.0f}% full)", c.keys, c.name,
                     100 * c.share, c.window, 100 * c.fill);
}

std::string progress_line(const HuntProgress& p, std::size_t finds) {
  const double s = std::max(p.seconds, 1e-9);
  std::string line =
      fmt::format("{} runs, ~{} distinct, {} runs/s, {} steps/s", p.runs, p.distinct(),
                  rate(static_cast<double>(p.runs) / s), rate(static_cast<double>(p.steps) / s));
  if (p.simulated_us > 0)
    line += fmt::format(", {:.0f} s simulated a second",
                        static_cast<double>(p.simulated_us) * 1e-6 / s);
  for (const Covered& c : p.covered)
    line += c.full ? fmt::format(", >{} {}", c.keys, c.name)
                   : fmt::format(", {} {} ({:.0f}% new)", c.keys, c.name, 100 * c.share);
  return line + fmt::format(", last new {:.0f}s ago, {} bug{}", p.seconds_since_new, finds,
                            finds == 1 ? "" : "s");
}

// One rewriting line on a terminal, a line a minute elsewhere.
class ProgressPrinter {
 public:
  explicit ProgressPrinter(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}
  void show(const HuntProgress& p, std::size_t finds) {
    if (quiet_) return;
    if (terminal_) {
      std::string line = progress_line(p, finds);  // on one line, so that it can be rewritten
      const auto width = static_cast<std::size_t>(std::max(terminal_width(), 2)) - 1;
      if (line.size() > width) line.resize(width);
      say_aside("\r\x1b[K{}", line);
      drawn_ = true;
    } else if (p.seconds >= next_) {
      next_ += 60;
      say_aside("{}\n", progress_line(p, finds));
    }
  }
  void clear() {
    if (drawn_) say_aside("\r\x1b[K");
    drawn_ = false;
  }

 private:
  bool quiet_, terminal_, drawn_ = false;
  double next_ = 60;
};

Value kinds_value(FaultKinds kinds) {
  Value::Array out;
  for (const std::string& name : kinds.names()) out.emplace_back(name);
  return out;
}

void print_find(const HuntFlags& f, const Find& find, const std::string& folder) {
  const Trace& t = find.smallest();
  const Violation& v = *t.violation;
  say("{} is violated at step {}, in run {} (seed {})\n  {}\n", v.property, v.step, t.run,
      find.trace.plan.seed, v.message);
  if (const std::string note = claim_note(t); !note.empty()) say("  {}\n", note);
  if (const std::string note = repeats_note(t); !note.empty()) say("  {}\n", note);
  if (find.small) say("  {}\n", describe(*find.small));
  else if (!f.no_shrink && repeats_note(t).empty())
    say("  not shrunk; why: {} shrink {}/original.trace\n", quote(program_name()), folder);
  if (find.small && find.small->any_order) say("  {}\n", describe_order(*find.small));
  if (!find.story.empty()) say("\n{}\n", Shown{find.story, f.color.wanted(STDOUT_FILENO)});
  const std::string program = quote(program_name());
  say("reproduce:  {} replay {}\n", program, quote(folder));
  // Where a run is its seed's alone, without the runs before it, and anywhere.
  const std::string anew =
      find.trace.config.explorer.name == "seeds"
          ? fmt::format("{} --seed {} --runs 1", to_flags(find.trace.config), find.trace.plan.seed)
          : "--again " + quote(folder);
  say("or anew:    {} hunt {}\n", program, anew);
  if (!find.page.empty()) say("page:       {}/bug.html\n", folder);
  say("written:    {}\n\n", folder);
}

Value coverage_value(const std::vector<Covered>& covered) {
  Value out;
  for (const Covered& c : covered) {
    Value item;
    item.set("keys", static_cast<std::int64_t>(c.keys));
    item.set("fill", c.fill);
    item.set("full", c.full);
    if (!c.full) {
      item.set("new_share", c.share);
      item.set("of_last", static_cast<std::int64_t>(c.window));
    }
    Value::Array curve;
    for (const auto& [runs, keys] : c.curve)
      curve.emplace_back(
          Value::Array{static_cast<std::int64_t>(runs), static_cast<std::int64_t>(keys)});
    item.set("curve", std::move(curve));
    out.set(c.name, std::move(item));
  }
  return out;
}

// Kinds of faults that runs could have, whoever decided that.
FaultKinds faults_tried(const RunConfig& config, const HuntResult& r) {
  FaultKinds out = kinds_of(config.setup.options.faults);
  for (const Lift& row : r.lifts)
    for (std::size_t i = 0; i < enum_count<Fault>(); ++i)
      if (row.feature == "fault." + fault_name(static_cast<Fault>(i)))
        out.add(static_cast<Fault>(i));
  return out;
}

// Whether somebody lied in some of the runs whose configuration was drawn.
bool liars_drawn(const HuntResult& r) {
  return std::any_of(r.lifts.begin(), r.lifts.end(),
                     [](const Lift& row) { return row.feature == "liars" && row.draws > 0; });
}

Value json_lifts(const std::vector<Lift>& lifts) {
  Value::Array out;
  for (const Lift& row : lifts) {
    Value item;
    item.set("feature", row.feature);
    item.set("draws", static_cast<std::int64_t>(row.draws));
    item.set("hits", static_cast<std::int64_t>(row.hits));
    item.set("steps", static_cast<std::int64_t>(row.steps));
    item.set("lift", row.lift);
    out.push_back(std::move(item));
  }
  return out;
}

// What the draws that led to finds had in common; a handful of them says nothing.
void print_lifts(const std::vector<Lift>& lifts) {
  constexpr std::uint64_t kTelling = 5;
  std::uint64_t hits = 0, steps = 0;
  for (const Lift& row : lifts)
    if (row.feature.starts_with("scheduler.")) hits += row.hits, steps += row.steps;  // one each
  if (hits < kTelling) return;
  const auto row_of = [](const Lift& row) {
    say("  {:>6.1f}x  {:<34} {} of {} draws\n", row.lift, row.feature, row.hits, row.draws);
  };
  say("draws that led to finds: {}. More often a step than on average, with\n", hits);
  std::size_t shown = 0;
  for (const Lift& row : lifts)
    if (row.lift > 1.2 && row.hits >= kTelling && shown++ < 8) row_of(row);
  shown = 0;
  for (auto row = lifts.rbegin(); row != lifts.rend(); ++row) {
    // Where hardly a find was to be expected, none says nothing.
    const bool telling = row->steps * hits >= kTelling * steps;
    if (row->lift >= 0.8 || !telling || shown == 5) continue;
    if (shown++ == 0) say("and less often, with\n");
    row_of(*row);
  }
}

Value json_result(Shelf& shelf, const RunConfig& config, const HuntResult& r) {
  Value out;
  out.set("system", config.setup.system->name);
  out.set("command", "schism hunt " + to_flags(config));
  out.set("runs", static_cast<std::int64_t>(r.totals.runs));
  out.set("steps", static_cast<std::int64_t>(r.totals.steps));
  out.set("deliveries", static_cast<std::int64_t>(r.totals.deliveries));
  out.set("violated", static_cast<std::int64_t>(r.totals.violated));
  out.set("distinct", static_cast<std::int64_t>(r.totals.distinct()));
  out.set("seconds", r.totals.seconds);
  if (!r.totals.covered.empty()) out.set("coverage", coverage_value(r.totals.covered));
  if (!r.counts.empty()) {
    Value counts;
    for (const auto& [what, sum] : r.counts) counts.set(what, static_cast<std::int64_t>(sum));
    out.set("counts", std::move(counts));
  }
  if (!r.account.empty()) {
    Value account;
    for (const auto& [what, text] : r.account) account.set(what, text);
    out.set("account", std::move(account));
  }
  const FaultKinds tried = faults_tried(config, r);
  out.set("faults_tried", kinds_value(tried));
  if (const auto& survives = config.setup.system->survives)
    out.set("survives", kinds_value(survives(config.setup)));
  out.set("beyond_claim",
          kinds_value(beyond_claim(config.setup, kinds_of(config.setup.options.faults))));
  if (const std::string note = claim_note(config.setup); !note.empty()) out.set("claim", note);
  if (!r.muted.empty()) {
    Value muted;
    for (const auto& [property, runs] : r.muted)
      muted.set(property, static_cast<std::int64_t>(runs));
    out.set("muted", std::move(muted));
  }
  if (!r.lifts.empty()) out.set("draws", json_lifts(r.lifts));
  Value::Array finds;
  for (const Find& find : r.finds) finds.push_back(shelf.describe(find));
  out.set("finds", std::move(finds));
  const auto names = [](const std::vector<std::string>& list) {
    Value::Array a;
    for (const std::string& name : list) a.emplace_back(name);
    return a;
  };
  out.set("vacuous", names(r.vacuous));
  out.set("untested", names(r.untested));
  out.set("unjudged", names(r.unjudged));
  out.set("interrupted", r.interrupted);
  Value::Array leaks;
  for (const Leak& leak : r.leaks) {
    Value item;
    item.set("run", static_cast<std::int64_t>(leak.run));
    item.set("batch", static_cast<std::int64_t>(leak.first));
    item.set("what", leak.what);
    if (leak.left_by) item.set("left_by", static_cast<std::int64_t>(*leak.left_by));
    leaks.push_back(std::move(item));
  }
  if (!leaks.empty()) out.set("leaks", std::move(leaks));
  if (r.nondeterminism) {
    Value n;
    n.set("run", static_cast<std::int64_t>(r.nondeterminism->run));
    n.set("step", static_cast<std::int64_t>(r.nondeterminism->difference.step));
    n.set("first", r.nondeterminism->difference.recorded);
    n.set("second", r.nondeterminism->difference.now);
    out.set("nondeterminism", std::move(n));
  }
  return out;
}

int exit_code(const HuntResult& r) {
  if (r.nondeterminism) return kInconclusive;
  if (!r.finds.empty() || !r.leaks.empty() || !r.unexamined.empty()) return kViolation;
  if (r.interrupted) return kInterrupted;
  const bool told = r.totals.runs > 0 && !r.idle() && r.vacuous.empty() && r.untested.empty() &&
                    r.unjudged.empty();
  return told ? kFine : kInconclusive;
}

// A line for everybody who counted: "model:      120 mapped, 3 disabled".
void print_counts(const NamedCounts& counts) {
  std::string who, line;
  for (const auto& [name, sum] : counts) {
    const std::size_t dot = name.find('.');
    if (name.substr(0, dot) != who) {
      if (!who.empty()) say("{:<11} {}\n", who + ":", line);
      who = name.substr(0, dot), line.clear();
    }
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", sum, name.substr(dot + 1));
  }
  if (!who.empty()) say("{:<11} {}\n", who + ":", line);
  if (const std::string doubt = model::doubt_of(counts); !doubt.empty()) say("{}\n", doubt);
}

void print_result(const RunConfig& config, const HuntResult& r) {
  const double s = std::max(r.totals.seconds, 1e-9);
  say("{}{} run{}, ~{} distinct, {} steps in {:.2f} s ({} runs/s, {} steps/s)\n",
      r.interrupted ? "interrupted after " : "", r.totals.runs, r.totals.runs == 1 ? "" : "s",
      r.totals.distinct(), r.totals.steps, r.totals.seconds,
      rate(static_cast<double>(r.totals.runs) / s), rate(static_cast<double>(r.totals.steps) / s));
  for (const Covered& c : r.totals.covered) say("covered:    {}\n", covered_text(c));
  print_counts(r.counts);
  for (const auto& [what, text] : r.account) say("{}: {}\n", what, text);
  if (r.nondeterminism) {
    const Nondeterminism& n = *r.nondeterminism;
    say("nondeterministic: run {} (seed {}) went differently when it was repeated, at step {}\n"
        "  first:  {}\n  second: {}\n",
        n.run, n.plan.seed, n.difference.step, n.difference.recorded, n.difference.now);
    return;
  }
  for (const Leak& leak : r.leaks) {
    if (leak.first == leak.run) {
      say("run {} (seed {}) ends with\n  {}\nand, looked at closely, does not: it touches what is "
          "not its own\n",
          leak.run, leak.plan.seed, leak.what);
      continue;
    }
    say("state leaks between runs: in the batch from run {} on, run {} (seed {}) ends with\n"
        "  {}\nand alone it does not",
        leak.first, leak.run, leak.plan.seed, leak.what);
    if (leak.left_by) say("; after run {} alone it does", *leak.left_by);
    say("\n");
  }
  constexpr std::size_t kTold = 5;
  for (std::size_t i = 0; i < r.unexamined.size() && i < kTold; ++i)
    say("not examined: {}\n", r.unexamined[i]);
  if (r.unexamined.size() > kTold) say("and {} more\n", r.unexamined.size() - kTold);
  for (const auto& [property, runs] : r.muted)
    say("muted: {} in {} run{}\n", property, runs, runs == 1 ? "" : "s");
  for (const Find& find : r.finds) {
    const std::size_t shapes = find.shapes.size();
    const std::string& property = find.trace.violation->property;
    if (find.count == 0) say("{}: met while run {} was made smaller", property, find.trace.run);
    else
      say("{}: violated in {} run{}, first in run {}", property, find.count,
          find.count == 1 ? "" : "s", find.trace.run);
    say("{}", shapes > 1 ? fmt::format(", {} shapes", shapes) : "");
    const std::string beyond = beyond_claim(find.smallest());
    say("{}\n", beyond.empty() ? "" : ", beyond its claim: " + beyond);
  }
  const bool nothing = r.finds.empty() && r.leaks.empty() && r.unexamined.empty();
  const char* clean = r.muted.empty() ? "nothing wrong found" : "nothing else wrong found";
  if (nothing && !r.idle()) say("{}\n", r.problem.empty() ? clean : "not finished");
  const bool drawn = config.asked && config.asked->faults.empty();  // within its claim
  // A hunt that ended within its first batch has no account of its draws.
  if (!drawn || too_many_liars(config.setup) ||
      (faults_tried(config, r).empty() && !r.lifts.empty()))
    if (const std::string note = claim_note(config.setup); !note.empty()) say("{}\n", note);
  if (r.finds.empty() && drawn && !faults_tried(config, r).empty())
    say("faults that were drawn: {}{}\n", faults_tried(config, r).text(),
        liars_drawn(r) ? ", a liar" : "");
  print_lifts(r.lifts);
  if (!r.finds.empty() || !r.leaks.empty() || !r.unexamined.empty()) return;
  for (const std::string& name : r.vacuous) say("inconclusive: no run showed \"{}\"\n", name);
  if (r.totals.runs == 0) {
    say("inconclusive: no run was played to its end\n");
    return;
  }
  if (r.idle()) say("inconclusive: {}\n", kNothingHappens);
  for (const std::string& name : r.idle() ? std::vector<std::string>{} : r.untested)
    say("inconclusive: in no run did anything happen that \"{}\" judges\n", name);
  for (const std::string& name : r.unjudged)
    say("inconclusive: no run could judge \"{}\": {}\n", name,
        name == "conformance" ? "the model could follow none of them"
                              : "none had a fair end that settles it");
}

// A test case a property that was violated; one that passed where none was.
std::string junit_of(const RunConfig& config, const HuntResult& r) {
  std::vector<JUnitCase> cases;
  const std::string suite = "hunt " + config.setup.system->name;
  for (const Find& find : r.finds) {
    const Violation& v = *find.smallest().violation;
    const std::string note = claim_note(find.smallest());
    cases.push_back(
        {suite,
         v.property,
         fmt::format("{}\n{}{}\n{}", v.message, note, note.empty() ? "" : "\n", find.story),
         {}});
  }
  for (const Leak& leak : r.leaks)
    cases.push_back({suite, "state leaks between runs", leak.what, {}});
  if (r.nondeterminism) cases.push_back({suite, "determinism", "a run did not repeat", {}});
  const bool clean = cases.empty();  // a hunt that ended with a find could not judge everything
  for (const std::string& name : clean ? r.vacuous : std::vector<std::string>{})
    cases.push_back({suite, name, {}, "no run showed it"});
  for (const std::string& name : clean ? r.untested : std::vector<std::string>{})
    cases.push_back({suite, name, {}, "nothing that it judges happened in any run"});
  for (const std::string& name : clean ? r.unjudged : std::vector<std::string>{})
    cases.push_back({suite, name, {}, "no run could judge it"});
  if (r.idle()) cases.push_back({suite, "steps", {}, std::string(kNothingHappens)});
  if (cases.empty()) cases.push_back({suite, fmt::format("{} runs", r.totals.runs), {}, {}});
  return junit_xml("schism hunt " + to_flags(config), cases);
}

// A folder a system: runs of another would mean nothing.
Status keep_corpus(const RunConfig& config, const HuntResult& result, const std::string& out) {
  std::vector<Trace> traces;
  for (const KeptRun& run : result.kept) traces.push_back(fuzz::trace_of(config, run));
  const auto written = fuzz::write_corpus(traces, out + "/corpus/" + config.setup.system->name);
  if (!written) return tl::unexpected(written.error());
  return {};
}

bool exists(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

int run_hunt(HuntFlags& f) {
  auto options = options_of(f);
  if (!options) return bad_input(options.error());
  auto text = f.run.text();
  if (!text) return bad_input(text.error());
  if (text->explorer.name.empty()) text->explorer.name = kExplorerByDefault;
  if (!f.model.empty()) text->system.values.emplace_back("model", f.model);
  auto config = make_config(*text);
  if (!config) return bad_input(config.error());
  if (auto good = can_write(f.junit); !good) return bad_input(good.error());

  catch_interrupts();
  ProgressPrinter progress(f.quiet || f.json);
  HuntListener listener;
  listener.progress = [&](const HuntProgress& p, std::size_t finds) { progress.show(p, finds); };
  Shelf shelf(f.out, options->seed);
  listener.recorded = [&](const Original& original) { return shelf.keep(original); };
  listener.taken_back = [&](const Original& original) { shelf.take_back(original); };
  listener.found = [&](const Find& find, Bugs::News news) -> Status {
    if (auto written = shelf.write(find); !written) return written;
    progress.clear();
    if (!f.json && news == Bugs::News::bug) print_find(f, find, shelf.folder(find));
    std::fflush(stdout);
    return {};
  };
  auto result = hunt(*config, *options, listener, interrupted());
  progress.clear();
  if (!result) return bad_input(result.error());
  for (const Find& find : result->finds)  // with their final counts
    if (auto written = shelf.write(find); !written && result->problem.empty())
      result->problem = written.error();
  if (!f.junit.empty())
    if (auto w = write_file(f.junit, junit_of(*config, *result)); !w && result->problem.empty())
      result->problem = w.error();
  if (!result->kept.empty())
    if (auto kept = keep_corpus(*config, *result, f.out); !kept && result->problem.empty())
      result->problem = kept.error();
  if (f.json) say("{}\n", to_json(json_result(shelf, *config, *result)));
  else print_result(*config, *result);
  if (!f.json && (result->interrupted || result->out_of_time) && exists(options->state))
    say("to go on:   the same command with --resume\n");
  return result->problem.empty() ? exit_code(*result) : bad_input(result->problem);
}

const Registration registered =
    verb<HuntFlags>(20, "hunt", "run many schedules of a system until one breaks it", run_hunt);

}  // namespace
}  // namespace schism::cli
