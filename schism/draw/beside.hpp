// Two runs row by row: a failing one and its passing neighbour. What both have stands in one row;
// what only one has leaves a gap in the other.
#pragma once

#include <optional>
#include <vector>

#include "schism/draw/fold.hpp"
#include "schism/explain/neighbour.hpp"

namespace schism::draw {

struct Row {
  std::int64_t step[2] = {-1, -1};  // of the run and of its neighbour; -1: a gap
};

std::vector<Row> rows_of(const Trace& trace, const std::optional<Neighbour>& neighbour);

// The rows folded: a row repeats if it does so in both runs. `scenes` are one or two.
std::vector<Piece> fold_rows(const std::vector<Row>& rows, const std::vector<Scene>& scenes);
// How a piece of them is told.
std::string describe(const Piece& piece, const std::vector<Row>& rows,
                     const std::vector<Scene>& scenes);

}  // namespace schism::draw
