// `shiviz`: two lines an event, host and vector clock, then what happened. ShiViz draws the arrows
// from the clocks. Hosts are the nodes, the clients, and the network for what happens at none.
#include <fmt/format.h>

#include <map>

#include "schism/base/escape.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/scene.hpp"

namespace schism::draw {
namespace {

using Clock = std::map<std::string, std::uint32_t>;  // sorted: the output is the same each time

void merge(Clock& into, const Clock& other) {
  for (const auto& [host, count] : other) into[host] = std::max(into[host], count);
}

class Log {
 public:
  explicit Log(const Scene& scene) : scene_(scene), after_(scene.steps.size()) {}

  std::string write() {
    for (std::size_t i = 0; i < scene_.steps.size(); ++i) step(i);
    return std::move(out_);
  }

 private:
  // One event: the host's own clock moves on, with everything known that reached it.
  const Clock& put(const std::string& host, const Clock& reached, const std::string& text) {
    Clock& clock = now_[host];
    merge(clock, reached);
    ++clock[host];
    std::string json;
    for (const auto& [name, count] : clock)
      json += fmt::format("{}\"{}\":{}", json.empty() ? "" : ",", name, count);
    out_ += fmt::format("{} {{{}}}\n{}\n", host, json, printable(text));
    return clock;
  }

  static std::string node_host(NodeId id) { return fmt::format("node{}", id); }
  static std::string client_host(int id) { return fmt::format("client{}", id); }

  std::string text_of(const SceneStep& s, std::size_t i) const {
    std::string text = fmt::format("[{}] {}", i, s.title);
    for (const Effect& e : s.effects) text += "; " + e.text;
    for (const std::string& role : s.roles) text += "; evidence: " + role;
    if (s.violating) text += "; VIOLATED: " + scene_.trace->violation->property;
    return text;
  }

  // The start is an event of each node, so that none of them seems to wait for another.
  void start(const SceneStep& s) {
    for (NodeId id = 0; id < scene_.nodes; ++id) {
      std::string text = "[0] start";
      for (const Effect& e : s.effects)
        if (e.node == id) text += "; " + e.text;
      put(node_host(id), {}, text);
    }
  }

  Clock known_at(const Cause& cause, const SceneStep& s) const {
    if (scene_.steps[cause.step].kind != Do::nothing) return after_[cause.step];
    if (cause.why == Why::message && s.from >= 0) return {{node_host(s.from), 1}};
    if (s.node >= 0) return {{node_host(s.node), 1}};
    return {};
  }

  void step(std::size_t i) {
    const SceneStep& s = scene_.steps[i];
    if (s.kind == Do::nothing) return start(s);
    Clock reached;
    for (const Cause& cause : scene_.causality.causes(i)) merge(reached, known_at(cause, s));
    if (s.client >= 0)
      merge(reached, put(client_host(s.client), {}, fmt::format("[{}] asks {}", i, s.label)));
    // The network has no memory: what happens there is known by what caused it, not by the rest.
    if (s.node < 0) {
      put("network", reached, text_of(s, i));
      after_[i] = reached;
      return;
    }
    after_[i] = put(node_host(s.node), reached, text_of(s, i));
    for (const Effect& e : s.effects)
      if (e.kind == EffectKind::answers && e.client >= 0)
        put(client_host(e.client), after_[i], fmt::format("[{}] is answered {}", i, e.content));
  }

  const Scene& scene_;
  std::vector<Clock> after_;
  std::map<std::string, Clock> now_;
  std::string out_;
};

// ShiViz takes the first line of a file as the expression and the second as what divides several
// executions; an empty one: there is one execution.
std::string draw_shiviz(const Trace& trace, const DrawOptions&) {
  const Scene scene = make_scene(trace);
  return "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n\n" + Log(scene).write();
}

const Registration registered =
    add_format({30, "shiviz", "a log with vector clocks for ShiViz", draw_shiviz});

}  // namespace
}  // namespace schism::draw
