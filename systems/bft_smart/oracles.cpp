#include "systems/bft_smart/oracles.hpp"

#include <algorithm>

#include "systems/bft_smart/replica.hpp"

namespace bft_smart {
namespace {

std::uint64_t bits(int i) { return static_cast<std::uint64_t>(i); }

}  // namespace

void EpochsLeft::begin(const World&) {
  absolve();
  left_.clear();
}

void EpochsLeft::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind != Happened::announced) continue;
    if (const Left* left = event.as<Left>()) {
      At& at = left_.try_emplace({event.node, left->cid}, At{0, 0}).first->second;
      if (left->epoch > at.epoch) at = {left->epoch, world.step()};
    } else if (const Voted* vote = event.as<Voted>()) {
      const auto at = left_.find({event.node, vote->cid});
      if (at == left_.end() || vote->epoch >= at->second.epoch) continue;
      violate(
          world,
          fmt::format("node {} votes ({}) in epoch {} of instance {}, which it has left for {}",
                      event.node, enum_name(vote->verb), vote->epoch, vote->cid, at->second.epoch),
          {{at->second.step, "reported that it leaves the epoch"}, {world.step(), "voted in it"}});
    }
  }
}

std::optional<Hash128> EpochsLeft::digest() const {
  Hash128 sum = seeded("epochs-left");
  for (const auto& [key, at] : left_)
    sum += absorb(absorb(scatter(bits(key.first)), bits(key.second)), bits(at.epoch));
  return sum;
}

void ClaimedQuorums::begin(const World&) {
  absolve();
  writers_.clear();
}

void ClaimedQuorums::look(const World& world, std::span<const Event> events) {
  const Config& config = *static_cast<const Config*>(world.setup().config.get());
  const int replicas = replicas_of(world.setup().nodes, config);
  std::size_t liars = 0;
  for (NodeId id = 0; id < replicas; ++id) liars += world.liar(id) ? 1 : 0;
  for (const Event& event : events) {
    if (event.kind != Happened::announced) continue;
    if (const Voted* vote = event.as<Voted>()) {
      if (vote->verb == Verb::write)
        writers_[{vote->cid, vote->epoch, vote->digest}].insert(event.node);
    } else if (const Left* left = event.as<Left>()) {
      if (left->claimed_epoch < 0) continue;
      const auto by = writers_.find({left->cid, left->claimed_epoch, left->claimed_digest});
      const std::size_t wrote = by == writers_.end() ? 0 : by->second.size();
      if (wrote + liars >= quorum_of(replicas)) continue;
      violate(world,
              fmt::format("node {} reports a quorum of WRITEs in epoch {} of instance {}, where {} "
                          "of {} have written that",
                          event.node, left->claimed_epoch, left->cid, wrote, quorum_of(replicas)),
              {{world.step(), "reported it"}});
    }
  }
}

std::optional<Hash128> ClaimedQuorums::digest() const {
  Hash128 sum = seeded("claimed-quorums");
  for (const auto& [key, who] : writers_)
    for (const NodeId id : who)
      sum += absorb(absorb(absorb(scatter(bits(std::get<0>(key))), bits(std::get<1>(key))),
                           bits(std::get<2>(key))),
                    bits(id));
  return sum;
}

void DecidedKept::begin(const World&) {
  absolve();
  instances_.clear();
}

void DecidedKept::compare(const World& world, int cid, const Seen& decided, const Seen& written) {
  if (written.epoch <= decided.regency || written.digest == decided.digest) return;
  violate(world,
          fmt::format("node {} writes {} in epoch {} of instance {}, where node {} decided {} in "
                      "epoch {}",
                      written.node, written.digest, written.epoch, cid, decided.node,
                      decided.digest, decided.epoch),
          {{decided.step, "decided"}, {written.step, "wrote something else"}});
}

void DecidedKept::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind != Happened::announced) continue;
    if (const Decided* d = event.as<Decided>()) {
      if (d->epoch < 0) continue;  // got with a state: others have decided it
      Instance& of = instances_[d->cid];
      const Replica* decider = world.as<Replica>(event.node);
      const int regency = std::max(d->epoch, decider ? decider->regency : 0);
      of.decided.push_back({d->epoch, d->digest, event.node, world.step(), regency});
      for (const Seen& written : of.written) compare(world, d->cid, of.decided.back(), written);
    } else if (const Voted* v = event.as<Voted>(); v && v->verb == Verb::write) {
      Instance& of = instances_[v->cid];
      of.written.push_back({v->epoch, v->digest, event.node, world.step()});
      for (const Seen& decided : of.decided) compare(world, v->cid, decided, of.written.back());
    }
  }
}

std::optional<Hash128> DecidedKept::digest() const {
  Hash128 sum = seeded("decided-kept");
  for (const auto& [cid, of] : instances_)
    for (const auto* all : {&of.decided, &of.written})
      for (const Seen& s : *all)
        sum += absorb(absorb(absorb(absorb(scatter(bits(cid)), bits(s.epoch)), bits(s.digest)),
                             bits(s.regency)),
                      all == &of.decided ? 1 : 2);
  return sum;
}

}  // namespace bft_smart
