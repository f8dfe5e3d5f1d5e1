// `twins`: Bano, Sonnino, Chursin, Perelman, Li, Ching, Malkhi, "Twins: BFT Systems Made Robust"
// (OPODIS 2021). A liar is two copies of its node with one name and one key, both with the code as
// it is. A scenario has a partition of all copies for each of a few rounds: a message passes if its
// sender and receiver are in one block of the round that its sender is in. What does not pass is
// held back, as any network may, until both are in one block in a later round, or until the fair
// tail; published scenarios lose it, which here would need a budget of losses.
//
// A round is a place in the protocol (SystemBuilder::order: a view and a number in it), or several;
// without an order so many messages. Who leads a round is the protocol's affair, but for runs in
// which only twins lead: there the proposals of others, who are known by speaking first in a round,
// come late.
#include <algorithm>
#include <map>

#include "schism/byzantine/lying.hpp"
#include "schism/byzantine/partitions.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/liars.hpp"
#include "schism/system/system.hpp"

namespace schism::byzantine {
namespace {

SCHISM_ENUM(Leaders, drawn, any, twins);

class Twins final : public Lying {
 public:
  struct Options {
    std::int64_t rounds = 6, blocks = 2;
    Leaders leaders = Leaders::drawn;
  };
  Twins(const Options& options, std::vector<Child<Scheduler>> children)
      : Lying(std::move(children)), options_(options) {}

  // Copies do as they should: nothing is changed, made up or kept back.
  bool plays(Do fault) const override { return inner().plays(fault); }
  Manner manner() const override {
    Manner out = inner().manner();
    out.twins = true;
    return out;
  }

 protected:
  void begin_lying(const Setup& setup, std::uint64_t seed) override {
    Rng random(seed);
    order_of_ = setup.system->order_of ? &setup.system->order_of : nullptr;
    fifo_ = setup.options.links == LinkOrder::fifo;
    span_ = order_of_ ? 1 + random.below(3) : 5 + random.below(60);
    late_ = random.chance(0.5);
    const bool sides = random.chance(0.5);  // clients are in blocks, too
    leaders_ = options_.leaders != Leaders::drawn ? options_.leaders
               : random.chance(0.25)              ? Leaders::twins
                                                  : Leaders::any;
    std::vector<NodeId> members;
    divided_.assign(static_cast<std::size_t>(setup.places()), false);
    for (NodeId id = 0; id < setup.places(); ++id) {
      if (!sides && !may_lie_at(setup, id)) continue;
      members.push_back(id);
      divided_[static_cast<std::size_t>(id)] = true;
    }
    partitions_.clear();
    for (std::int64_t i = 0; i < options_.rounds; ++i)
      partitions_.push_back(random_partition(random, members, divided_.size(),
                                             static_cast<std::size_t>(options_.blocks)));
    at_.assign(divided_.size(), {});
    places_.clear();
    firsts_.clear();
    keys_.clear();
    held_.clear();
    said_ = 0;
  }

  void sent(World& world, std::uint32_t slot, bool) override {
    if (world.calm()) return;
    ++said_;
    const Name name = world.pending().flights[slot].name;
    if (order_of_) note(world, world.pending().flights[slot]);
    const std::size_t round = round_of(name.from());
    if (separated(round, name.from(), name.to()) || outshone(world, round, name)) {
      world.hold(Do::deliver, slot, Holder::scheduler);
      held_.push_back({slot, name});
    } else if (fifo_ || !late_) {
      release(world, name.from(), name.to());
    }
  }

  void delivers(World&, const Action& deliver) override {
    const auto key = keys_.find(deliver.name.bits());
    if (key == keys_.end()) return;
    pass(deliver.name.to(), key->second);
    keys_.erase(key);
  }

 private:
  using Place = std::pair<std::int64_t, std::int64_t>;  // in the protocol: view and number
  struct First {                                        // to speak in a round
    NodeId who;
    int type;
  };
  struct Held {
    std::uint32_t slot;
    Name name;
  };

  void note(const World&, const Flight& flight) {
    const auto key = (*order_of_)(*flight.body->type, flight.body->content());
    if (!key) return;
    const Place place{key->view, key->number};
    keys_[flight.name.bits()] = place;
    pass(flight.name.from(), place);
    firsts_.try_emplace(number_of(place) / span_, First{flight.name.from(), flight.name.type()});
  }

  // Only ever forward; places are numbered as they are reached.
  void pass(NodeId who, const Place& place) {
    std::optional<Place>& at = at_[static_cast<std::size_t>(who)];
    if (!at || *at < place) at = place;
  }
  std::size_t number_of(const Place& place) {
    const auto known = std::find(places_.begin(), places_.end(), place);
    if (known != places_.end()) return static_cast<std::size_t>(known - places_.begin());
    places_.push_back(place);
    return places_.size() - 1;
  }

  std::size_t round_of(NodeId sender) {
    if (!order_of_) return said_ / span_;
    const std::optional<Place>& at = at_[static_cast<std::size_t>(sender)];
    return at ? number_of(*at) / span_ : 0;
  }

  bool separated(std::size_t round, NodeId from, NodeId to) const {
    const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
    return round < partitions_.size() && divided_[a] && divided_[b] &&
           partitions_[round][a] != partitions_[round][b];
  }

  // A proposal of somebody who should not lead.
  bool outshone(const World& world, std::size_t round, Name name) const {
    if (leaders_ != Leaders::twins || round >= partitions_.size()) return false;
    const auto first = firsts_.find(round);
    return first != firsts_.end() && first->second.who == name.from() &&
           first->second.type == name.type() && !world.liar(name.from());
  }

  void release(World& world, NodeId from, NodeId to) {
    std::erase_if(held_, [&](const Held& held) {
      if (held.name.from() != from || held.name.to() != to) return false;
      const Flight& flight = world.pending().flights[held.slot];
      if (flight.alive() && flight.name == held.name)
        world.release(Do::deliver, held.slot, Holder::scheduler);
      return true;
    });
  }

  Options options_;
  const std::function<std::optional<OrderKey>(const TypeInfo&, const void*)>* order_of_ = nullptr;
  bool fifo_ = false;  // what is held back keeps back what is behind it
  bool late_ = false;  // nothing is released before the fair tail
  Leaders leaders_ = Leaders::any;
  std::size_t span_ = 1;                      // of a round
  std::vector<bool> divided_;                 // a flag a place: it is in a block
  std::vector<std::vector<int>> partitions_;  // of each round: a number a place
  std::vector<std::optional<Place>> at_;      // the furthest that was sent or received there
  std::vector<Place> places_;                 // as they were reached
  std::map<std::size_t, First> firsts_;
  std::map<std::uint64_t, Place> keys_;  // of messages in flight
  std::vector<Held> held_;
  std::size_t said_ = 0;
};

using O = Twins::Options;
const Registration registered =
    scheduler<Twins>("twins",
                     "Twins: liars are two copies each, partitions by rounds, over another "
                     "scheduler (timed)")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&O::rounds>("rounds", std::int64_t{0}, std::int64_t{1000},
                           "that have a partition; 0: none, the copies are free")
        .param<&O::blocks>("blocks", std::int64_t{2}, std::int64_t{4}, "of a partition")
        .param<&O::leaders>("leaders",
                            "whose proposals are heard in time: any, or twins' alone; drawn for "
                            "each run");

}  // namespace
}  // namespace schism::byzantine
