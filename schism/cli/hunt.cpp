// `schism hunt`: many schedules of one system.
#include <fmt/format.h>
#include <unistd.h>

#include <thread>

#include "schism/base/file.hpp"
#include "schism/base/text.hpp"
#include "schism/campaign/hunt.hpp"
#include "schism/cli/command.hpp"
#include "schism/trace/story.hpp"

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
    app.add_flag("--json", json, "the result as JSON on standard output");
    app.add_flag("--quiet", quiet, "no progress");
  }

  RunFlags run;
  ColorFlag color;
  std::string seed, runs, time, jobs, out;
  bool keep_going = false, json = false, quiet = false;
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
      fmt::print(stderr, "\r\x1b[K{}", progress_line(p, finds));
      drawn_ = true;
    } else if (p.seconds >= next_) {
      next_ += 60;
      fmt::print(stderr, "{}\n", progress_line(p, finds));
    }
  }
  void clear() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
    drawn_ = false;
  }

 private:
  bool quiet_, terminal_, drawn_ = false;
  double next_ = 60;
};

std::string file_name(const HuntFlags& f, const Find& find) {
  std::string slug;
  for (const char c : find.trace.violation->property)
    slug += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return fmt::format("{}/{}-{}-{}.trace", f.out, find.trace.config.setup.system->name, slug,
                     find.trace.run);
}

void print_find(const HuntFlags& f, const Find& find) {
  const Trace& t = find.trace;
  const Violation& v = *t.violation;
  fmt::print("{} is violated at step {}, in run {} (seed {})\n  {}\n\n", v.property, v.step, t.run,
             t.plan.seed, printable(v.message));
  StoryOptions story;
  story.color = f.color.wanted(STDOUT_FILENO);
  story.width = terminal_width();
  story.rows_max = 60;
  fmt::print("{}\n", tell(t, story));
  const std::string path = file_name(f, find);
  const std::string program = quote(program_name());
  fmt::print("reproduce:  {} replay {}\n", program, quote(path));
  fmt::print("or anew:    {} hunt {} --seed {} --runs 1\n", program, to_flags(t.config),
             t.plan.seed);
  fmt::print("written:    {}\n\n", path);
}

Value json_result(const HuntFlags& f, const RunConfig& config, const HuntResult& r) {
  Value out;
  out.set("system", config.setup.system->name);
  out.set("command", "schism hunt " + to_flags(config));
  out.set("runs", static_cast<std::int64_t>(r.totals.runs));
  out.set("steps", static_cast<std::int64_t>(r.totals.steps));
  out.set("deliveries", static_cast<std::int64_t>(r.totals.deliveries));
  out.set("violated", static_cast<std::int64_t>(r.totals.violated));
  out.set("distinct", static_cast<std::int64_t>(r.totals.distinct()));
  out.set("seconds", r.totals.seconds);
  Value::Array finds;
  for (const Find& find : r.finds) {
    Value item;
    item.set("property", find.trace.violation->property);
    item.set("message", find.trace.violation->message);
    item.set("step", static_cast<std::int64_t>(find.trace.violation->step));
    item.set("run", static_cast<std::int64_t>(find.trace.run));
    item.set("seed", std::to_string(find.trace.plan.seed));
    item.set("count", static_cast<std::int64_t>(find.count));
    item.set("trace", file_name(f, find));
    finds.push_back(std::move(item));
  }
  out.set("finds", std::move(finds));
  const auto names = [](const std::vector<std::string>& list) {
    Value::Array a;
    for (const std::string& name : list) a.emplace_back(name);
    return a;
  };
  out.set("vacuous", names(r.vacuous));
  out.set("unjudged", names(r.unjudged));
  out.set("interrupted", r.interrupted);
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
  if (!r.finds.empty()) return kViolation;
  if (r.interrupted) return kInterrupted;
  return r.vacuous.empty() && r.unjudged.empty() ? kFine : kInconclusive;
}

void print_result(const HuntResult& r) {
  const double s = std::max(r.totals.seconds, 1e-9);
  fmt::print("{}{} run{}, ~{} distinct, {} steps in {:.2f} s ({} runs/s, {} steps/s)\n",
             r.interrupted ? "interrupted after " : "", r.totals.runs,
             r.totals.runs == 1 ? "" : "s", r.totals.distinct(), r.totals.steps, r.totals.seconds,
             rate(static_cast<double>(r.totals.runs) / s),
             rate(static_cast<double>(r.totals.steps) / s));
  if (r.nondeterminism) {
    const Nondeterminism& n = *r.nondeterminism;
    fmt::print(
        "nondeterministic: run {} (seed {}) went differently when it was repeated, at step {}\n"
        "  first:  {}\n  second: {}\n",
        n.run, n.plan.seed, n.difference.step, n.difference.recorded, n.difference.now);
    return;
  }
  for (const Find& find : r.finds)
    fmt::print("{}: violated in {} run{}, first in run {}\n", find.trace.violation->property,
               find.count, find.count == 1 ? "" : "s", find.trace.run);
  if (!r.finds.empty()) return;
  fmt::print("nothing wrong found\n");
  for (const std::string& name : r.vacuous)
    fmt::print("inconclusive: no run showed \"{}\"\n", name);
  for (const std::string& name : r.unjudged)
    fmt::print("inconclusive: no run could judge \"{}\": none had a fair end\n", name);
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
  listener.found = [&](const Find& find) -> Status {
    if (auto made = make_directory(f.out); !made) return made;
    if (auto written = write_trace(find.trace, file_name(f, find)); !written) return written;
    progress.clear();
    if (!f.json) print_find(f, find);
    std::fflush(stdout);
    return {};
  };
  auto result = hunt(*config, *options, listener, interrupted());
  progress.clear();
  if (!result) return bad_input(result.error());
  if (f.json) fmt::print("{}\n", to_json(json_result(f, *config, *result)));
  else print_result(*result);
  return exit_code(*result);
}

}  // namespace

Action add_hunt(CLI::App& app) {
  const auto flags = std::make_shared<HuntFlags>(app);
  return [flags] { return run_hunt(*flags); };
}

}  // namespace schism::cli
