// TOML files of people: configurations, experiments, schemas. All are small, and read here.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "schism/base/result.hpp"

namespace schism {

// An error is a sentence that begins with the name and the line.
Result<toml::table> parse_toml(std::string_view text, const std::string& name);

}  // namespace schism
