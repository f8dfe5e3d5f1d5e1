// `schism waypoints`: a sequence of conditions for the explorer `waypoint`, worked out from ways to
// a target, from finds, from a find's scenario, or from what is rare.
#include <fmt/format.h>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/learn/propose.hpp"
#include "schism/scenario/progress.hpp"

namespace schism::cli {
namespace {

struct WaypointsFlags {
  explicit WaypointsFlags(Flags& flags) : run(flags) {
    flags.example("schism waypoints rsl --nodes 3",
                  "to the rarest condition that is met at random");
    flags.example("schism waypoints rsl --nodes 3 --target 'decided_diff(3)' --out way.txt",
                  "to this one; then: hunt rsl --explorer waypoint:to=@way.txt");
    flags.example("schism waypoints --find finds/1 --find finds/2",
                  "through what finds have in common");
    flags.example("schism waypoints --script bug.scenario",
                  "along the script that `schism scenario` made of a find");
    flags.option("--target", target, "a condition, or a name of the system's library");
    flags.option("--find", finds, "a trace, or the folder of a find").one_each();
    flags.option("--script", script, "a file of scenarios; its script is the way");
    flags.option("--episodes", episodes, "at random, that conditions are tried on").positive();
    flags.option("--most", most, "waypoints, the target among them").within(1, 60);
    flags.option("--out", out, "where the sequence goes, a line each");
    flags.flag("--json", json, "for programs");
    run.need_system(false);
  }
  RunFlags run;
  std::string target, script, out;
  std::vector<std::string> finds;
  std::uint64_t episodes = 1000;
  int most = 4;
  bool json = false;
};

// The system as it is asked for, else as the scenario has it.
Result<learn::Proposed> propose_along(const WaypointsFlags& f,
                                      const learn::ProposeOptions& options) {
  if (!f.target.empty() || !f.finds.empty()) return error("--script excludes --target and --find");
  auto text = f.run.text();
  if (!text) return tl::unexpected(text.error());
  if (f.run.system().empty()) {
    const auto found = scenario::read_script(f.script);
    if (!found) return tl::unexpected(found.error());
    const Spec explorer = text->explorer;
    text = found->run;
    text->explorer = explorer;
    text->steps.clear();
    text->tail.clear();
  }
  const auto config = make_config(*text);
  if (!config) return tl::unexpected(config.error());
  return learn::propose_along(*config, f.script, options, interrupted());
}

Result<learn::Proposed> propose(const WaypointsFlags& f) {
  learn::ProposeOptions options;
  options.episodes = f.episodes;
  options.most = static_cast<std::size_t>(f.most);
  if (!f.script.empty()) return propose_along(f, options);
  if (!f.finds.empty()) {
    if (!f.run.system().empty()) return error("a find says itself of which system it is");
    if (!f.target.empty()) return error("--target and --find exclude each other");
    std::vector<Trace> traces;
    for (const std::string& path : f.finds) {
      auto trace = read_trace(path);
      if (!trace) return tl::unexpected(trace.error());
      traces.push_back(*std::move(trace));
    }
    return learn::propose(traces, options, interrupted());
  }
  if (f.run.system().empty()) return error("a system is missing, or --find, or --script");
  const auto text = f.run.text();
  if (!text) return tl::unexpected(text.error());
  const auto config = make_config(*text);
  if (!config) return tl::unexpected(config.error());
  return learn::propose(*config, f.target, options, interrupted());
}

void tell(const WaypointsFlags& f, const learn::Proposed& proposed) {
  const auto number = [](std::uint64_t n) { return Value(static_cast<std::int64_t>(n)); };
  for (const auto& waypoint : proposed.waypoints) {
    if (f.json) {
      Value out;
      out.set("waypoint", waypoint.text);
      out.set("episodes", number(waypoint.episodes));
      out.set("of", number(proposed.episodes));
      say("{}\n", to_json(out));
    } else {
      say("{:<60} held in {} of {} episodes at random\n", waypoint.text, waypoint.episodes,
          proposed.episodes);
    }
  }
  if (!f.json)
    say("\n{} conditions were tried on {} ways. --explorer {}\n", proposed.tried, proposed.ways,
        f.out.empty() ? quote("waypoint:to=\"" + proposed.text() + "\"")
                      : quote("waypoint:to=@" + f.out));
}

int run_waypoints(const WaypointsFlags& f) {
  catch_interrupts();
  if (auto good = can_write(f.out); !good) return bad_input(good.error());
  const auto proposed = propose(f);
  if (interrupted()) return kInterrupted;
  if (!proposed) return bad_input(proposed.error());
  if (!f.out.empty()) {
    std::string lines;
    for (const auto& waypoint : proposed->waypoints) lines += waypoint.text + "\n";
    if (auto kept = write_file(f.out, lines); !kept) return bad_input(kept.error());
  }
  tell(f, *proposed);
  return kFine;
}

const Registration registered = verb<WaypointsFlags>(
    93, "waypoints", "a sequence for the explorer waypoint, worked out from runs", run_waypoints);

}  // namespace
}  // namespace schism::cli
