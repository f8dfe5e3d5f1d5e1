#include "schism/fuzz/mutate.hpp"

#include <algorithm>

namespace schism::fuzz {
namespace {

constexpr std::size_t kReach = 40;        // how far a move goes
constexpr std::size_t kLength = 100'000;  // of a schedule, at most

using Moves = std::vector<Action>;

// An action with the choices that it asked for; a partition with all its cuts.
struct Unit {
  std::size_t begin = 0, end = 0;
};

std::size_t end_of_unit(const Moves& moves, std::size_t i) {
  const bool partition = moves[i].kind == Do::begin && macro_of(moves[i]) == Macro::partition;
  ++i;
  if (partition) {
    while (i < moves.size() && moves[i].kind == Do::cut) ++i;
    if (i < moves.size() && moves[i].kind == Do::end) ++i;
  }
  while (i < moves.size() && moves[i].kind == Do::choose) ++i;
  return i;
}

std::vector<Unit> units_of(const Moves& moves) {
  std::vector<Unit> out;
  for (std::size_t i = 0; i < moves.size(); i = out.back().end)
    out.push_back({i, end_of_unit(moves, i)});
  return out;
}

// Some units in a row, mostly few.
struct Stretch {
  std::size_t first, count;
};
Stretch draw_stretch(std::size_t units, Rng& random) {
  const std::size_t first = random.below(units);
  std::size_t count = 1;
  while (first + count < units && count < kReach && random.below(3) != 0) ++count;
  return {first, count};
}

Moves copy(const Moves& moves, const std::vector<Unit>& units, Stretch s) {
  return {moves.begin() + static_cast<std::ptrdiff_t>(units[s.first].begin),
          moves.begin() + static_cast<std::ptrdiff_t>(units[s.first + s.count - 1].end)};
}

void erase(Moves& moves, const std::vector<Unit>& units, Stretch s) {
  moves.erase(moves.begin() + static_cast<std::ptrdiff_t>(units[s.first].begin),
              moves.begin() + static_cast<std::ptrdiff_t>(units[s.first + s.count - 1].end));
}

// Before the unit at that place; at the end if there is none.
void insert(Moves& moves, const std::vector<Unit>& units, std::size_t place, const Moves& what) {
  const std::size_t at = place < units.size() ? units[place].begin : moves.size();
  moves.insert(moves.begin() + static_cast<std::ptrdiff_t>(at), what.begin(), what.end());
}

std::size_t near(std::size_t place, std::size_t units, Rng& random) {
  const std::size_t low = place > kReach ? place - kReach : 0;
  const std::size_t high = std::min(place + kReach, units);
  return low + random.below(high - low + 1);
}

bool cut_short(Moves& moves, Rng& random) {
  const auto units = units_of(moves);
  if (units.size() < 2) return false;
  moves.resize(units[1 + random.below(units.size() - 1)].begin);
  return true;
}

bool move(Moves& moves, Rng& random) {
  auto units = units_of(moves);
  if (units.size() < 2) return false;
  const Stretch s = draw_stretch(units.size(), random);
  const Moves what = copy(moves, units, s);
  erase(moves, units, s);
  units = units_of(moves);
  insert(moves, units, near(std::min(s.first, units.size()), units.size(), random), what);
  return true;
}

bool drop(Moves& moves, Rng& random) {
  const auto units = units_of(moves);
  if (units.empty()) return false;
  erase(moves, units, draw_stretch(units.size(), random));
  return true;
}

bool repeat(Moves& moves, Rng& random) {
  const auto units = units_of(moves);
  if (units.empty() || moves.size() > kLength) return false;
  const Stretch s = draw_stretch(units.size(), random);
  const std::size_t after = s.first + s.count;
  insert(moves, units, after + random.below(std::min(kReach, units.size() - after) + 1),
         copy(moves, units, s));
  return true;
}

// What an action is, whichever of its kind it is.
bool alike(const Action& a, const Action& b) {
  return a.kind == b.kind && a.name.from() == b.name.from() && a.name.to() == b.name.to() &&
         a.name.type() == b.name.type();
}

// Up to a point of the one, then on from a point of the other where the same happens.
bool splice(Schedule& schedule, const Schedule& other, Rng& random) {
  if (schedule.moves.empty() || other.moves.empty()) return false;
  const auto units = units_of(other.moves);
  const std::size_t from = units[random.below(units.size())].begin;
  std::vector<std::size_t> common;
  for (std::size_t i = 0; i < schedule.moves.size(); ++i)
    if (alike(schedule.moves[i], other.moves[from])) common.push_back(i);
  if (common.empty()) return false;
  const std::size_t to = common[random.below(common.size())];
  if (to + other.moves.size() - from > kLength) return false;
  schedule.moves.resize(to);
  for (std::size_t i = from; i < other.moves.size(); ++i) {
    Action action = other.moves[i];
    if (const auto content = content_index(action); content < other.contents.size()) {
      action = with_content(action, static_cast<std::uint32_t>(schedule.contents.size()));
      schedule.contents.push_back(other.contents[content]);
    }
    schedule.moves.push_back(action);
  }
  return true;
}

NodeId some_node(const Terms& terms, Rng& random) {
  return static_cast<NodeId>(random.below(static_cast<std::uint64_t>(terms.nodes)));
}

// Kinds of faults that this hunt pays for and that can be made without a content.
std::vector<Do> affordable(const Terms& terms) {
  std::vector<Do> out;
  const Faults& f = terms.faults;
  if (f.crash > 0) out.insert(out.end(), {Do::crash, Do::restart});
  if (f.pause > 0) out.insert(out.end(), {Do::pause, Do::resume});
  if (f.drop > 0) out.push_back(Do::drop);
  if (f.duplicate > 0) out.push_back(Do::duplicate);
  if (f.cut > 0) out.push_back(Do::cut);
  if (f.cut + f.partition > 0) out.push_back(Do::heal);
  return out;
}

bool add_fault(Moves& moves, const Terms& terms, Rng& random) {
  const auto kinds = affordable(terms);
  const auto units = units_of(moves);
  if (kinds.empty() || units.empty()) return false;
  const Do kind = kinds[random.below(kinds.size())];
  const std::size_t place = random.below(units.size());
  if (kind == Do::drop || kind == Do::duplicate) {
    // What is delivered next is lost, or comes twice.
    for (std::size_t i = place; i < units.size(); ++i) {
      const Action& own = moves[units[i].begin];
      if (own.kind != Do::deliver) continue;
      const Action fault = make_action(kind, own.name, 0, own.hint);
      if (kind == Do::drop) erase(moves, units, {i, 1});
      moves.insert(moves.begin() + static_cast<std::ptrdiff_t>(units[i].begin), fault);
      return true;
    }
    return false;
  }
  const NodeId node = some_node(terms, random);
  const bool link = kind == Do::cut || kind == Do::heal;
  insert(moves, units, place,
         {link ? link_action(kind, node, some_node(terms, random))
               : node_action(kind, node,
                             kind == Do::crash ? static_cast<std::uint32_t>(random.below(8)) : 0)});
  return true;
}

// Another node, another time, one less or one more.
bool change_fault(Moves& moves, const Terms& terms, Rng& random) {
  auto units = units_of(moves);
  std::vector<std::size_t> faults;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Do kind = moves[units[i].begin].kind;
    const bool heals = kind == Do::restart || kind == Do::resume || kind == Do::heal;
    if (is_fault_kind(kind) || heals || kind == Do::begin) faults.push_back(i);
  }
  if (faults.empty() || random.below(4) == 0) return add_fault(moves, terms, random);
  const std::size_t at = faults[random.below(faults.size())];
  Action& fault = moves[units[at].begin];
  const bool at_a_node = fault.kind == Do::crash || fault.kind == Do::restart ||
                         fault.kind == Do::pause || fault.kind == Do::resume;
  switch (random.below(3)) {
    case 0:
      if (at_a_node) {
        fault = node_action(fault.kind, some_node(terms, random), fault.arg());
        return true;
      }
      [[fallthrough]];
    case 1: {
      const Moves what = copy(moves, units, {at, 1});
      erase(moves, units, {at, 1});
      units = units_of(moves);
      insert(moves, units, random.below(units.size() + 1), what);
      return true;
    }
    default: erase(moves, units, {at, 1}); return true;
  }
}

// For a while nothing happens at a node; then all that was put off.
bool starve(Moves& moves, const Terms& terms, Rng& random) {
  const auto units = units_of(moves);
  if (units.size() < 2) return false;
  const NodeId node = some_node(terms, random);
  const std::size_t first = random.below(units.size());
  const std::size_t last = std::min(units.size(), first + 2 + random.below(2 * kReach));
  const auto begin = moves.begin() + static_cast<std::ptrdiff_t>(units[first].begin);
  const auto end = moves.begin() + static_cast<std::ptrdiff_t>(units[last - 1].end);
  Moves now, later;
  bool waits = false;
  for (auto at = begin; at != end; ++at) {
    if (at->kind != Do::choose) waits = place_of(*at) == node;
    (waits ? later : now).push_back(*at);
  }
  if (later.empty() || now.empty()) return false;
  std::copy(later.begin(), later.end(), std::copy(now.begin(), now.end(), begin));
  return true;
}

}  // namespace

bool apply(Mutation mutation, Schedule& schedule, const Schedule& other, const Terms& terms,
           Rng& random) {
  switch (mutation) {
    case Mutation::cut_short: return cut_short(schedule.moves, random);
    case Mutation::move: return move(schedule.moves, random);
    case Mutation::drop: return drop(schedule.moves, random);
    case Mutation::repeat: return repeat(schedule.moves, random);
    case Mutation::splice: return splice(schedule, other, random);
    case Mutation::change_fault: return change_fault(schedule.moves, terms, random);
    case Mutation::starve: return starve(schedule.moves, terms, random);
  }
  return false;
}

Schedule mutate(const Schedule& schedule, const Schedule& other, const Terms& terms, Rng& random) {
  constexpr std::uint64_t kMutations = 7;
  Schedule out = schedule;
  std::uint64_t changes = 1;
  while (changes < 8 && random.below(2) == 0) ++changes;
  for (int attempt = 0; attempt < 32 && changes > 0; ++attempt)
    if (apply(static_cast<Mutation>(random.below(kMutations)), out, other, terms, random))
      --changes;
  return out;
}

}  // namespace schism::fuzz
