// `schism replay`: a trace again.
#include <fmt/format.h>

#include "schism/base/file.hpp"
#include "schism/base/text.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/junit.hpp"
#include "schism/cli/other_build.hpp"
#include "schism/cli/print.hpp"
#include "schism/finds/repetitions.hpp"
#include "schism/run/make_world.hpp"
#include "schism/shrink/anchored.hpp"
#include "schism/trace/claim.hpp"
#include "schism/trace/describe.hpp"
#include "schism/trace/trace.hpp"

namespace schism::cli {
namespace {

struct ReplayFlags {
  explicit ReplayFlags(Flags& flags) {
    flags.example("schism replay schism-out/raft-election-safety-1a2b3c",
                  "the find in that folder, and whether it still happens");
    flags.example("schism replay bug.trace --exact",
                  "the very actions of a file, without looking for their meaning");
    flags.example("schism replay bug.trace --library build/libraft.so.2",
                  "does it still happen with that build of the library?");
    flags.option("trace", path, "a trace file, or - for standard input").required();
    flags.flag("--exact", exact, "do not look for actions by their meaning");
    flags.option("--library", library,
                 "instead of the shared library of its name that the system uses");
    flags.option("--junit", junit, "the result as JUnit XML, to this file");
    flags.flag("--json", json, "for programs");
  }

