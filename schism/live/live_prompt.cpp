#include "schism/live/live_prompt.hpp"

#include <fmt/format.h>

#include "schism/base/text.hpp"
#include "schism/step/menu.hpp"
#include "schism/system/system.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

constexpr std::string_view kHelp =
    "  pause NODE, resume NODE     it stops handling anything, and goes on\n"
    "  crash NODE, restart NODE    what its disk had not synced may be lost\n"
    "  cut A->B, heal A->B         one direction of a link\n"
    "  ask next                    the next request of the workload\n"
    "  ask {...}                   {\"request\":\"Put\",\"body\":{...}}, with \"client\" and "
    "\"node\" "
    "as you like\n"
    "  state [NODE]                what the nodes look like\n"
    "  stats                       what has happened so far, in numbers\n"
    "  wait TIME [for N answers]   before the next line is read\n"
    "  save FILE                   the run so far, as a trace\n"
    "  quit                        or the end of the input\n";

const std::vector<std::string>& words_known() {
  static const std::vector<std::string> words = {"pause", "resume", "crash", "restart", "cut",
                                                 "heal",  "ask",    "send",  "state",   "stats",
                                                 "wait",  "save",   "help",  "quit"};
  return words;
}

}  // namespace

LivePrompt::Reply LivePrompt::say(std::string_view line) {
  if (line.size() > kTypedMax) {
    Reply bad;
    bad.text = "? a line of more than 64 KiB\n";
    bad.bad = true;
    return bad;
  }
  const Words words = words_of_line(line);
  if (words.empty() || words[0].starts_with("#")) return {};
  auto reply = obey(words);
  if (reply) return *std::move(reply);
  Reply bad;
  bad.text = "? " + printable(reply.error()) + "\n";
  bad.bad = true;
  return bad;
}

Result<LivePrompt::Reply> LivePrompt::obey(const Words& words) {
  const std::string& verb = words[0];
  Reply reply;
  const auto show = [&](Result<std::string> text) -> Result<Reply> {
    if (!text) return tl::unexpected(text.error());
    reply.text = *std::move(text);
    return reply;
  };
  if (verb == "quit" || verb == "exit") {
    reply.quit = true;
    return reply;
  }
  if (verb == "help") return show(std::string(kHelp));
  if (verb == "stats") return show(stats());
  if (verb == "state") return show(state(words));
  if (verb == "ask" || verb == "send") return show(ask(words));
  if (verb == "save") return show(save(words));
  if (verb == "wait") return wait(words);
  const auto& known = words_known();
  if (std::find(known.begin(), known.end(), verb) == known.end())
    return tl::unexpected(unknown_word("command", verb, known));
  if (auto good = act(words); !good) return tl::unexpected(good.error());
  return reply;
}

Result<NodeId> LivePrompt::node_of(const std::string& word) const {
  const auto id = parse_integer(word, 0, live_.nodes() - 1);
  if (!id) return error("a node {}", id.error());
  return static_cast<NodeId>(*id);
}

Status LivePrompt::act(const Words& words) {
  const std::string& verb = words[0];
  const bool link = verb == "cut" || verb == "heal";
  if (words.size() != 2) return error("{}: which {}?", verb, link ? "link? 0->1" : "node");
  const auto arrow = words[1].find("->");
  if (link && arrow == std::string::npos) return error("{}: a link is 0->1", verb);
  const auto first = node_of(link ? words[1].substr(0, arrow) : words[1]);
  if (!first) return tl::unexpected(first.error());
  if (verb == "pause") return live_.pause(*first);
  if (verb == "resume") return live_.resume(*first);
  if (verb == "crash") return live_.crash(*first);
  if (verb == "restart") return live_.restart(*first);
  const auto second = node_of(words[1].substr(arrow + 2));
  if (!second) return tl::unexpected(second.error());
  return verb == "cut" ? live_.cut(*first, *second) : live_.heal(*first, *second);
}

Result<LivePrompt::Reply> LivePrompt::wait(const Words& words) const {
  if (words.size() != 2 && (words.size() != 5 || words[2] != "for" || words[4] != "answers"))
    return error("wait: wait 2s, or wait 2s for 3 answers");
  const auto time = parse_duration(words[1]);
  if (!time) return error("wait: {}", time.error());
  Reply reply;
  reply.wait = *time;
  if (words.size() == 2) return reply;
  const auto answers = parse_integer(words[3], 1, INT64_MAX);
  if (!answers) return error("wait: the number of answers {}", answers.error());
  reply.answers = static_cast<std::uint64_t>(*answers);
  return reply;
}

Result<std::string> LivePrompt::state(const Words& words) const {
  const auto line = [&](NodeId id) {
    const Value value = live_.inspect(id);
    return fmt::format("  {}: {}{}\n", id, value.is_null() ? "down" : printable(print("", value)),
                       live_.paused(id) ? ", paused" : "");
  };
  if (words.size() > 1) {
    const auto node = node_of(words[1]);
    if (!node) return tl::unexpected(node.error());
    return line(*node);
  }
  std::string out;
  for (NodeId id = 0; id < live_.nodes(); ++id) out += line(id);
  return out;
}

std::string LivePrompt::stats() const {
  const LiveStats s = live_.stats();
  return fmt::format(
      "  {:.1f}s: {} steps, {} messages delivered, {} lost, {} timers, {} disk operations, {} of "
      "{} "
      "requests answered\n",
      static_cast<double>(s.clock) * 1e-6, s.steps, s.deliveries, s.lost, s.timers, s.disk,
      s.answered, s.asked);
}

Result<std::string> LivePrompt::ask(const Words& words) {
  if (words.size() != 2) return error("ask: next, or the request as {{...}}");
  if (words[1] == "next") {
    if (auto good = live_.ask_next(); !good) return tl::unexpected(good.error());
    return std::string();
  }
  std::string problem;
  auto object = parse_json(words[1], &problem);
  if (!object) return error("ask: {}", problem);
  if (!object->as_object()) return error("ask: a request is an object");
  if (!object->find("client")) object->set("client", live_.fresh_client());
  const Setup& setup = live_.config().setup;
  const auto request = parse_request(*setup.system, setup.nodes, *object);
  if (!request) return error("ask: {}", request.error());
  if (auto good = live_.ask(*request); !good) return tl::unexpected(good.error());
  return std::string();
}

Result<std::string> LivePrompt::save(const Words& words) const {
  if (words.size() != 2) return error("save: to which file?");
  const Trace trace = live_.trace();
  if (auto good = write_trace(trace, words[1]); !good) return tl::unexpected(good.error());
  return fmt::format("  {}: {} steps\n", words[1], trace.steps.size() - 1);
}

}  // namespace schism
