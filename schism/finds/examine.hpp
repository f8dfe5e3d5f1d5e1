// A closer look at a run that violated something: recorded, repeated, shrunk, drawn, and what it
// looks like. An order like any other: whoever asks for it never enters the system's code.
#pragma once

#include <atomic>

#include "schism/finds/shape.hpp"
#include "schism/guard/mail.hpp"
#include "schism/run/order.hpp"
#include "schism/shrink/shrink.hpp"
#include "schism/trace/trace.hpp"

namespace schism {

template <>
struct Coding<Trace> {
  static constexpr std::string_view shape = "trace as its file";
  static void put(Encoder& e, const Trace& trace) { encode_into(e, to_text(trace)); }
  static bool get(Decoder& d, Trace& trace);
};

// What comes first, so that it is on disk before anything else is done with a find. Where the run
// died, that is believed so far.
struct Original {
  Trace trace;
  std::string evidence;  // its signature
  FIELDS(trace, evidence)
};

// Then: whether it is the same when it is repeated.
struct Confirmed {
  std::optional<Difference> difference;  // it is not
  FIELDS(difference)
};

struct Specimen {
  Trace trace;                  // as it happened, replayed with the same events
  std::optional<Shrunk> small;  // its `others` are specimens of their own
  Look look;                    // of the smaller one
  std::string story, page;      // of the smaller one; empty: nobody asked

  const Trace& smallest() const { return small ? small->trace : trace; }
  FIELDS(trace, small, look, story, page)
};

struct Examined {
  std::vector<Specimen> specimens;  // the run's own, then other violations met while it was shrunk
  std::string problem;              // why there are none
  FIELDS(specimens, problem)
};

// Puts out an Original, whether it is Confirmed, and if so an Examined.
void examine(const RunConfig& config, const LookClosely& order, guard::Outbox& out,
             const std::atomic<bool>& over);

}  // namespace schism
