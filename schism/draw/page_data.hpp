// What the page's script draws from, as JSON that may stand inside a <script>.
#pragma once

#include <string>

#include "schism/draw/beside.hpp"

namespace schism::draw {

// `scenes` are the run and, where there is one, its neighbour.
std::string page_data(const std::vector<Scene>& scenes, const std::vector<Row>& rows);

}  // namespace schism::draw
