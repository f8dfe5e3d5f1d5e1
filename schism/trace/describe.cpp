#include "schism/trace/describe.hpp"

#include <fmt/format.h>

namespace schism {
namespace {

std::int64_t number(std::uint64_t u) { return static_cast<std::int64_t>(u); }

std::string message_type(const System& system, int type) {
  return std::string(system.message(type).name);
}

std::string request_type(const System& system, int type) {
  for (const NodeClass* c : system.classes)
    if (type < c->request_count) return std::string(c->requests[type]->name);
  return std::to_string(type);
}

bool is_message(Do kind) {
  return kind == Do::deliver || kind == Do::drop || kind == Do::duplicate || kind == Do::mutate ||
         kind == Do::inject;
}

void put_message_name(const System& system, Name name, Value& out) {
  out.set("from", name.from());
  out.set("to", name.to());
  out.set("type", message_type(system, name.type()));
  out.set("n", number(name.nth()));
  if (name.copy() > 0) out.set("copy", name.copy());
}

// Reads the fields of one line, remembering the first thing that is wrong.
class Fields {
 public:
  explicit Fields(const Value& line) : line_(line) {}

  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> fallback = std::nullopt) {
    const Value* v = line_.find(key);
    if (!v && fallback) return *fallback;
    const auto* i = v ? v->as_int() : nullptr;
    if (i && *i >= low && *i <= high) return *i;
    complain(fmt::format("\"{}\" is a whole number from {} to {}", key, low, high));
    return low;
  }
  bool flag(std::string_view key) {
    const Value* v = line_.find(key);
    if (!v) return false;
    if (const bool* b = v->as_bool()) return *b;
    complain(fmt::format("\"{}\" is true or false", key));
    return false;
  }
  std::string text(std::string_view key) {
    const Value* v = line_.find(key);
    if (v && v->as_text()) return *v->as_text();
    complain(fmt::format("\"{}\" is a text", key));
    return {};
  }
  int word(std::string_view key, const std::vector<std::string>& words, std::string_view what) {
    const std::string given = text(key);
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] == given) return static_cast<int>(i);
    complain(unknown_word(what, given, words));
    return 0;
  }
  void complain(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
  }
  const std::string& problem() const { return problem_; }

 private:
  const Value& line_;
  std::string problem_;
};

std::vector<std::string> message_words(const System& system) {
  std::vector<std::string> out;
  for (int t = 0; t < system.message_count(); ++t) out.push_back(message_type(system, t));
  return out;
}

std::vector<std::string> request_words(const System& system) {
  int most = 0;
  for (const NodeClass* c : system.classes) most = std::max(most, c->request_count);
  std::vector<std::string> out;
  for (int t = 0; t < most; ++t) out.push_back(request_type(system, t));
  return out;
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count_words(list); ++i) out.emplace_back(nth_word(list, i));
  return out;
}

constexpr std::int64_t kNodeTop = kNodesMax - 1;
constexpr std::int64_t kNthTop = 0xfffffff;

const std::vector<std::string>& macro_words() {
  static const std::vector<std::string> words = words_of(kMacroNames);
  return words;
}

std::string macro_word(const Action& a) {
  return macro_words()[static_cast<std::size_t>(macro_of(a))];
}

}  // namespace

Value describe_action(const System& system, const Recorded& step) {
  const Action& a = step.action;
  const Name name = a.name;
  Value out;
  out.set("do", action_name(a.kind));
  if (is_message(a.kind)) put_message_name(system, name, out);
  switch (a.kind) {
    case Do::mutate:
    case Do::inject: out.set("body", step.content); break;
    case Do::fire:
      out.set("node", name.from());
      out.set("timer", system.timer_name(name.type()));
      if (name.to() > 0) out.set("key", name.to());
      out.set("n", number(name.nth()));
      break;
    case Do::complete:
      out.set("node", name.from());
      out.set("operation", disk_op_name(static_cast<DiskOp>(name.type())));
      out.set("n", number(name.nth()));
      if (name.copy() > 0) out.set("fails", true);
      break;
    case Do::submit:
      out.set("client", name.from());
      out.set("request", request_type(system, name.type()));
      out.set("n", number(name.nth()));
      out.set("node", number(a.arg()));
      break;
    case Do::crash:
      out.set("node", name.from());
      if (CrashOutcome::of(a.arg()).kept > 0)
        out.set("kept", number(CrashOutcome::of(a.arg()).kept));
      if (CrashOutcome::of(a.arg()).torn) out.set("torn", true);
      break;
    case Do::restart:
    case Do::pause:
    case Do::resume: out.set("node", name.from()); break;
    case Do::cut:
    case Do::heal:
      out.set("from", name.from());
      out.set("to", name.to());
      break;
    case Do::begin:
    case Do::end:
      out.set("macro", macro_word(a));
      if (step.content.as_text()) out.set("label", step.content);
      break;
    default: break;
  }
  if (a.free) out.set("free", true);
  if (step.at >= 0) out.set("at", step.at);
  if (a.hint > 0) out.set("hint", number(a.hint));
  if (!step.choices.empty()) {
    Value choices;
    for (const Action& c : step.choices) {
      Value::Array pair = {number(c.name.bits() & 0xffffffff), number(c.name.bits() >> 32)};
      choices.push(std::move(pair));
    }
    out.set("choices", std::move(choices));
  }
  return out;
}

