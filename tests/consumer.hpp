// Builds a program outside of this tree against the installed package.
#pragma once

#include <map>
#include <string>

#include "program.hpp"

namespace schism::e2e {

// Installs into `folder`/prefix, then configures and builds a project of the given files, of which
// at least one registers a system, compiled with further `options` (separated by
// semicolons). Returns the path of its program; failures are the test's.
std::string build_outside(const Folder& folder, const std::map<std::string, std::string>& sources,
                          const std::string& options = "");

}  // namespace schism::e2e
