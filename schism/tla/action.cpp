// Which states an action leads to, as TLC finds them: an expression is walked with the rest of the
// conjunction in hand; an equation or membership of a variable that is still free assigns it, every
// disjunct and every witness is a way of its own, everything else is a Boolean. What was assigned
// is taken back on the way out.
#include <fmt/format.h>

#include "schism/tla/frames.hpp"

namespace schism::tla {

void Evaluator::successors(const Code& code, std::span<const Value> state, Sink sink,
                           std::span<const std::uint32_t> slots, std::span<const Value> args) {
  prepare();
  enter(state.data());
  FrameGuard frame(*this, code.layout, nullptr);
  for (std::size_t i = 0; i < slots.size(); ++i) frame.frame.slots[slots[i]] = args[i];
  explore(*code.root, frame.frame, sink, false);
  enter(nullptr);
}

void Evaluator::initial(const Code& code, Sink sink) {
  prepare();
  FrameGuard frame(*this, code.layout, nullptr);
  assigning_initial_ = true;
  try {
    explore(*code.root, frame.frame, sink, false);
  } catch (...) {
    assigning_initial_ = false;
    throw;
  }
  assigning_initial_ = false;
}

// Primed variables of its own, so that ENABLED may stand inside an action.
void Evaluator::explore(const Node& n, Frame& f, Sink sink, bool partial) {
  if (reads_ != nullptr && sink_ != nullptr) reads_->give_up();  // one inside another
  std::vector<Value> outer;
  if (!spare_.empty()) {
    outer.swap(spare_.back());
    spare_.pop_back();
  }
  outer.assign(variables_.size() + arena_.shadows, Value());
  outer.swap(assigned_);
  const Value *old_state = state_, *old_next = next_;
  Sink* old_sink = sink_;
  const bool old_stop = stop_, old_partial = partial_, old_initial = assigning_initial_;
  const Node* old_action = action_;
  sink_ = &sink;
  stop_ = false;
  partial_ = partial;
  if (partial) assigning_initial_ = false;
  (assigning_initial_ ? state_ : next_) = assigned_.data();
  const auto restore = [&] {
    outer.swap(assigned_);
    spare_.push_back(std::move(outer));
    if (state_ != old_state) enter(old_state);
    next_ = old_next;
    sink_ = old_sink;
    stop_ = old_stop, partial_ = old_partial, assigning_initial_ = old_initial;
    action_ = old_action;
  };
  try {
    next(n, f, nullptr);
  } catch (...) {
    restore();
    throw;
  }
  restore();
}

void Evaluator::emit() {
  if (!partial_)
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (!assigned_[i].is_set())
        throw Failure({}, fmt::format("{}{} is left without a value", symbols().text(variables_[i]),
                                      assigning_initial_ ? "" : "'"));
  if (reads_ != nullptr) reads_->report(std::span(assigned_).first(variables_.size()));
  if (!(*sink_)(std::span(assigned_).first(variables_.size()))) stop_ = true;
}

void Evaluator::proceed(const Rest* rest) {
  if (stop_) return;
  if (rest == nullptr) return emit();
  if (rest->done != nullptr) return (*rest->done)();
  const Node& n = *rest->node;
  const Rest more{rest->node, rest->frame, rest->at + 1, rest->then};
  next(n.kid(rest->at), *rest->frame, rest->at + 1 < n.count ? &more : rest->then);
}

void Evaluator::next(const Node& n, Frame& f, const Rest* rest) {
  if (stop_) return;
  try {
    switch (n.op) {
      case Op::and_: {
        const Rest more{&n, &f, 1, rest};
        return next(n.kid(0), f, n.count > 1 ? &more : rest);
      }
      case Op::or_:
        for (std::uint32_t i = 0; i < n.count && !stop_; ++i) next(n.kid(i), f, rest);
        return;
      case Op::exists: return next_each(n, f, rest);
      case Op::forall: return next_forall(n, f, rest);
      case Op::if_: return next(n.kid(test(n.kid(0), f) ? 1 : 2), f, rest);
      case Op::implies:
        if (!test(n.kid(0), f)) return proceed(rest);
        return next(n.kid(1), f, rest);
      case Op::case_: {
        std::uint32_t i = 0;
        for (; i + 1 < n.count; i += 2)
          if (test(n.kid(i), f)) return next(n.kid(i + 1), f, rest);
        if (i < n.count) return next(n.kid(i), f, rest);
        throw Failure(n.where, "no case of CASE holds");
      }
      case Op::bind:
        for (const std::uint32_t slot : n.extra->resets) f.slots[slot] = Value();
        return next(n.kid(0), f, rest);
      case Op::action: {
        const Node* outer = action_;
        Frame* outer_frame = action_frame_;
        action_ = &n;
        action_frame_ = &f;
        next(n.kid(0), f, rest);
        action_ = outer;
        action_frame_ = outer_frame;
        return;
      }
      case Op::of_state: return next(n.kid(0), f, rest);  // its disjuncts are ways, too
      case Op::up: return next(n.kid(0), frame_at(f, n.hops), rest);
      case Op::lazy: {  // shared code: the rest may come here again, so in a frame of its own
        Frame& home = frame_at(f, n.hops);
        if (home.slots[n.slot].is_set()) break;  // known already: a Boolean, as for TLC
        FrameGuard copy(*this, home);
        return next(n.kid(0), copy.frame, rest);
      }
      case Op::global:
        if (n.definition) break;
        return next(n.kid(0), f, rest);
      case Op::call: return next_call(n, f, rest);
      case Op::compose: return next_compose(n, f, rest);
      case Op::unchanged: return next_unchanged(n, rest);
      case Op::equal:
      case Op::in:
      case Op::in_interval:
      case Op::subseteq:
        if (next_assign(n, f, rest)) return;
        break;
      case Op::slot: {
        const Value v = frame_at(f, n.hops).slots[n.slot];
        const auto* thunk = reinterpret_cast<const Thunk*>(v.bits() & ~std::uint64_t{7});
        if (v.tag() == Tag::special && thunk != nullptr)
          return next(*thunk->node, *thunk->frame, rest);
        break;
      }
      default: break;
    }
    if (test(n, f)) proceed(rest);
  } catch (Failure& e) {
    if (e.where.line == 0) e.where = n.where;
    if (n.op == Op::bind && n.name != 0 && e.within.size() < 20)
      e.within.emplace_back(symbols().text(n.name), n.where);
    throw;
  }
}

// --- Assignments ---------------------------------------------------------------------------------

// The next value of a variable. Where it is the old one with a change, the rest of the old one is
// not looked at.
Value Evaluator::told_next(std::uint32_t variable, const Node& n, Frame& f) {
  switch (n.op) {
    case Op::variable:
      if (n.slot != variable || state_ == nullptr || !state_[variable].is_set()) break;
      reads_->stays(variable);
      return state_[variable];
    case Op::if_: return told_next(variable, n.kid(test(n.kid(0), f) ? 1 : 2), f);
    case Op::up: return told_next(variable, n.kid(0), frame_at(f, n.hops));
    case Op::bind:
      for (const std::uint32_t slot : n.extra->resets) f.slots[slot] = Value();
      return told_next(variable, n.kid(0), f);
    case Op::except: {
      if (n.kid(0).op != Op::variable || n.kid(0).slot != variable || state_ == nullptr) break;
      const std::vector<ChangeCode>& changes = n.extra->changes;
      if (changes.size() != 1 || changes[0].path.empty()) break;
      const Value key = normal(eval(*changes[0].path[0].index, f));
      const Value old = part_of(state_[variable], key);
      if (!old.is_set()) break;
      const bool looks = changes[0].uses_at || changes[0].path.size() > 1;
      reads_->look(looks ? Look::At::part : Look::At::domain, variable, key);
      const Value now = normal(change(old, changes[0], 1, f));
      reads_->changes_at(variable, key);
      return updated(state_[variable], key, now);
    }
    default: break;
  }
  const Value v = eval(n, f);
  reads_->is_new(variable);
  return v;
}

void Evaluator::next_element(std::uint32_t variable, Value v, const Rest* rest) {
  assigned_[variable] = normal(v);
  proceed(rest);
  assigned_[variable] = Value();
}

// Whether the node was an assignment of a free variable, and so is done.
bool Evaluator::next_assign(const Node& n, Frame& f, const Rest* rest) {
  const Node& left = n.kid(0);
  const Op wanted = assigning_initial_ ? Op::variable : Op::primed;
  if (left.op != wanted || assigned_[left.slot].is_set()) return false;
  const std::uint32_t variable = left.slot;
  if (reads_ != nullptr) {
    if (variable >= variables_.size()) reads_->give_up();
    else if (n.op == Op::equal)
      return next_element(variable, told_next(variable, n.kid(1), f), rest), true;
    else reads_->is_new(variable);
  }
  const auto each_value = [&](Value set) {
    need_few(set);  // each of them is a state
    each(set, [&](Value v) { return next_element(variable, v, rest), !stop_; });
  };
  switch (n.op) {
    case Op::equal: next_element(variable, eval(n.kid(1), f), rest); return true;
    case Op::in: each_value(eval(n.kid(1), f)); return true;
    case Op::in_interval: {
      const std::int64_t low = integer(n.kid(1), f);
      each_value(store().interval(low, integer(n.kid(2), f)));
      return true;
    }
    default: each_value(powerset(eval(n.kid(1), f))); return true;
  }
}

void Evaluator::next_unchanged(const Node& n, const Rest* rest) {
  absl::InlinedVector<std::uint32_t, 16> mine;
  bool go_on = true;
  for (const std::uint32_t v : n.extra->variables) {
    if (!state_[v].is_set())
      throw Failure(
          n.where, fmt::format("the variable {} has no value here", symbols().text(variables_[v])));
    if (assigned_[v].is_set()) {
      if (reads_ != nullptr) reads_->look(Look::At::whole, v);
      go_on = same(assigned_[v], state_[v]);
    } else {
      if (reads_ != nullptr) reads_->stays(v);
      assigned_[v] = state_[v], mine.push_back(v);
    }
    if (!go_on) break;
  }
  if (go_on) proceed(rest);
  for (const std::uint32_t v : mine) assigned_[v] = Value();
}

// --- Quantifiers and calls -----------------------------------------------------------------------

void Evaluator::next_each(const Node& n, Frame& f, const Rest* rest) {
  each_binding(n, f, [&] { return next(n.kid(0), f, rest), !stop_; });
}

// A conjunction over the elements. Each has a frame of its own, because all are alive at once.
void Evaluator::next_forall(const Node& n, Frame& f, const Rest* rest) {
  std::vector<std::vector<Value>> rows;
  const std::vector<Group>& groups = n.extra->groups;
  each_binding(n, f, [&] {
    if (rows.size() == kBuiltMax) too_many(kBuiltMax);
    std::vector<Value>& row = rows.emplace_back();
    for (const Group& g : groups)
      for (const std::uint32_t slot : g.slots) row.push_back(f.slots[slot]);
    return true;
  });
  std::size_t at = 0;
  const auto step = [&](const auto& self) -> void {
    if (at == rows.size()) return proceed(rest);
    const std::size_t mine = at++;
    FrameGuard copy(*this, f);
    std::size_t i = 0;
    for (const Group& g : groups)
      for (const std::uint32_t slot : g.slots) copy.frame.slots[slot] = rows[mine][i++];
    const auto go_on = [&] { self(self); };
    absl::FunctionRef<void()> done = go_on;
    const Rest more{nullptr, nullptr, 0, nullptr, &done};
    next(n.kid(0), copy.frame, &more);
    at = mine;
  };
  step(step);
}

void Evaluator::next_call(const Node& n, Frame& f, const Rest* rest) {
  check_stack(n.where);
  const Function& fn = *n.extra->function;
  Frame* up = n.hops == UINT16_MAX ? nullptr : &frame_at(f, n.hops);
  FrameGuard frame(*this, fn.layout, up);
  Arguments arguments(n.count);
  for (std::uint32_t i = 0; i < n.count; ++i)
    frame.frame.slots[fn.parameters[i]] = argument(n.kid(i), f, arguments, i);
  next(*fn.body, frame.frame, rest);
}

// A \cdot B: through every state that A leads to.
void Evaluator::next_compose(const Node& n, Frame& f, const Rest* rest) {
  std::vector<std::vector<Value>> between;
  const auto keep = [&](std::span<const Value> t) {
    return between.emplace_back(t.begin(), t.end()), true;
  };
  const bool only_whether = partial_;  // inside ENABLED
  explore(n.kid(0), f, keep, false);
  if (!only_whether) between_ += between.size();
  const Value* here = state_;
  for (const std::vector<Value>& t : between) {
    if (stop_) break;
    FrameGuard copy(*this, f);
    const auto go_on = [&] {
      enter(here);
      proceed(rest);
      enter(t.data());
    };
    absl::FunctionRef<void()> done = go_on;
    const Rest more{nullptr, nullptr, 0, nullptr, &done};
    enter(t.data());
    next(n.kid(1), copy.frame, &more);
    enter(here);
  }
}

std::vector<Value> Evaluator::action_arguments() {
  std::vector<Value> out;
  if (action_ == nullptr || action_frame_ == nullptr || action_->extra == nullptr) return out;
  for (const Node* n : action_->extra->shown) {
    try {
      out.push_back(normal(eval(*n, *action_frame_)));
    } catch (const Failure&) {
      out.push_back(Value());
    }
  }
  return out;
}

}  // namespace schism::tla
