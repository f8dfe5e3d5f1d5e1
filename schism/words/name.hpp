// How a pending event is named so that the name survives the removal of other actions: the n-th
// message of a type from one node to another; the n-th arming of a timer; the n-th request of a
// client. Eight bytes, compared as one number.
#pragma once

#include <cstdint>

#include "schism/base/renaming.hpp"

namespace schism {

using NodeId = int;

inline constexpr int kNodesMax = 1 << 10;
inline constexpr int kTypesMax = 1 << 12;
inline constexpr int kCopiesMax = 1 << 4;

class Name {
 public:
  constexpr Name() = default;
  constexpr explicit Name(std::uint64_t bits) : bits_(bits) {}
  // For a timer `to` is its key; for a request `from` is the client; unused parts are 0.
  constexpr Name(int from, int to, int type, std::uint32_t nth, int copy = 0)
      : bits_(static_cast<std::uint64_t>(from) << 54 | static_cast<std::uint64_t>(to) << 44 |
              static_cast<std::uint64_t>(type) << 32 | static_cast<std::uint64_t>(copy) << 28 |
              (nth & 0xfffffffU)) {}

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr int from() const { return static_cast<int>(bits_ >> 54); }
  constexpr int to() const { return static_cast<int>(bits_ >> 44 & 0x3ff); }
  constexpr int type() const { return static_cast<int>(bits_ >> 32 & 0xfff); }
  constexpr int copy() const { return static_cast<int>(bits_ >> 28 & 0xf); }  // 0: the original
  constexpr std::uint32_t nth() const { return static_cast<std::uint32_t>(bits_ & 0xfffffff); }

  friend constexpr bool operator==(Name, Name) = default;

 private:
  std::uint64_t bits_ = 0;
};

// The same with nodes called otherwise: a message's, and a request's.
inline Name renamed_message(Name n, const Renaming& r) {
  return {r.node(n.from()), r.node(n.to()), n.type(), n.nth(), n.copy()};
}
inline Name renamed_request(Name n, const Renaming& r) {
  return {r.client(n.from()), n.to(), n.type(), n.nth(), n.copy()};
}

}  // namespace schism
