// What a trace can be turned into. A format is a name, a line for people and a function; each is a
// file of its own, which registers it.
//
//   const auto registered = add_format({50, "mermaid", "a sequence diagram", draw_mermaid});
//   const Format* format = find_format("mermaid");
//   std::string text = format->draw(trace, options);
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schism/base/registry.hpp"
#include "schism/draw/story.hpp"
#include "schism/trace/trace.hpp"

namespace schism::draw {

struct DrawOptions {
  int width = 100;                          // text: columns
  bool color = false;                       // text
  bool sends = true;                        // text: what steps send
  bool states = true;                       // text: how nodes change
  bool fold = true;                         // text: what repeats is one line
  std::uint32_t from = 0, to = UINT32_MAX;  // text: the steps shown; a part is never folded
  std::string replay;  // html: the command that plays the trace again; may be empty
};

struct Format {
  int rank;  // its place in the help
  std::string_view name;
  std::string_view description;  // what it is, and what opens it
  std::string (*draw)(const Trace& trace, const DrawOptions& options);
};

Registration add_format(Format format);
std::span<const Format> formats();  // by rank
const Format* find_format(std::string_view name);
std::vector<std::string> format_names();

StoryOptions story_options(const DrawOptions& options);  // of a text
// The page beside every find.
std::string draw_html(const Trace& trace, const DrawOptions& options);

}  // namespace schism::draw
