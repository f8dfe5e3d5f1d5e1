#include "schism/draw/format.hpp"

#include <algorithm>

namespace schism::draw {
namespace {

// Function-local, so that it exists before the first static object that registers.
std::vector<Format>& table() {
  static std::vector<Format> formats;
  return formats;
}

}  // namespace

Registration add_format(Format format) {
  if (find_format(format.name))
    registration_error("the format \"" + std::string(format.name) + "\" is registered twice");
  const auto at = std::find_if(table().begin(), table().end(),
                               [&](const Format& other) { return other.rank > format.rank; });
  table().insert(at, format);
  return {};
}

std::span<const Format> formats() { return table(); }

const Format* find_format(std::string_view name) {
  for (const Format& format : table())
    if (format.name == name) return &format;
  return nullptr;
}

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const Format& format : table()) out.emplace_back(format.name);
  return out;
}

}  // namespace schism::draw
