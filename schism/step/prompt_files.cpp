// What comes into a session from outside, and goes out of it: contents, requests, traces.
#include <fmt/format.h>

#include "schism/base/text.hpp"
#include "schism/run/make_world.hpp"
#include "schism/schedule/faults.hpp"
#include "schism/step/prompt.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

Result<Value> json_of(const std::string& text) {
  std::string problem;
  auto value = parse_json(text, &problem);
  if (!value) return error("{}", problem);
  return *std::move(value);
}

}  // namespace

Prompt::Answer Prompt::mutate(const Words& words) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  if (words.size() < 3 || !words.back().starts_with("{"))
    return error("mutate: which message, and its content as {{...}}");
  auto content = json_of(words.back());
  if (!content) return tl::unexpected(content.error());
  Words which = {"deliver"};
  which.insert(which.end(), words.begin() + 1, words.end() - 1);
  const auto menu = menu_of(session_->world());
  const auto found = pick(menu, which);
  if (!found) return tl::unexpected(found.error());
  const Action& message = menu[*found].action;
  return do_all({make_action(Do::mutate, message.name, session_->add_content(*std::move(content)),
                             message.hint)});
}

Prompt::Answer Prompt::split(const Words& words) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  const World& world = session_->world();
  std::vector<bool> side(static_cast<std::size_t>(world.pending().nodes));
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto node = node_of(words[i]);
    if (!node) return tl::unexpected(node.error());
    side[static_cast<std::size_t>(*node)] = true;
  }
  const auto apart = static_cast<std::size_t>(std::count(side.begin(), side.end(), true));
  if (apart == 0 || apart == side.size())
    return error("partition: some nodes on one side, not none and not all");
  Script script;
  partition(world, side, script);
  return do_all({script.begin(), script.end()});
}

Prompt::Answer Prompt::ask(const Words& words) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  if (words.size() != 2) return error("ask: the request as {{...}}");
  const auto object = json_of(words[1]);
  if (!object) return tl::unexpected(object.error());
  const Setup& setup = session_->config().setup;
  const auto request = parse_request(*setup.system, setup.nodes, *object);
  if (!request) return error("ask: {}", request.error());
  session_->ask(*request);
  return fmt::format("  client {} will ask that; `list submit` shows when it can\n",
                     request->client);
}

Prompt::Answer Prompt::save(const Words& words) {
  if (words.size() != 2) return error("save: to which file?");
  const Trace trace = session_->trace();
  if (auto good = write_trace(trace, words[1]); !good) return tl::unexpected(good.error());
  const std::size_t steps = trace.steps.size() - 1;
  return fmt::format(
      "  {}: {} step{}{}\n", printable(words[1]), steps, steps == 1 ? "" : "s",
      trace.violation ? fmt::format(", {} is violated", printable(trace.violation->property)) : "");
}

Result<std::unique_ptr<Session>> Prompt::open(const std::string& place, std::string& warning) {
  const auto at = place.rfind('@');
  const auto trace = read_trace(place.substr(0, at));
  if (!trace) return tl::unexpected(trace.error());
  if (auto s = needs(trace->config.setup, "step", {Need::exact_replay}); !s)
    return tl::unexpected(s.error());
  std::optional<std::uint32_t> step;
  if (at != std::string::npos) {
    const auto last = static_cast<std::int64_t>(trace->steps.size()) - 1;
    const auto number = parse_integer(place.substr(at + 1), 0, std::max<std::int64_t>(last, 0));
    if (!number) return error("{}: the step {}", place, number.error());
    step = static_cast<std::uint32_t>(*number);
  }
  auto session = std::make_unique<Session>(*trace);
  if (const auto& refused = session->refused(); refused && (!step || *step >= refused->first))
    warning = fmt::format("step {} does not apply any more: {}", refused->first,
                          refusal_text(refused->second));
  if (step) session->go_to(*step);
  return session;
}

Prompt::Answer Prompt::load(const Words& words) {
  if (words.size() != 2) return error("load: which trace? FILE or FILE@STEP");
  std::string warning;
  auto session = open(words[1], warning);
  if (!session) return tl::unexpected(session.error());
  session_ = *std::move(session);
  return (warning.empty() ? "" : "  " + warning + "\n") + greeting() + where();
}

}  // namespace schism
