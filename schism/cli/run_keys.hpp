// The keys of a run in a TOML file: the same as the flags of the command line.
#pragma once

#include <string>
#include <vector>

#include "schism/base/toml.hpp"
#include "schism/run/config.hpp"

namespace schism::cli {

// `path` is "-" for standard input. Errors name the line.
Result<toml::table> read_toml(const std::string& path);

// A scalar as the text that a flag would have.
Result<std::string> scalar_text(const toml::node& node, std::string_view key);
// Whether the value of a key of a run or a verb is of its kind, whatever its range.
Status fits_key(std::string_view key, const std::string& text);
// name = value, each a scalar.
Result<Pairs> table_pairs(const toml::node& node, std::string_view key);

// One key of a run, put where it belongs; false: it is none.
Result<bool> take_run_key(RunText& text, std::string_view key, const toml::node& node);
const std::vector<std::string>& run_keys();

// «hunt.toml, line 3: ...»
std::string at_line(const std::string& path, const toml::node& node, const std::string& what);

}  // namespace schism::cli
