// Text of arbitrary content, made safe for the languages that pictures are written in.
#pragma once

#include <string>
#include <string_view>

#include "schism/base/text.hpp"

namespace schism::draw {

using schism::characters;
using schism::clip;
using schism::escape_xml;

std::string escape_dot(std::string_view text);       // inside double quotes
std::string escape_mermaid(std::string_view text);   // text of a message or note
std::string escape_plantuml(std::string_view text);  // the same
// JSON that may stand inside a <script>: no "<" in it.
std::string json_for_script(const std::string& json);

}  // namespace schism::draw
