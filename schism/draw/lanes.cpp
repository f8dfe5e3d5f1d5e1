#include "schism/draw/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schism::draw {
namespace {

std::string join(const std::vector<std::string>& cells) {
  std::string out;
  for (const std::string& cell : cells) out += cell;
  return out;
}

}  // namespace

std::vector<std::string> Lanes::heading() const {
  std::size_t digits = 1;
  for (const std::string& name : names_) digits = std::max(digits, name.size());
  const bool across = digits < width_ || digits == 1 || width_ == 0;
  std::vector<std::string> out(across ? 1 : digits);
  for (NodeId id = 0; id < nodes_ && width_ > 0; ++id) {
    const std::string& name = names_[static_cast<std::size_t>(id)];
    const std::string number = fmt::format("{:>{}}", name, across ? 1 : digits);
    for (std::size_t line = 0; line < out.size(); ++line)
      out[line] += fmt::format("{:<{}}", across ? number : number.substr(line, 1), width_);
  }
  for (std::string& line : out)
    while (line.ends_with(' ')) line.pop_back();
  return out;
}

std::string Lanes::cell(std::string_view sign, std::string_view fill, std::string_view last) const {
  if (width_ == 0) return "";
  std::string out(sign);
  for (std::size_t i = 1; i + 1 < width_; ++i) out += fill;
  return width_ == 1 ? out : out + std::string(last.empty() ? fill : last);
}

Lanes::Cells Lanes::resting() const {
  Cells cells;
  for (NodeId id = 0; id < nodes_; ++id)
    cells.push_back(cell(up_[static_cast<std::size_t>(id)] ? "│" : "┊", " "));
  return cells;
}

std::string Lanes::quiet() const { return join(resting()); }

void Lanes::arrow(Cells& cells, NodeId from, NodeId to, std::string_view head) const {
  const NodeId low = std::min(from, to), high = std::max(from, to);
  for (NodeId id = low; id <= high; ++id) {
    const std::string_view sign = id == to ? head : id != from ? "┼" : from < to ? "├" : "┤";
    std::string& at = cells[static_cast<std::size_t>(id)];
    if (id == high) at = cell(sign, " ");
    else if (id == high - 1 && to == high) at = cell(sign, "─", "▶");
    else at = cell(sign, "─");
    // The head of an arrow to the left stands right after its receiver.
    if (id == low && to == low && id < high && width_ > 2)
      at = std::string(sign) + "◀" + (width_ == 4 ? "──" : "─");
  }
}

void Lanes::mark(Cells& cells, NodeId id, std::string_view sign) const {
  if (id >= 0 && id < nodes_) cells[static_cast<std::size_t>(id)] = cell(sign, " ");
}

std::string Lanes::draw(const SceneStep& step) {
  if (step.node >= 0 && (step.kind == Do::crash || step.kind == Do::restart))
    up_[static_cast<std::size_t>(step.node)] = step.kind == Do::restart;
  Cells cells = resting();
  switch (step.kind) {
    case Do::deliver: arrow(cells, step.from, step.to, "●"); break;
    case Do::drop: arrow(cells, step.from, step.to, "✗"); break;
    case Do::cut: arrow(cells, step.from, step.to, "╳"); break;
    case Do::heal: arrow(cells, step.from, step.to, "◇"); break;
    case Do::fire: mark(cells, step.node, "◷"); break;
    case Do::complete: mark(cells, step.node, "▪"); break;
    case Do::submit: mark(cells, step.node, "▼"); break;
    case Do::crash: mark(cells, step.node, "✗"); break;
    case Do::restart: mark(cells, step.node, "○"); break;
    case Do::pause:
    case Do::resume: mark(cells, step.node, "‖"); break;
    case Do::nothing:
      for (NodeId id = 0; id < nodes_; ++id) mark(cells, id, "○");
      break;
    default: break;
  }
  return join(cells);
}

}  // namespace schism::draw
