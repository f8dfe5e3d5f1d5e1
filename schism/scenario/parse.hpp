// Scenarios as files (docs/scenarios.md has the grammar on a page). An error says file, line,
// column and what was expected there.
#pragma once

#include "schism/base/result.hpp"
#include "schism/scenario/syntax.hpp"

namespace schism::scenario {

// All scenarios of a file; `name` is for messages.
Result<std::vector<Scenario>> parse(std::string_view text, const std::string& name);
// The lines of a script alone.
Result<std::vector<Line>> parse_script(std::string_view text, const std::string& name);
// One condition alone: the words of a system's vocabulary.
Result<Cond> parse_condition(std::string_view text, const std::string& name);

}  // namespace schism::scenario
