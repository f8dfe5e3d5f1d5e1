// The parts of actions and events, a list for each thing that they can be about. From these lists
// follow how actions and events are described and read, which parts of a recorded event count, and
// how nodes in an action get other numbers.
#pragma once

#include <span>

#include "schism/words/action.hpp"
#include "schism/words/event.hpp"

namespace schism {

enum class Part : std::uint8_t {
  from,
  to,
  type,
  nth,
  copy,  // of a name
  arg,
  kept,
  torn,
  macro,  // of an action's argument
  node,
  peer,
  detail,
  value,
  flag  // of an event
};
// What the number there is.
enum class Means : std::uint8_t {
  node,
  client,
  key,
  message,
  timer,
  operation,
  request,
  macro,
  count,
  flag
};

struct Operand {
  std::string_view key;  // in traces
  Part part;
  Means means;
  bool optional = false;  // left out where it is 0
};
using Operands = std::span<const Operand>;

namespace operands {

inline constexpr Operand kMessage[] = {{"from", Part::from, Means::node},
                                       {"to", Part::to, Means::node},
                                       {"type", Part::type, Means::message},
                                       {"n", Part::nth, Means::count},
                                       {"copy", Part::copy, Means::count, true}};
inline constexpr Operand kTimer[] = {{"node", Part::from, Means::node},
                                     {"timer", Part::type, Means::timer},
                                     {"key", Part::to, Means::key, true},
                                     {"n", Part::nth, Means::count}};
inline constexpr Operand kDisk[] = {{"node", Part::from, Means::node},
                                    {"operation", Part::type, Means::operation},
                                    {"n", Part::nth, Means::count},
                                    {"fails", Part::copy, Means::flag, true}};
inline constexpr Operand kRequest[] = {{"client", Part::from, Means::client},
                                       {"request", Part::type, Means::request},
                                       {"n", Part::nth, Means::count},
                                       {"node", Part::arg, Means::node}};
inline constexpr Operand kNode[] = {{"node", Part::from, Means::node}};
inline constexpr Operand kCrash[] = {{"node", Part::from, Means::node},
                                     {"kept", Part::kept, Means::count, true},
                                     {"torn", Part::torn, Means::flag, true}};
inline constexpr Operand kRestart[] = {{"node", Part::from, Means::node},
                                       {"syncs", Part::arg, Means::count, true}};
inline constexpr Operand kLink[] = {{"from", Part::from, Means::node},
                                    {"to", Part::to, Means::node}};
inline constexpr Operand kMacro[] = {{"macro", Part::macro, Means::macro}};

// Of events, where they say more or less than an action does.
inline constexpr Operand kLost[] = {
    {"from", Part::from, Means::node},        {"to", Part::to, Means::node},
    {"type", Part::type, Means::message},     {"n", Part::nth, Means::count},
    {"copy", Part::copy, Means::count, true}, {"at_once", Part::flag, Means::flag, true}};
inline constexpr Operand kQueued[] = {{"node", Part::node, Means::node},
                                      {"operation", Part::detail, Means::operation},
                                      {"file", Part::value, Means::count}};
inline constexpr Operand kCompleted[] = {{"node", Part::from, Means::node},
                                         {"operation", Part::type, Means::operation},
                                         {"n", Part::nth, Means::count},
                                         {"failed", Part::flag, Means::flag, true}};
inline constexpr Operand kAsked[] = {{"node", Part::node, Means::node},
                                     {"client", Part::from, Means::client},
                                     {"request", Part::type, Means::request},
                                     {"n", Part::nth, Means::count}};
inline constexpr Operand kAt[] = {{"node", Part::node, Means::node}};
inline constexpr Operand kBetween[] = {{"from", Part::node, Means::node},
                                       {"to", Part::peer, Means::node}};
inline constexpr Operand kClock[] = {{"at", Part::value, Means::count}};
inline constexpr Operand kChosen[] = {{"node", Part::node, Means::node},
                                      {"k", Part::value, Means::count},
                                      {"of", Part::detail, Means::count}};
inline constexpr Operand kNoted[] = {{"macro", Part::detail, Means::macro},
                                     {"ends", Part::flag, Means::flag}};

}  // namespace operands

constexpr Operands operands_of(Do kind) {
  switch (about(kind)) {
    case About::nothing: break;
    case About::message: return operands::kMessage;
    case About::timer: return operands::kTimer;
    case About::disk: return operands::kDisk;
    case About::request: return operands::kRequest;
    case About::node: return operands::kNode;
    case About::crash: return operands::kCrash;
    case About::link: return operands::kLink;
    case About::macro: return operands::kMacro;
    case About::restart: return operands::kRestart;
  }
  return {};
}

constexpr About about(Happened kind) {
  switch (kind) {
    case Happened::sent:
    case Happened::delivered:
    case Happened::dropped:
    case Happened::lost:
    case Happened::duplicated:
    case Happened::mutated:
    case Happened::omitted:
    case Happened::injected: return About::message;
    case Happened::timer_set:
    case Happened::timer_cancelled:
    case Happened::timer_fired: return About::timer;
    case Happened::disk_queued:
    case Happened::disk_completed: return About::disk;
    case Happened::invoked:
    case Happened::answered:
    case Happened::answered_late: return About::request;
    case Happened::cut:
    case Happened::healed: return About::link;
    case Happened::noted: return About::macro;
    case Happened::clock:
    case Happened::calmed: return About::nothing;
    default: return About::node;
  }
}

constexpr Operands operands_of(Happened kind) {
  if (kind == Happened::lost) return operands::kLost;
  if (kind == Happened::disk_queued) return operands::kQueued;
  if (kind == Happened::chosen) return operands::kChosen;
  if (kind == Happened::clock) return operands::kClock;
  switch (about(kind)) {
    case About::message: return operands::kMessage;
    case About::timer: return operands::kTimer;
    case About::disk: return operands::kCompleted;
    case About::request: return operands::kAsked;
    case About::link: return operands::kBetween;
    case About::macro: return operands::kNoted;
    case About::nothing: return {};
    default: return operands::kAt;
  }
}

// The number in a part; 0 where there is no such part. And the same with another number there.
std::uint64_t get(const Action& action, Part part);
std::uint64_t get(const RecordedEvent& event, Part part);
void set(Action& action, Part part, std::uint64_t number);
void set(RecordedEvent& event, Part part, std::uint64_t number);
std::uint64_t highest(Part part);  // that fits in

// Of a choice: which alternative, of how many.
constexpr std::uint32_t answer_of(const Action& choose) {
  return static_cast<std::uint32_t>(choose.name.bits() & 0xffffffff);
}
constexpr std::uint32_t alternatives_of(const Action& choose) {
  return static_cast<std::uint32_t>(choose.name.bits() >> 32);
}

// What a recording keeps of an event: what is in its operands, and its content.
RecordedEvent recorded(const Event& event);

}  // namespace schism
