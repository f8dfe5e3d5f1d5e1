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
#include "schism/draw/format.hpp"
#include "schism/draw/story.hpp"
#include "schism/guard/child.hpp"
#include "schism/trace/claim.hpp"

namespace schism::cli {
namespace {

constexpr std::uint64_t kRunsByDefault = 10'000;

struct HuntFlags {
  explicit HuntFlags(CLI::App& app) : run(app), color(app) {
    run.allow_in_file({"seed", "runs", "time", "jobs", "out", "keep-going"});
    app.add_option("--seed", seed, "the first seed (1)");
    app.add_option("--runs", runs, "how many runs (10000, or no limit with --time)");
    app.add_option("--time", time, "how long, such as 60s");
    app.add_option("--jobs", jobs, "worker processes (1); what is found does not depend on it");
    app.add_option("--out", out, "folder for traces (schism-out)");
    app.add_flag("--keep-going", keep_going, "do not end with the first violation");
    app.add_flag("--no-shrink", no_shrink, "leave finds as long as they are");
    app.add_option("--junit", junit, "the result as JUnit XML, to this file");
    app.add_flag("--json", json, "the result as JSON on standard output");
    app.add_flag("--quiet", quiet, "no progress");
  }

  RunFlags run;
  ColorFlag color;
  std::string seed, runs, time, jobs, out, junit;
  bool keep_going = false, no_shrink = false, json = false, quiet = false;
};

Result<HuntOptions> options_of(HuntFlags& f) {
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

std::string progress_line(const HuntProgress& p, std::size_t finds) {
  const double s = std::max(p.seconds, 1e-9);
  std::string line =
      fmt::format("{} runs, ~{} distinct, {} runs/s, {} steps/s", p.runs, p.distinct(),
                  rate(static_cast<double>(p.runs) / s), rate(static_cast<double>(p.steps) / s));
  if (p.simulated_us > 0)
    line += fmt::format(", {:.0f} s simulated a second",
                        static_cast<double>(p.simulated_us) * 1e-6 / s);
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
      say_aside("\r\x1b[K{}", progress_line(p, finds));
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

// One folder a bug: toy-consensus-agreement, toy-consensus-agreement-2, ...
class Shelf {
 public:
  explicit Shelf(std::string out) : out_(std::move(out)) {}

  std::string folder(const Find& find) {
    const std::string key = find.trace.violation->property + "\n" + find.evidence;
    const auto known = folders_.find(key);
    if (known != folders_.end()) return known->second;
    std::string slug;
    for (const char c : find.trace.violation->property)
      slug += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
    const int nth = ++of_property_[slug];
    std::string name = fmt::format("{}/{}-{}", out_, find.trace.config.setup.system->name, slug);
    if (nth > 1) name += fmt::format("-{}", nth);
    return folders_[key] = name;
  }

  Status write(const Find& find) {
    const std::string at = folder(find);
    if (auto made = make_directory(out_); !made) return made;
    if (auto made = make_directory(at); !made) return made;
    if (emptied_.insert(at).second) forget_shapes(at);
    if (auto w = write_trace(find.smallest(), at + "/bug.trace"); !w) return w;
    if (find.small)
      if (auto w = write_trace(find.trace, at + "/original.trace"); !w) return w;
    if (find.small && find.small->fifo)
      if (auto w = write_trace(*find.small->fifo, at + "/fifo.trace"); !w) return w;
    for (std::size_t i = 1; i < find.shapes.size(); ++i) {
      const auto& shape = find.shapes[i];
      const auto path = fmt::format("{}/shape-{}.trace", at, to_hex(shape.shape).substr(0, 8));
      if (auto w = write_trace(shape.smallest, path); !w) return w;
    }
    draw::DrawOptions page;
    page.replay = fmt::format("{} replay {}", quote(program_name()), quote(at + "/bug.trace"));
    if (auto w = write_file(at + "/bug.html", html_of(find.smallest(), page)); !w) return w;
    return write_file(at + "/bug.json", to_json(describe(find)) + "\n");
  }

  Value describe(const Find& find) {
    const Violation& v = *find.smallest().violation;
    Value item;
    item.set("property", v.property);
    item.set("message", v.message);
    item.set("beyond_claim", beyond_of(find.smallest()));
    item.set("evidence", find.evidence);
    item.set("step", static_cast<std::int64_t>(v.step));
    item.set("run", static_cast<std::int64_t>(find.trace.run));
    item.set("seed", std::to_string(find.trace.plan.seed));
    item.set("count", static_cast<std::int64_t>(find.count));
    if (const auto& repeats = find.smallest().repeats) {
      item.set("repeated", static_cast<std::int64_t>(repeats->times));
      item.set("repetitions", static_cast<std::int64_t>(repeats->of));
    }
    item.set("trace", folder(find) + "/bug.trace");
    item.set("actions", static_cast<std::int64_t>(find.smallest().steps.size() - 1));
    item.set("actions_before", static_cast<std::int64_t>(find.trace.steps.size() - 1));
    if (find.small) {
      item.set("minimal", find.small->certificate.minimal);
      if (find.small->any_order) item.set("fifo_suffices", find.small->in_order);
    }
    Value::Array shapes;
    for (const ShapeGroup& group : find.shapes) {
      Value shape;
      shape.set("shape", to_hex(group.shape));
      shape.set("count", static_cast<std::int64_t>(group.count));
      shape.set("actions", static_cast<std::int64_t>(group.smallest.steps.size() - 1));
      Value::Array seeds;
      for (const std::uint64_t seed : group.seeds) seeds.emplace_back(std::to_string(seed));
      shape.set("seeds", std::move(seeds));
      shapes.push_back(std::move(shape));
    }
    item.set("shapes", std::move(shapes));
    return item;
  }

 private:
  static Value beyond_of(const Trace& trace) {
    return kinds_value(beyond_claim(trace.config.setup, faults_in(trace)));
  }

  // Drawing plays the run: where that is dangerous, elsewhere.
  static std::string html_of(const Trace& trace, const draw::DrawOptions& page) {
    if (!is_guarded(trace.config.setup)) return draw::draw_html(trace, page);
    return guard::in_child([&] { return draw::draw_html(trace, page); }, interrupted())
        .value_or("");
  }

  // Those of a hunt before this one.
  static void forget_shapes(const std::string& folder) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
      const std::string name = entry.path().filename();
      if (name == "fifo.trace" || (name.starts_with("shape-") && name.ends_with(".trace")))
        std::filesystem::remove(entry.path(), ignored);
    }
  }

  std::string out_;
  std::set<std::string> emptied_;
  std::map<std::string, std::string> folders_;
  std::map<std::string, int> of_property_;
};

void print_find(const HuntFlags& f, const Find& find, const std::string& folder) {
  const Trace& t = find.smallest();
  const Violation& v = *t.violation;
  say("{} is violated at step {}, in run {} (seed {})\n  {}\n", v.property, v.step, t.run,
      t.plan.seed, v.message);
  if (const std::string note = claim_note(t); !note.empty()) say("  {}\n", note);
  if (const std::string note = repeats_note(t); !note.empty()) say("  {}\n", note);
  if (find.small) say("  {}\n", describe(*find.small));
  if (find.small && find.small->any_order) say("  {}\n", describe_order(*find.small));
  StoryOptions story;
  story.color = f.color.wanted(STDOUT_FILENO);
  story.width = terminal_width();
  story.rows_max = 120;
  say("\n{}\n", Shown{tell(t, story), story.color});
  const std::string path = folder + "/bug.trace";
  const std::string program = quote(program_name());
  say("reproduce:  {} replay {}\n", program, quote(path));
  say("or anew:    {} hunt {} --seed {} --runs 1\n", program, to_flags(find.trace.config),
      t.plan.seed);
  say("page:       {}/bug.html\n", folder);
  say("written:    {}\n\n", folder);
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
  const FaultKinds tried = kinds_of(config.setup.options.faults);
  out.set("faults_tried", kinds_value(tried));
  if (const auto& survives = config.setup.system->survives)
    out.set("survives", kinds_value(survives(config.setup)));
  out.set("beyond_claim", kinds_value(beyond_claim(config.setup, tried)));
  Value::Array finds;
  for (const Find& find : r.finds) finds.push_back(shelf.describe(find));
  out.set("finds", std::move(finds));
  const auto names = [](const std::vector<std::string>& list) {
    Value::Array a;
    for (const std::string& name : list) a.emplace_back(name);
    return a;
  };
  out.set("vacuous", names(r.vacuous));
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
  if (!r.finds.empty() || !r.leaks.empty()) return kViolation;
  if (r.interrupted) return kInterrupted;
  return r.vacuous.empty() && r.unjudged.empty() ? kFine : kInconclusive;
}

void print_result(const RunConfig& config, const HuntResult& r) {
  const double s = std::max(r.totals.seconds, 1e-9);
  say("{}{} run{}, ~{} distinct, {} steps in {:.2f} s ({} runs/s, {} steps/s)\n",
      r.interrupted ? "interrupted after " : "", r.totals.runs, r.totals.runs == 1 ? "" : "s",
      r.totals.distinct(), r.totals.steps, r.totals.seconds,
      rate(static_cast<double>(r.totals.runs) / s), rate(static_cast<double>(r.totals.steps) / s));
  if (r.nondeterminism) {
    const Nondeterminism& n = *r.nondeterminism;
    say("nondeterministic: run {} (seed {}) went differently when it was repeated, at step {}\n"
        "  first:  {}\n  second: {}\n",
        n.run, n.plan.seed, n.difference.step, n.difference.recorded, n.difference.now);
    return;
  }
  for (const Leak& leak : r.leaks) {
    say("state leaks between runs: in the batch from run {} on, run {} (seed {}) ends with\n"
        "  {}\nand alone it does not",
        leak.first, leak.run, leak.plan.seed, leak.what);
    if (leak.left_by) say("; after run {} alone it does", *leak.left_by);
    say("\n");
  }
  for (const Find& find : r.finds) {
    const std::size_t shapes = find.shapes.size();
    say("{}: violated in {} run{}, first in run {}", find.trace.violation->property, find.count,
        find.count == 1 ? "" : "s", find.trace.run);
    say("{}", shapes > 1 ? fmt::format(", {} shapes", shapes) : "");
    const Trace& t = find.smallest();
    const FaultKinds beyond = beyond_claim(t.config.setup, faults_in(t));
    say("{}\n", beyond.empty() ? "" : ", beyond its claim: " + beyond.text());
  }
  if (r.finds.empty() && r.leaks.empty()) say("nothing wrong found\n");
  if (const std::string note = claim_note(config.setup); !note.empty()) say("{}\n", note);
  if (!r.finds.empty() || !r.leaks.empty()) return;
  for (const std::string& name : r.vacuous) say("inconclusive: no run showed \"{}\"\n", name);
  for (const std::string& name : r.unjudged)
    say("inconclusive: no run could judge \"{}\": none had a fair end\n", name);
}

// A test case a property that was violated; one that passed where none was.
std::string junit_of(const RunConfig& config, const HuntResult& r) {
  std::vector<JUnitCase> cases;
  const std::string suite = "hunt " + config.setup.system->name;
  for (const Find& find : r.finds) {
    const Violation& v = *find.smallest().violation;
    StoryOptions story;
    story.rows_max = 200;
    const std::string note = claim_note(find.smallest());
    cases.push_back({suite,
                     v.property,
                     fmt::format("{}\n{}{}\n{}", v.message, note, note.empty() ? "" : "\n",
                                 tell(find.smallest(), story)),
                     {}});
  }
  for (const Leak& leak : r.leaks)
    cases.push_back({suite, "state leaks between runs", leak.what, {}});
  if (r.nondeterminism) cases.push_back({suite, "determinism", "a run did not repeat", {}});
  const bool clean = cases.empty();  // a hunt that ended with a find could not judge everything
  for (const std::string& name : clean ? r.vacuous : std::vector<std::string>{})
    cases.push_back({suite, name, {}, "no run showed it"});
  for (const std::string& name : clean ? r.unjudged : std::vector<std::string>{})
    cases.push_back({suite, name, {}, "no run could judge it"});
  if (cases.empty()) cases.push_back({suite, fmt::format("{} runs", r.totals.runs), {}, {}});
  return junit_xml("schism hunt " + to_flags(config), cases);
}

int run_hunt(HuntFlags& f) {
  auto options = options_of(f);
  if (!options) return bad_input(options.error());
  auto text = f.run.text();
  if (!text) return bad_input(text.error());
  auto config = make_config(*text);
  if (!config) return bad_input(config.error());

  catch_interrupts();
  ProgressPrinter progress(f.quiet || f.json);
  HuntListener listener;
  listener.progress = [&](const HuntProgress& p, std::size_t finds) { progress.show(p, finds); };
  Shelf shelf(f.out);
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
    if (auto written = shelf.write(find); !written) return bad_input(written.error());
  if (!f.junit.empty())
    if (auto w = write_file(f.junit, junit_of(*config, *result)); !w) return bad_input(w.error());
  if (f.json) say("{}\n", to_json(json_result(shelf, *config, *result)));
  else print_result(*config, *result);
  return exit_code(*result);
}

}  // namespace

Action add_hunt(CLI::App& app) {
  const auto flags = std::make_shared<HuntFlags>(app);
  return [flags] { return run_hunt(*flags); };
}

}  // namespace schism::cli
