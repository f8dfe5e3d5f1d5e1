// A run as recorded: what decided it, each step with what happened, and the verdict. A file of JSON
// lines (zstd when its name ends in .zst): a head, a line a step, an end. Written by replaying a
// run that is kept; read as outside input: a damaged file gets an error that names the line.
//
//   Result<Trace> t = read_trace("bug.trace");
//   ReplayReport r = replay(*t);
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schism/base/lines.hpp"
#include "schism/run/config.hpp"
#include "schism/schedule/replay.hpp"

namespace schism {

// 2: requests of its own; 3: a death; 4: free actions, labels, macro steps inside others; 5: liars.
inline constexpr int kTraceVersion = 5, kLiarsVersion = 5;

// How large a run was before it was made smaller.
struct ShrunkFrom {
  std::uint64_t actions = 0;
  int nodes = 0;
};

// How often a run whose world replays as best it can went wrong again when it was repeated.
struct Repeats {
  std::uint32_t times = 0, of = 0;
};

struct Trace {
  RunConfig config;
  RunPlan plan;                 // the seeds that gave it, for the reader
  std::uint64_t run = 0;        // how-manieth of its hunt
  std::vector<Recorded> steps;  // the first holds the start: no action, its events
  bool fair = false;            // it ended fairly: `eventually` was judged. For the reader: whoever
                                // plays it finds out by himself
  std::optional<Violation> violation;
  Hash128 run_class;
  std::optional<ShrunkFrom> shrunk_from;
  std::optional<Repeats> repeats;  // nothing: it replays exactly
  std::string
      checked_by;  // the search of `check` that found it, with parameters; empty: a hunt did
};

// Text of a whole file, without compression. Deterministic.
std::string to_text(const Trace& trace);
// `name` is for messages: "bug.trace, line 3: ...".
Result<Trace> parse_trace(std::string_view text, const std::string& name);

// "-": standard input; the folder of a find: its smallest run.
Result<Trace> read_trace(const std::string& path);
Result<Source> trace_source(const std::string& path);
// For runs that do not fit into memory: `look` sees each step with its events, which are then
// forgotten, or all of the step is. Without it everything is kept.
enum class Keep : std::uint8_t { decisions, nothing };
using StepLook = std::function<void(const Trace& so_far, const Recorded& step)>;
Result<Trace> read_trace(const Source& source, const StepLook& look, Keep keep = Keep::decisions);
Status write_trace(const Trace& trace, const std::string& path);  // complete or not at all
// All traces in a folder and the folders in it, sorted.
Result<std::vector<std::string>> list_traces(const std::string& folder);

// The run again, event by event. `decisions` are those of a world after the run.
Trace make_trace(const RunConfig& config, const RunPlan& plan, std::uint64_t run,
                 std::vector<Recorded> decisions, FairEnd end = FairEnd::healed);

// A run as it happens, under any scheduler; for worlds in which it may not happen again.
Trace record_run(const RunConfig& config, const RunPlan& plan, std::uint64_t run,
                 Scheduler& scheduler);

// "7 of 10 repetitions violate it: ..."; empty: it replays exactly.
std::string repeats_note(const Trace& trace);

// What counts as a fair end of it.
FairEnd fair_end_of(const Trace& trace);

// How its process dies when the run is played now; null: it does not.
std::shared_ptr<const Death> death_in(const Trace& trace);

struct Difference {
  std::uint32_t step = 0;
  std::string recorded, now;  // the step's events, as JSON
  FIELDS(step, recorded, now)
};

struct ReplayReport {
  Trace now;                                                 // what happened this time
  std::optional<Difference> difference;                      // the first; none: the same steps
  std::optional<std::pair<std::uint32_t, Refusal>> refused;  // the first action that did not apply
  // What the recording says of the whole run and is not so, though its steps are the same: that it
  // ended fairly, what was violated where, by what evidence, which class it is of.
  std::vector<std::string> unlike;
  // Of the property that the recording violates: the system has it, and this run could judge it.
  bool known = true, judged = true;
};
ReplayReport replay(const Trace& trace);
// Only `unlike`, of a trace that may have forgotten its events; nothing is kept.
std::vector<std::string> untrue_of(const Trace& trace);

}  // namespace schism
