// Another build of a shared library that a system under test uses, put in its place: does a find
// happen there too?
#pragma once

#include <string>
#include <vector>

#include "schism/base/result.hpp"

namespace schism::cli {

// Runs this program in a process of its own, with that library instead of the one that has its
// name (empty: with those that it has); what it prints is shown, or not. Its exit code, or why
// there can be none: the file is no library, or no system here uses one of its name.
Result<int> run_again(const std::vector<std::string>& arguments, const std::string& library,
                      bool shown);

}  // namespace schism::cli
