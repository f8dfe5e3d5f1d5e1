// What it takes to see a seeded bug where the defaults do not show it: what is judged, who lies.
// The zoo gives it to everybody who hunts the bug. Or why nobody can tell it from correct code:
// then it is in no race.
//
//   static const Registration shown =
//       seen_with("xrpl", "validation-by-hash", {.world = {{"liars-drawn", "1"}}});
#pragma once

#include "schism/system/system.hpp"
#include "schism/words/run_text.hpp"

namespace schism {

struct Seen {
  Pairs parameters = {};    // of the system
  Pairs world = {};         // as in --world
  std::string hidden = {};  // why it cannot be seen; empty: it can

  std::string text() const;  // "heal=4 --world liars=3"; empty: the defaults show it
};

Registration seen_with(const std::string& system, const std::string& bug, Seen seen);
const Seen& seen(const System& system, const Bug& bug);

}  // namespace schism
