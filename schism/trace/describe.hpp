// One serialisable form for actions and events, used by traces, `show` and replay's comparison.
#pragma once

#include <string>

#include "schism/base/result.hpp"
#include "schism/base/value.hpp"
#include "schism/schedule/replay.hpp"
#include "schism/system/system.hpp"
#include "schism/world/world.hpp"

namespace schism {

// {"do":"deliver","from":0,"to":1,"type":"Commit","n":2}
Value describe_action(const System& system, const Recorded& step);
// The action again, or a sentence. Fields that belong to others are left alone.
Result<Recorded> parse_action(const System& system, int nodes, const Value& line);

// {"event":"sent","node":0,"to":1,"type":"Commit","n":2,"body":{"value":1,"round":0}}
Value describe_event(const System& system, const Event& event);
Value describe_event(const System& system, const RecordedEvent& event);
std::string event_text(const System& system, const RecordedEvent& event);  // as JSON
std::string events_text(const System& system, const std::vector<RecordedEvent>& events);
Result<RecordedEvent> parse_event(const System& system, int nodes, const Value& object);

// {"client":0,"node":1,"request":"Put","body":{"key":0,"value":3}}; any node: no "node".
Value describe_request(const System& system, const ClientRequest& request);
Result<ClientRequest> parse_request(const System& system, int nodes, const Value& object);

// For people: "deliver Commit 0->1 #2", "fire election at 3".
std::string print_action(const System& system, const Action& action);
std::string print_action(const Setup& setup, const Action& action);  // twins by their names
std::string print_event(const System& system, const Event& event);
// "Commit(value=1, round=0)"; maps and sets as what they are, where the system knows the type.
std::string print_content(const System& system, const RecordedEvent& event);

}  // namespace schism
