#include "schism/step/prompt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/text.hpp"
#include "schism/draw/story.hpp"
#include "schism/explain/states.hpp"
#include "schism/schedule/faults.hpp"
#include "schism/schedule/scheduler.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

constexpr std::size_t kRowsShown = 24;  // of a list that nobody asked for

std::string plural(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

Result<std::uint32_t> number_in(const std::vector<std::string>& words, std::size_t at,
                                std::uint32_t fallback) {
  if (words.size() <= at) return fallback;
  const auto number = parse_integer(words[at], 0, UINT32_MAX);
  if (!number) return error("{} {}", words[0], number.error());
  return static_cast<std::uint32_t>(*number);
}

// The events of a step, a line each; the same message to several nodes is one.
std::string tell_events(const World& world) {
  const System& system = *world.setup().system;
  std::string out, last;
  for (const Event& event : world.events()) {
    if (event.kind == Happened::timer_cancelled || event.kind == Happened::disk_queued) continue;
    const std::string text = print_event(system, event);
    if (event.kind == Happened::sent) {
      const std::string stem = fmt::format("  {} {}", event.node, text.substr(0, text.rfind(' ')));
      if (stem == last) {
        out.insert(out.size() - 1, fmt::format(" {}", event.peer));
        continue;
      }
      last = stem;
    } else {
      last.clear();
    }
    out += fmt::format("  {} {}\n", event.node, printable(text));
  }
  return out;
}

}  // namespace

const std::vector<Prompt::Command>& Prompt::commands() {
  static const std::vector<Command> table = {
      {"list", "[WORDS]", "what is enabled, numbered; those with these words", &Prompt::list},
      {"back", "[N]", "take back the last step, or the last N", &Prompt::back},
      {"jump", "STEP", "to after that step, also forward to what was taken back", &Prompt::jump},
      {"state", "[NODE]", "what the nodes look like, and what is going on", &Prompt::state},
      {"story", "[FROM [TO]]", "the run so far as a picture", &Prompt::story},
      {"run", "N [SCHEDULER] [SEED]", "let a scheduler play N steps", &Prompt::run},
      {"calm", "", "faults end, all is served fairly, `eventually` is judged", &Prompt::calm},
      {"wait", "TIME", "let time pass, in runs with a clock: wait 10ms", &Prompt::wait},
      {"choose", "K ...", "how the next step's choices are answered", &Prompt::choose},
      {"mutate", "WORDS {...}", "give a message in flight another content", &Prompt::mutate},
      {"partition", "NODES", "cut these nodes off from the others, within its budget",
       &Prompt::split},
      {"ask", "{...}", "one more request: {\"client\":0,\"request\":\"Put\",\"body\":{...}}",
       &Prompt::ask},
      {"save", "FILE", "the run so far, as a trace", &Prompt::save},
      {"load", "FILE[@STEP]", "go on from a recorded run", &Prompt::load},
      {"help", "", "this list", &Prompt::help},
      {"quit", "", "or the end of the input", nullptr},
  };
  return table;
}

Prompt::Prompt(std::unique_ptr<Session> session, Options options)
    : session_(std::move(session)), options_(options) {}

std::string Prompt::greeting() {
  const RunConfig& config = session_->config();
  return fmt::format("{}, {}; `help` lists the commands\n", printable(print_spec(config.system)),
                     plural(static_cast<std::size_t>(config.setup.nodes), "node")) +
         tell_events(session_->world()) + show_verdict() +
         (options_.lists ? show_list({}, kRowsShown) : "");
}

Prompt::Reply Prompt::say(std::string_view line) {
  if (line.size() > kTypedMax) return {"? a line of more than 64 KiB\n", true, false};
  const Words words = words_of_line(line);
  if (words.empty() || words[0].starts_with("#")) return {};
  if (words[0] == "quit" || words[0] == "exit") return {"", false, true};
  Answer answer = obey(words);
  if (!answer) return {"? " + printable(answer.error()) + "\n", true, false};
  return {*std::move(answer), false, false};
}

Prompt::Answer Prompt::obey(const Words& words) {
  for (const Command& command : commands())
    if (command.name == words[0]) return (this->*command.run)(words);
  const bool number = words[0].find_first_not_of("0123456789") == std::string::npos;
  if (number) return take(words);
  std::vector<std::string> known;
  for (const ActionKind& kind : kActionKinds) {
    if (kind.name.starts_with(words[0])) return take(words);
    if (session_->world().pending().count(kind.kind) > 0) known.emplace_back(kind.name);
  }
  for (const Command& command : commands()) known.emplace_back(command.name);
  return tl::unexpected(unknown_word("command or action", words[0], known));
}

