#include "schism/evolve/trace_graph.hpp"

namespace schism::evolve {

void TraceGraph::begin(const World& world) {
  graph_ = {};
  counts_.assign(classes_.words.size(), 0);
  last_.assign(static_cast<std::size_t>(world.setup().places()), kNobody);
  sent_from_.clear();
}

void TraceGraph::look(const World& world, std::span<const Event> events) {
  if (world.calm()) return;
  for (const Event& event : events) {
    if (event.kind == Happened::delivered) {
      const Name name = event.name();
      const int type = classes_.of(name.type(), event.body);
      ++counts_[static_cast<std::size_t>(type)];
      const auto cause = sent_from_.find(event.value);
      const std::uint64_t label = (static_cast<std::uint64_t>(name.from()) << 20) +
                                  (static_cast<std::uint64_t>(name.to()) << 10) +
                                  static_cast<std::uint64_t>(type);
      add(event.node, label, cause == sent_from_.end() ? kNobody : cause->second);
      if (cause != sent_from_.end()) sent_from_.erase(cause);
    } else if (event.kind == Happened::timer_fired) {
      add(event.node, (std::uint64_t{1} << 40) + (std::uint64_t{event.node} << 16) + event.detail,
          kNobody);
    } else if (event.kind == Happened::sent) {
      sent_from_[event.value] = last_[event.node];
    }
  }
}

void TraceGraph::add(std::uint32_t node, std::uint64_t label, std::uint32_t cause) {
  const auto vertex = static_cast<std::uint32_t>(graph_.size());
  graph_.labels.push_back(label);
  if (last_[node] != kNobody) graph_.edges.emplace_back(last_[node], vertex);
  if (cause != kNobody && cause != last_[node]) graph_.edges.emplace_back(cause, vertex);
  last_[node] = vertex;
}

double run_distance(const LabelledGraph& a, const LabelledGraph& b) {
  const double bound = graph_distance_bound(a, b);
  return bound > 0 ? hausdorff_edit_distance(a, b) / bound : 0;
}

}  // namespace schism::evolve
