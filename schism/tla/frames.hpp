// Parts of the evaluator that only its own sources need.
#pragma once

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "schism/tla/evaluator.hpp"

namespace schism::tla {

// Slots for one frame, given back at the end.
class Evaluator::FrameGuard {
 public:
  FrameGuard(Evaluator& e, const Layout* layout, Frame* up)
      : e_(e), chunk_(e.chunk_), used_(e.used_), frame{e.push_slots(layout->size), up, layout} {
    std::fill_n(frame.slots, layout->size, Value());
  }
  // A copy of another frame's slots.
  FrameGuard(Evaluator& e, const Frame& other)
      : e_(e),
        chunk_(e.chunk_),
        used_(e.used_),
        frame{e.push_slots(other.layout->size), other.up, other.layout} {
    std::copy_n(other.slots, other.layout->size, frame.slots);
  }
  ~FrameGuard() { e_.chunk_ = chunk_, e_.used_ = used_; }
  FrameGuard(const FrameGuard&) = delete;
  FrameGuard& operator=(const FrameGuard&) = delete;

 private:
  Evaluator& e_;
  std::size_t chunk_, used_;

 public:
  Frame frame;
};

// Arguments that could not be computed yet.
struct Evaluator::Arguments {
  explicit Arguments(std::size_t n) : thunks(n) {}
  absl::InlinedVector<Thunk, 4> thunks;
};

// A function or a set given by its rule, with the frames that the rule sees.
struct Evaluator::Closure {
  ValueNode head;
  const Node* node;
  Value domain;
  std::vector<std::vector<Value>> slots;
  std::vector<Frame> frames;
  absl::flat_hash_map<std::uint64_t, Value> memo;
  const ValueNode* base = nullptr;  // the function that this one differs from, in what memo holds
};

}  // namespace schism::tla
