#include "schism/scenario/cues.hpp"

#include <algorithm>

namespace schism::scenario {
namespace {

Do table_of(Cue::Kind kind) {
  switch (kind) {
    case Cue::fire: return Do::fire;
    case Cue::complete:
    case Cue::fail: return Do::complete;
    default: return Do::deliver;
  }
}

bool about_pending(Cue::Kind kind) { return kind <= Cue::fail && kind != Cue::forge; }

// Served now, were it not for the scenario's own hold.
bool can_be_served(World& world, Do kind, std::uint32_t slot) {
  const Slot& s = world.pending().slot(kind, slot);
  if (!s.held_by(Holder::scenario)) return s.at != kNone;
  world.release(kind, slot, Holder::scenario);
  const bool can = s.at != kNone;
  world.hold(kind, slot, Holder::scenario);
  return can;
}

Moment moment_of(const World& world, const Kept& what) {
  Moment m;
  const Name name(what.name);
  m.name = what.name;
  m.at = name.from();
  if (what.kind != Do::deliver) return m;
  const Flight& flight = world.pending().flights[what.slot];
  m.kind = Happened::sent;
  m.from = name.from(), m.to = name.to();
  m.type = flight.body->type, m.body = flight.body->content();
  return m;
}

void give(State& state, const BoundTerm& role, NodeId node) {
  if (role.term.kind != Term::variable) return;
  Value& v = state.variables[static_cast<std::size_t>(role.index)];
  if (v.is_null()) v = Value(std::int64_t{node});
}

}  // namespace

std::vector<Kept> servable_now(World& world, Do kind, const std::function<bool(Name)>& fits) {
  std::vector<std::pair<std::uint32_t, Kept>> found;
  world.pending().each([&](Do table, std::uint32_t slot) {
    if (table != kind) return;
    const Slot& s = world.pending().slot(kind, slot);
    if (fits(s.name)) found.push_back({s.created, {kind, slot, s.generation, s.name.bits()}});
  });
  // A link or disk that keeps order is asked after the others were found: holds change.
  std::erase_if(found, [&](const auto& f) { return !can_be_served(world, kind, f.second.slot); });
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.name) < std::tie(b.first, b.second.name);
  });
  std::vector<Kept> out;
  for (const auto& [created, kept] : found) out.push_back(kept);
  return out;
}

void Cues::begin(const Program& program) {
  program_ = &program;
  line_ = first_ = 0;
  left_.clear();
}

bool Cues::fits(const State& state, const BoundTerm& term, NodeId node) const {
  if (term.term.kind == Term::nothing) return true;
  const Value v = term.read(state, {});
  if (v.as_int()) return *v.as_int() == node;
  if (term.term.kind != Term::variable || !program_->roles.contains(term.index)) return false;
  return std::none_of(program_->roles.begin(), program_->roles.end(), [&](int role) {
    const std::int64_t* taken = state.variables[static_cast<std::size_t>(role)].as_int();
    return taken && *taken == node;
  });
}

bool Cues::fits(const State& state, const BoundCue& cue, NodeId from, NodeId to) const {
  if (!fits(state, cue.from, from) || !fits(state, cue.to, to)) return false;
  const bool roles = cue.from.term.kind == Term::variable && cue.to.term.kind == Term::variable;
  return !roles || (cue.from.index == cue.to.index) == (from == to);
}

// Of those that differ only in age the one after the skipped: one for each way.
void Cues::pending_options(World& world, State& state, const BoundCue& cue,
                           std::vector<Found>& out) {
  const Cue& c = *cue.cue;
  const Do kind = table_of(c.kind);
  const bool message = kind == Do::deliver;
  const auto all = servable_now(world, kind, [&](Name name) {
    const NodeId from = name.from(), to = message ? name.to() : from;
    return (cue.type < 0 || name.type() == cue.type) && fits(state, cue, message ? from : -1, to);
  });
  std::map<std::pair<NodeId, NodeId>, int> skipped;
  for (const Kept& what : all) {
    const Name name(what.name);
    const NodeId from = message ? name.from() : -1, to = message ? name.to() : name.from();
    const bool named = cue.from.term.kind != Term::nothing,
               there = cue.to.term.kind != Term::nothing;
    if (message && !cue.check.holds(world, state, moment_of(world, what))) continue;
    if (skipped[{named ? from : -1, there ? to : -1}]++ != c.skipped) continue;
    out.push_back({&cue, what, from, to, 0});
  }
}

void Cues::node_options(World& world, State& state, const BoundCue& cue, std::vector<Found>& out) {
  const Pending& pending = world.pending();
  const auto possible = [&](NodeId from, NodeId to) {
    const auto id = static_cast<std::uint32_t>(to);
    switch (cue.cue->kind) {
      case Cue::submit:
      case Cue::pause: return pending.live.has(id);
      case Cue::crash: return world.up(to) && !world.crash_outcomes(to).empty();
      case Cue::restart: return !world.up(to);
      case Cue::resume: return pending.paused.has(id);
      case Cue::cut: return !world.cut(from, to);
      case Cue::heal: return world.cut(from, to);
      default: return true;
    }
  };
  const bool two = cue.cue->kind >= Cue::cut || cue.cue->kind == Cue::forge;
  for (NodeId to = 0; to < world.setup().places(); ++to)
    for (NodeId from = two ? 0 : -1; from < (two ? world.setup().places() : 0); ++from) {
      const bool same = two && from == to && cue.cue->kind >= Cue::cut;
      if (!same && fits(state, cue, from, to) && possible(from, to))
        out.push_back({&cue, {}, from, to, 0});
    }
}

std::vector<Cues::Found> Cues::options(World& world, State& state, const BoundCue& cue) {
  std::vector<Found> out;
  if (about_pending(cue.cue->kind)) pending_options(world, state, cue, out);
  else node_options(world, state, cue, out);
  return out;
}

void Cues::settle_line(const State& state) {
  const auto done = [](std::int64_t left) { return left == 0; };
  while (!over() && (left_.empty() || std::all_of(left_.begin(), left_.end(), done))) {
    if (!left_.empty()) first_ += left_.size(), ++line_;
    left_.clear();
    if (over()) return;
    for (const BoundCue& cue : program_->script[line_]) {
      const Value times = cue.times.read(state, {});
      left_.push_back(times.as_int() ? std::max<std::int64_t>(*times.as_int(), 0) : 1);
    }
    begun_.assign(left_.size(), false);
  }
}

std::optional<Cues::Found> Cues::next(World& world, State& state, Rng& rng, const Asks& asks) {
  for (;;) {
    settle_line(state);
    if (over()) return std::nullopt;
    bool went_on = false;
    const auto& cues = program_->script[line_];
    for (std::size_t i = 0; i < cues.size(); ++i) {
      if (left_[i] == 0) continue;
      if (cues[i].cue->kind == Cue::submit && !asks(cues[i])) continue;
      const auto found = options(world, state, cues[i]);
      if (found.empty()) {
        // All that there were are done.
        if (cues[i].cue->all && begun_[i]) left_[i] = 0, went_on = true;
        continue;
      }
      // A role goes to any node that fits: which one must not matter.
      Found out = found[found.size() == 1 ? 0 : rng.below(found.size())];
      out.number = first_ + i;
      begun_[i] = true;
      if (!cues[i].cue->all) --left_[i];
      give(state, cues[i].from, out.from);
      give(state, cues[i].to, out.to);
      return out;
    }
    if (!went_on) return std::nullopt;
  }
}

}  // namespace schism::scenario
