#include "schism/measure/graph_edit.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace schism {
namespace {

// The exact distance, by assigning the vertices of `a` one after the other.
class Exact {
 public:
  Exact(const LabelledGraph& a, const LabelledGraph& b)
      : a_(a), b_(b), in_a_(a.edges.begin(), a.edges.end()), in_b_(b.edges.begin(), b.edges.end()) {
    image_.assign(a.size(), kGone);
    taken_.assign(b.size(), false);
  }
  std::uint64_t distance() {
    best_ = a_.size() + b_.size() + a_.edges.size() + b_.edges.size();
    assign(0, 0);
    return best_;
  }

 private:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;
  static constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();

  void assign(std::uint32_t u, std::uint64_t cost) {
    if (cost >= best_) return;
    if (u == a_.size()) {
      best_ = std::min(best_, cost + left_over());
      return;
    }
    for (std::uint32_t v = 0; v < b_.size(); ++v) {
      if (taken_[v]) continue;
      taken_[v] = true;
      image_[u] = v;
      assign(u + 1, cost + (a_.labels[u] != b_.labels[v] ? 1 : 0) + edge_cost(u));
      taken_[v] = false;
    }
    image_[u] = kGone;
    assign(u + 1, cost + 1 + edge_cost(u));
  }
  // Edges of `a` between u and those before it, and of `b` between their images.
  std::uint64_t edge_cost(std::uint32_t u) const {
    std::uint64_t out = differs(u, u);
    for (std::uint32_t w = 0; w < u; ++w) out += differs(u, w) + differs(w, u);
    return out;
  }
  std::uint64_t differs(std::uint32_t u, std::uint32_t w) const {
    const std::uint32_t from = image_[u], to = image_[w];
    const bool there = from != kGone && to != kGone && in_b_.count({from, to}) > 0;
    return (in_a_.count({u, w}) > 0) != there ? 1 : 0;
  }
  // What `b` has and nothing of `a` became.
  std::uint64_t left_over() const {
    auto out = static_cast<std::uint64_t>(std::count(taken_.begin(), taken_.end(), false));
    for (const auto& [from, to] : b_.edges) out += !taken_[from] || !taken_[to] ? 1 : 0;
    return out;
  }

  const LabelledGraph &a_, &b_;
  std::set<Edge> in_a_, in_b_;
  std::vector<std::uint32_t> image_;
  std::vector<bool> taken_;
  std::uint64_t best_ = 0;
};

using Degree = std::array<int, 2>;  // in, out

std::vector<Degree> degrees(const LabelledGraph& graph) {
  std::vector<Degree> out(graph.size(), Degree{0, 0});
  for (const auto& [from, to] : graph.edges) ++out[to][0], ++out[from][1];
  return out;
}

// Half of what each vertex of `a` costs at least, summed up: an edit of a vertex that becomes
// another is paid for by both, an edit of an edge by both of its ends.
double one_way(const LabelledGraph& a, const LabelledGraph& b) {
  std::map<std::uint64_t, std::set<Degree>> by_label;
  std::set<Degree> any;
  const auto of_a = degrees(a), of_b = degrees(b);
  for (std::size_t v = 0; v < b.size(); ++v) {
    by_label[b.labels[v]].insert(of_b[v]);
    any.insert(of_b[v]);
  }
  const auto nearest = [](const std::set<Degree>& among, const Degree& degree) {
    int best = std::numeric_limits<int>::max() / 2;
    for (const Degree& other : among)
      best = std::min(best, std::abs(other[0] - degree[0]) + std::abs(other[1] - degree[1]));
    return static_cast<double>(best);
  };
  double sum = 0;
  for (std::size_t u = 0; u < a.size(); ++u) {
    const Degree& degree = of_a[u];
    double cost = 1 + (degree[0] + degree[1]) / 2.0;  // deleted, with its edges
    if (const auto same = by_label.find(a.labels[u]); same != by_label.end())
      cost = std::min(cost, nearest(same->second, degree) / 4);
    if (cost > 0.5 && !any.empty()) cost = std::min(cost, 0.5 + nearest(any, degree) / 4);
    sum += cost;
  }
  return sum;
}

}  // namespace

std::uint64_t graph_edit_distance(const LabelledGraph& a, const LabelledGraph& b) {
  return Exact(a, b).distance();
}

double hausdorff_edit_distance(const LabelledGraph& a, const LabelledGraph& b) {
  const double by_size = a.size() > b.size() ? static_cast<double>(a.size() - b.size())
                                             : static_cast<double>(b.size() - a.size());
  return std::max(by_size, one_way(a, b) + one_way(b, a));
}

double graph_distance_bound(const LabelledGraph& a, const LabelledGraph& b) {
  return static_cast<double>(std::max(a.size(), b.size()) + a.edges.size() + b.edges.size());
}

}  // namespace schism
