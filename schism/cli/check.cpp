// `schism check`: all schedules of one system, and what that proves.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "schism/base/file.hpp"
#include "schism/check/check.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/draw/story.hpp"
#include "schism/trace/claim.hpp"

namespace schism::cli {
namespace {

using namespace check;

struct CheckFlags {
  explicit CheckFlags(Flags& flags) : run(flags), color(flags) {
    flags.example("schism check toy-consensus --bug distrust-commits",
                  "a counterexample, if there is one within the bounds");
    flags.example("schism check two-phase-commit --crashing any --faults crash=1",
                  "every schedule with one crash of anybody");
    run.allow_in_file({"crashing", "depth", "events", "delays", "restarts", "deepen", "from",
                       "runs", "time", "jobs", "out", "seed"});
    flags.option("--crashing", crashing,
                 "who crashes: each set of nodes (the default), any within a common budget, "
                 "exactly those that may");
    flags.option("--depth", depth, "steps that a run may have");
    flags.option("--events", events, "steps that a node may have");
    flags.option("--delays", delays,
                 "how often a run may do something else than the default (prefix, dfs, bfs)");
    flags.option("--from", from,
                 "only runs that begin like this trace, or like its first steps: TRACE[@STEP]");
    flags.option("--jobs", jobs, "worker processes (1)");
    flags.option("--restarts", restarts, "how often a node that crashed comes back (0)");
    flags.flag("--deepen", deepen, "with growing depths: 1, 2, 4, ...");
    flags.option("--runs", runs, "stop after so many");
    flags.option("--time", time, "stop after so long, such as 60s");
    flags.option("--out", out, "folder for the counterexample (schism-out)");
    flags.option("--seed", seed, "node seed: what nodes draw and clients ask for (0)");
    flags.flag("--in-process", in_process, "no process of its own: for debuggers");
    flags.option("--export", graph,
                 "write the states that were met and the steps between them to this file "
                 "(dfs, bfs)");
    flags.option("--format", format, "of --export: json (the default), dot; else by its name");
    flags.flag("--no-estimate", no_estimate, "do not estimate the number of runs first");
    flags.flag("--json", json, "the result as JSON on standard output");
    flags.flag("--quiet", quiet, "no progress");
  }

