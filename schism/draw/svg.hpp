// The space-time diagram as SVG: lanes downwards, a row a step, a slanted arrow from the step that
// sent a message to the one that received it. Colours come from the page's style sheet.
#pragma once

#include <string>
#include <vector>

#include "schism/draw/scene.hpp"

namespace schism::draw {

// `rows` names the step of each row; -1 leaves a gap, so that two runs can stand row by row beside
// each other. `looks` says of each row how it compares. `prefix` keeps the identifiers of several
// diagrams in one page apart.
enum class RowLook : std::uint8_t {
  same,
  differs,  // the same action, but something else came of it
  odd,      // the other run does not have it
};
std::string draw_svg(const Scene& scene, const std::vector<std::int64_t>& rows,
                     const std::vector<RowLook>& looks, const std::string& prefix);

}  // namespace schism::draw
