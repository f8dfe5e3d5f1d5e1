#include "schism/tla/recall.hpp"

#include <algorithm>

namespace schism::tla {
namespace {

Hash128 question_hash(std::uint32_t question, std::uint16_t shape) {
  const std::uint64_t word = std::uint64_t{question} << 16 | shape;
  return {word * 0xbf58476d1ce4e5b9ULL, word * 0x94d049bb133111ebULL};  // mixed well at the end
}

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
bool Recall::absorb_shape(std::span<const Look> looks, const State& here, Hash128& h) {
  std::uint64_t lo = h.lo, hi = h.hi;
  for (const Look& look : looks) {
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
const Effect* Recall::find(Question q, Known& known, const State& here) {
  for (std::size_t i = 0; i < known.count; ++i) {
    Hash128 h = question_hash(q, known.shapes[i]);
    if (!absorb_shape(shapes_[known.shapes[i]].looks, here, h)) continue;
    const Effect* const found = effects_.find(h);
    if (!found) continue;
    if (i > 0) std::swap(known.shapes[i], known.shapes[i - 1]);
    return found;
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
  if (is_new) {
    Shape& shape = shapes_.emplace_back();
    shape.looks.assign(looks.begin(), looks.end());
    for (const Look& l : looks) shape.variables |= looked_at(l.variable);
  }
  return at->second;
}

void Recall::keep(Question q, Known& known, const State& here, std::span<const Look> looks,
                  std::span<const Assigned> changes, std::uint8_t number) {
  const auto shape = number_of(looks);
  if (!shape || changes.size() > Effects::kChangesMax) return;
  const auto end = known.shapes + known.count;
  if (std::find(known.shapes, end, *shape) == end) {
    if (known.count == kShapes) return;
    known.shapes[known.count++] = *shape;
  }
  Hash128 h = question_hash(q, *shape);
  if (absorb_shape(shapes_[*shape].looks, here, h)) effects_.keep(h, *shape, number, changes);
}

bool Recall::apply(const Effect& effect, State& to) {
  bool changed = false;
  for (const Assigned& c : effect.changes()) {
    Value& v = to[c.variable];
    const Value next = c.whole ? c.value : spec_.evaluator().updated(v, c.key, c.value);
    changed = changed || next != v;
    v = next;
  }
  return changed;
}

Recall::Way Recall::way() {
  Way out;
  out.question = --ways_;
  return out;
}

std::optional<Recall::Gone> Recall::follow(Way& way, State& now) {
  const Effect* const known = find(way.question, way.known, now);
  if (!known) return std::nullopt;
  return Gone{known->number, apply(*known, now)};
}

void Recall::keep(Way& way, const State& here, const Trail& trail, std::uint8_t number) {
  if (trail.hopeless()) return;
  keep(way.question, way.known, here, trail.looks(), trail.changes(), number);
}

// --- Actions and expressions ---------------------------------------------------------------------

Recall::Outcome Recall::first(Question q, const Action& action, std::span<const Value> args,
                              const State& here, State& there, Trail* trail) {
  if (const Effect* known = find(q, known_[q], here)) {
    if (trail) trail->add(shapes_[known->shape].looks, known->changes());
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
  if (const Effect* known = find(q, known_[q], here)) {
    if (trail) trail->add(shapes_[known->shape].looks, {});
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
    keep(q, known_[q], here, reads_.looks(), changes, out.possible ? 1 : 0);
    if (trail) trail->add(reads_.looks(), changes);
  } else if (trail) {
    trail->give_up();
  }
  return out;
}

// Which parts an expression of the whole state looks at may differ from state to state; which
// variables hardly. So the last shape that there is room for has whole variables.
Value Recall::value(Question q, const Code& code, const State& here, Looked& looked) {
  return value(q, here, looked, [&](Evaluator& eval) { return eval.evaluate(code, here); });
}

Value Recall::value(Question q, const Code& code, std::uint32_t slot, Value bound,
                    const State& here, Looked& looked) {
  return value(q, here, looked,
               [&](Evaluator& eval) { return eval.evaluate_with(code, here, slot, bound); });
}

Value Recall::value(Question q, const State& here, Looked& looked,
                    absl::FunctionRef<Value(Evaluator&)> compute) {
  if (const Effect* known = find(q, known_[q], here)) {
    looked |= shapes_[known->shape].variables;
    return known->changes().front().value;
  }
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
    looked |= looked_at(look.variable);
    const Look kept = room ? look : Look{Look::At::whole, look.variable, {}};
    if (std::find(looks_.begin(), looks_.end(), kept) == looks_.end()) looks_.push_back(kept);
  }
  Assigned made;
  made.value = v;
  if (reads_.hopeless()) looked = kLookedAtAll;
  else keep(q, known_[q], here, looks_, {&made, 1}, 1);
  return v;
}

}  // namespace schism::tla
