// Files of scenarios, and folders of them.
#pragma once

#include "schism/base/result.hpp"
#include "schism/scenario/syntax.hpp"

namespace schism::scenario {

// Those that end in .scenario, in these folders and the folders in them, sorted; other paths stay.
Result<std::vector<std::string>> list_files(const std::vector<std::string>& paths);
// All scenarios of a folder or file; one that cannot be read is a scenario that cannot be run.
std::vector<Scenario> scenarios_in(const std::string& path);

}  // namespace schism::scenario
