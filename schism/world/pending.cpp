#include "schism/world/pending.hpp"

#include <algorithm>
#include <utility>

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

void Pending::open_desks(std::span<const NodeClass* const> of_nodes) {
  desks.clear();
  desk_of.clear();
  int types = 0;
  for (const NodeClass* c : of_nodes) types = std::max(types, c->request_count);
  for (int type = 0; type < types; ++type) {
    std::vector<bool> by;
    for (const NodeClass* c : of_nodes) by.push_back(c->takes(type));
    std::size_t at = 0;
    while (at < desks.size() && desks[at].served_by != by) ++at;
    if (at == desks.size()) {
      Desk& desk = desks.emplace_back();
      desk.takers.reset(static_cast<std::uint32_t>(by.size()), true);
      for (std::uint32_t id = 0; id < by.size(); ++id)
        if (!by[id]) desk.takers.remove(id);
      desk.served_by = std::move(by);
    }
    desk_of.push_back(static_cast<std::uint8_t>(at));
  }
}

bool Pending::was_asked(Name request, std::uint32_t offered) const {
  if (request.nth() >= offered) return false;
  for (std::uint32_t slot = 0; slot < askings.size(); ++slot)
    if (askings[slot].alive() && askings[slot].name == request) return false;
  return true;
}

void Pending::attend_desks(std::uint32_t node, bool on) {
  for (Desk& desk : desks)
    if (desk.served_by[node]) on ? desk.takers.add(node) : desk.takers.remove(node);
}

void Pending::clear_desks() {
  for (Desk& desk : desks) desk.askable.clear();
}

std::uint32_t Pending::count(Do kind) const {
  switch (kind) {
    case Do::deliver: return deliverable.size();
    case Do::drop: return left.drop > 0 ? deliverable.size() : 0;
    case Do::duplicate: return left.duplicate > 0 ? deliverable.size() : 0;
    case Do::fire: return armed_total;
    case Do::complete: return completable.size();
    case Do::submit: {
      std::uint32_t all = askable.size();
      for (const Desk& desk : desks) all += desk.askable.size() * desk.takers.size();
      return all;
    }
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
      for (const Desk& desk : desks) {
        const std::uint32_t here = desk.askable.size() * desk.takers.size();
        if (i >= here) {
          i -= here;
          continue;
        }
        const std::uint32_t slot = desk.askable[i / desk.takers.size()];
        return make_action(kind, askings[slot].name, desk.takers[i % desk.takers.size()], slot);
      }
      break;
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
