#include "schism/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace schism {
namespace {

constexpr char32_t kReplacement = 0xfffd;

bool is_tail(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// From the tables of Unicode: format characters (Cf) that hide, join or turn text, separators of
// lines and paragraphs, and what is no character. Sorted.
constexpr std::array<std::pair<char32_t, char32_t>, 17> kUnseen = {{
    {0x7f, 0x9f},        // DEL and the C1 controls: U+009B begins a sequence as ESC [ does
    {0xad, 0xad},        // soft hyphen
    {0x34f, 0x34f},      // grapheme joiner
    {0x61c, 0x61c},      // Arabic letter mark
    {0x115f, 0x1160},    // Hangul fillers
    {0x17b4, 0x17b5},    // Khmer vowels without a shape
    {0x180b, 0x180f},    // Mongolian selectors
    {0x200b, 0x200f},    // zero width, and marks of direction
    {0x2028, 0x202e},    // separators; embedding and overriding of direction
    {0x2060, 0x206f},    // word joiner, isolates, deprecated formats
    {0x3164, 0x3164},    // Hangul filler
    {0xfdd0, 0xfdef},    // no characters
    {0xfeff, 0xfeff},    // byte order mark
    {0xffa0, 0xffa0},    // halfwidth filler
    {0xfff0, 0xfffb},    // unassigned, annotations
    {0x1d173, 0x1d17a},  // musical formats
    {0xe0000, 0xe0fff},  // tags
}};

}  // namespace

char32_t take_character(std::string_view& rest) {
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

void put_character(std::string& out, char32_t c) {
  const auto byte = [&](char32_t b) { out += static_cast<char>(b); };
  const auto tail = [&](int shift) { byte(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) byte(c);
  else if (c < 0x800) byte(0xc0 | c >> 6), tail(0);
  else if (c < 0x10000) byte(0xe0 | c >> 12), tail(6), tail(0);
  else byte(0xf0 | c >> 18), tail(12), tail(6), tail(0);
}

bool is_unseen(char32_t c) {
  if (c < 0x7f) return c < 0x20;
  if ((c & 0xfffe) == 0xfffe) return true;  // the last two of every plane are no characters
  const auto* at = std::partition_point(kUnseen.begin(), kUnseen.end(),
                                        [&](const auto& range) { return range.second < c; });
  return at != kUnseen.end() && at->first <= c;
}

char32_t visible(char32_t c) {
  if (!is_unseen(c)) return c;
  if (c < 0x20) return 0x2400 + c;
  return c == 0x7f ? 0x2421 : kReplacement;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  each_visible(text, [&](char32_t c) { put_character(out, c); });
  return out;
}

std::string printable_lines(std::string_view text, const std::string_view* palette) {
  std::string out;
  out.reserve(text.size());
  const auto own_sequence = [&]() -> std::size_t {
    for (const auto* at = palette; at && !at->empty(); ++at)
      if (text.starts_with(*at)) return at->size();
    return 0;
  };
  while (!text.empty()) {
    const std::size_t own = text[0] == '\x1b' ? own_sequence() : text[0] == '\n' ? 1 : 0;
    if (own > 0) {
      out += text.substr(0, own);
      text.remove_prefix(own);
    } else {
      put_character(out, visible(take_character(text)));
    }
  }
  return out;
}

std::string escape_xml(std::string_view text) {
  std::string out;
  each_visible(text, [&](char32_t c) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: put_character(out, c);
    }
  });
  return out;
}

std::string escape_json(std::string json) {
  const auto special = [](char c) { return static_cast<unsigned char>(c) >= 0x7f; };
  if (std::none_of(json.begin(), json.end(), special)) return json;
  std::string out;
  for (std::string_view rest = json; !rest.empty();) {
    const std::uint32_t c = take_character(rest);
    if (!is_unseen(c) || c < 0x20) put_character(out, c);
    else if (c < 0x10000) out += fmt::format("\\u{:04x}", c);
    else  // a surrogate pair
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
  }
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

}  // namespace schism
