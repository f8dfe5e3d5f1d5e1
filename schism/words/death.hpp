// The end of a run whose process did not survive it: where it was and how it ended. A world that is
// told of a death plays the run up to there and does not enter the handler that never came back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schism/base/fields.hpp"

namespace schism {

struct Death {
  std::string how;                  // "SIGSEGV", "exit(3)", "hang"
  std::uint32_t step = 0;           // during which; 0: at the start
  std::uint32_t call = 0;           // how-manieth call of a handler in the run was the last
  bool inside = false;              // that handler did not return; else it died after it
  std::vector<std::string> frames;  // innermost first, those of the system; empty: no stack
  std::string said;                 // its last words on standard error

  // "SIGSEGV in replicationUpdate < recvCb": what makes two deaths the same.
  std::string kind() const;
  // "SIGSEGV at step 412 in replicationUpdate < recvCb: free(): invalid pointer"
  std::string sentence() const;

  friend bool operator==(const Death&, const Death&) = default;
  FIELDS(how, step, call, inside, frames, said)
};

}  // namespace schism
