// An input as the published program for the micro-benchmark has it: not choices, but what a run
// did, an entry for each event of a process: a message received, a message sent. Played again it
// says whose turn it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schism/base/random.hpp"
#include "schism/model/fuzz_input.hpp"

namespace schism::model {

struct Retold {
  std::uint64_t seed = 0;              // of what the entries do not decide
  std::vector<std::uint16_t> entries;  // processes
  friend bool operator==(const Retold&, const Retold&) = default;
};

std::string to_gene(const Retold& input);
std::optional<Retold> retold_from_gene(std::string_view gene);
// What the scheduler `retold` reports of a run.
std::vector<std::uint16_t> entries_of(std::string_view report);

// Two entries of different processes change places, so many times, on a copy; or, in the way of the
// program, all on one object that the first to be played uses up.
std::vector<Retold> mutants(const std::vector<std::uint16_t>& told, std::int64_t count,
                            const InputTerms& terms, Rng& random);

}  // namespace schism::model
