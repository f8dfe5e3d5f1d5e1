// Which of many kept runs are enough to show what all of them show.
#pragma once

#include "schism/coverage/coverage.hpp"
#include "schism/trace/trace.hpp"

namespace schism::fuzz {

// What a kept run shows when it is played again: keys of these coverages, as RunResult has them.
// What does not apply any more is skipped. An error where a coverage sees nothing of such runs.
Result<std::vector<std::uint64_t>> shown_by(const Trace& trace, const std::vector<Spec>& coverages);

struct Shown {
  std::size_t actions = 0;
  std::vector<std::uint64_t> keys;
};

// Places of a small set that shows every key that any of them shows: at each turn the one that
// shows most that is still missing, of these the shortest, of these the first. In rising order.
std::vector<std::size_t> enough(const std::vector<Shown>& runs);

}  // namespace schism::fuzz
