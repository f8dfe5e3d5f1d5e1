// A file in memory with a name, for readers that take one.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline const std::string& memory_path(std::string_view text) {
  static const int file = ::memfd_create("fuzz", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  require(::ftruncate(file, 0) == 0);
  require(::pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  return path;
}
