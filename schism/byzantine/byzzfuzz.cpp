// `byzzfuzz`: Winter, Buse, de Graaf, von Gleissenthall, Kulahcioglu Ozkan, "Randomized Testing of
// Byzantine Fault Tolerant Algorithms" (OOPSLA 2023), Algorithm 1. Before a run c process faults
// (round, receivers, seed) and d network faults (round, partition) are drawn among r rounds. A
// message whose sender is in the round of a partition that separates it from its receiver is lost;
// else, if its sender lies and its receiver is one of a process fault's of that round, it is
// changed as that fault's seed says, the same for all its receivers, or omitted. Network faults end
// with the fair tail, process faults do not.
//
// `as=released` does what the authors' tool for PBFT does: distinct rounds, and a negative seed
// that matches no change leaves the message as it is; `intended` what the paper says.
//
// The authors' tool for the XRP Ledger differs in more, each a parameter: rounds are common to all;
// what crosses a partition is held until the next one; a lie is told to some of a list of nodes
// that trust each other; only types with declared changes are lied about, and never by silence; and
// what others have signed the liar passes on as it is.
#include <algorithm>
#include <map>

#include "schism/byzantine/lies.hpp"
#include "schism/byzantine/lying.hpp"
#include "schism/byzantine/partitions.hpp"
#include "schism/byzantine/rounds.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/audience.hpp"
#include "schism/system/liars.hpp"

namespace schism::byzantine {
namespace {

SCHISM_ENUM(Faithful, intended, released);
SCHISM_ENUM(Reach, small, any, baseline);
SCHISM_ENUM(About, any, declared);
SCHISM_ENUM(Whose, sent, own);
SCHISM_ENUM(Hearers, any, list);
SCHISM_ENUM(Crossing, lost, held);
SCHISM_ENUM(Counted, own, common);

class ByzzFuzz final : public Lying {
 public:
  struct Options {
    std::int64_t c = 1, d = 0, r = 8;
    Reach scope = Reach::small;
    Faithful as = Faithful::intended;
    About about = About::any;
    bool omit = true;
    Whose whose = Whose::sent;
    Hearers to = Hearers::any;
    Crossing crossing = Crossing::lost;
    Counted rounds = Counted::own;
    Micros lasts = 0;
  };
  // The losses that are allowed are for its partitions: the network by itself loses nothing.
  ByzzFuzz(const Options& options, std::vector<Child<Scheduler>> children)
      : Lying(std::move(children), {"timed", {{"loss", "0"}, {"duplication", "0"}}}),
        options_(options) {}

  bool plays(Do fault) const override {
    return (fault == Do::drop && losses()) || Lying::plays(fault);
  }

  Status check(const Setup& setup) const override {
    if (options_.scope != Reach::baseline && !setup.system->order_of)
      return error(
          "byzzfuzz: {} does not declare the order of its messages "
          "(SystemBuilder::order), so that there are no rounds",
          setup.system->name);
    if (losses() && setup.options.faults.drop == 0)
      return error(
          "byzzfuzz: what crosses a partition is lost, and no loss is allowed: "
          "--faults drop=1000");
    return Lying::check(setup);
  }

 protected:
  void begin_lying(const Setup& setup, std::uint64_t seed) override {
    random_ = Rng(seed);
    rounds_.begin(setup);
    order_of_ = &setup.system->order_of;
    system_ = setup.system;
    keys_.clear();
    held_.clear();
    nodes_ = setup.places();
    replicas_.clear();
    for (NodeId id = 0; id < nodes_; ++id)
      if (may_lie_at(setup, id)) replicas_.push_back(id);
    partitions_.clear();
    lies_.clear();
    if (options_.scope == Reach::baseline) return;
    for (const std::int64_t round : draw_rounds(options_.d))
      partitions_.push_back(
          {round, random_partition(random_, replicas_, static_cast<std::size_t>(nodes_))});
    for (const std::int64_t round : draw_rounds(options_.c)) {
      const std::uint64_t change = random_.next();
      lies_.push_back({round, draw_hearers(setup), change});
    }
  }

