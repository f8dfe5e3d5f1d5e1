// Conditions in words (schema/where.hpp) for those who judge: over an event's content, and over a
// node's state in any world, whether it has the node's object or only what the node tells of it.
//
//   Property p("no commit in term 0");
//   p.on("start", *event_where(Happened::announced, type_info<Commit>(), "term = 0"), p.failing);
#pragma once

#include "schism/oracle/property.hpp"
#include "schism/schema/where.hpp"

namespace schism {

// An error is one line. An empty text: every event of that kind and type.
Result<Condition> event_where(Happened kind, const TypeInfo& type, std::string_view text);

// Of one node now; nothing: it is down. The condition must be over the type of that node.
std::optional<bool> holds_at(const Where& where, const World& world, NodeId node);

}  // namespace schism
