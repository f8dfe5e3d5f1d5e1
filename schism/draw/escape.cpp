#include "schism/draw/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace schism::draw {
namespace {

constexpr char32_t kReplacement = 0xfffd;

bool is_tail(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// One character of UTF-8; the rest is shortened by it, or by one byte that is none.
char32_t take(std::string_view& rest) {
  const auto lead = static_cast<unsigned char>(rest[0]);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                                           : 4;
  if (length == 0 || lead > 0xf4 || rest.size() < length) {
    rest.remove_prefix(1);
    return kReplacement;
  }
  char32_t c = length == 1 ? lead : lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_tail(rest[i])) {
      rest.remove_prefix(1);
      return kReplacement;
    }
    c = c << 6 | (static_cast<unsigned char>(rest[i]) & 0x3fU);
  }
  const bool too_long = (length == 3 && c < 0x800) || (length == 4 && c < 0x10000);
  if (too_long || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
    rest.remove_prefix(1);
    return kReplacement;
  }
  rest.remove_prefix(length);
  return c;
}

void put(std::string& out, char32_t c) {
  const auto byte = [&](char32_t b) { out += static_cast<char>(b); };
  const auto tail = [&](int shift) { byte(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) byte(c);
  else if (c < 0x800) byte(0xc0 | c >> 6), tail(0);
  else if (c < 0x10000) byte(0xe0 | c >> 12), tail(6), tail(0);
  else byte(0xf0 | c >> 18), tail(12), tail(6), tail(0);
}

// What has no shape of its own, or turns the text around it.
char32_t visible(char32_t c) {
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7f) return 0x2421;
  const bool control = (c >= 0x80 && c < 0xa0) || c == 0x2028 || c == 0x2029 ||
                       (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
                       (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c < 0xfdf0);
  return control ? kReplacement : c;
}

template <class Each>
void each_character(std::string_view text, Each each) {
  while (!text.empty()) each(visible(take(text)));
}

bool is_word(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Letters, digits, the given signs and everything beyond ASCII stay; all else by `code`.
template <class Code>
std::string escape_all_but(std::string_view text, std::string_view plain, Code code) {
  std::string out;
  each_character(text, [&](char32_t c) {
    const bool stays = c >= 0x80 || is_word(c) || plain.find(static_cast<char>(c)) != plain.npos;
    if (stays) put(out, c);
    else out += code(static_cast<std::uint32_t>(c));
  });
  return out;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  each_character(text, [&](char32_t c) { put(out, c); });
  return out;
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return !is_tail(c); }));
}

std::string clip(const std::string& text, std::size_t most) {
  if (characters(text) <= most) return text;
  std::size_t bytes = 0, seen = 0;
  while (bytes < text.size() && (seen + 1 < most || is_tail(text[bytes])))
    seen += is_tail(text[bytes++]) ? 0 : 1;
  return text.substr(0, bytes) + "…";
}

std::string escape_xml(std::string_view text) {
  std::string out;
  each_character(text, [&](char32_t c) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: put(out, c);
    }
  });
  return out;
}

// Graphviz reads entities as well as backslashes.
std::string escape_dot(std::string_view text) {
  std::string out;
  each_character(text, [&](char32_t c) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      default: put(out, c);
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

std::string json_for_script(std::string json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

}  // namespace schism::draw
