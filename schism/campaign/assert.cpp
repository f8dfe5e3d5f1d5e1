#include "schism/campaign/assert.hpp"

#include <fmt/format.h>

#include "schism/base/file.hpp"
#include "schism/base/shell.hpp"
#include "schism/campaign/hunt.hpp"
#include "schism/draw/story.hpp"
#include "schism/run/idle.hpp"
#include "schism/shrink/anchored.hpp"
#include "schism/system/system.hpp"
#include "schism/trace/claim.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

Result<RunConfig> config_of(const HuntSpec& spec) {
  RunText text;
  auto system = parse_spec(spec.system);
  if (!system) return tl::unexpected(system.error());
  auto explorer = parse_spec(spec.explorer);
  if (!explorer) return tl::unexpected(explorer.error());
  text.system = *std::move(system);
  text.explorer = *std::move(explorer);
  text.bugs = spec.bugs;
  if (spec.nodes > 0) text.nodes = std::to_string(spec.nodes);
  if (spec.max_steps > 0) text.steps = std::to_string(spec.max_steps);
  const auto pairs = [](const std::string& words, Pairs& into) -> Status {
    if (words.empty()) return {};
    auto parsed = parse_spec("x:" + words);
    if (!parsed || !parsed->children.empty())
      return error("\"{}\" is not of the form name=value,name=value", words);
    into = std::move(parsed->values);
    return {};
  };
  if (auto s = pairs(spec.faults, text.faults); !s) return tl::unexpected(s.error());
  if (auto s = pairs(spec.world, text.world); !s) return tl::unexpected(s.error());
  return make_config(text);
}

std::string story_of(const Trace& trace) {
  StoryOptions options;
  options.rows_max = 200;
  return tell(trace, options);
}

}  // namespace

std::optional<std::string> hunt_failure(const HuntSpec& spec) {
  const auto config = config_of(spec);
  if (!config) return config.error();
  HuntOptions options;
  options.runs = spec.runs;
  options.seed = spec.seed;
  options.pictures.story = true;
  const std::atomic<bool> stop{false};
  const auto result = hunt(*config, options, {}, stop);
  if (!result) return result.error();
  if (!result->problem.empty()) return result->problem;
  if (result->nondeterminism)
    return fmt::format("run {} (seed {}) went differently when it was repeated, at step {}",
                       result->nondeterminism->run, result->nondeterminism->plan.seed,
                       result->nondeterminism->difference.step);
  if (result->idle()) return std::string(kNothingHappens);
  if (!result->vacuous.empty()) return fmt::format("no run showed \"{}\"", result->vacuous.front());
  if (!result->untested.empty() && result->finds.empty())
    return fmt::format("in no run did anything happen that \"{}\" judges",
                       result->untested.front());
  if (!result->unjudged.empty() && result->finds.empty())
    return fmt::format("no run could judge \"{}\": none had a fair end that settles it",
                       result->unjudged.front());
  if (result->finds.empty()) return std::nullopt;
  const Find& find = result->finds.front();
  const Trace& small = find.smallest();
  std::string out = fmt::format("{} is violated at step {}, in run {} (seed {})\n  {}\n",
                                small.violation->property, small.violation->step, find.trace.run,
                                find.trace.plan.seed, small.violation->message);
  if (const std::string note = claim_note(small); !note.empty()) out += "  " + note + "\n";
  if (find.small) out += "  " + describe(*find.small) + "\n";
  out += "\n" + find.story + "\n";
  out += fmt::format("anew:       schism hunt {} --seed {} --runs 1, by a program that has {}\n",
                     to_flags(find.trace.config), find.trace.plan.seed, config->setup.system->name);
  if (spec.out.empty()) return out;
  std::string slug;
  for (const char c : small.violation->property)
    slug += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  const std::string path =
      fmt::format("{}/{}-{}.trace", spec.out, config->setup.system->name, slug);
  Status kept = make_directory(spec.out);
  if (kept) kept = write_trace(small, path);
  return out + (kept ? fmt::format("reproduce:  schism replay {}\n", quote(path))
                     : fmt::format("not kept:   {}\n", kept.error()));
}

Kept check_kept(const std::string& path) {
  const auto trace = read_trace(path);
  if (!trace) return {trace.error(), {}, false};
  if (!trace->violation) return {path + ": the trace has no violation", {}, false};
  const ReplayReport exact = replay(*trace);
  const auto& is = exact.now.violation;
  if (is && is->property == trace->violation->property)
    return {fmt::format("{}: reproduced: {} is violated at step {}\n  {}\n\n{}", path, is->property,
                        is->step, is->message, story_of(exact.now)),
            {},
            false};
  if (!exact.known)
    return {{}, "unreachable: there is no property " + trace->violation->property, true};
  // Its steps go as recorded, but they lead to no fair end: nothing can be said.
  if (!exact.judged && !exact.difference && !is)
    return {{}, "not judged: no fair end, which " + trace->violation->property + " needs", true};
  const AnchoredReplay r = replay_by_meaning(*trace);
  switch (r.reached) {
    case Reached::reproduced:
      return {fmt::format("{}: reproduced by meaning: {} is violated at step {}\n  {}\n\n{}", path,
                          r.now->violation->property, r.now->violation->step,
                          r.now->violation->message, story_of(*r.now)),
              {},
              false};
    case Reached::another:
      return {fmt::format("{}: another violation: {} is violated at step {}\n  {}\n\n{}", path,
                          r.now->violation->property, r.now->violation->step,
                          r.now->violation->message, story_of(*r.now)),
              {},
              false};
    case Reached::not_judged:
      return {{},
              fmt::format("not judged: all {} actions matched, but they lead to no fair end",
                          r.anchors),
              true};
    case Reached::not_reproduced:
      return {{},
              fmt::format("not reproduced: all {} actions matched; {} neighbouring schedules tried",
                          r.anchors, r.neighbours),
              false};
    default:
      return {
          {},
          fmt::format("unreachable: step {} has no counterpart: {}", r.missing,
                      print_action(*trace->config.setup.system, trace->steps[r.missing].action)),
          true};
  }
}

}  // namespace schism
