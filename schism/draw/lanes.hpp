// The lanes of the terminal's diagram: a column a node, signs for what happens there, arrows from
// sender to receiver. `├───┼──▶●` is a delivery over the lane of another node.
#pragma once

#include <string>
#include <vector>

#include "schism/draw/scene.hpp"

namespace schism::draw {

class Lanes {
 public:
  explicit Lanes(std::vector<std::string> names)
      : names_(std::move(names)),
        nodes_(static_cast<int>(names_.size())),
        up_(names_.size(), true) {}

  // Columns a node, 0 to 4; with none there are no lanes.
  void set_width(std::size_t width) { width_ = width; }
  std::size_t columns() const { return static_cast<std::size_t>(nodes_) * width_; }

  // The nodes' names; narrow lanes have their digits one below the other.
  std::vector<std::string> heading() const;
  std::string quiet() const;                // nothing happens
  std::string draw(const SceneStep& step);  // remembers who is up

 private:
  using Cells = std::vector<std::string>;
  Cells resting() const;
  // A sign in a lane, and what fills the way to the next.
  std::string cell(std::string_view sign, std::string_view fill, std::string_view last = "") const;
  void arrow(Cells& cells, NodeId from, NodeId to, std::string_view head) const;
  void mark(Cells& cells, NodeId id, std::string_view sign) const;

  std::vector<std::string> names_;
  int nodes_;
  std::size_t width_ = 4;
  std::vector<bool> up_;
};

}  // namespace schism::draw
