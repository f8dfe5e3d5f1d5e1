// An input of ModelFuzz (Definition 7): which process does what, step by step. Any input can be
// played: it names processes, never messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/base/random.hpp"

namespace schism::model {

SCHISM_ENUM(Deed, message, stop, start);

struct InputStep {
  Deed deed = Deed::message;
  std::uint16_t node = 0;
  std::uint16_t from = 0;   // of a message, where inboxes are those of links
  std::uint16_t count = 0;  // of messages, at most
  bool asks = false;        // a client asks for something then
  friend bool operator==(const InputStep&, const InputStep&) = default;
};
using Input = std::vector<InputStep>;

// As a plan carries it; back: nothing, where it is none.
std::string to_gene(const Input& input);
std::optional<Input> from_gene(std::string_view gene);

// Whose way it is: that of the text, or of one of the published programs with its defects, which is
// for comparisons only.
//   etcd       whole choices change places, a mutant with fewer than four crashes fails, and no
//              mutant carries requests: they all come before there is a leader
//   redisraft  the same, but choices are replayed by their numbers, so that nothing changes places
//   coyote     all mutants of a run are one object, which the first to be played uses up
SCHISM_ENUM(Way, text, etcd, redisraft, coyote);

struct InputTerms {
  Way way = Way::text;
  int nodes = 3;
  std::int64_t steps = 100, messages = 5, crashes = 10, requests = 5;
  std::int64_t swaps = 20, crash_swaps = 2;
};

Input random_input(const InputTerms& terms, Rng& random);
// SwapCrashProcesses, SwapProcesses and SwapMaxMessages, one after the other, on a copy.
Input mutated(const Input& input, const InputTerms& terms, Rng& random);
// The published programs make none of an input with few crashes.
bool has_mutants(const Input& input, const InputTerms& terms);

}  // namespace schism::model
