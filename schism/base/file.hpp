// Whole files, plain or zstd by their name, read with a limit and written completely or not at all.
// Every file that the program writes is written here.
#pragma once

#include <string>

#include "schism/base/result.hpp"

namespace schism {

// "-": standard input. What a packed file unpacks to has a limit: `unpacked_max`.
Result<std::string> read_file(const std::string& path);

// A new or regular file is made beside its place under a name that nobody can foresee, and renamed:
// a reader never sees half of it, and it keeps the mode that it had. A link stays, what it points
// at is written. Whatever is no regular file (a device, a pipe) is written through, and "-" is
// standard output. An error is one sentence that begins with the path.
Status write_file(const std::string& path, const std::string& content);
// Whether that would succeed, as far as it can be known before there is something to write; the
// empty path, which is nowhere, does.
Status can_write(const std::string& path);
// Whether `write_file` would make a file there that can have others beside it.
bool names_a_file(const std::string& path);
Status make_directory(const std::string& path);

Result<std::string> decompress(const std::string& bytes);
std::string compress(const std::string& bytes);
// How much packed bytes may unpack to: a small size whatever the file's, then `ratio` times it.
// Beyond that a file counts as hostile, and `too_much` is the sentence for it.
inline constexpr std::size_t kUnpackRatio = 16;
std::size_t unpacked_max(std::size_t packed, std::size_t ratio = kUnpackRatio);
std::string too_much(std::size_t packed, std::size_t ratio = kUnpackRatio);

}  // namespace schism
