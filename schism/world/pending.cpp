#include "schism/world/pending.hpp"

namespace schism {

void IdSet::reset(std::uint32_t universe, bool full) {
  ids_.resize(universe);
  at_.resize(universe);
  for (std::uint32_t i = 0; i < universe; ++i) ids_[i] = at_[i] = i;
  count_ = full ? universe : 0;
}

void IdSet::swap(std::uint32_t i, std::uint32_t j) {
  std::swap(ids_[i], ids_[j]);
  at_[ids_[i]] = i;
  at_[ids_[j]] = j;
}

void IdSet::add(std::uint32_t id) {
  if (!has(id)) swap(at_[id], count_++);
}

void IdSet::remove(std::uint32_t id) {
  if (has(id)) swap(at_[id], --count_);
}

bool Pending::any_held_by(Holder who) const {
  bool any = false;
  each([&](Do kind, std::uint32_t i) { any = any || slot(kind, i).held_by(who); });
  return any;
}

std::uint32_t Pending::count(Do kind) const {
  switch (kind) {
    case Do::deliver: return deliverable.size();
    case Do::drop: return left.drop > 0 ? deliverable.size() : 0;
    case Do::duplicate: return left.duplicate > 0 ? deliverable.size() : 0;
    case Do::fire: return armed_total;
    case Do::complete: return completable.size();
    case Do::submit: return askable.size() + askable_anywhere.size() * takers.size();
    case Do::crash: return left.crash > 0 && down.size() < down_max ? crashable.size() : 0;
    case Do::restart: return recovers ? down.size() : 0;
    case Do::pause: return left.pause > 0 ? pausable.size() : 0;
    case Do::resume: return paused.size();
    case Do::cut: return left.cut > 0 ? cuttable.size() : 0;
    case Do::heal: return severed.size();
    default: return 0;  // advance, choose, notes and contents are made, not picked
  }
}

Action Pending::nth(Do kind, std::uint32_t i) const {
  const auto node = [&](const IdSet& set) {
    return node_action(kind, static_cast<NodeId>(set[i]));
  };
  const auto link = [&](const IdSet& set) {
    const int id = static_cast<int>(set[i]);
    return link_action(kind, id / nodes, id % nodes);
  };
  switch (kind) {
    case Do::deliver:
    case Do::drop:
    case Do::duplicate: {
      const std::uint32_t slot = deliverable[i];
      return make_action(kind, flights[slot].name, 0, slot);
    }
    case Do::fire:
      for (std::uint32_t timer = 0; timer < armed.size(); ++timer) {
        if (i < armed[timer].size()) return nth_fire(timer, i);
        i -= armed[timer].size();
      }
      break;
    case Do::complete: {
      const std::uint32_t slot = completable[i];
      return make_action(kind, waits[slot].name, 0, slot);
    }
    case Do::submit: {
      if (i < askable.size()) {
        const std::uint32_t slot = askable[i];
        return make_action(kind, askings[slot].name,
                           static_cast<std::uint32_t>(askings[slot].target), slot);
      }
      i -= askable.size();
      const std::uint32_t slot = askable_anywhere[i / takers.size()];
      return make_action(kind, askings[slot].name, takers[i % takers.size()], slot);
    }
    case Do::crash: return node(crashable);
    case Do::restart: return node(down);
    case Do::pause: return node(pausable);
    case Do::resume: return node(paused);
    case Do::cut: return link(cuttable);
    case Do::heal: return link(severed);
    default: break;
  }
  assert(false && "nothing of that kind is enabled");
  return {};
}

}  // namespace schism
