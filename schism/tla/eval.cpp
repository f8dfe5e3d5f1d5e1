// The evaluator's core: one switch over the kinds of nodes.
#include <fmt/format.h>
#include <pthread.h>

#include "schism/tla/frames.hpp"
#include "schism/tla/print.hpp"

namespace schism::tla {

Evaluator::Evaluator(Store& store, const CodeArena& arena, std::vector<Symbol> variables)
    : Algebra(store), arena_(arena), variables_(std::move(variables)) {
  assigned_.resize(variables_.size());
}

Evaluator::~Evaluator() = default;

// --- Entry points --------------------------------------------------------------------------------

Value Evaluator::evaluate(const Code& code, std::span<const Value> state,
                          std::span<const Value> next) {
  prepare();
  const Value *old_state = state_, *old_next = next_;
  enter(state.data());
  next_ = next.data();
  FrameGuard frame(*this, code.layout, nullptr);
  try {
    const Value v = eval(*code.root, frame.frame);
    enter(old_state), next_ = old_next;
    return v;
  } catch (...) {
    enter(old_state), next_ = old_next;
    throw;
  }
}

Value Evaluator::evaluate_with(const Code& code, std::span<const Value> state, std::uint32_t slot,
                               Value v) {
  prepare();
  enter(state.data());
  FrameGuard frame(*this, code.layout, nullptr);
  frame.frame.slots[slot] = v;
  const Value made = eval(*code.root, frame.frame);
  enter(nullptr);
  return made;
}

bool Evaluator::holds(const Code& code, std::span<const Value> state, std::span<const Value> next) {
  const Value v = evaluate(code, state, next);
  if (!v.is_boolean())
    throw Failure(code.root->where, fmt::format("expected TRUE or FALSE, not {}", show(v)));
  return v.as_boolean();
}

void Evaluator::prepare() {
  if (caches_.size() < arena_.caches) caches_.resize(arena_.caches);
  if (state_caches_.size() < arena_.state_caches) state_caches_.resize(arena_.state_caches);
  if (memos_.size() < arena_.memos) memos_.resize(arena_.memos);
  find_stack();
}

void Evaluator::sweep() {
  rules_.clear();
  forget_loose();
  ++epoch_;  // what was kept of the state may be such a rule
}

void Evaluator::forget_constants() {
  caches_.assign(arena_.caches, Value());
  kept_rules_.clear();
  forget_kept_loose();
}

void Evaluator::forget_values(std::vector<Value*>& kept) {
  sweep();
  forget_constants();
  forget_built();
  memos_.clear();
  for (auto& [number, value] : registers_) kept.push_back(&value);
}

void Evaluator::adopt_constants(const Evaluator& other) {
  caches_ = other.caches_;
  for (Value& v : caches_)  // a description may refer to rules of the other one
    if (is_description(v)) v = Value();
}

// Deep recursion is legitimate; running out of stack must still be a sentence, not a crash.
void Evaluator::find_stack() {
  static thread_local const char* end = nullptr;
  if (end == nullptr) {
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t size = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    end = static_cast<const char*>(low) + (size > (1u << 22) ? 1u << 18 : size / 8);
  }
  stack_end_ = end;
}

void Evaluator::check_stack(Location where) {
  const char here = 0;
  if (&here < stack_end_) throw Failure(where, "the recursion is too deep");
}

std::string Evaluator::describe_failure(const Failure& f) const {
  std::string text = f.what();
  if (f.where.line != 0) text += " at " + symbols().describe(f.where);
  std::size_t shown = 0;
  for (const auto& [name, where] : f.within) {
    if (++shown > 6) break;
    text += fmt::format(", in {} used at {}", name, symbols().describe(where));
  }
  return text;
}

// --- Values --------------------------------------------------------------------------------------

// What is evaluated most often is done here; everything else is a call away.
Value Evaluator::eval(const Node& n, Frame& f) {
  try {
    switch (n.op) {
      case Op::literal: return n.value;
      case Op::slot: {
        Value& v = frame_at(f, n.hops).slots[n.slot];
        return v.tag() == Tag::special ? force(v, n) : v;
      }
      case Op::variable:
        if (state_ == nullptr || !state_[n.slot].is_set()) break;
        if (reads_ != nullptr) reads_->look(Look::At::whole, n.slot);
        return state_[n.slot];
      case Op::primed:
        if (next_ == nullptr || !next_[n.slot].is_set()) break;
        // It may be the old value with a change.
        if (reads_ != nullptr) reads_->look(Look::At::whole, n.slot);
        return next_[n.slot];
      case Op::lazy: {
        Frame& home = frame_at(f, n.hops);
        Value& v = home.slots[n.slot];
        if (v.is_set()) return v;
        const Value made = eval(n.kid(0), home);
        home.slots[n.slot] = made;
        return made;
      }
      case Op::global:
        if (caches_[n.slot].is_set()) return caches_[n.slot];
        break;
      case Op::of_state:
        if (state_caches_[n.slot].second == epoch_) return state_caches_[n.slot].first;
        break;
      case Op::of_variable:
        if (state_ != nullptr) return of_variable(n, f);
        return eval(n.kid(0), f);
      case Op::unchanged:
      case Op::and_:
        for (std::uint32_t i = 0; i < n.count; ++i)
          if (!test(n.kid(i), f)) return kFalse;
        return kTrue;
      case Op::or_:
        for (std::uint32_t i = 0; i < n.count; ++i)
          if (test(n.kid(i), f)) return kTrue;
        return kFalse;
      case Op::not_: return Value::boolean(!test(n.kid(0), f));
      case Op::if_: return eval(n.kid(test(n.kid(0), f) ? 1 : 2), f);
      case Op::bind:
        for (const std::uint32_t slot : n.extra->resets) f.slots[slot] = Value();
        return eval(n.kid(0), f);
      case Op::equal:
      case Op::not_equal: {
        const Value a = eval(n.kid(0), f), b = eval(n.kid(1), f);
        return Value::boolean(same(a, b) == (n.op == Op::equal));
      }
      case Op::index: {
        if (reads_ != nullptr && n.kid(0).op == Op::variable)
          if (const Value part = told_part(n, f); part.is_set()) return part;
        const Value fn = eval(n.kid(0), f), x = eval(n.kid(1), f);
        if (is_kind(fn, Kind::tuple) && x.is_integer()) {
          const auto at = static_cast<std::uint64_t>(x.as_integer() - 1);
          if (at < fn.node()->size) return (*fn.node())[at];
        } else if (is_kind(fn, Kind::function)) {
          const ValueNode& keys = *(*fn.node())[0].node();
          if (keys.size <= 8)
            for (std::uint32_t i = 0; i < keys.size; ++i)
              if (keys[i] == x) return (*fn.node())[i + 1];
        }
        return apply(fn, x);
      }
      case Op::field: {
        const Value r = eval(n.kid(0), f);
        if (is_kind(r, Kind::function)) {
          const ValueNode& keys = *(*r.node())[0].node();
          for (std::uint32_t i = 0; i < keys.size; ++i)
            if (keys[i] == n.value) return (*r.node())[i + 1];
        }
        return missing_field(n, r);
      }
      default: break;
    }
    return eval_op(n, f);
  } catch (Failure& e) {
    if (e.where.line == 0) e.where = n.where;
    if (n.op == Op::bind && n.name != 0 && e.within.size() < 20)
      e.within.emplace_back(symbols().text(n.name), n.where);
    throw;
  }
}

Value Evaluator::of_variable(const Node& n, Frame& f) {
  constexpr std::size_t kRemembered = 1 << 20;
  auto& memo = memos_[n.slot];
  if (reads_ != nullptr) reads_->look(Look::At::whole, n.extra->variables[0]);
  const std::uint64_t key = state_[n.extra->variables[0]].bits();
  if (const auto found = memo.find(key); found != memo.end()) return found->second;
  const Value v = eval(n.kid(0), f);
  if (memo.size() >= kRemembered) memo.clear();
  if (!is_description(v)) memo.emplace(key, v);
  return v;
}

// variable[x], where that is all that is looked at; no value: it is not so simple.
Value Evaluator::told_part(const Node& n, Frame& f) {
  const std::uint32_t variable = n.kid(0).slot;
  if (state_ == nullptr || !state_[variable].is_set()) return {};
  const Value key = normal(eval(n.kid(1), f));
  const Value part = part_of(state_[variable], key);
  if (part.is_set()) reads_->look(Look::At::part, variable, key);
  return part;
}

// x \in variable, likewise. Members of another kind than x are an error somewhere else.
Value Evaluator::told_member(const Node& n, Frame& f) {
  const std::uint32_t variable = n.kid(1).slot;
  if (state_ == nullptr || !state_[variable].is_set()) return {};
  const Value key = eval(n.kid(0), f);
  if (!key.is_integer() || !is_kind(state_[variable], Kind::set)) return {};
  for (const Value v : state_[variable].node()->words())
    if (!v.is_integer()) return {};
  reads_->look(Look::At::member, variable, key);
  return member_of(state_[variable], key);
}

Value Evaluator::missing_field(const Node& n, Value r) {
  if (is_kind(r, Kind::lambda)) return apply(r, n.value);
  throw Failure(n.where, fmt::format("there is no field {} in {}", symbols().text(n.value.symbol()),
                                     show(r)));
}

void Evaluator::not_boolean(const Node& n, Value v) const {
  throw Failure(n.where, fmt::format("expected TRUE or FALSE, not {}", show(v)));
}

Value Evaluator::force(Value& slot, const Node& n) {
  const auto* thunk = reinterpret_cast<const Thunk*>(slot.bits() & ~std::uint64_t{7});
  if (thunk == nullptr) throw Failure(n.where, "this name has no value yet");
  return slot = eval(*thunk->node, *thunk->frame);
}

std::int64_t Evaluator::integer(const Node& n, Frame& f) {
  const Value v = eval(n, f);
  if (!v.is_integer()) throw Failure(n.where, fmt::format("expected an integer, not {}", show(v)));
  return v.as_integer();
}

Value Evaluator::eval_op(const Node& n, Frame& f) {
  const auto kid = [&](std::size_t i) { return eval(n.kid(i), f); };
  switch (n.op) {
    case Op::variable:
      throw Failure(n.where, fmt::format("the variable {} has no value here",
                                         symbols().text(variables_[n.slot])));
    case Op::primed:
      if (n.slot >= variables_.size())
        throw Failure(n.where, "the next value of a replaced variable is not determined here");
      throw Failure(n.where,
                    fmt::format("{}' has no value here", symbols().text(variables_[n.slot])));
    case Op::global: {
      ++keeping_;
      Value v;
      try {
        FrameGuard alone(*this, f.layout, f.up);  // it depends on nothing of the frame
        v = eval(n.kid(0), alone.frame);
      } catch (...) {
        --keeping_;
        throw;
      }
      --keeping_;
      return caches_[n.slot] = v;
    }
    case Op::of_state: {
      const std::uint64_t epoch = epoch_;
      const Value v = kid(0);
      if (epoch == epoch_) state_caches_[n.slot] = {v, epoch};
      return v;
    }
    case Op::up: return eval(n.kid(0), frame_at(f, n.hops));
    case Op::action: return kid(0);
    case Op::call: return call_function(n, f);
    case Op::implies: return Value::boolean(!test(n.kid(0), f) || test(n.kid(1), f));
    case Op::iff: return Value::boolean(test(n.kid(0), f) == test(n.kid(1), f));
    case Op::case_: return case_of(n, f);
    case Op::in: {
      if (reads_ != nullptr && n.kid(1).op == Op::variable)
        if (const Value is = told_member(n, f); is.is_set()) return is;
      const Value v = kid(0);
      return Value::boolean(contains(kid(1), v));
    }
    case Op::not_in: {
      const Value v = kid(0);
      return Value::boolean(!contains(kid(1), v));
    }
    case Op::in_interval: {
      const Value v = kid(0);
      const std::int64_t low = integer(n.kid(1), f), high = integer(n.kid(2), f);
      if (v.is_model()) return kFalse;
      if (!v.is_integer())
        throw Failure(n.where,
                      fmt::format("whether {} is in {}..{} has no answer", show(v), low, high));
      return Value::boolean(v.as_integer() >= low && v.as_integer() <= high);
    }
    case Op::subseteq: {
      const Value a = kid(0);
      return Value::boolean(subset(a, kid(1)));
    }
    case Op::forall: return Value::boolean(each_binding(n, f, [&] { return test(n.kid(0), f); }));
    case Op::exists: return Value::boolean(!each_binding(n, f, [&] { return !test(n.kid(0), f); }));
    case Op::choose: return choose(n, f);
    case Op::filter: return filter(n, f);
    case Op::map: return map(n, f);
    case Op::function: return function(n, f);
    case Op::function_set: {
      const Value domain = kid(0);
      return function_set(domain, kid(1));
    }
    case Op::record: {
      absl::InlinedVector<Value, 12> values;
      for (std::uint32_t i = 0; i < n.count; ++i) values.push_back(normal(kid(i)));
      return store().function(n.value, {values.data(), values.size()});
    }
    case Op::record_set: return record_set(n, f);
    case Op::except: return except(n, f);
    case Op::tuple: {
      absl::InlinedVector<Value, 12> values;
      for (std::uint32_t i = 0; i < n.count; ++i) values.push_back(normal(kid(i)));
      return store().tuple({values.data(), values.size()});
    }
    case Op::set: {
      if (n.count == 0) return store().empty_set();
      if (n.count == 1) {
        const Value one[] = {normal(kid(0))};
        return store().sorted_set(one);
      }
      std::vector<Value> values;
      for (std::uint32_t i = 0; i < n.count; ++i) values.push_back(normal(kid(i)));
      return store().set(values);
    }
    case Op::product: {
      std::vector<Value> sets;
      for (std::uint32_t i = 0; i < n.count; ++i) sets.push_back(kid(i));
      return product(sets);
    }
    case Op::domain: return domain(kid(0));
    case Op::powerset: return powerset(kid(0));
    case Op::union_: return union_of(n.kid(0), f);
    case Op::cup: {
      const Value a = kid(0);
      return cup(a, kid(1));
    }
    case Op::cap: {
      const Value a = kid(0);
      return cap(a, kid(1));
    }
    case Op::minus: {
      const Value a = kid(0);
      return minus(a, kid(1));
    }
    case Op::enabled: return Value::boolean(enabled(n, f));
    case Op::compose: throw Unsupported(n.where, "\\cdot where a value is needed");
    case Op::builtin: return builtin(n, f);
    default: return arithmetic(n, f);
  }
}

Value Evaluator::arithmetic(const Node& n, Frame& f) {
  const std::int64_t a = integer(n.kid(0), f);
  const auto result = [&](bool overflow, std::int64_t value) {
    if (overflow || value > kIntegerMax || value < -kIntegerMax)
      throw Failure(n.where, "this number is too large (more than 60 bits)");
    return Value::integer(value);
  };
  if (n.op == Op::negate) return result(false, -a);
  const std::int64_t b = integer(n.kid(1), f);
  std::int64_t out = 0;
  switch (n.op) {
    case Op::add: return result(false, a + b);
    case Op::subtract: return result(false, a - b);
    case Op::multiply: {
      const bool overflow = __builtin_mul_overflow(a, b, &out);
      return result(overflow, out);
    }
    case Op::divide: {
      if (b == 0) throw Failure(n.where, "division by zero");
      const std::int64_t q = a / b;
      return Value::integer(a % b != 0 && ((a < 0) != (b < 0)) ? q - 1 : q);
    }
    case Op::modulo: {
      if (b <= 0) throw Failure(n.where, fmt::format("% needs a positive divisor, not {}", b));
      return Value::integer((a % b + b) % b);
    }
    case Op::power: {
      if (b < 0) throw Failure(n.where, fmt::format("the exponent {} is negative", b));
      out = 1;
      if (a == 0 || a == 1) return Value::integer(b == 0 ? 1 : a);
      if (a == -1) return Value::integer(b % 2 == 0 ? 1 : -1);
      bool overflow = false;
      for (std::int64_t i = 0; i < b && !overflow; ++i)
        overflow = __builtin_mul_overflow(out, a, &out);
      return result(overflow, out);
    }
    case Op::less: return Value::boolean(a < b);
    case Op::at_most: return Value::boolean(a <= b);
    case Op::more: return Value::boolean(a > b);
    case Op::at_least: return Value::boolean(a >= b);
    case Op::interval: return store().interval(a, b);
    default: throw Failure(n.where, "internal: an unknown operation");
  }
}

Value Evaluator::case_of(const Node& n, Frame& f) {
  std::uint32_t i = 0;
  for (; i + 1 < n.count; i += 2)
    if (test(n.kid(i), f)) return eval(n.kid(i + 1), f);
  if (i < n.count) return eval(n.kid(i), f);
  throw Failure(n.where, "no case of CASE holds");
}

Value Evaluator::record_set(const Node& n, Frame& f) {
  std::vector<Value> words = {n.value};
  for (std::uint32_t i = 0; i < n.count; ++i) words.push_back(part(eval(n.kid(i), f)));
  return described(Kind::record_set, words);
}

// --- EXCEPT --------------------------------------------------------------------------------------

Value Evaluator::except(const Node& n, Frame& f) {
  Value v = eval(n.kid(0), f);
  for (const ChangeCode& c : n.extra->changes) v = change(v, c, 0, f);
  return v;
}

Value Evaluator::change(Value old, const ChangeCode& c, std::size_t step, Frame& f) {
  if (step == c.path.size()) {
    f.slots[c.at_slot] = old;
    const Value v = eval(*c.value, f);
    return is_endless(v) ? v : normal(v);
  }
  const Value key = normal(eval(*c.path[step].index, f));
  if (is_endless(old) && contains(rule_domain(*old.node()), key))
    return endless_with(old, key, change(call(*old.node(), key), c, step + 1, f));
  old = normal(old);
  if (!is_function_value(old))
    throw Failure(c.where, fmt::format("EXCEPT needs a function, not {}", show(old)));
  const ValueNode& n = *old.node();
  bool inside = false;
  if (n.kind == Kind::tuple)
    inside = key.is_integer() && key.as_integer() >= 1 && key.as_integer() <= n.size;
  else inside = store().find(*n[0].node(), key) >= 0;
  if (!inside) {  // the function stays as it is, which is seldom what was meant
    if (warnings_.size() < 20) {
      std::string text = fmt::format("EXCEPT changes nothing: {} is outside the domain, at {}",
                                     show(key), symbols().describe(c.where));
      if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end())
        warnings_.push_back(std::move(text));
    }
    return old;
  }
  return updated(old, key, change(apply(old, key), c, step + 1, f));
}

