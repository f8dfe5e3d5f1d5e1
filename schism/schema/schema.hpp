// Fields by name: what FIELDS(...) declares, read, set and compared without knowing the type. There
// are two back ends, which always agree: an object in this process (an offset, where it can be),
// and a decoded value, as World::inspect gives it of a process of its own.
//
//   auto term = Path::parse(type_info<Server>(), "log[2].term");
//   term->read(&server) == term->read(world.inspect(3));    // Value(7); null: there is none
//   term->write(&server, 8);                                // false: 8 does not fit
//
//   auto bad = Where::parse(type_info<Server>(), "role = leader and term > 3 and votes.size < 2");
//   bad->holds(&server) == bad->holds(world.inspect(3));
//
//   for (const FieldInfo& field : type_info<Server>().fields)
//     field.name, to_json(describe(*field.type)), range_of(*field.type);
//
//   auto vote = RecordType::make("Vote", described);  // a message type out of such a description
#pragma once

#include "schism/schema/path.hpp"         // IWYU pragma: export
#include "schism/schema/record_type.hpp"  // IWYU pragma: export
#include "schism/schema/shape.hpp"        // IWYU pragma: export
#include "schism/schema/where.hpp"        // IWYU pragma: export