Status Prompt::may_go_on() const {
  if (session_->violation())
    return error("the run has ended: {} is violated; `back` goes on from before that",
                 session_->violation()->property);
  return {};
}

// ---- steps ---------------------------------------------------------------------------------

Prompt::Answer Prompt::take(const Words& words) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  const auto menu = menu_of(session_->world());
  if (words[0].find_first_not_of("0123456789") != std::string::npos) {
    const auto found = pick(menu, words);
    if (!found) return tl::unexpected(found.error());
    return do_all({menu[*found].action});
  }
  const auto number = parse_integer(words[0], 1, static_cast<std::int64_t>(menu.size()));
  if (menu.empty()) return error("nothing is enabled");
  if (!number) return error("the number of an action {}", number.error());
  if (words.size() > 1) return error("a number alone, or words: not both");
  return do_all({menu[static_cast<std::size_t>(*number - 1)].action});
}

Prompt::Answer Prompt::do_all(const std::vector<Action>& actions) {
  std::string out;
  for (const Action& action : actions) {
    const auto before = states();
    const Refusal refusal = session_->apply(action);
    if (refusal != Refusal::none) {
      const std::string why = fmt::format(
          "{}: {}", print_action(*session_->config().setup.system, action), refusal_text(refusal));
      if (out.empty()) return tl::unexpected(why);
      out += "? " + why + "\n";  // in the middle of a macro step
      break;
    }
    out += show_step(before);
    if (session_->violation()) break;
  }
  return out + show_verdict() + (options_.lists ? show_list({}, kRowsShown) : "");
}

Prompt::Answer Prompt::back(const Words& words) {
  const auto n = number_in(words, 1, 1);
  if (!n) return tl::unexpected(n.error());
  const std::uint32_t here = session_->position();
  if (*n > here) return error("only {} to take back", plural(here, "step"));
  session_->go_to(here - *n);
  return where() + (options_.lists ? show_list({}, kRowsShown) : "");
}

Prompt::Answer Prompt::jump(const Words& words) {
  if (words.size() < 2) return error("jump: to which step?");
  const auto step = number_in(words, 1, 0);
  if (!step) return tl::unexpected(step.error());
  if (*step > session_->length())
    return error("jump: there are steps 0 to {}, not {}", session_->length(), *step);
  session_->go_to(*step);
  return where() + (options_.lists ? show_list({}, kRowsShown) : "");
}

Prompt::Answer Prompt::run(const Words& words) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  if (words.size() < 2) return error("run: how many steps?");
  const auto steps = number_in(words, 1, 0);
  if (!steps) return tl::unexpected(steps.error());
  Spec spec = session_->config().scheduler;
  std::uint64_t seed = session_->plan().seed + session_->position();
  if (words.size() > 2) {
    auto given = parse_spec(words[2]);
    if (!given) return tl::unexpected(given.error());
    spec = *std::move(given);
  }
  if (words.size() > 3) {
    const auto given = parse_seed(words[3]);
    if (!given) return error("run: the seed {}", given.error());
    seed = *given;
  }
  auto scheduler = session_->scheduler(spec);
  if (!scheduler) return error("run: {}", scheduler.error());
  const auto before = states();
  const Session::Played played = session_->let(**scheduler, seed, *steps);
  return fmt::format("{} by {}{}\n", plural(played.steps, "step"), print_spec(spec),
                     played.ended ? ", which has no more to do" : "") +
         show_changes(before) + where() + (options_.lists ? show_list({}, kRowsShown) : "");
}

Prompt::Answer Prompt::calm(const Words&) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  const auto before = states();
  const Session::Played played = session_->calm();
  std::string out = fmt::format("{} of a fair tail\n", plural(played.steps, "step"));
  if (!played.ended && !session_->violation())
    out += "  it has not come to an end: `eventually` is not judged\n";
  if (played.ended && !session_->violation()) out += "  it ended fairly, and nothing is violated\n";
  return out + show_changes(before) + where();
}

Prompt::Answer Prompt::wait(const Words& words) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  if (words.size() != 2) return error("wait: for how long? wait 10ms");
  const auto time = parse_duration(words[1]);
  if (!time) return error("wait: {}", time.error());
  return do_all({advance_by(*time)});
}

Prompt::Answer Prompt::choose(const Words& words) {
  std::vector<std::uint32_t> answers;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto k = number_in(words, i, 0);
    if (!k) return tl::unexpected(k.error());
    answers.push_back(*k);
  }
  if (answers.empty()) return error("choose: which alternatives? the first is 0");
  session_->will_choose(std::move(answers));
  return std::string();
}

// ---- looking -------------------------------------------------------------------------------