  RunFlags run;
  ColorFlag color;
  std::string crashing, depth, events, delays, restarts, from, runs, time, jobs, out, seed;
  std::string graph, format;
  bool deepen = false, no_estimate = false, json = false, quiet = false, in_process = false;
};

Status from_file(CheckFlags& f) {
  auto file = f.run.file_values();
  if (!file) return tl::unexpected(file.error());
  for (const auto& [name, text] : *file) {
    if (name == "deepen") {
      const auto flag = parse_flag(text);
      if (!flag) return error("deepen {}", flag.error());
      f.deepen = f.deepen || *flag;
      continue;
    }
    const std::pair<std::string_view, std::string*> all[] = {
        {"crashing", &f.crashing}, {"depth", &f.depth},       {"events", &f.events},
        {"delays", &f.delays},     {"restarts", &f.restarts}, {"from", &f.from},
        {"runs", &f.runs},         {"time", &f.time},         {"jobs", &f.jobs},
        {"out", &f.out},           {"seed", &f.seed}};
    for (const auto& [key, own] : all)
      if (key == name && own->empty()) *own = text;
  }
  return {};
}

Result<CheckOptions> options_of(CheckFlags& f) {
  if (auto s = from_file(f); !s) return tl::unexpected(s.error());
  if (f.out.empty()) f.out = "schism-out";
  CheckOptions o;
  o.deepen = f.deepen;
  if (f.no_estimate) o.probes = 0;
  o.in_process = f.in_process;
  const auto number = [](const char* name, const std::string& text, std::int64_t least,
                         std::int64_t most, auto& to) -> Status {
    if (text.empty()) return {};
    const auto n = parse_integer(text, least, most);
    if (!n) return error("{} {}", name, n.error());
    to = static_cast<std::decay_t<decltype(to)>>(*n);
    return {};
  };
  for (const Status& s :
       {number("depth", f.depth, 1, 1'000'000, o.depth),
        number("events", f.events, 1, 1'000'000, o.events),
        number("delays", f.delays, 0, 1'000'000, o.delays),
        number("restarts", f.restarts, 0, 1000, o.restarts),
        number("runs", f.runs, 1, INT64_MAX, o.runs), number("jobs", f.jobs, 1, 256, o.jobs)})
    if (!s) return tl::unexpected(s.error());
  if (!f.time.empty()) {
    const auto time = parse_duration(f.time);
    if (!time) return error("time {}", time.error());
    if (*time <= 0) return error("time is more than 0");
    o.seconds = static_cast<double>(*time) * 1e-6;
  }
  if (f.graph.empty() && !f.format.empty()) return error("format: of what? --export FILE says");
  o.graph = f.graph;
  if (f.format == "dot" || (f.format.empty() && f.graph.ends_with(".dot")))
    o.graph_format = GraphFormat::dot;
  else if (!f.format.empty() && f.format != "json")
    return tl::unexpected(unknown_word("format", f.format, {"dot", "json"}));
  if (f.crashing.empty()) return o;
  for (std::size_t i = 0; i < enum_count<Crashing>(); ++i)
    if (f.crashing == nth_word(schism_enum_words(Crashing{}), i)) {
      o.crashing = static_cast<Crashing>(i);
      return o;
    }
  return tl::unexpected(
      unknown_word("value of --crashing", f.crashing, {"any", "each", "exactly"}));
}

std::string short_number(double x) {
  if (x < 1e6) return fmt::format("{:.0f}", x);
  return fmt::format("{:.2g}", x);
}

// "about 34000 classes (30000 to 39000)"; without its value where the interval says little.
std::string guess_text(const Guess& g) {
  if (g.value <= 0) return "an unknown number of";
  if (g.exact) return short_number(g.value);
  const std::string between = short_number(g.low) + " to " + short_number(g.high);
  if (g.high > 10 * g.low) return between;
  return fmt::format("about {} ({})", short_number(g.value), between);
}

std::string estimate_text(const Estimate& e) {
  return fmt::format("{} interleavings, {} classes{}", guess_text(e.runs), guess_text(e.classes),
                     e.classes.exact || e.classes.value <= 0 ? "" : "; 95% confidence");
}

std::string totals_text(const SearchTotals& t, double seconds) {
  const double s = std::max(seconds, 1e-9);
  std::string text = fmt::format("{} run{}", t.executions, t.executions == 1 ? "" : "s");
  if (t.states > 0) text += fmt::format(", {} states", t.states);
  if (t.blocked > 0)
    text +=
        fmt::format(", {} {}", t.blocked, t.states > 0 ? "transitions to known ones" : "blocked");
  if (t.cut > 0) text += fmt::format(", {} cut", t.cut);
  if (t.wakeup_peak > 0) text += fmt::format(", at most {} waiting", t.wakeup_peak);
  return text + fmt::format(", {} steps in {:.2f} s ({} runs/s, {} steps/s)", t.steps, seconds,
                            short_number(static_cast<double>(t.executions) / s),
                            short_number(static_cast<double>(t.steps) / s));
}

class Progress {
 public:
  explicit Progress(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}
  void show(const CheckProgress& p) {
    if (quiet_) return;
    std::string line = totals_text(p.totals, p.seconds);
    if (p.parts > 1) line += fmt::format(", search {} of {}", p.part + 1, p.parts);
    if (p.estimate && p.estimate->classes.value > 0)
      line += fmt::format(", {} classes expected", guess_text(p.estimate->classes));
    if (terminal_) {
      say_aside("\r\x1b[K{}", line);
      drawn_ = true;
    } else if (p.seconds >= next_) {
      next_ += 60;
      say_aside("{}\n", line);
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

std::string file_name(const CheckFlags& f, const Trace& trace) {
  std::string slug;
  for (const char c : trace.violation->property)
    slug += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return fmt::format("{}/{}-{}-check.trace", f.out, trace.config.setup.system->name, slug);
}

std::string bound_text(const CheckResult& r, const CheckOptions& o) {
  if (r.totals.withheld > 0)
    return fmt::format("{} delays{}", o.delays,
                       r.totals.cut > 0 ? fmt::format(" and depth {}", r.depth) : "");
  if (o.events > 0) return fmt::format("{} steps a node", o.events);
  return fmt::format("depth {}", r.depth);
}

std::string verdict_text(const CheckResult& r, const CheckOptions& o, std::uint64_t seed) {
  switch (r.verdict) {
    case Verdict::holds: return "holds: all runs were explored";
    case Verdict::holds_to_depth: return "holds up to " + bound_text(r, o);
    case Verdict::holds_for_seed:
      return fmt::format(
          "holds for node seed {}{}: what nodes draw or clients ask for was the same in all runs",
          seed, r.bounded ? fmt::format(" up to {}", bound_text(r, o)) : "");
    case Verdict::safe:
      return r.totals.endless > 0
                 ? "safe: no state violates anything that must hold in every state, but a run can "
                   "go round for ever"
                 : "safe: whatever the liars say, no state violates anything that must hold in "
                   "every state";
    case Verdict::violated: return "violated";
    case Verdict::inconclusive: break;
  }
  return "inconclusive: " + r.reason;
}

void print_counterexample(const CheckFlags& f, const Trace& t) {
  const Violation& v = *t.violation;
  say("{} is violated at step {}\n  {}\n", v.property, v.step, v.message);
  if (const std::string note = claim_note(t); !note.empty()) say("  {}\n", note);
  say("\n");
  StoryOptions story;
  story.color = f.color.wanted(STDOUT_FILENO);
  story.width = terminal_width();
  story.rows_max = 60;
  say("{}\n", Shown{tell(t, story), story.color});
  const std::string path = file_name(f, t);
  say("reproduce:  {} replay {}\n", quote(program_name()), quote(path));
  say("written:    {}\n\n", path);
}

std::string crashing_text(const check::Part& part) {
  if (part.crashing.empty()) return "nobody crashes";
  const auto times = [](std::uint32_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : what[0] == 'c' ? "es" : "s");
  };
  const bool back = part.any == 0 && !part.turns.empty();
  std::string who;
  for (std::size_t i = 0; i < part.crashing.size(); ++i) {
    who += fmt::format("{}{}", who.empty() ? "" : ", ", part.crashing[i]);
    if (back)
      who += fmt::format(" with {} and {}", times((part.turns[i] + 1) / 2, "crash"),
                         times(part.turns[i] / 2, "restart"));
  }
  const std::string alike =
      part.alike > 1 ? fmt::format(", one of {} alike", part.alike) : std::string();
  if (back) return who + alike;
  if (part.any > 0)
    return fmt::format(
        "{} of {}{}", times(part.any, "crash"), who,
        part.turns[0] > 1 ? ", each with at most " + times(part.turns[0] / 2, "restart") : "");
  return fmt::format("{} crash{}{}", who, part.crashing.size() == 1 ? "es" : "", alike);
}

void print_result(const RunConfig& config, const CheckOptions& o, const CheckResult& r) {
  if (r.estimate && r.estimate->runs.value > 0) say("expected: {}\n", estimate_text(*r.estimate));
  if (r.parts.size() > 1)
    for (const check::Part& part : r.parts)
      say("  {}{}: {} runs\n", crashing_text(part),
          o.deepen ? fmt::format(", depth {}", part.depth) : "", part.totals.executions);
  say("{}\n", totals_text(r.totals, r.seconds));
  if (r.totals.states > 0) say("odds that two states had one key: {:.1e}\n", r.collision_odds);
  say("{}\n", verdict_text(r, o, config.setup.node_seed));
  if (const std::string note = claim_note(config.setup); !note.empty()) say("  {}\n", note);
  for (const std::string& name : r.vacuous) say("  no run showed \"{}\"\n", name);
  for (const std::string& name : r.untested)
    say("  in no run did anything happen that \"{}\" judges\n", name);
  for (const std::string& name : r.unjudged)
    if (r.totals.endless > 0) say("  not judged of runs that go round for ever: \"{}\"\n", name);
    else if (r.verdict == Verdict::safe)
      say("  not judged: \"{}\", because liars may speak for ever\n", name);
    else say("  no run could judge \"{}\": none ended by itself\n", name);
}

Value json_result(const CheckFlags& f, const RunConfig& config, const CheckResult& r) {
  const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  Value out;
  out.set("system", config.setup.system->name);
  out.set("verdict",
          std::string(nth_word(schism_enum_words(Verdict{}), static_cast<std::size_t>(r.verdict))));
  if (!r.reason.empty()) out.set("reason", r.reason);
  const auto list = [&](const char* key, const std::vector<std::string>& names) {
    if (!names.empty()) out.set(key, Value::Array(names.begin(), names.end()));
  };
  list("vacuous", r.vacuous);
  list("untested", r.untested);
  list("unjudged", r.unjudged);
  out.set("node_seed", number(config.setup.node_seed));
  if (const std::string note = claim_note(config.setup); !note.empty()) out.set("claim", note);
  out.set("runs", number(r.totals.executions));
  out.set("blocked", number(r.totals.blocked));
  out.set("cut", number(r.totals.cut));
  out.set("steps", number(r.totals.steps));
  out.set("states", number(r.totals.states));
  out.set("withheld", number(r.totals.withheld));
  out.set("longest", number(r.totals.longest));
  out.set("waiting", number(r.totals.wakeup_peak));
  if (r.totals.endless > 0) out.set("endless", number(r.totals.endless));
  out.set("depth", number(r.depth));
  out.set("seconds", r.seconds);
  Value::Array parts;
  for (const check::Part& part : r.parts) {
    Value item = check::about(part);
    item.set("depth", number(part.depth));
    item.set("runs", number(part.totals.executions));
    parts.push_back(std::move(item));
  }
  out.set("searches", std::move(parts));
  if (r.estimate) {
    const auto set = [&](const std::string& name, const Guess& g) {
      out.set(name, g.value);
      out.set(name + "_low", g.low);
      out.set(name + "_high", g.high);
    };
    set("expected_interleavings", r.estimate->runs);
    set("expected_classes", r.estimate->classes);
  }
  if (r.counterexample) {
    out.set("property", r.counterexample->violation->property);
    out.set("message", r.counterexample->violation->message);
    out.set("step", number(r.counterexample->violation->step));
    if (const std::string note = claim_note(*r.counterexample); !note.empty())
      out.set("claim_of_this_run", note);
    out.set("trace", file_name(f, *r.counterexample));
  }
  return out;
}

int exit_code(const CheckResult& r) {
  if (r.verdict == Verdict::violated) return kViolation;
  if (r.interrupted) return kInterrupted;
  return r.verdict == Verdict::inconclusive ? kInconclusive : kFine;
}

// "bug.trace@12": its first twelve steps. A name that really ends like that wins.
Status begin_like(const std::string& from, CheckOptions& options, RunText& text,
                  std::uint64_t& node_seed) {
  std::string path = from;
  std::uint32_t steps = kNever;
  const auto at = from.rfind('@');
  if (at != std::string::npos && ::access(from.c_str(), F_OK) != 0) {
    const auto n = parse_integer(from.substr(at + 1), 1, 1'000'000'000);
    if (!n) return error("from {}", n.error());
    steps = static_cast<std::uint32_t>(*n);
    path = from.substr(0, at);
  }
  auto trace = read_trace(path);
  if (!trace) return tl::unexpected(trace.error());
  if (trace->config.setup.requests)
    return error("{} has requests of its own (it was shrunk): take the trace before that", path);
  auto beginning = beginning_of(*trace, steps);
  if (!beginning) return error("{}: {}", path, beginning.error());
  if (beginning->empty()) return error("{}: its beginning has no steps", path);
  options.beginning = *std::move(beginning);
  node_seed = trace->plan.node_seed;
  const RunText recorded = to_text(trace->config);
  if (text.system.name.empty()) text.system = recorded.system, text.bugs = recorded.bugs;
  if (text.nodes.empty()) text.nodes = recorded.nodes;
  text.world.insert(text.world.begin(), recorded.world.begin(), recorded.world.end());
  text.faults.insert(text.faults.begin(), recorded.faults.begin(), recorded.faults.end());
  return {};
}

Result<RunConfig> config_of(CheckFlags& f, CheckOptions& options) {
  f.run.need_system(f.from.empty());
  auto text = f.run.text();
  if (!text) return tl::unexpected(text.error());
  if (!text->explorer.name.empty()) options.search = text->explorer;
  text->explorer = {};
  std::uint64_t node_seed = 0;
  if (!f.from.empty())
    if (auto s = begin_like(f.from, options, *text, node_seed); !s)
      return tl::unexpected(s.error());
  if (!f.seed.empty()) {
    const auto seed = parse_integer(f.seed, 0, INT64_MAX);
    if (!seed) return error("seed {}", seed.error());
    node_seed = static_cast<std::uint64_t>(*seed);
  }
  auto config = make_config(*text);
  if (config) config->setup.node_seed = node_seed;
  return config;
}

int run_check(CheckFlags& f) {
  auto options = options_of(f);
  if (!options) return bad_input(options.error());
  auto config = config_of(f, *options);
  if (!config) return bad_input(config.error());

  catch_interrupts();
  Progress progress(f.quiet || f.json);
  const CheckListener listener = [&](const CheckProgress& p) { progress.show(p); };
  auto result = check::check(*config, *options, listener, interrupted());
  progress.clear();
  if (!result) return bad_input(result.error());
  if (result->counterexample) {
    const Trace& trace = *result->counterexample;
    if (auto made = make_directory(f.out); !made) return bad_input(made.error());
    if (auto written = write_trace(trace, file_name(f, trace)); !written)
      return bad_input(written.error());
    if (!f.json) print_counterexample(f, trace);
  }
  if (f.json) say("{}\n", to_json(json_result(f, *config, *result)));
  else print_result(*config, *options, *result);
  return exit_code(*result);
}

const Registration registered =
    verb<CheckFlags>(30, "check", "all schedules of a system, and what that proves", run_check);

}  // namespace
}  // namespace schism::cli
