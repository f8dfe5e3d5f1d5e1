#include "schism/words/operands.hpp"

#include "schism/base/value.hpp"

namespace schism {
namespace {

std::uint64_t get(Name name, Part part) {
  switch (part) {
    case Part::from: return static_cast<std::uint64_t>(name.from());
    case Part::to: return static_cast<std::uint64_t>(name.to());
    case Part::type: return static_cast<std::uint64_t>(name.type());
    case Part::nth: return name.nth();
    case Part::copy: return static_cast<std::uint64_t>(name.copy());
    default: return 0;
  }
}

Name with(Name n, Part part, std::uint64_t number) {
  const auto small = static_cast<int>(number);
  switch (part) {
    case Part::from: return {small, n.to(), n.type(), n.nth(), n.copy()};
    case Part::to: return {n.from(), small, n.type(), n.nth(), n.copy()};
    case Part::type: return {n.from(), n.to(), small, n.nth(), n.copy()};
    case Part::nth:
      return {n.from(), n.to(), n.type(), static_cast<std::uint32_t>(number), n.copy()};
    case Part::copy: return {n.from(), n.to(), n.type(), n.nth(), small};
    default: return n;
  }
}

// What follows from the name: where it happened.
void place(RecordedEvent& event) {
  const Name name = event.name();
  const auto from = static_cast<std::uint16_t>(name.from());
  switch (about(event.kind)) {
    case About::message: {
      const auto to = static_cast<std::uint16_t>(name.to());
      const bool leaves = event.kind == Happened::sent;
      event.node = leaves ? from : to;
      event.peer = leaves ? to : from;
      break;
    }
    case About::timer:
    case About::disk:
      if (event.kind == Happened::disk_queued) break;  // its value is no name
      event.node = from;
      event.detail = static_cast<std::uint16_t>(name.type());
      break;
    default: break;
  }
}

}  // namespace

std::uint64_t get(const Action& action, Part part) {
  switch (part) {
    case Part::arg: return action.arg();
    case Part::kept: return CrashOutcome::of(action.arg()).kept;
    case Part::torn: return CrashOutcome::of(action.arg()).torn ? 1 : 0;
    case Part::macro: return static_cast<std::uint64_t>(macro_of(action));
    default: return get(action.name, part);
  }
}

void set(Action& action, Part part, std::uint64_t number) {
  const auto word = static_cast<std::uint32_t>(number);
  CrashOutcome crash = CrashOutcome::of(action.arg());
  switch (part) {
    case Part::arg: action = with_arg(action, word); break;
    case Part::kept:
      crash.kept = word;
      action = with_arg(action, crash.arg());
      break;
    case Part::torn:
      crash.torn = word != 0;
      action = with_arg(action, crash.arg());
      break;
    case Part::macro: action = with_arg(action, (action.arg() & ~0xffU) | word); break;
    default: action.name = with(action.name, part, number); break;
  }
}

std::uint64_t get(const RecordedEvent& event, Part part) {
  switch (part) {
    case Part::node: return event.node;
    case Part::peer: return event.peer;
    case Part::detail: return event.detail;
    case Part::value: return event.value;
    case Part::flag: return event.flag ? 1 : 0;
    default: return get(event.name(), part);
  }
}

void set(RecordedEvent& event, Part part, std::uint64_t number) {
  switch (part) {
    case Part::node: event.node = static_cast<std::uint16_t>(number); break;
    case Part::peer: event.peer = static_cast<std::uint16_t>(number); break;
    case Part::detail: event.detail = static_cast<std::uint16_t>(number); break;
    case Part::value: event.value = number; break;
    case Part::flag: event.flag = number != 0; break;
    default: event.value = with(event.name(), part, number).bits(); break;
  }
  place(event);
}

std::uint64_t highest(Part part) {
  switch (part) {
    case Part::from:
    case Part::to: return kNodesMax - 1;
    case Part::type: return kTypesMax - 1;
    case Part::nth: return 0xfffffff;
    case Part::copy: return kCopiesMax - 1;
    case Part::arg: return kArgMax;
    case Part::kept: return kArgMax / 2;
    case Part::macro: return 0xff;
    case Part::torn:
    case Part::flag: return 1;
    case Part::node:
    case Part::peer:
    case Part::detail: return UINT16_MAX;
    case Part::value: return INT64_MAX;
  }
  return 0;
}

RecordedEvent recorded(const Event& event) {
  RecordedEvent all, out;
  all.kind = out.kind = event.kind;
  all.flag = event.flag, all.node = event.node, all.peer = event.peer;
  all.detail = event.detail, all.value = event.value;
  for (const Operand& operand : operands_of(event.kind))
    set(out, operand.part, get(all, operand.part));
  if (const Label* label = event.as<Label>(); label && event.kind == Happened::noted) {
    out.body = to_json(Value(label->text));
  } else if (event.type && event.body) {
    out.type = event.type->name;
    out.body = to_json(event.type->to_value(event.body));
  }
  return out;
}

}  // namespace schism