Result<Recorded> parse_action(const System& system, int nodes, const Value& line) {
  if (!line.as_object()) return error("a step is an object");
  Fields f(line);
  std::vector<std::string> kinds;
  for (const ActionKind& k : kActionKinds) kinds.emplace_back(k.name);
  const Do kind = kActionKinds[static_cast<std::size_t>(f.word("do", kinds, "action"))].kind;
  if (!f.problem().empty()) return tl::unexpected(f.problem());

  Recorded step;
  std::uint32_t arg = 0;
  Name name;
  const auto node = [&](std::string_view key) {
    return static_cast<int>(f.integer(key, 0, nodes - 1));
  };
  const auto nth = [&] { return static_cast<std::uint32_t>(f.integer("n", 0, kNthTop)); };
  if (is_message(kind)) {
    const int from = node("from"), to = node("to");
    const int type = f.word("type", message_words(system), "message type");
    name = Name(from, to, type, nth(), static_cast<int>(f.integer("copy", 0, kCopiesMax - 1, 0)));
  }
  switch (kind) {
    case Do::mutate:
    case Do::inject:
      if (const Value* body = line.find("body")) step.content = *body;
      else f.complain("\"body\" is missing");
      break;
    case Do::fire: {
      const int id = node("node");
      const int timer = f.word("timer", system.timer_names(), "timer");
      name = Name(id, static_cast<int>(f.integer("key", 0, kNodeTop, 0)), timer, nth());
      break;
    }
    case Do::complete: {
      const int id = node("node");
      const int op = f.word("operation", words_of(kDiskOpNames), "operation");
      name = Name(id, 0, op, nth(), f.flag("fails") ? 1 : 0);
      break;
    }
    case Do::submit: {
      const auto client = static_cast<int>(f.integer("client", 0, kNodeTop));
      const int type = f.word("request", request_words(system), "request");
      name = Name(client, 0, type, nth());
      arg = static_cast<std::uint32_t>(node("node"));
      break;
    }
    case Do::crash:
      name = Name(node("node"), 0, 0, 0);
      arg = CrashOutcome{static_cast<std::uint32_t>(f.integer("kept", 0, kArgMax / 2, 0)),
                         f.flag("torn")}
                .arg();
      break;
    case Do::restart:
    case Do::pause:
    case Do::resume: name = Name(node("node"), 0, 0, 0); break;
    case Do::cut:
    case Do::heal: {
      const int from = node("from");
      name = Name(from, node("to"), 0, 0);
      break;
    }
    case Do::begin:
      if (line.find("label")) step.content = Value(f.text("label"));
      [[fallthrough]];
    case Do::end: arg = static_cast<std::uint32_t>(f.word("macro", macro_words(), "macro")); break;
    case Do::choose: f.complain("\"choose\" is no step of its own"); break;
    default: break;
  }
  step.at = f.integer("at", 0, INT64_MAX, -1);
  if (kind == Do::advance && step.at < 0) f.complain("\"at\" is missing");
  const auto hint = static_cast<std::uint32_t>(f.integer("hint", 0, UINT32_MAX, 0));
  if (const Value* choices = line.find("choices")) {
    if (!choices->as_array()) f.complain("\"choices\" is a list of pairs");
    else
      for (const Value& pair : *choices->as_array()) {
        std::pair<std::uint32_t, std::uint32_t> kn;
        if (from_value(pair, kn) && kn.first < kn.second)
          step.choices.push_back(choose_of(kn.first, kn.second));
        else f.complain("\"choices\" is a list of pairs [k, n] with k below n");
      }
  }
  const bool free = f.flag("free");
  if (!f.problem().empty()) return tl::unexpected(f.problem());
  step.action = make_action(kind, name, arg, hint);
  step.action.free = free ? 1 : 0;
  return step;
}

