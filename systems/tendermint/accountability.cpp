#include "systems/tendermint/accountability.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "schism/system/liars.hpp"

namespace tendermint {

NodeSet Guilty::all() const {
  NodeSet out = equivocation;
  for (const NodeId id : amnesia) out.insert(id);
  return out;
}

Guilty guilty_of(const std::vector<Signed<Vote>>& votes, int nodes) {
  Guilty out;
  std::map<std::tuple<int, int, int>, NodeSet> prevotes;  // by height, round and block
  for (const Signed<Vote>& vote : votes)
    if (vote->kind == Kind::prevote)
      prevotes[{vote->height, vote->round, vote->id}].insert(vote.signer);
  const auto polka_between = [&](const Vote& first, const Vote& later) {
    for (const auto& [place, who] : prevotes) {
      const auto& [height, round, id] = place;
      if (height == later.height && id == later.id && round >= first.round && round < later.round &&
          who.size() >= quorum_of(nodes))
        return true;
    }
    return false;
  };
  for (const Signed<Vote>& first : votes)
    for (const Signed<Vote>& later : votes) {
      if (first.signer != later.signer || first->height != later->height) continue;
      if (first->kind == later->kind && first->round == later->round && first != later)
        out.equivocation.insert(first.signer);
      if (first->kind == Kind::precommit && later->kind == Kind::prevote && first->id != kNil &&
          later->id != kNil && first->id != later->id && later->round > first->round &&
          !polka_between(*first, *later))
        out.amnesia.insert(first.signer);
    }
  return out;
}

Accountability::Accountability(const Setup& setup) {
  const auto& options = setup.options;
  const auto lie = std::max(static_cast<int>(options.liars.size()), options.liars_drawn);
  too_many_ = lie > faults_of(setup.nodes);
}

EventMask Accountability::wakes_on() const {
  if (!too_many_) return 0;
  return announcements_of<Decided>() | mask_of(Happened::sent) | mask_of(Happened::delivered);
}

void Accountability::begin(const World&) {
  absolve();
  votes_.clear();
  decided_.clear();
}

void Accountability::keep(const Signed<Vote>& vote) {
  if (!vote.valid()) return;
  if (std::find(votes_.begin(), votes_.end(), vote) == votes_.end()) votes_.push_back(vote);
}

void Accountability::keep(const World& world, const Event& event) {
  if (world.liar(event.node)) return;  // what it has sent counts where it comes
  if (const Prevote* m = event.as<Prevote>()) keep(m->vote);
  if (const Precommit* m = event.as<Precommit>()) keep(m->vote);
  if (const Commit* m = event.as<Commit>())
    for (const Signed<Vote>& vote : m->precommits) keep(vote);
}

void Accountability::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind == Happened::sent || event.kind == Happened::delivered) keep(world, event);
    const Decided* d = event.kind == Happened::announced ? event.as<Decided>() : nullptr;
    if (d && !world.liar(event.node)) decided_[d->height].push_back(d->id);
  }
}

void Accountability::finish(const World& world, const Ending&) {
  if (!too_many_) return;
  const int nodes = world.setup().nodes;
  const NodeSet named = guilty_of(votes_, nodes).all();
  for (const NodeId id : named)
    if (!world.liar(id)) violate(world, fmt::format("node {} is named, which is correct", id));
  for (const auto& [height, ids] : decided_)
    if (std::set<int>(ids.begin(), ids.end()).size() > 1 &&
        named.size() <= static_cast<std::size_t>(faults_of(nodes)))
      violate(world, fmt::format("agreement is broken at height {}, and only {} are named", height,
                                 named.size()));
}

}  // namespace tendermint
