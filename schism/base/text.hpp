// Text from outside, made safe for where it goes. Whatever a protocol, a trace or a log puts into
// it, it stays on its line, in its colour and in its order: what has no shape of its own is shown
// by a picture (ESC is ␛, a line feed ␊) or by U+FFFD, and so are bytes that are no UTF-8. The
// languages of pictures (base/escape.hpp) build on these functions.
#pragma once

#include <string>
#include <string_view>

namespace schism {

// For a terminal, a log or a line of a file: one line.
std::string printable(std::string_view text);
// The same with its line feeds: for text that we composed of such lines. `palette` lists the
// escape sequences of our own that may stay, the empty one ends it.
std::string printable_lines(std::string_view text, const std::string_view* palette = nullptr);
// For XML and HTML: contents, and attributes in quotes.
std::string escape_xml(std::string_view text);
// For JSON that has been written: what a terminal would obey becomes \u escapes, which change
// nothing for who reads it.
std::string escape_json(std::string json);

// ---- what these are made of ----------------------------------------------------------------

// One character of UTF-8; the rest is shortened by it, or by one byte that is none (U+FFFD). The
// text must not be empty.
char32_t take_character(std::string_view& rest);
void put_character(std::string& out, char32_t c);
// Whether it has no shape, hides, or turns the text around it; and what is shown in its place.
bool is_unseen(char32_t c);
char32_t visible(char32_t c);

template <class Each>
void each_visible(std::string_view text, Each each) {
  while (!text.empty()) each(visible(take_character(text)));
}

// The first so many characters; an ellipsis says that there were more.
std::string clip(const std::string& text, std::size_t characters);
std::size_t characters(std::string_view utf8);

}  // namespace schism
