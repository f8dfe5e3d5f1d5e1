// What a page shows of a verdict beside the run. An oracle that has something to show implements
// this, too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schism/world/world.hpp"

namespace schism {

struct Testimony {
  struct Row {
    std::vector<std::string> cells;
    bool marked = false;  // this is the reason
  };
  std::string title, text;
  std::vector<Row> rows;  // the first has the heads
};

class Witness {
 public:
  virtual ~Witness() = default;
  // Of a violation, while the world is as it was then.
  virtual std::optional<Testimony> testimony(const World& world) = 0;
};

}  // namespace schism
