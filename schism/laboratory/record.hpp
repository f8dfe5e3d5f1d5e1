// What a trial says: whether and when something was found, how often each thing, what was covered
// and how fit runs were over time. It is kept as bytes and as a line for people.
#pragma once

#include <optional>
#include <vector>

#include "schism/base/codec.hpp"
#include "schism/laboratory/effort.hpp"

namespace schism {

// One find, made small.
struct Small {
  std::uint64_t before = 0, after = 0;  // actions
  int nodes = 0;
  bool minimal = false;
  std::uint64_t replays = 0;
  std::string look;  // property, evidence and shape
  FIELDS(before, after, nodes, minimal, replays, look)
};

// A bug that the trial met: violations of one property with the same kinds of evidence.
struct Sighting {
  std::string property, evidence;
  std::uint64_t occurrences = 1;  // runs that showed it
  FIELDS(property, evidence, occurrences)
};

// A number as the budget was used up: at equal parts of it, kCurvePoints in all, as far as the
// trial came. A coverage's number of keys, by its name, or "fitness", the best so far.
struct Curve {
  std::string name;
  std::vector<double> values;
  double last = 0;  // where it ended
  FIELDS(name, values, last)
};
inline constexpr int kCurvePoints = 40;
inline constexpr const char* kFitness = "fitness";

struct Record {
  bool found = false;
  Effort at;          // of the first find, where there is one
  Effort total;       // of all that was played
  bool whole = true;  // it found something or used up its budget: no limit of time ended it
  std::uint64_t violated = 0;  // runs
  std::vector<Sighting> sightings;
  std::vector<Curve> curves;
  std::optional<Small> small;
  double seconds = 0;   // of a wall clock
  std::string problem;  // it could not be played; empty: it was
  FIELDS(found, at, total, whole, violated, sightings, curves, small, seconds, problem)

  const Curve* curve(std::string_view name) const;
  // Without what differs from one time to the next.
  Record timeless() const;
};

}  // namespace schism
