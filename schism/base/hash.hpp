// Hashes that name things: 128 bits, the same on every platform, order-sensitive by absorb() and
// order-free by addition. Causal hashes and state digests are built from these two operations.
//
//   Hash128 h = seeded("node", 3);
//   h = absorb(h, label);          // a sequence
//   total += h;                    // a set
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace schism {

__extension__ typedef unsigned __int128 U128;  // NOLINT: `using` cannot be marked
__extension__ typedef __int128 I128;           // NOLINT

struct Hash128 {
  std::uint64_t lo = 0, hi = 0;

  friend bool operator==(const Hash128&, const Hash128&) = default;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;
  // Lane-wise, so that sums are a commutative group: a member can be taken out again.
  Hash128& operator+=(const Hash128& o) {
    lo += o.lo, hi += o.hi;
    return *this;
  }
  Hash128& operator-=(const Hash128& o) {
    lo -= o.lo, hi -= o.hi;
    return *this;
  }
  friend Hash128 operator+(Hash128 a, const Hash128& b) { return a += b; }
  friend Hash128 operator-(Hash128 a, const Hash128& b) { return a -= b; }

  // For absl containers. They never decide anything: only membership is asked.
  template <class H>
  friend H AbslHashValue(H h, const Hash128& x) {
    return H::combine(std::move(h), x.lo, x.hi);
  }
};

// Folds the 128-bit product: every input bit reaches every output bit.
inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<U128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t rotate_left(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

// One lane. The old hash is put back in because the product alone is 0, and so forgets the
// history, whenever x happens to equal the constant.
inline std::uint64_t absorb_lane(std::uint64_t h, std::uint64_t x, std::uint64_t k1,
                                 std::uint64_t k2) {
  return fold_multiply(h ^ k1, x ^ k2) ^ rotate_left(h, 29);
}

inline Hash128 absorb(const Hash128& h, const Hash128& x) {
  return {absorb_lane(h.lo, x.lo, 0xa0761d6478bd642fULL, 0xe7037ed1a0b428dbULL),
          absorb_lane(h.hi, x.hi, 0x8ebc6af09c88c6e3ULL, 0x589965cc75374cc3ULL)};
}

inline Hash128 absorb(const Hash128& h, std::uint64_t x) {
  return absorb(h, Hash128{x, x ^ 0x1d8e4e27c47d124fULL});
}

inline std::uint64_t mix64(std::uint64_t x) {
  return fold_multiply(x ^ 0x9e3779b97f4a7c15ULL, 0xbf58476d1ce4e5b9ULL) ^ (x >> 32);
}

// A number as a label that is itself well mixed, for sums over small identities.
inline Hash128 scatter(std::uint64_t x) {
  return absorb(Hash128{0x2545f4914f6cdd1dULL, 0x6a09e667f3bcc909ULL}, x);
}

constexpr std::uint64_t hash_text(std::string_view text) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

// Content of any length; unlike hash_text it also says where one text ends and the next begins.
Hash128 absorb_text(Hash128 h, std::string_view text);

inline Hash128 seeded(std::string_view kind, std::uint64_t number = 0) {
  return absorb(absorb(Hash128{}, hash_text(kind)), number);
}

std::string to_hex(const Hash128& h);  // 32 digits
bool from_hex(std::string_view text, Hash128& h);

}  // namespace schism
