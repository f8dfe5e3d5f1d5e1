// `schism model`: check a TLA+ specification.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/base/text.hpp"
#include "schism/base/value.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/model/replay.hpp"
#include "schism/tla/big_stack.hpp"
#include "schism/tla/simulate.hpp"
#include "schism/tla/tell.hpp"
#include "schism/tla/waypoints.hpp"

namespace schism::cli {
namespace {

using tla::Checker;
using tla::CheckLimits;
using tla::CheckReport;
using tla::Node;
using tla::Outcome;
using tla::Spec;
using tla::TraceStep;

struct ModelFlags {
  explicit ModelFlags(Flags& flags) : color(flags) {
    flags.example("schism model models/two_phase.tla",
                  "all states of a specification and its configuration");
    flags.example("schism model models/raft.tla --simulate 1000 --seed 7", "random behaviours");
    flags.option("spec", spec, "a .tla file").required();
    flags.option("--config", config, "its configuration (the .cfg file of the same name)");
    flags.option("--path", path, "a further folder with modules; may be repeated");
    flags.option("--states", states, "stop after so many distinct states");
    flags.option("--depth", depth, "stop after so many levels; with --simulate 100");
    flags.option("--simulate", simulate, "so many random behaviours instead of all");
    flags.option("--seed", seed, "of random behaviours and random operators (1)");
    flags.option("--jobs", jobs, "workers (1); the result is the same with any number");
    flags.option("--dump", dump, "write the graph of states as DOT to this file");
    flags.option("--itf", itf, "write a counterexample as ITF to this file");
    flags.option("--page", page, "write a counterexample as a page to this file");
    flags.option("--waypoints", waypoints,
                 "what holds on every way to this predicate, instead of checking");
    flags.option("--replay", replay, "follow this log, a JSON object a line, instead of checking");
    flags.option("--mapping", mapping, "which action an event of the log is: a TOML file");
    flags.flag("--no-deadlock", no_deadlock, "a state without successors is no error");
    flags.flag("--full", full, "show whole states, not only what changed");
    flags.flag("--coverage", coverage, "how often each action was taken");
    flags.flag("--json", json, "the result as JSON on standard output");
    flags.flag("--quiet", quiet, "no progress");
  }

  ColorFlag color;
  std::string spec, config, dump, itf, page, replay, mapping, waypoints;
  std::vector<std::string> path;
  std::uint64_t states = UINT64_MAX, depth = 0, simulate = 0, seed = 1, jobs = 1;
  bool no_deadlock = false, full = false, coverage = false, json = false, quiet = false;
};

double seconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// One rewriting line on a terminal, a line a minute otherwise.
class ModelProgress {
 public:
  explicit ModelProgress(bool quiet)
      : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0), begin_(seconds_now()) {}

  void show(const CheckReport& r) {
    if (quiet_) return;
    const double now = seconds_now() - begin_;
    if (now < next_) return;
    next_ = now + (terminal_ ? 0.2 : 60);
    if (!terminal_ && now < 59) return;
    if (terminal_) put_err("\r\x1b[K");
    say_aside("{} generated, {} distinct, {} to do, depth {}, {:.0f} states/s{}", r.generated,
              r.distinct, r.queue, r.depth, static_cast<double>(r.generated) / std::max(now, 1e-9),
              estimate(r, now));
    if (!terminal_) put_err("\n");
    drawn_ = terminal_;
  }
  void clear() {
    if (drawn_) put_err("\r\x1b[K");
    drawn_ = false;
  }
  double seconds() const { return seconds_now() - begin_; }

 private:
  // Of the states expanded lately, each brought so many new ones. Below one the queue comes to an
  // end; how far away that is can only be guessed, and not at all while the search still widens.
  std::string estimate(const CheckReport& r, double now) {
    const auto expanded = static_cast<double>(r.expanded),
               distinct = static_cast<double>(r.distinct);
    const double done = expanded - last_expanded_;
    if (done > 0) {
      const double brings = (distinct - last_distinct_) / done;
      brings_ = brings_ < 0 ? brings : 0.9 * brings_ + 0.1 * brings;
    }
    last_expanded_ = expanded;
    last_distinct_ = distinct;
    if (brings_ < 0 || brings_ > 0.95 || expanded == 0) return {};
    const double left = static_cast<double>(r.queue) / (1 - brings_);
    return fmt::format(", about {:.0f} s more", left * now / expanded);
  }

