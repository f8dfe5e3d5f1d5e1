// What systematic search moves: processes. A process is one pending event with one fate (deliver
// this message, drop it, let this node crash), executed at most once and named by its causal past.
// It is born, becomes enabled, and is then executed or killed, and never comes back.
#pragma once

#include <array>
#include <cstdint>

#include "schism/base/fields.hpp"

namespace schism::check {

// Objects that an event touches, known while it is pending. Two events that share one depend on
// each other. A message, a link and a link's budget of duplicates are numbered each on their own.
struct Objects {
  std::uint64_t bits = 0;  // nodes, observers, a shared budget
  std::uint64_t message = 0, link = 0, copies = 0;

  friend bool operator==(const Objects&, const Objects&) = default;
  FIELDS(bits, message, link, copies)
};

inline bool share(const Objects& a, const Objects& b) {
  return (a.bits & b.bits) != 0 || (a.message != 0 && a.message == b.message) ||
         (a.link != 0 && a.link == b.link) || (a.copies != 0 && a.copies == b.copies);
}

// What a step answered where it was asked to choose (Context::choose, a small random draw, what a
// disk keeps in a crash), in order. Of a process that is still to run: as far as it is settled; the
// rest is 0 first, and then everything else.
struct Choices {
  static constexpr std::size_t kMost = 15;
  std::array<std::uint8_t, kMost> k = {};
  std::uint8_t count = 0;

  // Beyond `count` there are zeros, so that equal choices are equal bytes.
  void push(std::uint8_t answer) { k[count++] = answer; }
  void shorten(std::uint8_t to) {
    while (count > to) k[--count] = 0;
  }
  // Whether one begins with the other: then running the shorter one leads to the longer one too.
  friend bool agree(const Choices& a, const Choices& b) {
    for (std::uint8_t i = 0; i < a.count && i < b.count; ++i)
      if (a.k[i] != b.k[i]) return false;
    return true;
  }
  friend bool operator==(const Choices&, const Choices&) = default;
  FIELDS(k, count)
};

struct Process {
  Hash128 id;
  Objects objects;
  Choices choices;
  FIELDS(id, objects, choices)
};

inline bool same_event(const Process& a, const Process& b) {
  return a.id == b.id && agree(a.choices, b.choices);
}

// Steps of a run count from 1; 0 is the beginning.
inline constexpr std::uint32_t kNever = ~std::uint32_t{0};

// A process as one run knows it, kept to the end of the run whatever becomes of it.
struct Pend : Process {
  // Who made it, who opened the gates in its way; kNever: still closed.
  std::array<std::uint32_t, 3> enablers = {0, 0, 0};
  // For each kind of object the first step that made it impossible; 0: none. A message sent to a
  // node that had crashed before, but not because of it, is born with its killer.
  std::array<std::uint32_t, 4> killers = {0, 0, 0, 0};
  std::uint32_t executed = 0;  // in which step; 0: not

  bool born() const {
    return enablers[0] != kNever && enablers[1] != kNever && enablers[2] != kNever;
  }
  bool killed() const { return (killers[0] | killers[1] | killers[2] | killers[3]) != 0; }
  bool enabled() const { return executed == 0 && !killed() && born(); }
};

}  // namespace schism::check
