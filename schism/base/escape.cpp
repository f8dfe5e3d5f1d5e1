#include "schism/base/escape.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace schism::draw {
namespace {

bool is_word(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Letters, digits, the given signs and everything beyond ASCII stay; all else by `code`.
template <class Code>
std::string escape_all_but(std::string_view text, std::string_view plain, Code code) {
  std::string out;
  each_visible(text, [&](char32_t c) {
    const bool stays = c >= 0x80 || is_word(c) || plain.find(static_cast<char>(c)) != plain.npos;
    if (stays) put_character(out, c);
    else out += code(static_cast<std::uint32_t>(c));
  });
  return out;
}

}  // namespace

// Graphviz reads entities as well as backslashes.
std::string escape_dot(std::string_view text) {
  std::string out;
  each_visible(text, [&](char32_t c) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      default: put_character(out, c);
    }
  });
  return out;
}

std::string escape_mermaid(std::string_view text) {
  return escape_all_but(text, " _=,.()[]/", [](std::uint32_t c) { return fmt::format("#{};", c); });
}

std::string escape_plantuml(std::string_view text) {
  return escape_all_but(text, " =,.()",
                        [](std::uint32_t c) { return fmt::format("<U+{:04X}>", c); });
}

std::string json_for_script(const std::string& json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

}  // namespace schism::draw
