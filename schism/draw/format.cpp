#include "schism/draw/format.hpp"

#include <array>

namespace schism::draw {
namespace {

constexpr std::array kFormats = {
    Format{"text", "a space-time diagram for the terminal", draw_text},
    Format{"json", "steps, events, causes and states, for programs", draw_json},
    Format{"shiviz", "a log with vector clocks for ShiViz", draw_shiviz},
    Format{"chrome", "trace events for Perfetto or chrome://tracing", draw_chrome},
    Format{"mermaid", "a sequence diagram for Markdown pages", draw_mermaid},
    Format{"plantuml", "a sequence diagram for PlantUML", draw_plantuml},
    Format{"dot", "the causal graph for Graphviz", draw_dot},
    Format{"itf", "the states of all nodes for TLA+ tools (Apalache's ITF)", draw_itf},
    Format{"html", "one page for a browser, with states and the nearest passing run", draw_html},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const Format& format : kFormats) out.emplace_back(format.name);
  return out;
}

}  // namespace schism::draw
