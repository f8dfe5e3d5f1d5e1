// An input of ModelFuzz (Definition 7): which process does what, step by step. Any input can be
// played: it names processes, never messages.
#pragma once

#include <vector>

#include "schism/base/codec.hpp"
#include "schism/base/random.hpp"

namespace schism::model {

SCHISM_ENUM(Deed, message, stop, start);

struct InputStep {
  Deed deed = Deed::message;
  std::uint16_t node = 0;
  std::uint16_t from = 0;   // of a message, where inboxes are those of links
  std::uint16_t count = 0;  // of messages, at most
  bool asks = false;        // a client asks for something then
  FIELDS(deed, node, from, count, asks)
  friend bool operator==(const InputStep&, const InputStep&) = default;
};
using Input = std::vector<InputStep>;

struct InputTerms {
  int nodes = 3;
  std::int64_t steps = 100, messages = 5, crashes = 10, requests = 5;
  std::int64_t swaps = 20, crash_swaps = 2;
};

Input random_input(const InputTerms& terms, Rng& random);
// SwapCrashProcesses, SwapProcesses and SwapMaxMessages, one after the other, on a copy.
Input mutated(const Input& input, const InputTerms& terms, Rng& random);

}  // namespace schism::model
