// An event of a trace as fields again. Traces are outside input: what is missing or odd in an event
// is left empty, and node numbers are always in range.
#pragma once

#include <string>

#include "schism/base/value.hpp"
#include "schism/trace/trace.hpp"

namespace schism::draw {

struct Seen {
  std::string kind;              // "sent", "delivered", ...: Happened's words
  NodeId node = -1;              // where it happened
  NodeId from = -1, to = -1;     // of a message or link
  int client = -1;               // of a request or an answer
  std::string type;              // of the message, announcement or answer
  std::string timer, operation;  // of a timer, of a disk
  std::string key;               // names the message or timer within its run; else empty
  Value body;

  std::string content() const { return print(type, body); }  // "Commit(value=1, round=0)"
};

Seen read_event(const std::string& json, int nodes);
// The events of one step, in order.
std::vector<Seen> events_of(const Trace& trace, std::size_t step);

// The same keys for the message or timer that an action is about.
std::string message_key(const System& system, Name name);
std::string timer_key(const System& system, Name name);

}  // namespace schism::draw
