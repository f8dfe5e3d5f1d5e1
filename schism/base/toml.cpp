#include "schism/base/toml.hpp"

#include <algorithm>
#include <cctype>

namespace schism {
namespace {

constexpr std::size_t kBytesMax = std::size_t{1} << 20;  // nobody types more
constexpr std::size_t kDotsMax = 32;

// Behind a text that begins there: at its end, or at that of the line where it has none.
std::size_t after_text(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool many_lines = text.substr(at, 3) == three;
  at += many_lines ? 3 : 1;
  while (at < text.size()) {
    if (text[at] == '\\' && quote == '"') ++at;
    else if (many_lines && text.substr(at, 3) == three) return at + 3;
    else if (!many_lines && (text[at] == quote || text[at] == '\n')) return at + 1;
    ++at;
  }
  return text.size();
}

// The library limits how deep brackets may nest, but a.b.c makes tables in tables too, and those
// of a million dots take more stack than there is. 0: no line has too many.
std::size_t line_of_many_dots(std::string_view text) {
  std::size_t dots = 0, line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      const std::size_t end = after_text(text, at);
      const auto feeds = std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                    text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
      line += static_cast<std::size_t>(feeds);
      at = end;
    } else {
      const bool key = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ||
                       c == ' ' || c == '\t' || static_cast<unsigned char>(c) >= 0x80;
      if (c == '.' && ++dots > kDotsMax) return line;
      if (c != '.' && !key) dots = 0;
      line += c == '\n' ? 1 : 0;
      ++at;
    }
  }
  return 0;
}

}  // namespace

Result<toml::table> parse_toml(std::string_view text, const std::string& name) {
  if (text.size() > kBytesMax) return error("{}, line 1: more than 1 MiB of TOML", name);
  if (const std::size_t line = line_of_many_dots(text); line > 0)
    return error("{}, line {}: a name with more than {} dots", name, line, kDotsMax);
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& e) {
    return error("{}, line {}: {}", name, e.source().begin.line, e.description());
  }
}

}  // namespace schism