  void sent(World& world, std::uint32_t slot, bool lies) override {
    const Flight& flight = world.pending().flights[slot];
    const NodeId from = flight.name.from(), to = flight.name.to();
    if (options_.scope == Reach::baseline) return anything(world, slot, lies);
    if (!*order_of_) return;
    const auto key = (*order_of_)(*flight.body->type, flight.body->content());
    if (!key) return;
    keys_[flight.name.bits()] = *key;
    pass(world, from, *key);
    const std::int64_t round = round_of(from);
    for (const NetworkFault& fault : partitions_)
      if (fault.round == round && !world.calm() && is_replica(from) && is_replica(to) &&
          fault.block[static_cast<std::size_t>(from)] != fault.block[static_cast<std::size_t>(to)])
        return keep_back(world, slot, round);
    if (!lies || (options_.whose == Whose::own && !signed_by_a_liar(world, flight).value_or(true)))
      return;
    for (const ProcessFault& fault : lies_)
      if (fault.round == round && std::binary_search(fault.to.begin(), fault.to.end(), to))
        return change(world, slot, fault);
  }

  void delivers(World& world, const Action& deliver) override {
    const auto key = keys_.find(deliver.name.bits());
    if (key == keys_.end()) return;
    const OrderKey reached = key->second;
    keys_.erase(key);
    pass(world, deliver.name.to(), reached);
  }

 private:
  struct NetworkFault {
    std::int64_t round;
    std::vector<int> block;  // a number a node
  };
  struct ProcessFault {
    std::int64_t round;
    std::vector<NodeId> to;  // in order
    std::uint64_t seed;
  };
  struct Held {
    std::uint32_t slot;
    Name name;
    std::int64_t round;  // in which it was sent
  };

  bool losses() const {
    return (options_.d > 0 && options_.crossing == Crossing::lost) ||
           options_.scope == Reach::baseline;
  }
  bool is_replica(NodeId id) const {
    return std::find(replicas_.begin(), replicas_.end(), id) != replicas_.end();
  }

  std::vector<std::int64_t> draw_rounds(std::int64_t count) {
    std::vector<std::int64_t> out;
    while (out.size() < static_cast<std::size_t>(count)) {
      const std::int64_t round = random_.between(1, options_.r);
      const bool known = std::find(out.begin(), out.end(), round) != out.end();
      const bool distinct = options_.as == Faithful::released && count <= options_.r;
      if (!known || !distinct) out.push_back(round);
    }
    return out;
  }

  std::vector<NodeId> draw_hearers(const Setup& setup) {
    std::vector<NodeId> out;
    if (options_.to == Hearers::any) {
      for (NodeId id = 0; id < nodes_; ++id)
        if (random_.chance(0.5)) out.push_back(id);
      return out;
    }
    const auto lists = trust_lists(setup);
    std::vector<NodeId> list = lists[random_.below(lists.size())];
    for (const NodeId liar : liars_of(setup)) std::erase(list, liar);
    while (out.empty() && !list.empty())
      for (const NodeId id : list)
        if (random_.chance(0.5)) out.push_back(id);
    return out;
  }

  // Whose counter it is that counts a node's rounds.
  NodeId counter(NodeId node) const { return options_.rounds == Counted::common ? 0 : node; }
  std::int64_t round_of(NodeId node) const { return rounds_.of(counter(node)); }
  void pass(World& world, NodeId node, const OrderKey& key) {
    if (options_.rounds == Counted::common) rounds_.pass_together(counter(node), key);
    else rounds_.pass(node, key);
    if (!held_.empty()) let_go(world);
  }

  void keep_back(World& world, std::uint32_t slot, std::int64_t round) {
    const Name name = world.pending().flights[slot].name;
    if (options_.crossing == Crossing::lost) return say(make_action(Do::drop, name, 0, slot));
    world.hold(Do::deliver, slot, Holder::scheduler);
    held_.push_back({slot, name, round});
  }
  // What was sent in rounds that are over.
  void let_go(World& world) {
    std::erase_if(held_, [&](const Held& held) {
      if (round_of(held.name.from()) <= held.round) return false;
      const Flight& flight = world.pending().flights[held.slot];
      if (flight.alive() && flight.name == held.name)
        world.release(Do::deliver, held.slot, Holder::scheduler);
      return true;
    });
  }

