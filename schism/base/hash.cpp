#include "schism/base/hash.hpp"

#include <cstring>

namespace schism {

Hash128 absorb_text(Hash128 h, std::string_view text) {
  h = absorb(h, text.size());
  while (text.size() >= 8) {
    std::uint64_t word = 0;
    for (int i = 7; i >= 0; --i)  // little-endian by hand: the same on every platform
      word = word << 8 | static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
    h = absorb(h, word);
    text.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  for (const char c : text) rest = rest << 8 | static_cast<unsigned char>(c);
  return absorb(h, rest);
}

std::string to_hex(const Hash128& h) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const std::uint64_t lane : {h.hi, h.lo})
    for (int shift = 60; shift >= 0; shift -= 4) out += digits[lane >> shift & 15];
  return out;
}

bool from_hex(std::string_view text, Hash128& h) {
  if (text.size() != 32) return false;
  std::uint64_t lanes[2] = {0, 0};
  for (std::size_t i = 0; i < 32; ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return false;
    lanes[i / 16] = lanes[i / 16] << 4 | static_cast<std::uint64_t>(digit);
  }
  h = {lanes[1], lanes[0]};
  return true;
}

}  // namespace schism
