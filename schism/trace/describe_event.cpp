#include <fmt/format.h>

#include "schism/node/spoken.hpp"
#include "schism/trace/describe.hpp"
#include "schism/trace/operand_words.hpp"
#include "schism/words/operands.hpp"

namespace schism {
namespace {

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count_words(kHappenedNames); ++i)
      out.emplace_back(nth_word(kHappenedNames, i));
    return out;
  }();
  return names;
}

// Everything but the content.
Value head_of(const System& system, const RecordedEvent& event) {
  Value out;
  out.set("event", happened_name(event.kind));
  for (const Operand& operand : operands_of(event.kind))
    put_operand(system, operand, get(event, operand.part), out);
  if (!event.type.empty() && about(event.kind) != About::message) out.set("type", event.type);
  return out;
}

std::string_view content_key(Happened kind) { return kind == Happened::noted ? "label" : "body"; }

}  // namespace

std::string event_text(const System& system, const RecordedEvent& event) {
  std::string out = to_json(head_of(system, event));
  if (event.body.empty()) return out;
  out.pop_back();  // the content is JSON already
  return fmt::format("{},\"{}\":{}}}", out, content_key(event.kind), event.body);
}

std::string events_text(const System& system, const std::vector<RecordedEvent>& events) {
  std::string out = "[";
  for (const RecordedEvent& event : events)
    out += (out.size() == 1 ? "" : ",") + event_text(system, event);
  return out + "]";
}

Value describe_event(const System& system, const RecordedEvent& event) {
  Value out = head_of(system, event);
  if (auto body = parse_json(event.body))
    out.set(std::string(content_key(event.kind)), *std::move(body));
  return out;
}

Value describe_event(const System& system, const Event& event) {
  return describe_event(system, recorded(event));
}

Result<RecordedEvent> parse_event(const System& system, int nodes, const Value& object) {
  if (!object.as_object()) return error("an event is an object that says which \"event\"");
  OperandReader in(system, nodes, object);
  RecordedEvent out;
  out.kind = static_cast<Happened>(in.word("event", kinds(), "event"));
  if (!in.problem().empty()) return tl::unexpected(in.problem());
  for (const Operand& operand : operands_of(out.kind)) set(out, operand.part, in.operand(operand));
  const Value* content = object.find(content_key(out.kind));
  if (content) out.body = to_json(*content);
  if (content && out.kind == Happened::noted && !content->as_text())
    in.complain("\"label\" is a text");
  if (content && out.kind != Happened::noted) out.type = in.text("type");
  if (!in.problem().empty()) return tl::unexpected(in.problem());
  return out;
}

namespace {

const TypeInfo* type_of(const System& system, const RecordedEvent& event) {
  const int number = event.name().type();
  if (about(event.kind) == About::message)
    return number < system.message_count() ? &system.message(number) : nullptr;
  if (event.kind == Happened::invoked) {
    const NodeClass* taker = system.request_class();
    return taker && number < taker->request_count ? taker->requests[number] : nullptr;
  }
  for (const NodeClass* c : system.classes)
    if (const TypeInfo* type = spoken_by(*c->state, event.type)) return type;
  return nullptr;
}

}  // namespace

std::string print_content(const System& system, const RecordedEvent& event) {
  const auto body = parse_json(event.body);
  if (!body) return {};
  const TypeInfo* type = type_of(system, event);
  return type && type->name == event.type ? print(*type, *body) : print(event.type, *body);
}

std::string print_event(const System& system, const Event& e) {
  const std::string content =
      e.type && e.body ? print(*e.type, e.type->to_value(e.body)) : std::string();
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
    case Happened::answered_late:
      if (system.answers) return fmt::format("has an answer for client {}: {}", n.from(), content);
      return fmt::format("answers client {}, too late: {}", n.from(), content);
    case Happened::failed: return "fails: " + content;
    case Happened::disk_completed:
      return fmt::format("{} {}", disk_op_name(static_cast<DiskOp>(e.detail)),
                         e.flag ? "fails" : "completes");
    default: return std::string(happened_name(e.kind)) + (content.empty() ? "" : " " + content);
  }
}

}  // namespace schism
