// The fixed parts of the page: how it looks, and what it does when keys are pressed.
#pragma once

#include <string_view>

namespace schism::draw {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace schism::draw