  void change(World& world, std::uint32_t slot, const ProcessFault& fault) {
    const std::uint64_t seed = fault.seed;
    const Flight& flight = world.pending().flights[slot];
    const Scope scope = options_.scope == Reach::small ? Scope::near : Scope::any;
    const std::size_t declared = lies_declared(*system_, *flight.body->type, scope);
    if (declared == 0 && options_.about == About::declared) return;
    // Silence is one of the changes, the last.
    const std::size_t choices = (declared > 0 ? declared : 3) + (options_.omit ? 1 : 0);
    std::size_t which = seed % choices;
    if (options_.as == Faithful::released) {
      const auto whole = static_cast<std::int32_t>(seed >> 32);
      const auto rest = whole % static_cast<std::int32_t>(choices);  // keeps the sign
      if (rest < 0) return;
      which = static_cast<std::size_t>(rest);
    }
    if (options_.omit && which + 1 == choices) return say(omission(world, slot));
    auto content = declared > 0 ? declared_lie(world, flight, scope, which, mix64(seed), fault.to)
                                : lie_about(world, flight, scope, mix64(seed));
    if (content) say(mutation(world, slot, *std::move(content)));
  }

  // The baseline injector: a quarter of the messages lost, a quarter of the liars' changed anyhow.
  // Where an order is declared those that have a place in it: what clients ask for always arrives.
  void anything(World& world, std::uint32_t slot, bool lies) {
    const Flight& flight = world.pending().flights[slot];
    if (options_.lasts > 0 && world.clock() >= options_.lasts) return;
    if (*order_of_ && !(*order_of_)(*flight.body->type, flight.body->content())) return;
    if (!world.calm() && random_.chance(0.25))
      return say(make_action(Do::drop, flight.name, 0, slot));
    if (!lies || !random_.chance(0.25)) return;
    if (auto content = lie_about(world, flight, Scope::any, random_.next()))
      say(mutation(world, slot, *std::move(content)));
  }

  Options options_;
  Rng random_{0};
  Rounds rounds_;
  const System* system_ = nullptr;
  const std::function<std::optional<OrderKey>(const TypeInfo&, const void*)>* order_of_ = nullptr;
  std::map<std::uint64_t, OrderKey> keys_;  // of messages in flight, as they were sent
  int nodes_ = 0;
  std::vector<NodeId> replicas_;
  std::vector<NetworkFault> partitions_;
  std::vector<ProcessFault> lies_;
  std::vector<Held> held_;
};

using O = ByzzFuzz::Options;
const Registration registered =
    scheduler<ByzzFuzz>(
        "byzzfuzz",
        "ByzzFuzz: lies and partitions by rounds, over another scheduler (timed, which "
        "then loses nothing by itself)")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&O::c>("c", std::int64_t{0}, std::int64_t{1000}, "rounds with process faults")
        .param<&O::d>("d", std::int64_t{0}, std::int64_t{1000}, "rounds with network faults")
        .param<&O::r>("r", std::int64_t{1}, std::int64_t{1'000'000},
                      "rounds among which they are spread")
        .param<&O::scope>("scope", "changes near the truth, any, or the baseline injector")
        .param<&O::as>("as", "as the paper intends, or with the quirks of the released tool")
        .param<&O::about>("about",
                          "messages of any type are lied about, or of those with declared changes")
        .param<&O::omit>("omit", "keeping a message back is one of the lies")
        .param<&O::whose>("whose",
                          "what is lied about: all that a liar sends, or not what others have "
                          "signed")
        .param<&O::to>("to", "who hears a lie: any nodes, or some of one list of trusted ones")
        .param<&O::crossing>("crossing",
                             "what crosses a partition is lost, or held until the next round")
        .param<&O::rounds>("rounds", "each node counts its own, or they are common to all")
        .duration<&O::lasts>("lasts", 0, 86'400_s,
                             "the baseline injector ends after so much simulated time; 0s: with "
                             "the run");

}  // namespace
}  // namespace schism::byzantine
