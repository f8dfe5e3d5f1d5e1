// Texts of modules that are large enough for a source of their own.
#pragma once

#include <string_view>

namespace schism::tla {

extern const std::string_view kSequencesExt;

}  // namespace schism::tla
