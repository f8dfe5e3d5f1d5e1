// Text for people: whatever a protocol or a file puts into it, it stays on its line and in its
// colour.
#pragma once

#include <string>
#include <string_view>

namespace schism {

// Control characters become spaces; bytes that are no UTF-8 stay, a terminal shows them as such.
inline std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

}  // namespace schism