Prompt::Answer Prompt::list(const Words& words) {
  return show_list({words.begin() + 1, words.end()}, SIZE_MAX);
}

Prompt::Answer Prompt::state(const Words& words) {
  const World& world = session_->world();
  const Pending& pending = world.pending();
  const auto line = [&](NodeId id) {
    const bool paused = pending.paused.has(static_cast<std::uint32_t>(id));
    const std::string text =
        world.runs(id) ? print(*world.node_type(id).schema, world.inspect(id)) : "down";
    return fmt::format("  {}: {}{}\n", id, printable(text), paused ? ", paused" : "");
  };
  if (words.size() > 1) {
    const auto node = node_of(words[1]);
    if (!node) return tl::unexpected(node.error());
    return line(*node);
  }
  std::string out;
  for (NodeId id = 0; id < pending.nodes; ++id) out += line(id);
  if (world.calm() || world.setup().options.time != TimeUse::untimed)
    out += fmt::format("  the clock says {}\n", print_duration(world.clock()));
  return out + where();
}

Prompt::Answer Prompt::story(const Words& words) {
  const auto from = number_in(words, 1, 0), to = number_in(words, 2, UINT32_MAX);
  if (!from) return tl::unexpected(from.error());
  if (!to) return tl::unexpected(to.error());
  StoryOptions options;
  options.width = options_.width;
  options.color = options_.color;
  options.from = *from, options.to = *to;
  return tell(session_->trace(), options);
}

Prompt::Answer Prompt::help(const Words&) {
  std::string out =
      "  NUMBER                      do that of the list\n"
      "  deliver Vote 0->1           do what these words mean; so with the other actions\n";
  for (const Command& c : commands())
    out += fmt::format("  {:<27} {}\n", fmt::format("{} {}", c.name, c.arguments), c.meaning);
  return out;
}

Result<NodeId> Prompt::node_of(const std::string& word) const {
  const auto id = parse_integer(word, 0, session_->world().pending().nodes - 1);
  if (!id) return error("a node {}", id.error());
  return static_cast<NodeId>(*id);
}

std::string Prompt::show_list(const Words& words, std::size_t rows_max) const {
  if (session_->violation()) return {};
  const auto menu = menu_of(session_->world());
  const auto found = matching(menu, words);
  if (found.empty())
    return words.empty() ? "  nothing is enabled\n" : "  nothing with these words\n";
  std::size_t wide = 0;
  for (const std::size_t i : found) wide = std::max(wide, menu[i].title.size());
  std::string out;
  for (std::size_t row = 0; row < found.size() && row < rows_max; ++row) {
    const MenuItem& item = menu[found[row]];
    std::string text = fmt::format("{:>4}  {:<{}}  {}", found[row] + 1, printable(item.title), wide,
                                   printable(item.content));
    while (text.back() == ' ') text.pop_back();
    out += text + "\n";
  }
  if (found.size() > rows_max)
    out += fmt::format("      and {} more: `list` shows them\n", found.size() - rows_max);
  return out;
}

std::vector<Value> Prompt::states() const {
  std::vector<Value> out;
  const World& world = session_->world();
  for (NodeId id = 0; id < world.pending().nodes; ++id)
    out.push_back(world.runs(id) ? world.inspect(id) : Value());
  return out;
}

std::string Prompt::show_changes(const std::vector<Value>& before) const {
  std::string out;
  const World& world = session_->world();
  const auto now = states();
  for (std::size_t id = 0; id < now.size(); ++id)
    if (now[id] != before[id])
      out += fmt::format("  {}: {}\n", id,
                         printable(draw::describe_change(
                             before[id], now[id], &world.node_type(static_cast<NodeId>(id)))));
  return out;
}

std::string Prompt::show_step(const std::vector<Value>& before) const {
  const World& world = session_->world();
  const Recorded* last = session_->last();
  if (!last) return {};
  return fmt::format("step {}: {}\n", world.step(),
                     printable(print_action(*world.setup().system, last->action))) +
         tell_events(world) + show_changes(before);
}

std::string Prompt::show_verdict() const {
  const auto& v = session_->violation();
  if (!v) return {};
  return fmt::format("◆ {} is violated at step {}\n  {}\n", printable(v->property), v->step,
                     printable(v->message));
}

std::string Prompt::where() const {
  const std::string ahead = session_->length() > session_->position()
                                ? fmt::format(" of {}", session_->length())
                                : std::string();
  return fmt::format("  at step {}{}; {} enabled\n", session_->position(), ahead,
                     session_->violation() ? "no action is"
                                           : plural(menu_of(session_->world()).size(), "action")) +
         show_verdict();
}

}  // namespace schism
