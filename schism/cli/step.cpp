// `schism step`: a run by hand, in the controlled world.
#include <unistd.h>

#include <iostream>

#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/run/make_world.hpp"
#include "schism/step/json_prompt.hpp"
#include "schism/step/prompt.hpp"

namespace schism::cli {
namespace {

struct StepFlags {
  explicit StepFlags(Flags& flags) : run(flags), color(flags) {
    flags.example("schism step toy-consensus", "what is enabled, pick one, go back");
    flags.example("schism step --from bug.trace@12", "from step 12 of a recorded run");
    flags.option("--seed", seed, "of the nodes' random numbers, and of schedulers (1)");
    flags.option("--from", from, "begin with a recorded run: TRACE or TRACE@STEP");
    flags.flag("--json", json, "for programs: a JSON object a line in, one a line out");
  }

  RunFlags run;
  ColorFlag color;
  std::string seed = "1", from;
  bool json = false;
};

Result<std::unique_ptr<Session>> session_of(const StepFlags& f, std::string& warning) {
  if (!f.from.empty()) {
    if (!f.run.system().empty()) return error("a system or --from, not both: the trace names it");
    return Prompt::open(f.from, warning);
  }
  const auto text = f.run.text();
  if (!text) return tl::unexpected(text.error());
  auto config = make_config(*text);
  if (!config) return tl::unexpected(config.error());
  if (auto s = needs(config->setup, "step", {Need::exact_replay}); !s)
    return tl::unexpected(s.error());
  const auto seed = parse_seed(f.seed);
  if (!seed) return error("--seed {}", seed.error());
  return std::make_unique<Session>(*std::move(config), RunPlan{*seed, *seed});
}

int talk_json(std::unique_ptr<Session> session, const StepFlags& f, const std::string& warning) {
  JsonPrompt prompt(std::move(session), f.from.substr(0, f.from.rfind('@')));
  say("{}\n", prompt.greeting(warning));
  flush_out();
  for (std::string line; std::getline(std::cin, line);) {
    const JsonPrompt::Reply reply = prompt.say(line);
    if (!reply.line.empty()) say("{}\n", reply.line);
    flush_out();
    if (reply.quit) break;
  }
  return kFine;
}

int run_step(const StepFlags& f) {
  std::string warning;
  auto session = session_of(f, warning);
  if (!session) return bad_input(session.error());
  if (f.json) return talk_json(*std::move(session), f, warning);
  const bool asked = ::isatty(STDIN_FILENO) != 0;
  const bool color = f.color.wanted(STDOUT_FILENO);
  Prompt prompt(*std::move(session), {terminal_width(), color, asked});
  if (!warning.empty()) say("  {}\n", warning);
  say("{}", Shown{prompt.greeting(), color});
  for (std::string line;;) {
    if (asked) say("{}> ", prompt.session().position());
    flush_out();
    if (!std::getline(std::cin, line)) break;
    const Prompt::Reply reply = prompt.say(line);
    say("{}", Shown{reply.text, color});
    if (reply.quit) return kFine;
  }
  if (asked) say("\n");
  return kFine;
}

const Registration registered = verb<StepFlags>(
    120, "step", "a run by hand: what is enabled, pick one, go back, keep what you find", run_step);

}  // namespace
}  // namespace schism::cli
