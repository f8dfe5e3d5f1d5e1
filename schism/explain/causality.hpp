// What a recorded run needed for what: every step with the earlier steps that it could not have
// happened without, as far as the protocol can tell.
//
//   Causality causes(trace);
//   std::vector<bool> past = causes.past(violating);   // a flag a step, the given ones included
//
// Edges: the order of steps at one node; a message's send (or forging, copying, changing) before
// its fate; a timer's setting before it fires; a client's request, and its answer or its node's
// crash, before that client's next request; a link's cut before its heal, its heal before what it
// carries; what left a FIFO link before what came behind it; the clock's move before what happens
// after it; a macro step's begin before what is in it; forged messages and copies of one message
// before each other, because they are numbered. Disk operations need no edge of their own: they
// complete at the node that asked. That something did not happen (a loss, a budget) is not a cause;
// who relies on a past replays it (relevance.hpp).
#pragma once

#include <span>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/trace/trace.hpp"

namespace schism::draw {

SCHISM_ENUM(Why, order, message, timer, client, link, clock, macro);

struct Cause {
  std::uint32_t step = 0;  // the earlier one
  Why why = Why::order;

  friend bool operator==(const Cause&, const Cause&) = default;
};

bool is_everywhere(Do kind);

class Causality {
 public:
  explicit Causality(const Trace& trace);

  std::size_t steps() const { return causes_.size(); }
  std::span<const Cause> causes(std::size_t step) const { return causes_[step]; }
  // The step that sent what a message's fate is about; -1: it is none, or unknown.
  std::int64_t sent_in(std::size_t step) const { return sent_in_[step]; }
  // The step that answered the request a step submitted; -1: none did.
  std::int64_t answered_in(std::size_t step) const { return answered_in_[step]; }
  // Steps that do not exist are left out.
  std::vector<bool> past(std::span<const std::uint32_t> steps) const;

 private:
  std::vector<std::vector<Cause>> causes_;
  std::vector<std::int64_t> sent_in_, answered_in_;
};

}  // namespace schism::draw
