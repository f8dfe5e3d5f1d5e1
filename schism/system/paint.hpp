// How a node looks from afar: a few words, flags and small numbers, and counters of which only the
// order among nodes matters. The colours of all nodes, whoever is which, are the abstract state
// that `coverage=colours` counts. A colour is small: with every field in it every run would be new,
// and would steer nothing.
//
//   system<Raft>("raft", "...")
//       .colour<Raft>([](const Raft& node, Paint& paint) {
//         paint.role(node.role);
//         paint.size(node.log.size(), 4);
//         paint.rank(node.term);
//         paint.rank(node.commit);
//       })
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "schism/base/hash.hpp"

namespace schism {

class Paint {
 public:
  static constexpr std::size_t kRanksMax = 4;  // more counters are left out

  // What the node is at the moment. `events` tells its steps apart by it.
  template <class T>
  void role(T value) {
    role_ = mix64(role_ ^ static_cast<std::uint64_t>(value)) | 1;
    is(value);
  }
  // A word, a flag, a number that has few values.
  template <class T>
  requires(std::is_enum_v<T> || std::is_integral_v<T>) void is(T value) {
    own_ = mix64(own_ + static_cast<std::uint64_t>(value));
  }
  // A number, as far as it is told apart.
  void size(std::uint64_t value, std::uint64_t most) { is(value < most ? value : most); }
  // A counter that grows: only who is ahead of whom is seen.
  template <class T>
  requires(std::is_integral_v<T>) void rank(T value) {
    if (ranks_ < kRanksMax) ranked_[ranks_++] = static_cast<std::int64_t>(value);
  }

  std::uint64_t role() const { return role_; }
  std::uint64_t own() const { return own_; }
  std::size_t ranks() const { return ranks_; }
  std::int64_t ranked(std::size_t i) const { return ranked_[i]; }

  friend bool operator==(const Paint&, const Paint&) = default;

 private:
  std::uint64_t role_ = 0, own_ = 0;
  std::size_t ranks_ = 0;
  std::array<std::int64_t, kRanksMax> ranked_{};
};

}  // namespace schism
