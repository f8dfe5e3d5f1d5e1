// Whole files, plain or zstd by their name, read with a limit and written completely or not at all.
#pragma once

#include <string>

#include "schism/base/result.hpp"

namespace schism {

Result<std::string> read_file(const std::string& path);  // "-": standard input
// Through a temporary beside it and a rename: a reader never sees half a file.
Status write_file(const std::string& path, const std::string& content);
Status make_directory(const std::string& path);

Result<std::string> decompress(const std::string& bytes);
std::string compress(const std::string& bytes);

}  // namespace schism
