#include "schism/tla/recall.hpp"

#include <algorithm>

namespace schism::tla {
namespace {

constexpr int kReportsMax = 10'000;  // of what follows an action, where the first is wanted

// Tells while it lives.
class Telling {
 public:
  Telling(Evaluator& eval, Reads& reads, std::size_t variables) : eval_(eval) {
    reads.begin(variables);
    eval_.tell(&reads);
  }
  ~Telling() { eval_.tell(nullptr); }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

 private:
  Evaluator& eval_;
};

}  // namespace

// --- Ways of several actions ---------------------------------------------------------------------

void Trail::begin() {
  looks_.clear();
  changes_.clear();
  hopeless_ = false;
}

// A variable that was given a value does not matter any more, nor does a part that was.
bool Trail::is_known(const Look& look) const {
  return std::any_of(changes_.begin(), changes_.end(), [&](const Assigned& c) {
    if (c.variable != look.variable) return false;
    return c.whole ||
           ((look.at == Look::At::part || look.at == Look::At::domain) && c.key == look.key);
  });
}

void Trail::change(const Assigned& change) {
  const auto replaced = [&](const Assigned& c) {
    return c.variable == change.variable && (change.whole || (!c.whole && c.key == change.key));
  };
  std::erase_if(changes_, replaced);
  changes_.push_back(change);
}

void Trail::add(std::span<const Look> looks, std::span<const Assigned> changes) {
  for (const Look& look : looks)
    if (!is_known(look) && std::find(looks_.begin(), looks_.end(), look) == looks_.end())
      looks_.push_back(look);
  for (const Assigned& c : changes) change(c);
}

// --- What is known -------------------------------------------------------------------------------

Recall::Question Recall::questions(std::size_t count) {
  known_.resize(known_.size() + count);
  return static_cast<Question>(known_.size() - count);
}

// False: that state has no such place.
bool Recall::absorb_shape(const Shape& shape, const State& here, Hash128& h) {
  std::uint64_t lo = h.lo, hi = h.hi;
  for (const Look& look : shape) {
    Value v = here[look.variable];
    if (look.at == Look::At::member) v = member_of(v, look.key);
    else if (look.at != Look::At::whole) v = part_of(v, look.key);
    if (!v.is_set()) return false;
    if (look.at == Look::At::domain) continue;
    // Two lanes that mix little, but all of it before they are used.
    lo = (rotate_left(lo, 23) ^ v.bits()) * 0x9e3779b97f4a7c15ULL;
    hi = (rotate_left(hi, 41) + v.bits()) * 0xd6e8feb86659fd93ULL;
  }
  h = {mix64(lo), mix64(hi)};
  return true;
}

// What was last the right shape is tried first.
const Recall::Effect* Recall::find(Question q, const State& here) {
  Known& known = known_[q];
  for (std::size_t i = 0; i < known.count; ++i) {
    Hash128 h = scatter(std::uint64_t{q} << 16 | known.shapes[i]);
    if (!absorb_shape(shapes_[known.shapes[i]], here, h)) continue;
    const auto found = effects_.find(h);
    if (found == effects_.end()) continue;
    if (i > 0) std::swap(known.shapes[i], known.shapes[i - 1]);
    return &found->second;
  }
  return nullptr;
}

std::optional<std::uint16_t> Recall::number_of(std::span<const Look> looks) {
  Hash128 h = scatter(looks.size());
  for (const Look& l : looks)
    h = absorb(absorb(h, std::uint64_t{l.variable} << 8 | static_cast<std::uint64_t>(l.at)),
               l.key.bits());
  if (shapes_.size() > UINT16_MAX && !shape_numbers_.contains(h)) return std::nullopt;
  const auto [at, is_new] =
      shape_numbers_.try_emplace(h, static_cast<std::uint16_t>(shapes_.size()));
  if (is_new) shapes_.emplace_back(looks.begin(), looks.end());
  return at->second;
}

void Recall::keep(Question q, const State& here, std::span<const Look> looks,
                  std::span<const Assigned> changes, std::uint8_t number) {
  const auto shape = number_of(looks);
  if (!shape) return;
  Known& known = known_[q];
  const auto end = known.shapes + known.count;
  if (std::find(known.shapes, end, *shape) == end) {
    if (known.count == kShapes) return;
    known.shapes[known.count++] = *shape;
  }
  Hash128 h = scatter(std::uint64_t{q} << 16 | *shape);
  if (!absorb_shape(shapes_[*shape], here, h)) return;
  effects_.emplace(h, Effect{static_cast<std::uint32_t>(changes_.size()),
                             static_cast<std::uint16_t>(changes.size()), *shape, number});
  changes_.insert(changes_.end(), changes.begin(), changes.end());
}

bool Recall::apply(const Effect& effect, State& to) {
  bool changed = false;
  for (const Assigned& c : changes_of(effect)) {
    Value& v = to[c.variable];
    const Value next = c.whole ? c.value : spec_.evaluator().updated(v, c.key, c.value);
    changed = changed || next != v;
    v = next;
  }
  return changed;
}

std::optional<Recall::Gone> Recall::follow(Question q, State& now) {
  const Effect* const known = find(q, now);
  if (!known) return std::nullopt;
  return Gone{known->number, apply(*known, now)};
}

void Recall::keep(Question q, const State& here, const Trail& trail, std::uint8_t number) {
  if (!trail.hopeless()) keep(q, here, trail.looks(), trail.changes(), number);
}

// --- Actions and expressions ---------------------------------------------------------------------

Recall::Outcome Recall::first(Question q, const Action& action, std::span<const Value> args,
                              const State& here, State& there, Trail* trail) {
  if (const Effect* known = find(q, here)) {
    if (trail) trail->add(shapes_[known->shape], changes_of(*known));
    if (known->number != 0) {
      there = here;
      apply(*known, there);
    }
    return {known->number != 0, false, false};
  }
  return compute(q, action, args, here, &there, trail);
}

Recall::Outcome Recall::whether(Question q, const Action& action, std::span<const Value> args,
                                const State& here, Trail* trail) {
  if (const Effect* known = find(q, here)) {
    if (trail) trail->add(shapes_[known->shape], {});
    return {known->number != 0, false, false};
  }
  return compute(q, action, args, here, nullptr, trail);
}

// Only the one state that it leads to is remembered: whether two of them are the same may depend on
// what nobody looked at.
Recall::Outcome Recall::compute(Question q, const Action& action, std::span<const Value> args,
                                const State& here, State* there, Trail* trail) {
  ++computed_;
  Evaluator& eval = spec_.evaluator();
  Outcome out;
  int reports = 0;
  const auto see = [&](std::span<const Value> next) {
    ++reports;
    if (!there) return false;
    if (reports == 1) there->assign(next.begin(), next.end());
    else if (!std::equal(next.begin(), next.end(), there->begin())) out.ambiguous = true;
    return reports < kReportsMax;
  };
  try {
    const Telling telling(eval, reads_, here.size());
    eval.successors(action.code, here, see, action.slots, args);
    eval.sweep();
  } catch (const Failure&) {
    if (trail) trail->give_up();
    return {false, false, true};  // whatever was seen before
  }
  out.possible = reports > 0;
  if (reports < 2 && !reads_.hopeless()) {
    std::span<const Assigned> changes;
    if (there && out.possible) changes = reads_.changes();
    keep(q, here, reads_.looks(), changes, out.possible ? 1 : 0);
    if (trail) trail->add(reads_.looks(), changes);
  } else if (trail) {
    trail->give_up();
  }
  return out;
}

// Which parts an expression of the whole state looks at may differ from state to state; which
// variables hardly. So the last shape that there is room for has whole variables.
Value Recall::value(Question q, const Code& code, const State& here) {
  return value(q, here, [&](Evaluator& eval) { return eval.evaluate(code, here); });
}

Value Recall::value(Question q, const Code& code, std::uint32_t slot, Value bound,
                    const State& here) {
  return value(q, here,
               [&](Evaluator& eval) { return eval.evaluate_with(code, here, slot, bound); });
}

Value Recall::value(Question q, const State& here, absl::FunctionRef<Value(Evaluator&)> compute) {
  if (const Effect* known = find(q, here)) return changes_[known->begin].value;
  ++computed_;
  Evaluator& eval = spec_.evaluator();
  Value v;
  {
    const Telling telling(eval, reads_, here.size());
    v = eval.normal(compute(eval));
  }
  eval.sweep();
  looks_.clear();
  const bool room = std::size_t{known_[q].count} + 1 < kShapes;
  for (const Look& look : reads_.looks()) {
    const Look kept = room ? look : Look{Look::At::whole, look.variable, {}};
    if (std::find(looks_.begin(), looks_.end(), kept) == looks_.end()) looks_.push_back(kept);
  }
  Assigned made;
  made.value = v;
  if (!reads_.hopeless()) keep(q, here, looks_, {&made, 1}, 1);
  return v;
}

}  // namespace schism::tla
