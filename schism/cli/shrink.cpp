// `schism shrink`: a found trace told as briefly as it can be.
#include <fmt/format.h>
#include <unistd.h>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/draw/story.hpp"
#include "schism/shrink/shrink.hpp"
#include "schism/trace/claim.hpp"

namespace schism::cli {
namespace {

struct ShrinkFlags {
  explicit ShrinkFlags(Flags& flags) : color(flags) {
    flags.example("schism shrink bug.trace", "a smaller run with the same violation, beside it");
    flags.example("schism shrink bug.trace -o small.trace --replays 10000",
                  "to a name of your own, with at most so many tries");
    flags.option("trace", path, "a trace file, or - for standard input").required();
    flags.option("-o,--out", out, "where the small one goes (NAME.small.trace)");
    flags.option("--replays", replays, "how many runs it may try").positive();
    flags.flag("--json", json, "for programs");
  }

  std::string path, out;
  std::uint64_t replays = ShrinkOptions{}.replays_max;
  bool json = false;
  ColorFlag color;
};

// bug.trace -> bug.small.trace
std::string beside(const std::string& path, const std::string& what) {
  if (path == "-") return what + ".trace";
  std::string stem = path;
  for (const char* ending : {".zst", ".trace"})
    if (stem.ends_with(ending)) stem.resize(stem.size() - std::string_view(ending).size());
  return stem + "." + what + ".trace";
}

Value json_size(const OutlineSize& s) {
  Value out;
  out.set("nodes", s.nodes);
  out.set("faults", static_cast<std::int64_t>(s.faults));
  out.set("operations", static_cast<std::int64_t>(s.operations));
  out.set("actions", static_cast<std::int64_t>(s.actions));
  out.set("inversions", static_cast<std::int64_t>(s.inversions));
  return out;
}

int run_shrink(const ShrinkFlags& f) {
  const auto trace = read_trace(f.path);
  if (!trace) return bad_input(trace.error());
  catch_interrupts();
  ShrinkOptions options;
  options.replays_max = f.replays;
  const auto small = shrink(*trace, options, interrupted());
  if (!small) return bad_input(small.error());
  const std::string out = f.out.empty() ? beside(f.path, "small") : f.out;
  if (auto written = write_trace(small->trace, out); !written) return bad_input(written.error());
  std::vector<std::string> others;
  const bool alone = !names_a_file(out);  // a pipe has nothing beside it
  for (std::size_t i = 0; i < small->others.size() && !alone; ++i) {
    others.push_back(beside(out, fmt::format("other-{}", i + 1)));
    if (auto w = write_trace(small->others[i], others.back()); !w) return bad_input(w.error());
  }
  if (out == "-") return kFine;
  const std::string fifo = small->fifo && !alone ? beside(out, "fifo") : "";
  if (!fifo.empty())
    if (auto w = write_trace(*small->fifo, fifo); !w) return bad_input(w.error());
  if (f.json) {
    Value v;
    v.set("trace", out);
    v.set("before", json_size(small->before));
    v.set("after", json_size(small->after));
    v.set("replays", static_cast<std::int64_t>(small->replays));
    v.set("minimal", small->certificate.minimal);
    v.set("certificate_replays", static_cast<std::int64_t>(small->certificate.replays));
    if (!fifo.empty()) v.set("fifo", fifo);
    Value::Array list;
    for (const std::string& other : others) list.emplace_back(other);
    v.set("others", std::move(list));
    say("{}\n", to_json(v));
    return kFine;
  }
  const Violation& v = *small->trace.violation;
  say("{} is violated at step {}\n  {}\n  {}\n", v.property, v.step, v.message, describe(*small));
  if (const std::string note = claim_note(small->trace); !note.empty()) say("  {}\n", note);
  if (small->any_order) say("  {}\n", describe_order(*small));
  say("\n");
  StoryOptions story;
  story.color = f.color.wanted(STDOUT_FILENO);
  story.width = terminal_width();
  say("{}\n", Shown{tell(small->trace, story), story.color});
  say("reproduce:  {} replay {}\n", quote(program_name()), quote(out));
  say("written:    {}\n", out);
  if (!fifo.empty()) say("FIFO links: {}\n", fifo);
  for (std::size_t i = 0; i < others.size(); ++i)
    say("on the way: {} is violated too: {}\n", small->others[i].violation->property, others[i]);
  return kFine;
}

const Registration registered =
    verb<ShrinkFlags>(60, "shrink", "make a found trace as small as it can be", run_shrink);

}  // namespace
}  // namespace schism::cli
