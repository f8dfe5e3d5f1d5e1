// `dot`: the causal graph for Graphviz. A column a node, an arrow from each step to those that
// needed it; what does not matter for the violation is grey.
#include <fmt/format.h>

#include "schism/base/escape.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/scene.hpp"

namespace schism::draw {
namespace {

constexpr std::size_t kLabelMax = 60;
constexpr std::size_t kLong = 150;  // steps

class Graph {
 public:
  explicit Graph(const Scene& scene) : scene_(scene) {}

  std::string write() const {
    const Trace& trace = *scene_.trace;
    std::string out = fmt::format(
        "digraph run {{\n  rankdir=TB;\n  label=\"{}\\l{}\\l\";\n  labelloc=t;\n"
        "  node [shape=box, style=filled, fillcolor=white, fontname=\"sans-serif\", fontsize=10];\n"
        "  edge [fontname=\"sans-serif\", fontsize=9];\n",
        escape_dot(headline(trace)), escape_dot(clip(verdict_line(trace), 120)));
    if (is_long()) out += "  nslimit=2; mclimit=0.1; splines=line;\n";
    for (NodeId id = 0; id < scene_.nodes; ++id) out += column(id);
    for (std::size_t i = 1; i < scene_.steps.size(); ++i)
      if (scene_.steps[i].node < 0) out += step(i);
    for (std::size_t i = 1; i < scene_.steps.size(); ++i) out += edges(i);
    return out + "}\n";
  }

 private:
  // The start is a point in each column.
  static std::string start(NodeId id) { return fmt::format("start{}", id); }

  // Graphviz takes minutes to make the best of a long run, and stumbles over its boxes.
  bool is_long() const { return scene_.steps.size() > kLong; }

  std::string column(NodeId id) const {
    std::string out = fmt::format("    start{0} [label=\"start {0}\", shape=ellipse];\n", id);
    for (std::size_t i = 1; i < scene_.steps.size(); ++i)
      if (scene_.steps[i].node == id) out += "  " + step(i);
    if (is_long()) return out;
    return fmt::format(
        "  subgraph cluster_{0} {{\n    label=\"node {1}\"; color=gray80;\n{2}  }}\n", id,
        scene_.name(id), out);
  }

  std::string step(std::size_t i) const {
    const SceneStep& s = scene_.steps[i];
    const std::string place = is_long() && s.node >= 0 ? " at " + scene_.name(s.node) : "";
    std::string label =
        escape_dot(clip(printable(fmt::format("{}{} {}", i, place, s.label)), kLabelMax));
    for (const std::string& role : s.roles)
      label += "\\n" + escape_dot(clip(printable("evidence: " + role), kLabelMax));
    if (s.violating)
      label += "\\n" + escape_dot(scene_.trace->violation->property) + " is violated";
    const std::string_view look = s.violating        ? ", fillcolor=\"#ffb3b3\", penwidth=2"
                                  : !s.roles.empty() ? ", fillcolor=\"#ffe0b3\""
                                  : !s.relevant      ? ", color=gray75, fontcolor=gray60"
                                                     : "";
    return fmt::format("  s{} [label=\"{}\"{}];\n", i, label, look);
  }

  std::string name_of(const Cause& cause, const SceneStep& s) const {
    if (cause.step > 0) return fmt::format("s{}", cause.step);
    if (cause.why == Why::message && s.from >= 0) return start(s.from);
    return start(s.node >= 0 ? s.node : 0);
  }

  std::string edges(std::size_t i) const {
    const SceneStep& s = scene_.steps[i];
    std::string out;
    for (const Cause& cause : scene_.causality.causes(i)) {
      const std::string_view look = cause.why == Why::message ? "color=\"#1f6fb2\", penwidth=1.4"
                                    : cause.why == Why::order ? "color=gray60, weight=8"
                                                              : "style=dashed, color=gray50";
      const bool named = cause.why != Why::message && cause.why != Why::order;
      out += fmt::format("  {} -> s{} [{}{}];\n", name_of(cause, s), i, look,
                         named ? fmt::format(", label=\"{}\"", enum_name(cause.why)) : "");
    }
    return out;
  }

  const Scene& scene_;
};

std::string draw_dot(const Trace& trace, const DrawOptions&) {
  const Scene scene = make_scene(trace);
  return Graph(scene).write();
}

const Registration registered = add_format({70, "dot", "the causal graph for Graphviz", draw_dot});

}  // namespace
}  // namespace schism::draw
