// A run as a graph: a vertex each delivery and timer, an edge from what happened at the node
// before, and from where the message was sent. Runs that differ only in the order of independent
// steps have the same graph (DiscoTest, 3.2.2). Also counts messages by class.
#pragma once

#include <unordered_map>

#include "schism/evolve/message_classes.hpp"
#include "schism/measure/graph_edit.hpp"
#include "schism/world/watcher.hpp"

namespace schism::evolve {

class TraceGraph final : public Watcher {
 public:
  explicit TraceGraph(MessageClasses classes) : classes_(std::move(classes)) {}

  std::string_view name() const override { return "trace graph"; }
  EventMask wakes_on() const override {
    return mask_of(Happened::sent) | mask_of(Happened::delivered) | mask_of(Happened::timer_fired);
  }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;

  const LabelledGraph& graph() const { return graph_; }
  const std::vector<std::uint64_t>& deliveries() const { return counts_; }  // by class

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  void add(std::uint32_t node, std::uint64_t label, std::uint32_t cause);

  MessageClasses classes_;
  LabelledGraph graph_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> last_;                             // a vertex a node
  std::unordered_map<std::uint64_t, std::uint32_t> sent_from_;  // by the message's name
};

// The Hausdorff edit distance of two runs, as a share of the largest possible.
double run_distance(const LabelledGraph& a, const LabelledGraph& b);

}  // namespace schism::evolve