// --- Calls ---------------------------------------------------------------------------------------

Value Evaluator::call_function(const Node& n, Frame& f) {
  check_stack(n.where);
  const Function& fn = *n.extra->function;
  Frame* up = n.hops == UINT16_MAX ? nullptr : &frame_at(f, n.hops);
  FrameGuard frame(*this, fn.layout, up);
  Arguments arguments(n.count);
  for (std::uint32_t i = 0; i < n.count; ++i)
    frame.frame.slots[fn.parameters[i]] = argument(n.kid(i), f, arguments, i);
  return eval(*fn.body, frame.frame);
}

// An argument that cannot be computed may never be needed: then it fails where it is used.
Value Evaluator::argument(const Node& n, Frame& f, Arguments& arguments, std::size_t i) {
  try {
    return eval(n, f);
  } catch (const Unsupported&) {
    throw;
  } catch (const Failure&) {
    arguments.thunks[i] = {&n, &f};
    return Value::raw(reinterpret_cast<std::uint64_t>(&arguments.thunks[i]) | 5u);
  }
}

bool Evaluator::enabled(const Node& n, Frame& f) {
  bool found = false;
  const auto sink = [&](std::span<const Value>) { return found = true, false; };
  explore(n.kid(0), f, sink, true);
  return found;
}

}  // namespace schism::tla
