// Runs in the form that isolation reads: a line of JSON each, and the schema that says what stands
// where. What was read back is the same.
#pragma once

#include <string>

#include "schism/isolate/run.hpp"
#include "schism/isolate/schema.hpp"

namespace schism::isolate {

std::string to_line(const Schema& schema, const Run& run);
// Of lines that to_line wrote: messages are lists of verb, sender and fields.
std::string to_toml(const Schema& schema);

}  // namespace schism::isolate
