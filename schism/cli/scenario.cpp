// `schism scenario`: a find turned into scenarios that survive changes of the code.
#include <fmt/format.h>

#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/scenario/from_trace.hpp"
#include "schism/shrink/shrink.hpp"

namespace schism::cli {
namespace {

struct ScenarioFlags {
  explicit ScenarioFlags(Flags& flags) {
    flags.example("schism scenario bug.trace",
                  "a script that plays it, and what of it matters, in bug.scenario");
    flags.example("schism scenario bug.trace --cpp bug_test.cpp", "as GoogleTest source too");
    flags.option("trace", path, "a trace file, the folder of a find, or - for standard input")
        .required();
    flags.option("-o,--out", out, "where the scenarios go (NAME.scenario; - is standard output)");
    flags.option("--cpp", cpp, "write them as GoogleTest source there too");
    flags.option("--effort", effort, "millions of steps that may be tried").positive();
    flags.flag("--script-only", script_only, "without the open one, which takes longer");
    flags.flag("--as-is", as_is, "do not shrink the trace first");
    flags.flag("--json", json, "for programs");
  }

  std::string path, out, cpp;
  std::uint64_t effort = 40;
  bool script_only = false, as_is = false, json = false;
};

constexpr std::uint64_t kRuns = 100;

struct Row {
  std::string form;
  std::size_t size = 0;
  std::int64_t random = 0, pctcp = 0, pos = 0, more = -1;  // of 100; -1: cannot be tried
};

Row measure(const scenario::Scenario& s, const std::string& form, const std::string& property) {
  const auto rate = [&](const scenario::Scenario& one) {
    return static_cast<std::int64_t>(scenario::judge(one, property, kRuns).violated);
  };
  Row out;
  out.form = form;
  out.size = scenario::size_of(s);
  out.random = rate(s);
  out.pctcp = rate(scenario::under(s, "pctcp"));
  out.pos = rate(scenario::under(s, "pos"));
  if (const auto larger = scenario::with_more_nodes(s, 2)) out.more = rate(*larger);
  return out;
}

// bug.trace -> bug.scenario; the folder of a find -> bug.scenario in it
std::string beside(const std::string& path) {
  if (path == "-") return "bug.scenario";
  std::string stem = path;
  while (stem.size() > 1 && stem.ends_with("/")) stem.pop_back();
  if (std::filesystem::is_directory(stem)) return stem + "/bug.scenario";
  for (const char* ending : {".zst", ".trace"})
    if (stem.ends_with(ending)) stem.resize(stem.size() - std::string_view(ending).size());
  return stem + ".scenario";
}

std::string more_text(const Row& row) { return row.more < 0 ? "-" : std::to_string(row.more); }

void tell(const ScenarioFlags& f, const scenario::Script& script, const std::vector<Row>& rows,
          const std::string& out) {
  if (f.json) {
    for (const Row& row : rows) {
      Value v;
      v.set("form", row.form);
      v.set("property", script.property);
      v.set("actions", static_cast<std::int64_t>(script.actions));
      v.set("filters", static_cast<std::int64_t>(row.size));
      v.set("random", row.random);
      v.set("pctcp", row.pctcp);
      v.set("pos", row.pos);
      if (row.more >= 0) v.set("two_nodes_more", row.more);
      v.set("file", out);
      say("{}\n", to_json(v));
    }
    return;
  }
  say("{}: {} actions\n\n", script.property, script.actions);
  say("          steps and filters   random   pctcp   pos   two nodes more   (runs of {})\n",
      kRuns);
  for (const Row& row : rows)
    say("  {:<7} {:>18} {:>8} {:>7} {:>5} {:>16}\n", row.form, row.size, row.random, row.pctcp,
        row.pos, more_text(row));
  if (script.fixed > 0)
    say("\n{} of {} nodes keep their numbers: no other node can play them\n", script.fixed,
        script.roles);
}

int run_scenario(const ScenarioFlags& f) {
  auto trace = read_trace(f.path);
  if (!trace) return bad_input(trace.error());
  if (!trace->violation) return bad_input(f.path + ": the trace has no violation");
  catch_interrupts();
  if (!f.as_is) {
    auto small = shrink(*trace, {}, interrupted());
    if (!small) return bad_input(small.error());
    trace = std::move(small->trace);
  }
  auto script = scenario::script_of(*trace);
  if (!script) return bad_input(f.path + ": " + script.error());
  script->scenario.name += ", as it happened";
  std::vector<scenario::Scenario> all = {script->scenario};
  std::vector<Row> rows = {measure(all[0], "script", script->property)};
  if (!f.script_only) {
    scenario::OpenOptions options;
    options.steps_max = f.effort * 1'000'000;
    all.push_back(scenario::opened(*script, options, interrupted()).scenario);
    all.back().name = script->property + ", what of it matters";
    rows.push_back(measure(all.back(), "open", script->property));
  }
  std::string text = fmt::format("# {} by {}: {} actions. Written by `schism scenario`.\n",
                                 script->property, print_spec(all[0].run.system), script->actions);
  for (const Row& row : rows)
    text += fmt::format(
        "# {}: {} steps and filters; of {} runs {} violate it under random, {} under pctcp, {} "
        "under "
        "pos, {} with two nodes more.\n",
        row.form, row.size, kRuns, row.random, row.pctcp, row.pos, more_text(row));
  for (const scenario::Scenario& s : all) text += "\n" + print(s);
  const std::string out = f.out.empty() ? beside(f.path) : f.out;
  if (auto written = write_file(out, text); !written) return bad_input(written.error());
  if (!f.cpp.empty())
    if (auto written = write_file(f.cpp, cpp_source(all)); !written)
      return bad_input(written.error());
  if (out == "-") return kFine;
  tell(f, *script, rows, out);
  if (f.json) return kFine;
  say("\nplay them:  {} test {}\n", quote(program_name()), quote(out));
  say("written:    {}\n", out);
  if (!f.cpp.empty()) say("            {}\n", f.cpp);
  return kFine;
}

const Registration registered = verb<ScenarioFlags>(
    62, "scenario", "turn a found trace into scenarios that reproduce it", run_scenario);

}  // namespace
}  // namespace schism::cli
