#include "schism/finds/bugs.hpp"

#include <algorithm>

namespace schism {
namespace {

constexpr std::size_t kSeedsKept = 5;

bool smaller(const Trace& a, const Trace& b) {
  return std::pair(a.config.setup.nodes, a.steps.size()) <
         std::pair(b.config.setup.nodes, b.steps.size());
}

}  // namespace

std::uint64_t BugGroup::count() const {
  std::uint64_t sum = 0;
  for (const ShapeGroup& shape : shapes) sum += shape.count;
  return sum;
}

Bugs::Added Bugs::add(const Trace& small, const Look& look, std::uint64_t seed) {
  const auto same = [&](const BugGroup& group) {
    return group.property == small.violation->property && group.evidence == look.evidence;
  };
  const auto group = std::find_if(groups_.begin(), groups_.end(), same);
  const auto place = static_cast<std::size_t>(group - groups_.begin());
  if (group == groups_.end()) {
    groups_.push_back({small.violation->property, look.evidence, {}});
    groups_.back().shapes.push_back({look.shape, small, 1, {seed}});
    return {place, News::bug};
  }
  News news = News::nothing;
  auto shape = std::find_if(group->shapes.begin(), group->shapes.end(),
                            [&](const ShapeGroup& s) { return s.shape == look.shape; });
  if (shape == group->shapes.end()) {
    group->shapes.push_back({look.shape, small, 0, {}});
    shape = group->shapes.end() - 1;
    news = News::shape;
  } else if (smaller(small, shape->smallest)) {
    shape->smallest = small;
    news = News::smaller;
  }
  ++shape->count;
  if (shape->seeds.size() < kSeedsKept) shape->seeds.push_back(seed);
  std::stable_sort(
      group->shapes.begin(), group->shapes.end(),
      [](const ShapeGroup& a, const ShapeGroup& b) { return smaller(a.smallest, b.smallest); });
  return {place, news};
}

}  // namespace schism
