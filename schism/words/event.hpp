// What happened in a step: plain structs, in order, in a buffer that lives until the next step.
// Only kinds that somebody listens to are written at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schism/base/fields.hpp"
#include "schism/base/time.hpp"
#include "schism/words/name.hpp"

namespace schism {

enum class Happened : std::uint8_t {
  started,    // a node, at the beginning or after a restart
  sent,       // node -> peer
  delivered,  // at node, from peer
  dropped,    // by decision
  lost,       // by a crash or a cut link
  duplicated,
  mutated,
  injected,
  timer_set,
  timer_cancelled,
  timer_fired,
  disk_queued,
  disk_completed,
  invoked,  // a client's request, at node
  answered,
  announced,  // by node, for oracles and scenarios
  failed,     // the system's own assertion, or (`flag`) its process died; `body` is a Failure
  crashed,
  restarted,
  paused,
  resumed,
  cut,
  healed,
  clock,   // time advanced by decision; `value` is the new time
  chosen,  // `value` of the alternatives
  noted,   // a macro step begins or ends (`flag`); `detail` is the Macro, `body` a Label or null
  calmed,
  omitted,        // a message that its sender, a liar, kept to itself
  answered_late,  // by a node, but its client had an answer already, or has gone on
};

inline constexpr std::string_view kHappenedNames =
    "started, sent, delivered, dropped, lost, duplicated, mutated, injected, timer_set, "
    "timer_cancelled, timer_fired, disk_queued, disk_completed, invoked, answered, announced, "
    "failed, crashed, restarted, paused, resumed, cut, healed, clock, chosen, noted, calmed, "
    "omitted, answered_late";
constexpr std::string_view happened_name(Happened h) {
  return nth_word(kHappenedNames, static_cast<std::size_t>(h));
}

struct Event {
  Happened kind{};
  // A disk operation that failed; a lost message that was never in flight; a failure that is fatal.
  bool flag = false;
  std::uint16_t node = 0;          // where it happened
  std::uint16_t peer = 0;          // the other end of a message or link
  std::uint16_t detail = 0;        // a timer's class, a disk operation's kind
  std::uint64_t value = 0;         // the Name's bits of what it is about, or a number
  const void* body = nullptr;      // content, alive until the next step
  const TypeInfo* type = nullptr;  // of the content

  Name name() const { return Name(value); }
  template <class T>
  const T* as() const {
    return type == &type_info<T>() ? static_cast<const T*>(body) : nullptr;
  }
};
static_assert(sizeof(Event) == 32);

// An event that outlives its step: its content is text.
struct RecordedEvent {
  Happened kind{};
  bool flag = false;
  std::uint16_t node = 0, peer = 0, detail = 0;
  std::uint64_t value = 0;
  std::string type;  // of the content; a message's type is in its name too
  std::string body;  // the content as JSON; empty: none. Of a note: its label

  Name name() const { return Name(value); }
  friend bool operator==(const RecordedEvent&, const RecordedEvent&) = default;
};

// Which events somebody wants: a bit a kind, and for announcements and answers a bit a type (types
// share bits: the mask is a filter, the event's type decides).
using EventMask = std::uint64_t;

constexpr EventMask mask_of(Happened kind) { return EventMask{1} << static_cast<int>(kind); }
constexpr EventMask mask_of_type(const TypeInfo& type) {
  return EventMask{1} << (32 + type.name_hash % 32);
}
inline constexpr EventMask kEveryEvent = ~EventMask{0};

template <class T>
constexpr EventMask announcements_of() {
  return mask_of_type(type_info<T>());
}

struct Label {  // of a macro step
  std::string text;
  FIELDS(text)
};

struct Failure {  // what Context::fail says, or how the process died
  std::string message;
  FIELDS(message)
};

}  // namespace schism
