// `schism replay`: a trace again.
#include <fmt/format.h>

#include "schism/base/text.hpp"
#include "schism/cli/command.hpp"
#include "schism/trace/trace.hpp"

namespace schism::cli {
namespace {

int run_replay(const std::string& path, bool json) {
  const auto trace = read_trace(path);
  if (!trace) return bad_input(trace.error());
  const ReplayReport report = replay(*trace);
  const auto& was = trace->violation;
  const auto& is = report.now.violation;
  const bool reproduced = is && (!was || was->property == is->property);
  const bool unreachable = was && !is && report.refused.has_value();
  const int code = is ? kViolation : unreachable ? kInconclusive : kFine;
  if (json) {
    Value out;
    out.set("trace", path);
    out.set("reproduced", reproduced);
    out.set("same", !report.difference.has_value());
    if (is) out.set("property", is->property), out.set("message", is->message);
    if (report.difference) {
      out.set("step", static_cast<std::int64_t>(report.difference->step));
      out.set("recorded", report.difference->recorded);
      out.set("now", report.difference->now);
    }
    fmt::print("{}\n", to_json(out));
    return code;
  }
  if (is)
    fmt::print("{}: {} is violated at step {}\n  {}\n",
               reproduced ? "reproduced" : "another violation", is->property, is->step,
               is->message);
  else if (!was) fmt::print("nothing is violated, as recorded\n");
  else if (unreachable)
    fmt::print("inconclusive: the find cannot be reached any more; step {} does not apply: {}\n",
               report.refused->first, refusal_text(report.refused->second));
  else
    fmt::print("not reproduced: all {} steps applied, and {} held\n", trace->steps.size() - 1,
               was->property);
  if (report.difference)
    fmt::print("the run differs from its recording at step {}\n  recorded: {}\n  now:      {}\n",
               report.difference->step, report.difference->recorded, report.difference->now);
  else fmt::print("{} steps, the same events as recorded\n", trace->steps.size() - 1);
  return code;
}

}  // namespace

Action add_replay(CLI::App& app) {
  struct Flags {
    std::string path;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  app.add_option("trace", flags->path, "a trace file, or - for standard input")->required();
  app.add_flag("--json", flags->json, "for programs");
  return [flags] { return run_replay(flags->path, flags->json); };
}

}  // namespace schism::cli
