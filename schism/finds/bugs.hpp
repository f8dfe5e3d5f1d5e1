// Many finds, few bugs: grouped by property and evidence, and within that by shape.
#pragma once

#include <cstdint>
#include <vector>

#include "schism/finds/shape.hpp"

namespace schism {

struct ShapeGroup {
  Hash128 shape;
  Trace smallest;
  std::uint64_t count = 0;
  std::vector<std::uint64_t> seeds;  // the first few
  FIELDS(shape, smallest, count, seeds)
};

struct BugGroup {
  std::string property, evidence;
  std::vector<ShapeGroup> shapes;  // smallest first, then in order of discovery
  std::uint64_t count() const;
  const Trace& smallest() const { return shapes.front().smallest; }
};

class Bugs {
 public:
  enum class News : std::uint8_t { nothing, smaller, shape, bug };
  // The place of its group, and what was new about it. Ties go to what came first.
  struct Added {
    std::size_t group;
    News news;
  };
  // `seed`: of the run that showed it, as it was before it was made small.
  Added add(const Trace& small, const Look& look, std::uint64_t seed);

  const std::vector<BugGroup>& groups() const { return groups_; }
  void restore(std::vector<BugGroup> groups) { groups_ = std::move(groups); }

 private:
  std::vector<BugGroup> groups_;
};

}  // namespace schism