Value describe_event(const System& system, const Event& event) {
  Value out;
  const Name name = event.name();
  out.set("event", happened_name(event.kind));
  switch (event.kind) {
    case Happened::sent:
    case Happened::delivered:
    case Happened::dropped:
    case Happened::lost:
    case Happened::duplicated:
    case Happened::mutated:
    case Happened::injected:
      put_message_name(system, name, out);
      if (event.kind == Happened::lost && event.flag) out.set("at_once", true);
      break;
    case Happened::timer_set:
    case Happened::timer_cancelled:
    case Happened::timer_fired:
      out.set("node", event.node);
      out.set("timer", system.timer_name(event.detail));
      if (name.to() > 0) out.set("key", name.to());
      out.set("n", number(name.nth()));
      break;
    case Happened::disk_queued:
      out.set("node", event.node);
      out.set("operation", disk_op_name(static_cast<DiskOp>(event.detail)));
      out.set("file", number(event.value));
      break;
    case Happened::disk_completed:
      out.set("node", event.node);
      out.set("operation", disk_op_name(static_cast<DiskOp>(event.detail)));
      out.set("n", number(name.nth()));
      if (event.flag) out.set("failed", true);
      break;
    case Happened::invoked:
    case Happened::answered:
      out.set("node", event.node);
      out.set("client", name.from());
      out.set("request", request_type(system, name.type()));
      out.set("n", number(name.nth()));
      break;
    case Happened::cut:
    case Happened::healed:
      out.set("from", event.node);
      out.set("to", event.peer);
      break;
    case Happened::clock: out.set("at", number(event.value)); break;
    case Happened::chosen:
      out.set("node", event.node);
      out.set("k", number(event.value));
      out.set("of", event.detail);
      break;
    case Happened::noted:
      out.set("macro", macro_word(make_action(Do::begin, Name(), event.detail)));
      out.set("ends", event.flag);
      if (const Label* label = event.as<Label>()) out.set("label", label->text);
      return out;
    case Happened::calmed: break;
    default: out.set("node", event.node); break;
  }
  if (event.type && event.body) {
    if (!out.find("type")) out.set("type", event.type->name);
    out.set("body", event.type->to_value(event.body));
  }
  return out;
}

Value describe_request(const System& system, const ClientRequest& request) {
  Value out;
  out.set("client", request.client);
  if (request.target != kAnyNode) out.set("node", request.target);
  out.set("request", request_type(system, request.type));
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
  const auto client = number("client", kNodeTop);
  if (!client) return error("\"client\" is a number from 0 to {}", kNodeTop);
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
    return tl::unexpected(unknown_word("request", *type->as_text(), request_words(system)));
  const Value* body = object.find("body");
  if (!body || !accepts(*taker->requests[out.type], *body))
    return error("\"body\" is not a {}", *type->as_text());
  out.content = *body;
  return out;
}

namespace {

std::string print_charged(const System& system, const Action& a) {
  const Name n = a.name;
  const std::string_view verb = action_name(a.kind);
  if (is_message(a.kind))
    return fmt::format("{} {} {}->{} #{}{}", verb, message_type(system, n.type()), n.from(), n.to(),
                       n.nth(), n.copy() > 0 ? fmt::format(" copy {}", n.copy()) : "");
  switch (a.kind) {
    case Do::fire: return fmt::format("fire {} at {}", system.timer_name(n.type()), n.from());
    case Do::complete:
      return fmt::format("complete {} at {}{}", disk_op_name(static_cast<DiskOp>(n.type())),
                         n.from(), n.copy() > 0 ? " with an error" : "");
    case Do::submit:
      return fmt::format("submit {} of client {} at {}", request_type(system, n.type()), n.from(),
                         a.arg());
    case Do::crash:
    case Do::restart:
    case Do::pause:
    case Do::resume: return fmt::format("{} {}", verb, n.from());
    case Do::cut:
    case Do::heal: return fmt::format("{} {}->{}", verb, n.from(), n.to());
    case Do::begin:
    case Do::end: return fmt::format("{} {}", verb, macro_word(a));
    default: return std::string(verb);
  }
}

}  // namespace

std::string print_action(const System& system, const Action& a) {
  return print_charged(system, a) + (a.free ? ", free" : "");
}

std::string print_event(const System& system, const Event& e) {
  const std::string content =
      e.type && e.body ? print(e.type->name, e.type->to_value(e.body)) : std::string();
  const Name n = e.name();
  switch (e.kind) {
    case Happened::sent: return fmt::format("sends {} to {}", content, e.peer);
    case Happened::delivered: return fmt::format("receives {} from {}", content, e.peer);
    case Happened::dropped:
    case Happened::lost: return fmt::format("loses {} from {}", content, e.peer);
    case Happened::timer_fired: return fmt::format("{} fires", system.timer_name(e.detail));
    case Happened::timer_set: return fmt::format("sets {}", system.timer_name(e.detail));
    case Happened::timer_cancelled: return fmt::format("cancels {}", system.timer_name(e.detail));
    case Happened::announced: return content;
    case Happened::invoked: return fmt::format("client {} asks {}", n.from(), content);
    case Happened::answered: return fmt::format("answers client {}: {}", n.from(), content);
    case Happened::failed: return "fails: " + content;
    case Happened::disk_completed:
      return fmt::format("{} {}", disk_op_name(static_cast<DiskOp>(e.detail)),
                         e.flag ? "fails" : "completes");
    default: return std::string(happened_name(e.kind)) + (content.empty() ? "" : " " + content);
  }
}

}  // namespace schism