  bool quiet_, terminal_, drawn_ = false;
  double begin_, next_ = 0;
  double last_expanded_ = 0, last_distinct_ = 0, brings_ = -1;
};

std::string config_beside(const std::string& spec) {
  std::filesystem::path p(spec);
  p.replace_extension(".cfg");
  std::error_code ignored;
  return std::filesystem::exists(p, ignored) ? p.string() : std::string();
}

bool has_config_inside(const std::string& spec) {
  const auto text = read_file(spec);
  return text && !tla::config_inside(*text).empty();
}

std::string verdict(const CheckReport& r) {
  switch (r.outcome) {
    case Outcome::holds: return "holds";
    case Outcome::violated:
      return fmt::format("violated: {}{}", r.what, r.why.empty() ? "" : " (" + r.why + ")");
    case Outcome::deadlock: return "deadlock: the last state has no successor";
    case Outcome::failed: return fmt::format("error: {}", r.what);
    case Outcome::stopped: return fmt::format("inconclusive: {}", r.what);
  }
  return {};
}

int exit_code(const CheckReport& r) {
  switch (r.outcome) {
    case Outcome::holds: return r.unchecked.empty() ? kFine : kInconclusive;
    case Outcome::violated:
    case Outcome::deadlock: return kViolation;
    case Outcome::failed: return r.asserted ? kViolation : kBadInput;
    case Outcome::stopped: return interrupted().load() ? kInterrupted : kInconclusive;
  }
  return kOwnBug;
}

std::string action_name(const Spec& spec, const Node& a) {
  const std::string name = a.name != 0 ? spec.symbols().text(a.name) : "Next";
  return fmt::format("{} [{}]", name, spec.symbols().describe(a.where));
}

void print_report(const ModelFlags& f, Spec& spec, const CheckReport& r, double seconds) {
  if (!r.trace.empty()) {
    tla::TellOptions how;
    how.differences = !f.full;
    how.color = f.color.wanted(STDOUT_FILENO);
    say("{}\n\n{}\n", verdict(r), Shown{tla::tell_trace(spec, r, how), how.color});
  }
  if (f.coverage)
    for (std::size_t i = 0; i < spec.actions.size() && i < r.by_action.size(); ++i)
      say("  {}: {}\n", action_name(spec, *spec.actions[i]),
          r.by_action[i] == 0
              ? "never taken"
              : fmt::format("{} steps, {} to new states", r.by_action[i], r.new_by_action[i]));
  for (const std::string& w : r.warnings) say("warning: {}\n", w);
  say("{} generated, {} distinct, depth {} in {:.2f} s ({:.0f} states/s, {} MB)\n", r.generated,
      r.distinct, r.depth, seconds, static_cast<double>(r.generated) / std::max(seconds, 1e-9),
      r.bytes >> 20);
  for (const std::string& name : r.unchecked) say("not checked: the temporal part of {}\n", name);
  say("{}\n", verdict(r));
}

void print_json(const Spec& spec, const CheckReport& r, double seconds) {
  const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  static constexpr const char* kWords[] = {"holds", "violated", "deadlock", "error",
                                           "inconclusive"};
  schism::Value out;
  out.set("verdict", kWords[static_cast<int>(r.outcome)]);
  if (!r.what.empty()) out.set("what", r.what);
  if (!r.why.empty()) out.set("why", r.why);
  out.set("generated", number(r.generated));
  out.set("distinct", number(r.distinct));
  out.set("depth", number(r.depth));
  out.set("initial", number(r.initial));
  out.set("seconds", seconds);
  out.set("bytes", number(r.bytes));
  schism::Value::Array unchecked, warnings, trace;
  for (const std::string& name : r.unchecked) unchecked.emplace_back(name);
  for (const std::string& w : r.warnings) warnings.emplace_back(w);
  for (const TraceStep& step : r.trace) {
    schism::Value one, state;
    for (std::size_t i = 0; i < step.state.size(); ++i)
      state.set(spec.symbols().text(spec.variables()[i]), spec.print(step.state[i]));
    one.set("action", step.action);
    one.set("state", std::move(state));
    trace.push_back(std::move(one));
  }
  out.set("unchecked", std::move(unchecked));
  out.set("warnings", std::move(warnings));
  if (!trace.empty()) out.set("trace", std::move(trace));
  if (r.back_to) out.set("back_to", number(*r.back_to));
  put_out(to_json(out) + "\n");
}

std::string dot_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\l";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

struct Edges {
  std::string text;
  void add(const Spec& spec, std::uint32_t from, std::uint32_t to, const Node* action) {
    const std::string name =
        action != nullptr && action->name != 0 ? spec.symbols().text(action->name) : "";
    text += fmt::format("  {} -> {} [label=\"{}\"];\n", from, to, dot_text(name));
  }
};

CheckReport check_all(const ModelFlags& f, Spec& spec, ModelProgress& progress, Status& written) {
  CheckLimits limits;
  limits.states = f.states;
  if (f.depth > 0) limits.depth = f.depth;
  limits.deadlock = !f.no_deadlock;
  limits.seed = f.seed;
  limits.jobs = static_cast<unsigned>(f.jobs);
  limits.progress = [&](const CheckReport& r) { progress.show(r); };
  limits.print = [&](const std::string& text) {
    progress.clear();
    if (f.json) say_aside("{}\n", text);
    else say("{}\n", text);
  };
  Edges edges;
  if (!f.dump.empty())
    limits.edge = [&](std::uint32_t from, std::uint32_t to, const Node* a) {
      edges.add(spec, from, to, a);
    };
  Checker checker(spec, std::move(limits), interrupted());
  CheckReport report = checker.run();
  if (!f.dump.empty()) {
    std::string graph = "digraph states {\n  node [shape=box];\n";
    for (std::uint32_t i = 0; i < report.distinct; ++i)
      graph += fmt::format("  {} [label=\"{}\"];\n", i, dot_text(spec.print(checker.state(i))));
    written = write_file(f.dump, graph + edges.text + "}\n");
  }
  return report;
}

int run_loaded(const ModelFlags& f, Spec& spec) {
  ModelProgress progress(f.quiet || f.json);
  CheckReport report;
  Status written;
  if (f.simulate > 0) {
    tla::SimulateOptions options;
    options.runs = f.simulate;
    options.seed = f.seed;
    options.deadlock = !f.no_deadlock;
    if (f.depth > 0) options.depth = f.depth;
    report = tla::simulate(spec, options, interrupted());
  } else {
    report = check_all(f, spec, progress, written);
  }
  progress.clear();
  if (!written) return bad_input(written.error());
  if (!f.itf.empty() && !report.trace.empty())
    if (auto s = write_file(f.itf, tla::to_itf(spec, report)); !s) return bad_input(s.error());
  if (!f.page.empty() && !report.trace.empty())
    if (auto s = write_file(f.page, tla::to_page(spec, report)); !s) return bad_input(s.error());
  if (report.outcome == Outcome::failed && !report.asserted && report.trace.empty() && !f.json)
    return bad_input(report.what);
  if (f.json) print_json(spec, report, progress.seconds());
  else print_report(f, spec, report, progress.seconds());
  return exit_code(report);
}

void print_waypoints_json(const tla::Waypoints& found, const std::string& goal) {
  schism::Value out;
  schism::Value::Array list;
  for (const tla::Waypoint& w : found.found) {
    schism::Value one;
    one.set("predicate", w.text);
    one.set("depth", static_cast<std::int64_t>(w.depth));
    list.push_back(std::move(one));
  }
  out.set("goal", goal);
  out.set("states", static_cast<std::int64_t>(found.states));
  out.set("depth", static_cast<std::int64_t>(found.depth));
  out.set("waypoints", std::move(list));
  put_out(to_json(out) + "\n");
}

// Exit 3 where not all states could be seen: a way might be missing.
int run_waypoints(const ModelFlags& f, Spec& spec) {
  ModelProgress progress(f.quiet || f.json);
  CheckLimits limits;
  limits.states = f.states;
  if (f.depth > 0) limits.depth = f.depth;
  limits.jobs = static_cast<unsigned>(f.jobs);
  limits.progress = [&](const CheckReport& r) { progress.show(r); };
  const auto found = tla::find_waypoints(spec, f.waypoints, std::move(limits), interrupted());
  progress.clear();
  if (!found) return bad_input(found.error());
  if (found->outcome == Outcome::stopped) {
    say("inconclusive: {}\n", found->what);
    return interrupted().load() ? kInterrupted : kInconclusive;
  }
  if (found->outcome != Outcome::holds) return bad_input(found->what);
  if (f.json) {
    print_waypoints_json(*found, f.waypoints);
    return kFine;
  }
  if (found->depth == 0) {
    say("{} holds in none of {} states\n", f.waypoints, found->states);
    return kFine;
  }
  for (const tla::Waypoint& w : found->found) say("  depth {}: {}\n", w.depth, w.text);
  say("{} waypoint{} on every way to {}, which holds first at depth {} ({} states)\n",
      found->found.size(), found->found.size() == 1 ? "" : "s", f.waypoints, found->depth,
      found->states);
  return kFine;
}

// Exit 1 where an event is not possible; 3 where the mapping does not name all of them.
int run_replay(const ModelFlags& f) {
  if (f.mapping.empty()) return bad_input("--replay needs --mapping");
  const auto report = model::replay_log(f.spec, f.config, f.mapping, f.replay,
                                        [&](std::uint64_t line, const std::string& state) {
                                          if (f.full) say("line {}\n{}", line, Shown{state, false});
                                        });
  if (!report) return bad_input(report.error());
  if (report->failed_at != 0)
    say("line {}: {}\n{}", report->failed_at, report->why, Shown{report->last, false});
  if (report->failed_at != 0 && report->last_of > 1)
    say("nor in any other of the {} states that it may be in\n", report->last_of);
  for (const std::string& w : report->warnings) say("warning: {}\n", w);
  say("{} lines: {} mapped, {} ignored, {} not in the mapping, {} ambiguous; {} states visited\n",
      report->lines, report->mapped, report->ignored, report->unknown, report->ambiguous,
      report->states);
  if (report->failed_at != 0) return kViolation;
  if (report->mapped == 0) say("inconclusive: no event was mapped\n");
  const bool told = report->mapped > 0 && report->unknown == 0 && report->warnings.empty();
  return told ? kFine : kInconclusive;
}

int run_model(ModelFlags& f) {
  std::error_code ignored;
  if (!std::filesystem::exists(f.spec, ignored))
    return bad_input(fmt::format("{}: there is no such file", f.spec));
  if (f.jobs < 1 || f.jobs > 256) return bad_input("--jobs must be between 1 and 256");
  if (f.config.empty()) f.config = config_beside(f.spec);
  if (f.config.empty() && !has_config_inside(f.spec))
    return bad_input(
        fmt::format("{}: no configuration (a .cfg file beside it, a CONFIG section in it, or "
                    "--config): it must "
                    "say SPECIFICATION, or INIT and NEXT, and the values of all constants",
                    f.spec));
  catch_interrupts();
  int code = kOwnBug;
  if (f.replay.empty() && !f.mapping.empty()) return bad_input("--mapping needs --replay");
  tla::on_big_stack([&] {
    if (!f.replay.empty()) {
      code = run_replay(f);
      return;
    }
    tla::LoadOptions options;
    options.path = f.path;
    auto spec = Spec::load(f.spec, f.config, options);
    if (!spec) code = bad_input(spec.error());
    else code = f.waypoints.empty() ? run_loaded(f, **spec) : run_waypoints(f, **spec);
  });
  return code;
}

const Registration registered =
    verb<ModelFlags>(140, "model", "check a TLA+ specification", run_model);

}  // namespace
}  // namespace schism::cli
