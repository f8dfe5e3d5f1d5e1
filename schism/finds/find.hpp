// What a hunt has found, put to its like.
#pragma once

#include "schism/finds/bugs.hpp"
#include "schism/finds/examine.hpp"

namespace schism {

// A bug: violations of one property with the same kinds of evidence.
struct Find {
  Trace trace;                     // the first, as it happened, replayed with the same events
  std::optional<Shrunk> small;     // the smallest of them, unless told not to shrink
  std::string evidence;            // its signature
  std::vector<ShapeGroup> shapes;  // smallest first
  std::uint32_t oracle = 0;        // which one was violated
  // Runs that violated it; those that were not looked at closely count for the first bug of their
  // property. 0: met only while another find was shrunk.
  std::uint64_t count = 1;
  std::string story, page;  // of the smallest; empty: nobody asked

  const Trace& smallest() const { return small ? small->trace : trace; }
  FIELDS(trace, small, evidence, shapes, oracle, count, story, page)
};

}  // namespace schism
