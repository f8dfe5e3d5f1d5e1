// What the page is made of beside its data: schism/draw/page/, built into the library
// (cmake/embed_page.cmake).
#pragma once

#include <string_view>

namespace schism::draw {

extern const std::string_view kPageFrame;   // page.html, with {{names}} of what is put in
extern const std::string_view kPageStyle;   // page.css
extern const std::string_view kPageScript;  // the scripts, one after the other

}  // namespace schism::draw
