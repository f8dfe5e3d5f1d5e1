// What a trace can be turned into. A format is a name, a line for people and a function; a new one
// is a file of its own and a line in the table of format.cpp.
//
//   const Format* format = find_format("mermaid");
//   std::string text = format->draw(trace, options);
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schism/trace/trace.hpp"

namespace schism::draw {

struct DrawOptions {
  int width = 100;                          // text: columns
  bool color = false;                       // text
  bool sends = true;                        // text: what steps send
  bool states = true;                       // text: how nodes change
  std::uint32_t from = 0, to = UINT32_MAX;  // text: the steps shown
  std::string replay;  // html: the command that plays the trace again; may be empty
};

struct Format {
  std::string_view name;
  std::string_view description;  // what it is, and what opens it
  std::string (*draw)(const Trace& trace, const DrawOptions& options);
};

std::span<const Format> formats();
const Format* find_format(std::string_view name);
std::vector<std::string> format_names();

std::string draw_text(const Trace& trace, const DrawOptions& options);
std::string draw_json(const Trace& trace, const DrawOptions& options);
std::string draw_shiviz(const Trace& trace, const DrawOptions& options);
std::string draw_chrome(const Trace& trace, const DrawOptions& options);
std::string draw_mermaid(const Trace& trace, const DrawOptions& options);
std::string draw_plantuml(const Trace& trace, const DrawOptions& options);
std::string draw_dot(const Trace& trace, const DrawOptions& options);
std::string draw_itf(const Trace& trace, const DrawOptions& options);
std::string draw_html(const Trace& trace, const DrawOptions& options);

}  // namespace schism::draw
