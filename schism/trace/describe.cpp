#include "schism/trace/describe.hpp"

#include <fmt/format.h>

#include "schism/base/difference.hpp"
#include "schism/system/liars.hpp"
#include "schism/trace/operand_words.hpp"
#include "schism/words/operands.hpp"

namespace schism {
namespace {

constexpr std::int64_t kClientTop = kNodesMax - 1;

std::uint64_t number(int i) { return static_cast<std::uint64_t>(i); }

Value describe_choices(const std::vector<Action>& choices) {
  Value out;
  for (const Action& c : choices) {
    Value::Array pair = {std::int64_t{answer_of(c)}, std::int64_t{alternatives_of(c)}};
    out.push(std::move(pair));
  }
  return out;
}

void read_choices(const Value& list, OperandReader& in, std::vector<Action>& out) {
  if (!list.as_array()) return in.complain("\"choices\" is a list of pairs");
  for (const Value& pair : *list.as_array()) {
    std::pair<std::uint32_t, std::uint32_t> kn;
    if (!from_value(pair, kn) || kn.first >= kn.second)
      return in.complain("\"choices\" is a list of pairs [k, n] with k below n");
    out.push_back(choose_of(kn.first, kn.second));
  }
}

// The key of what an action has besides its operands; empty: nothing.
std::string_view content_key(Do kind) {
  if (kind == Do::mutate || kind == Do::inject) return "body";
  return kind == Do::begin ? "label" : "";
}

void read_content(const Value& line, OperandReader& in, Recorded& step) {
  const std::string_view key = content_key(step.action.kind);
  const Value* content = key.empty() ? nullptr : line.find(key);
  if (content) step.content = *content;
  // For people and other programs: what is played is the body.
  if (const Value* differs = line.find("differs"); differs && step.action.kind == Do::mutate)
    step.differs = std::make_shared<const Value>(*differs);
  if (key == "body" && !content) in.complain("\"body\" is missing");
  if (key == "label" && content && !content->as_text()) in.complain("\"label\" is a text");
}

}  // namespace

Value describe_action(const System& system, const Recorded& step) {
  const Action& a = step.action;
  Value out;
  out.set("do", action_name(a.kind));
  for (const Operand& operand : operands_of(a.kind))
    put_operand(system, operand, get(a, operand.part), out);
  const std::string_view key = content_key(a.kind);
  if (key == "body" || (key == "label" && step.content.as_text()))
    out.set(std::string(key), step.content);
  if (a.kind == Do::mutate && step.differs && is_difference(*step.differs))
    out.set("differs", *step.differs);
  if (a.free) out.set("free", true);
  if (step.at >= 0) out.set("at", step.at);
  if (a.hint > 0) out.set("hint", static_cast<std::int64_t>(a.hint));
  if (!step.choices.empty()) out.set("choices", describe_choices(step.choices));
  return out;
}

Result<Recorded> parse_action(const System& system, int nodes, const Value& line) {
  if (!line.as_object()) return error("a step is an object");
  OperandReader in(system, nodes, line);
  static const std::vector<std::string> kinds = [] {
    std::vector<std::string> names;
    for (const ActionKind& k : kActionKinds) names.emplace_back(k.name);
    return names;
  }();
  const auto which = static_cast<std::size_t>(in.word("do", kinds, "action"));
  if (!in.problem().empty()) return tl::unexpected(in.problem());
  Recorded step;
  step.action.kind = kActionKinds[which].kind;
  for (const Operand& operand : operands_of(step.action.kind))
    set(step.action, operand.part, in.operand(operand));
  read_content(line, in, step);
  if (step.action.kind == Do::choose) in.complain("\"choose\" is no step of its own");
  step.at = in.integer("at", 0, INT64_MAX, -1);
  if (step.action.kind == Do::advance && step.at < 0) in.complain("\"at\" is missing");
  step.action.hint = static_cast<std::uint32_t>(in.integer("hint", 0, UINT32_MAX, 0)) & kHintMax;
  if (const Value* choices = line.find("choices")) read_choices(*choices, in, step.choices);
  step.action.free = in.flag("free") ? 1 : 0;
  if (!in.problem().empty()) return tl::unexpected(in.problem());
  return step;
}

Value describe_request(const System& system, const ClientRequest& request) {
  Value out;
  out.set("client", request.client);
  if (request.target != kAnyNode) out.set("node", request.target);
  out.set("request", word_of(system, Means::request, number(request.type)));
  out.set("body", request.content);
  return out;
}

Result<ClientRequest> parse_request(const System& system, int nodes, const Value& object) {
  const NodeClass* taker = system.request_class();
  if (!taker) return error("{} takes no requests", system.name);
  ClientRequest out;
  const auto number = [&](const char* key, std::int64_t top) -> std::optional<int> {
    const Value* v = object.find(key);
    if (!v || !v->as_int() || *v->as_int() < 0 || *v->as_int() > top) return std::nullopt;
    return static_cast<int>(*v->as_int());
  };
  const auto client = number("client", kClientTop);
  if (!client) return error("\"client\" is a number from 0 to {}", kClientTop);
  out.client = *client;
  if (object.find("node")) {
    const auto node = number("node", nodes - 1);
    if (!node) return error("\"node\" is a number from 0 to {}", nodes - 1);
    out.target = *node;
  }
  const Value* type = object.find("request");
  if (!type || !type->as_text()) return error("\"request\" is a text");
  while (out.type < taker->request_count && taker->requests[out.type]->name != *type->as_text())
    ++out.type;
  if (out.type == taker->request_count)
    return tl::unexpected(
        unknown_word("request", *type->as_text(), words_of(system, Means::request)));
  const Value* body = object.find("body");
  if (!body || !accepts(*taker->requests[out.type], *body))
    return error("\"body\" is not a {}", *type->as_text());
  out.content = *body;
  return out;
}

namespace {

template <class Node>
std::string print_charged(const System& system, const Action& a, const Node& node) {
  const Name n = a.name;
  const std::string_view verb = action_name(a.kind);
  const auto word = [&](Means means, Part part) { return word_of(system, means, get(a, part)); };
  switch (about(a.kind)) {
    case About::message:
      return fmt::format("{} {} {}->{} #{}{}", verb, word(Means::message, Part::type),
                         node(n.from()), node(n.to()), n.nth(),
                         n.copy() > 0 ? fmt::format(" copy {}", n.copy()) : "");
    case About::timer:
      return fmt::format("{} {} at {}", verb, word(Means::timer, Part::type), node(n.from()));
    case About::disk:
      return fmt::format("{} {} at {}{}", verb, word(Means::operation, Part::type), node(n.from()),
                         n.copy() > 0 ? " with an error" : "");
    case About::request:
      return fmt::format("{} {} of client {} at {}", verb, word(Means::request, Part::type),
                         n.from(), node(static_cast<NodeId>(a.arg())));
    case About::restart:
      return fmt::format("{} {}{}", verb, node(n.from()),
                         a.arg() > 0 ? fmt::format(" from its disk after sync {}", a.arg()) : "");
    case About::crash:
    case About::node: return fmt::format("{} {}", verb, node(n.from()));
    case About::link: return fmt::format("{} {}->{}", verb, node(n.from()), node(n.to()));
    case About::macro: return fmt::format("{} {}", verb, word(Means::macro, Part::macro));
    case About::nothing: break;
  }
  return std::string(verb);
}

}  // namespace

std::string print_action(const System& system, const Action& a) {
  return print_charged(system, a, [](NodeId id) { return id; }) + (a.free ? ", free" : "");
}

std::string print_action(const Setup& setup, const Action& a) {
  const auto name = [&](NodeId id) { return place_text(setup, id); };
  return print_charged(*setup.system, a, name) + (a.free ? ", free" : "");
}

}  // namespace schism
