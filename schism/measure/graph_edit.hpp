// How far apart two runs are: as graphs whose vertices are events, with labels, and whose edges say
// which event another depends on. Every edit (inserting, deleting or changing a vertex, inserting
// or deleting an edge) costs 1.
#pragma once

#include <cstdint>
#include <vector>

namespace schism {

struct LabelledGraph {
  std::vector<std::uint64_t> labels;                           // a vertex each
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // from, to; each at most once

  std::size_t size() const { return labels.size(); }
};

// The cheapest way to turn one graph into the other, by trying all: for graphs of a few vertices.
std::uint64_t graph_edit_distance(const LabelledGraph& a, const LabelledGraph& b);

// The Hausdorff edit distance (Fischer et al. 2015): every vertex is matched with the one of the
// other graph that is cheapest for it alone. Never more than the above; in the time of all pairs of
// vertices that differ in label or degree.
double hausdorff_edit_distance(const LabelledGraph& a, const LabelledGraph& b);

// The largest that it can be: larger graph's vertices, and all edges (DiscoTest, 4.1.1).
double graph_distance_bound(const LabelledGraph& a, const LabelledGraph& b);

}  // namespace schism
