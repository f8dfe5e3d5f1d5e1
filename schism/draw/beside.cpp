#include "schism/draw/beside.hpp"

#include <algorithm>

namespace schism::draw {

// The neighbour's steps are the run's own, but for one that stands elsewhere, some that are
// missing, and perhaps a tail of its own.
std::vector<Row> rows_of(const Trace& trace, const std::optional<Neighbour>& neighbour) {
  std::vector<Row> rows;
  const auto size = static_cast<std::int64_t>(trace.steps.size());
  if (!neighbour) {
    for (std::int64_t i = 0; i < size; ++i) rows.push_back({{i, -1}});
    return rows;
  }
  const auto& origin = neighbour->origin;
  const auto moved = static_cast<std::int64_t>(neighbour->step);
  std::int64_t i = 0, j = 0;
  const auto other =
      static_cast<std::int64_t>(std::min(origin.size(), neighbour->trace.steps.size()));
  while (i < size || j < other) {
    const std::int64_t from = j < other ? origin[static_cast<std::size_t>(j)] : -1;
    if (j >= other) rows.push_back({{i++, -1}});
    else if (i >= size || from < 0 || (from == moved && i != moved)) rows.push_back({{-1, j++}});
    else if (from == i) rows.push_back({{i++, j++}});
    else rows.push_back({{i++, -1}});
  }
  return rows;
}

std::vector<Piece> fold_rows(const std::vector<Row>& rows, const std::vector<Scene>& scenes) {
  std::vector<std::vector<Likeness>> own;
  own.reserve(scenes.size());
  for (const Scene& scene : scenes) own.push_back(likenesses(scene));
  if (own.size() == 1) return fold(own[0]);
  const Likeness gap{seeded("gap"), seeded("gap"), false, true};
  std::vector<Likeness> both;
  both.reserve(rows.size());
  for (const Row& row : rows) {
    const auto in = [&](std::size_t run) {
      return row.step[run] < 0 ? gap : own[run][static_cast<std::size_t>(row.step[run])];
    };
    both.push_back(together(in(0), in(1)));
  }
  return fold(both);
}

std::string describe(const Piece& piece, const std::vector<Row>& rows,
                     const std::vector<Scene>& scenes) {
  std::vector<std::string_view> labels;
  std::int64_t last = 0;
  for (std::uint32_t i = piece.first; i < piece.end(); ++i) {
    const std::size_t run = rows[i].step[0] >= 0 ? 0 : 1;
    last = rows[i].step[run];
    labels.push_back(scenes[run].steps[static_cast<std::size_t>(last)].label);
  }
  return describe(piece, labels, last);
}

}  // namespace schism::draw
