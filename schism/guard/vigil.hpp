// Watches a process from outside for calls of the system's code that do not come back, whatever it
// does with its signals: time that it uses, or sleeps, without a step. The load of the machine does
// not count: waiting for a processor is neither.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>

#include "schism/guard/black_box.hpp"

namespace schism::guard {

// Bytes that a process which plays may hold.
inline constexpr std::uint64_t kMemoryMax = std::uint64_t{4} << 30;

// Neither working nor waiting for its turn, or stopped.
bool is_asleep(pid_t pid);

class Vigil {
 public:
  enum class Reason : std::uint8_t { hang, memory };

  void begin();
  // `marks` changes whenever the process gets on in a way that its box does not show. Outside of
  // the system's code it may take ten times as long, or as long as it likes.
  std::optional<Reason> look(const BlackBox& box, pid_t pid, std::uint64_t marks, Micros hang,
                             bool stepping, std::uint64_t memory);

 private:
  std::uint64_t seen_ = 0, seen_marks_ = 0;
  BlackBox::Position at_;
  Micros used_ = 0;  // processor time then
  std::chrono::steady_clock::time_point since_ = {};
  bool begun_ = false;
};

}  // namespace schism::guard
