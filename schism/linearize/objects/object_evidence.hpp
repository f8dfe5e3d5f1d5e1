// Why an object's history cannot be ordered: as few of its operations as still cannot.
//
// A part of a history speaks for the whole if it can be had from any order of the whole by leaving
// things out that nothing else depends on:
//   - everything about some elements (of a queue, a set, a list), or about some of the registers;
//   - an operation that only looked;
//   - of a mutex, what came before a moment when it was certainly free and nobody was waiting.
// So if the part cannot be ordered, neither can the whole.
#pragma once

#include "schism/linearize/objects/act.hpp"

namespace schism::linearize {

struct ObjectEvidence {
  ObjectHistory part;       // the operations as they stood when it failed: open ones are optional
  std::uint32_t event = 0;  // position of the answer after which no order was left
  bool located = false;     // `event` is the very first such; else a limit came first
  bool minimal = false;     // nothing more of that kind can be left out; else a limit came first
};

// `whole` must have been found in violation. `limits` hold for each check, `work` for all together,
// in configurations.
ObjectEvidence explain(const ObjectHistory& whole, const Limits& limits, std::uint64_t work);

}  // namespace schism::linearize
