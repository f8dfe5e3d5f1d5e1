// Text of arbitrary content, made safe for the languages that pictures are written in.
#pragma once

#include <string>
#include <string_view>

namespace schism::draw {

// Valid UTF-8 on one line: bytes that are none become U+FFFD, control characters their pictures
// (a line feed shows as ␊).
std::string one_line(std::string_view text);
// The first so many characters; an ellipsis says that there were more.
std::string clip(const std::string& text, std::size_t characters);
std::size_t characters(std::string_view utf8);

std::string escape_xml(std::string_view text);       // contents and attributes in quotes
std::string escape_dot(std::string_view text);       // inside double quotes
std::string escape_mermaid(std::string_view text);   // text of a message or note
std::string escape_plantuml(std::string_view text);  // the same
// JSON that may stand inside a <script>: no "<" in it.
std::string json_for_script(std::string json);

}  // namespace schism::draw
