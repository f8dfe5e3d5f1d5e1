// A closer look at a run that violated something: repeated, shrunk, and what it looks like. Where
// runs are guarded, all of it happens in a child: this process never enters the system's code.
#pragma once

#include <atomic>

#include "schism/finds/shape.hpp"
#include "schism/shrink/shrink.hpp"
#include "schism/trace/trace.hpp"

namespace schism {

struct Specimen {
  Trace trace;                  // as it happened, replayed twice with the same events
  std::optional<Shrunk> small;  // its `others` are specimens of their own
  Look look;                    // of the smaller one

  const Trace& smallest() const { return small ? small->trace : trace; }
};

struct Examined {
  std::optional<Difference> difference;  // it went differently when it was repeated
  std::vector<Specimen> specimens;  // the run's own, then other violations met while it was shrunk
};

// `died`: how, when it was first played.
Result<Examined> examine(const RunConfig& config, const RunPlan& plan, std::uint64_t run,
                         const std::optional<Death>& died, bool shrinking,
                         const std::atomic<bool>& stop);

// The trace of one planned run; or how two repetitions of it differ.
struct Repeated {
  Trace trace;
  std::optional<Difference> difference;
  std::shared_ptr<const Death> death;  // of the first repetition; null: it survived
};
Repeated repeat(const RunConfig& config, const RunPlan& plan, std::uint64_t run);

// For the way between processes.
std::string to_text(const Examined& examined);
Result<Examined> parse_examined(std::string_view text);

}  // namespace schism
