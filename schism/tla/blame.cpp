// Why a formula is FALSE: the evaluation once more, down to the part that decides.
#include <fmt/format.h>

#include "schism/tla/frames.hpp"

namespace schism::tla {

std::string Evaluator::why_false(const Code& code, std::span<const Value> state,
                                 std::span<const Value> next) {
  prepare();
  const Value *old_state = state_, *old_next = next_;
  enter(state.data());
  next_ = next.data();
  std::string text;
  try {
    FrameGuard frame(*this, code.layout, nullptr);
    Bindings bound;
    const Node& part = culprit(*code.root, frame.frame, bound);
    if (part.where.line != 0) text = "at " + symbols().describe(part.where);
    for (std::size_t i = 0; i < bound.size(); ++i)
      text += fmt::format("{}{} = {}", i == 0 ? ", where " : ", ", symbols().text(bound[i].first),
                          show(bound[i].second));
  } catch (const Failure&) {
    text.clear();  // it could be evaluated before; better no reason than a wrong one
  }
  enter(old_state), next_ = old_next;
  return text;
}

Location Evaluator::disabled_at(const Code& code, std::span<const Value> state,
                                std::span<const std::uint32_t> slots, std::span<const Value> args) {
  prepare();
  const Value *old_state = state_, *old_next = next_;
  const std::vector<Value> nothing(variables_.size() + arena_.shadows);
  enter(state.data());
  next_ = nothing.data();
  Location where;
  try {
    FrameGuard frame(*this, code.layout, nullptr);
    for (std::size_t i = 0; i < slots.size(); ++i) frame.frame.slots[slots[i]] = args[i];
    if (const Node* guard = false_guard(*code.root, frame.frame)) where = guard->where;
  } catch (const Failure&) {
    where = {};
  }
  enter(old_state), next_ = old_next;
  return where;
}

// Parts that speak of the next state cannot be evaluated: they are no guards.
const Node* Evaluator::false_guard(const Node& n, Frame& f) {
  switch (n.op) {
    case Op::unchanged:
    case Op::and_:
      for (std::uint32_t i = 0; i < n.count; ++i)
        if (const Node* guard = false_guard(n.kid(i), f)) return guard;
      return nullptr;
    case Op::if_: return false_guard(n.kid(test(n.kid(0), f) ? 1 : 2), f);
    case Op::bind:
      for (const std::uint32_t slot : n.extra->resets) f.slots[slot] = Value();
      return false_guard(n.kid(0), f);
    case Op::of_state:
    case Op::of_variable:
    case Op::action: return false_guard(n.kid(0), f);
    case Op::up: return false_guard(n.kid(0), frame_at(f, n.hops));
    default: break;
  }
  try {
    return test(n, f) ? nullptr : &n;
  } catch (const Failure&) {
    return nullptr;
  }
}

const Node& Evaluator::culprit(const Node& n, Frame& f, Bindings& bound) {
  switch (n.op) {
    case Op::unchanged:
    case Op::and_:
      for (std::uint32_t i = 0; i < n.count; ++i)
        if (!test(n.kid(i), f)) return culprit(n.kid(i), f, bound);
      return n;
    case Op::implies: return test(n.kid(0), f) ? culprit(n.kid(1), f, bound) : n;
    case Op::if_: return culprit(n.kid(test(n.kid(0), f) ? 1 : 2), f, bound);
    case Op::bind:
      for (const std::uint32_t slot : n.extra->resets) f.slots[slot] = Value();
      return culprit(n.kid(0), f, bound);
    case Op::of_state:
    case Op::of_variable:
    case Op::action: return culprit(n.kid(0), f, bound);
    case Op::up: return culprit(n.kid(0), frame_at(f, n.hops), bound);
    case Op::global: {
      FrameGuard alone(*this, f.layout, f.up);
      return culprit(n.kid(0), alone.frame, bound);
    }
    case Op::forall: {
      const Node* found = &n;
      each_binding(n, f, [&] {
        if (test(n.kid(0), f)) return true;
        for (const Group& g : n.extra->groups)
          for (std::size_t i = 0; i < g.slots.size() && i < g.names.size(); ++i)
            bound.emplace_back(g.names[i], f.slots[g.slots[i]]);
        found = &culprit(n.kid(0), f, bound);
        return false;
      });
      return *found;
    }
    default: return n;
  }
}

}  // namespace schism::tla