  std::string path, library, junit;
  bool exact = false, json = false;
};

// What came of one trace.
struct Verdict {
  int code = kFine;
  std::string headline;  // one line
  std::string details;   // more lines, indented
  Value json;
};

void add_claim(const Trace& trace, Verdict& v) {
  const std::string note = claim_note(trace);
  if (note.empty()) return;
  v.details += "  " + note + "\n";
  v.json.set("claim", note);
}

Verdict verdict_by_name(const Trace& trace, const ReplayReport& report) {
  Verdict v;
  const auto& was = trace.violation;
  const auto& is = report.now.violation;
  const bool reproduced = is && was && was->property == is->property;
  const bool unreachable = was && !is && report.refused.has_value();
  const bool unknown = unreachable || (was && !is && !(report.known && report.judged));
  v.code = is ? kViolation : unknown ? kInconclusive : kFine;
  if (is) {
    const char* how = reproduced ? "reproduced" : was ? "another violation" : "not as recorded";
    v.headline = fmt::format("{}: {} is violated at step {}", how, is->property, is->step);
    v.details = fmt::format("  {}\n", printable(is->message));
    add_claim(report.now, v);
  } else if (!was) {
    v.headline = "nothing is violated, as recorded";
  } else if (unreachable) {
    v.headline =
        fmt::format("inconclusive: the find cannot be reached any more; step {} does not apply: {}",
                    report.refused->first, refusal_text(report.refused->second));
  } else if (!report.known) {
    v.headline = fmt::format("inconclusive: {} has no property called {}",
                             trace.config.setup.system->name, printable(was->property));
  } else if (!report.judged) {
    v.headline =
        fmt::format("inconclusive: the recorded steps do not lead to a fair end that settles {}",
                    was->property);
  } else {
    v.headline = fmt::format("not reproduced: all {} steps applied, and {} held",
                             trace.steps.size() - 1, was->property);
  }
  v.json.set("reproduced", reproduced);
  v.json.set("same", !report.difference.has_value() && report.unlike.empty());
  v.json.set("judged", report.judged);
  Value::Array unlike;
  for (const std::string& what : report.unlike) unlike.emplace_back(what);
  if (!unlike.empty()) v.json.set("unlike", std::move(unlike));
  if (is) v.json.set("property", is->property), v.json.set("message", is->message);
  if (report.difference) {
    v.json.set("step", static_cast<std::int64_t>(report.difference->step));
    v.json.set("recorded", report.difference->recorded);
    v.json.set("now", report.difference->now);
  }
  return v;
}

// The code has changed, or the trace: its actions are looked for by what they mean.
Verdict verdict_by_meaning(const Trace& trace, const ReplayReport& report) {
  const AnchoredReplay r = replay_by_meaning(trace);
  Verdict v = verdict_by_name(trace, report);
  v.json.set("anchors", static_cast<std::int64_t>(r.anchors));
  v.json.set("matched", static_cast<std::int64_t>(r.matched));
  v.json.set("neighbours", static_cast<std::int64_t>(r.neighbours));
  v.json.set("reached", enum_name(r.reached));
  const auto& by_name = report.now.violation;
  if (r.reached != Reached::reproduced && by_name && by_name->property == trace.violation->property)
    return v;  // action by action it is, whatever else became of the events
  v.json.set("reproduced", r.reached == Reached::reproduced);
  v.details.clear();
  switch (r.reached) {
    case Reached::reproduced: {
      const Violation& is = *r.now->violation;
      v.code = kViolation;
      v.headline = fmt::format("reproduced: {} is violated at step {}", is.property, is.step);
      v.details = fmt::format("  {}\n", printable(is.message));
      v.json.set("property", is.property);
      v.json.set("message", is.message);
      if (r.in_neighbour)
        v.details += fmt::format("  in a neighbouring schedule, the {}th tried\n", r.neighbours);
      else
        v.details += fmt::format("  {} of {} actions matched by meaning\n", r.matched, r.anchors);
      add_claim(*r.now, v);
      break;
    }
    case Reached::another: {
      const Violation& is = *r.now->violation;
      v.code = kViolation;
      v.headline =
          fmt::format("another violation: {} is violated at step {}", is.property, is.step);
      v.details = fmt::format("  {}\n  {} of {} actions matched until then, so {} was not judged\n",
                              printable(is.message), r.matched, r.anchors,
                              printable(trace.violation->property));
      v.json.set("property", is.property);
      v.json.set("message", is.message);
      add_claim(*r.now, v);
      break;
    }
    case Reached::not_judged:
      v.code = kInconclusive;
      v.headline = fmt::format(
          "inconclusive: all {} actions matched, but they lead to no fair end, so {} was not "
          "judged; {} neighbouring schedules tried too",
          r.anchors, printable(trace.violation->property), r.neighbours);
      break;
    case Reached::not_reproduced:
      v.code = kFine;
      v.headline = fmt::format(
          "not reproduced: all {} actions matched, and {} held; {} neighbouring schedules tried "
          "too",
          r.anchors, trace.violation->property, r.neighbours);
      break;
    case Reached::unreachable:
      v.code = kInconclusive;
      v.json.set("missing", static_cast<std::int64_t>(r.missing));
      v.headline = fmt::format(
          "inconclusive: the find cannot be reached any more; step {} has no counterpart: {}",
          r.missing, print_action(*trace.config.setup.system, trace.steps[r.missing].action));
      break;
  }
  return v;
}

// Where replay is best effort a find is k of n repetitions, and none of n says nothing.
Verdict verdict_by_repetition(const Trace& trace) {
  Verdict v;
  const std::string property = trace.violation ? printable(trace.violation->property) : "";
  const Repeats again =
      trace.violation ? repeat_decisions(trace, kRepetitions, interrupted()) : Repeats{};
  v.code = again.times > 0 ? kViolation : kInconclusive;
  v.json.set("violated", again.times > 0);
  v.json.set("repeated", static_cast<std::int64_t>(again.times));
  v.json.set("repetitions", static_cast<std::int64_t>(again.of));
  v.headline =
      trace.violation
          ? fmt::format("{} is violated in {} of {} repetitions{}", property, again.times, again.of,
                        again.times > 0 ? "" : ", which its world plays as best it can")
          : std::string(
                "inconclusive: the trace has no violation, and its world replays as best "
                "it can");
  return v;
}

int replay_with_library(const ReplayFlags& f) {
  std::vector<std::string> words{"replay", f.path};
  if (f.exact) words.emplace_back("--exact");
  if (f.json) words.emplace_back("--json");
  if (!f.junit.empty()) words.insert(words.end(), {"--junit", f.junit});
  const auto code = run_again(words, f.library, true);
  return code ? *code : bad_input(code.error());
}

int run_replay(const ReplayFlags& f) {
  if (!f.library.empty()) return replay_with_library(f);
  const auto trace = read_trace(f.path);
  if (!trace) return bad_input(trace.error());
  if (!has(trace->config.setup, Need::exact_replay)) {
    const Verdict v = verdict_by_repetition(*trace);
    say("{}\n", f.json ? to_json(v.json) : v.headline);
    return v.code;
  }
  const ReplayReport report = replay(*trace);
  const bool adapt = report.difference && trace->violation && report.known && !f.exact;
  Verdict v = adapt ? verdict_by_meaning(*trace, report) : verdict_by_name(*trace, report);
  if (!f.junit.empty()) {
    JUnitCase one{"replay", f.path, {}, {}};
    if (v.code == kViolation) one.failure = v.headline + "\n" + v.details;
    if (v.code == kInconclusive) one.skipped = v.headline;
    if (auto w = write_file(f.junit, junit_xml("schism", {one})); !w) return bad_input(w.error());
  }
  if (f.json) {
    Value out;
    out.set("trace", f.path);
    for (const auto& [key, value] : *v.json.as_object()) out.set(key, value);
    say("{}\n", to_json(out));
    return v.code;
  }
  say("{}\n{}", v.headline, Shown{v.details});
  if (report.difference)
    say("the run differs from its recording at step {}\n  recorded: {}\n  now:      {}\n",
        report.difference->step, report.difference->recorded, report.difference->now);
  else say("{} steps, the same events as recorded\n", trace->steps.size() - 1);
  std::string unlike;
  for (const std::string& what : report.unlike) unlike += (unlike.empty() ? "" : ", ") + what;
  if (!unlike.empty()) say("the recording's last line says otherwise; true is: {}\n", unlike);
  return v.code;
}

const Registration registered =
    verb<ReplayFlags>(40, "replay", "run a found trace again", run_replay);

}  // namespace
}  // namespace schism::cli
