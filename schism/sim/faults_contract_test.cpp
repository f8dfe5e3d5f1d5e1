// What is possible under faults, against a plain network of a few lists that says the same in other
// words: who is up, which links are cut, what is in flight, what is left of each budget.
#include <gtest/gtest.h>

#include "schism/node/node.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/system/systems.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

using testing_tools::config_of;

struct Gossip {
  int hops = 0;
  FIELDS(hops)
};
struct Gone {
  FIELDS()
};

// Passes on what it hears, so that there is always something in flight.
struct Chatter : Node<Chatter, Gossip, Gone> {
  int heard = 0;
  FIELDS(heard)
  void start(Context& c) { c.broadcast(Gossip{3}); }
  void on(Context& c, NodeId, const Gossip& g) {
    ++heard;
    if (g.hops > 0) c.send((c.self + g.hops) % c.nodes(), Gossip{g.hops - 1});
    if (heard % 4 == 0) c.broadcast(Gossip{1});
  }
  void on(Context&, NodeId, const Gone&) { ++heard; }
};

const Registration registered = system<Chatter>("test-chatter", "passes on what it hears")
                                    .nodes(3, 2, 5)
                                    .crash_notice<Gone>(nullptr)
                                    .thread_safe();

// The network, told in lists.
class Lists {
 public:
  explicit Lists(const Setup& setup) : o_(setup.options), left(o_.faults), nodes_(setup.nodes) {
    for (NodeId id = 0; id < nodes_; ++id) up_.insert(id);
  }

  // What has been sent in the world's last step, in order.
  void hear(const World& world) {
    for (const Event& e : world.events()) {
      if (e.kind != Happened::sent) continue;
      const Name name = e.name();
      const bool lost = (up_.count(name.to()) == 0 && o_.down == WhenDown::lost) ||
                        (cut_.count(link(name)) > 0 && o_.cut == WhenCut::loses);
      if (!lost) flying_.push_back(name);
    }
  }

  std::set<std::uint64_t> possible(Do kind) const {
    std::set<std::uint64_t> out;
    const auto nodes = [&](const std::set<NodeId>& some) {
      for (const NodeId id : some) out.insert(Name(id, 0, 0, 0).bits());
    };
    const bool loses = kind == Do::drop, copies = kind == Do::duplicate;
    if (kind == Do::deliver || (loses && left.drop > 0) || (copies && left.duplicate > 0))
      for (std::size_t i = 0; i < flying_.size(); ++i)
        if (arrives(i)) out.insert(flying_[i].bits());
    if (kind == Do::crash && left.crash > 0 &&
        (o_.down_max == 0 || nodes_ - static_cast<int>(up_.size()) < o_.down_max))
      for (const NodeId id : up_)
        if (may_crash(id)) nodes({id});
    if (kind == Do::restart && o_.crashes == Crashes::recover)
      for (NodeId id = 0; id < nodes_; ++id)
        if (up_.count(id) == 0) nodes({id});
    if (kind == Do::pause && left.pause > 0)
      for (const NodeId id : up_)
        if (paused_.count(id) == 0) nodes({id});
    if (kind == Do::resume) nodes(paused_);
    const bool gates = o_.faults.cut + o_.faults.partition > 0;
    for (NodeId from = 0; from < nodes_ && gates; ++from)
      for (NodeId to = 0; to < nodes_; ++to) {
        const bool is_cut = cut_.count({from, to}) > 0;
        if (from == to) continue;
        if (kind == (is_cut ? Do::heal : Do::cut) && (is_cut || left.cut > 0 || in_partition_))
          out.insert(Name(from, to, 0, 0).bits());
      }
    return out;
  }

  void happens(const Action& a) {
    const Name n = a.name;
    switch (a.kind) {
      case Do::deliver: forget(n); break;
      case Do::drop: --left.drop, forget(n); break;
      case Do::duplicate:
        --left.duplicate;
        flying_.emplace_back(n.from(), n.to(), n.type(), n.nth(),
                             ++copies_[Name(n.from(), n.to(), n.type(), n.nth()).bits()]);
        break;
      case Do::crash:
        --left.crash;
        up_.erase(n.from()), paused_.erase(n.from());
        if (o_.down == WhenDown::lost)
          std::erase_if(flying_, [&](Name f) { return f.to() == n.from(); });
        break;
      case Do::restart: up_.insert(n.from()); break;
      case Do::pause: --left.pause, paused_.insert(n.from()); break;
      case Do::resume: paused_.erase(n.from()); break;
      case Do::cut:
        if (!in_partition_) --left.cut;
        cut_.insert(link(n));
        if (o_.cut == WhenCut::loses)
          std::erase_if(flying_, [&](Name f) { return link(f) == link(n); });
        break;
      case Do::heal: cut_.erase(link(n)); break;
      case Do::begin:
        in_partition_ = true;
        --left.partition;
        break;
      case Do::end: in_partition_ = false; break;
      default: ADD_FAILURE() << action_name(a.kind);
    }
  }

  bool in_partition() const { return in_partition_; }
  const Name* find(std::uint64_t bits) const {
    const auto at = std::find(flying_.begin(), flying_.end(), Name(bits));
    return at == flying_.end() ? nullptr : &*at;
  }
  std::size_t flying() const { return flying_.size(); }

 private:
  static std::pair<NodeId, NodeId> link(Name n) { return {n.from(), n.to()}; }
  bool may_crash(NodeId id) const {
    return o_.may_crash.empty() ||
           std::count(o_.may_crash.begin(), o_.may_crash.end(), std::int64_t{id}) > 0;
  }
  bool arrives(std::size_t i) const {
    const Name n = flying_[i];
    if (cut_.count(link(n)) > 0 || paused_.count(n.to()) > 0) return false;
    if (up_.count(n.to()) == 0 && o_.down != WhenDown::empty) return false;
    for (std::size_t before = 0; before < i && o_.links == LinkOrder::fifo; ++before)
      if (link(flying_[before]) == link(n)) return false;
    return true;
  }
  void forget(Name n) {
    const auto at = std::find(flying_.begin(), flying_.end(), n);
    ASSERT_TRUE(at != flying_.end());
    flying_.erase(at);
  }

  WorldOptions o_;

 public:
  Faults left;

 private:
  int nodes_;
  std::set<NodeId> up_, paused_;
  std::set<std::pair<NodeId, NodeId>> cut_;
  std::vector<Name> flying_;
  std::map<std::uint64_t, int> copies_;
  bool in_partition_ = false;
};

constexpr Do kKinds[] = {Do::deliver, Do::drop,   Do::duplicate, Do::crash, Do::restart,
                         Do::pause,   Do::resume, Do::cut,       Do::heal};

std::set<std::uint64_t> offered(const Pending& pending, Do kind) {
  std::set<std::uint64_t> out;
  for (std::uint32_t i = 0; i < pending.count(kind); ++i)
    out.insert(pending.nth(kind, i).name.bits());
  EXPECT_EQ(out.size(), pending.count(kind));
  return out;
}

void compare(const SimWorld& world, const Lists& lists) {
  const Pending& pending = world.pending();
  for (const Do kind : kKinds) {
    // Within a partition cuts are free, but nobody is offered them.
    if (kind == Do::cut && lists.in_partition()) continue;
    ASSERT_EQ(offered(pending, kind), lists.possible(kind)) << action_name(kind);
  }
  std::size_t flying = 0;
  for (std::uint32_t slot = 0; slot < pending.flights.size(); ++slot) {
    if (!pending.flights[slot].alive()) continue;
    ++flying;
    ASSERT_TRUE(lists.find(pending.flights[slot].name.bits()));
  }
  ASSERT_EQ(flying, lists.flying());
  for (std::size_t i = 0; i < enum_count<Fault>(); ++i)
    ASSERT_EQ(budget_of(pending.left, static_cast<Fault>(i)),
              budget_of(lists.left, static_cast<Fault>(i)))
        << fault_name(static_cast<Fault>(i));
}

Setup any_world(Rng& rng) {
  Setup setup = config_of("test-chatter", {.nodes = static_cast<int>(rng.between(2, 4))}).setup;
  WorldOptions& o = setup.options;
  o.down = static_cast<WhenDown>(rng.below(3));
  o.cut = static_cast<WhenCut>(rng.below(2));
  o.crashes = rng.chance(0.2) ? Crashes::stop : Crashes::recover;
  o.links = static_cast<LinkOrder>(rng.below(2));
  o.down_max = static_cast<int>(rng.below(3));
  if (rng.chance(0.2)) o.may_crash = {1};
  const auto budget = [&] { return static_cast<std::uint32_t>(rng.below(5)); };
  o.faults = {budget(), budget(), 0, 0, budget(), budget(), budget(), budget(), 0};
  return setup;
}

// Something of that kind, possible or not.
Action any_action(Do kind, const World& world, Rng& rng) {
  const auto node = [&] { return static_cast<NodeId>(rng.below(world.setup().nodes)); };
  if (kind == Do::cut || kind == Do::heal) return link_action(kind, node(), node());
  if (kind != Do::deliver && kind != Do::drop && kind != Do::duplicate)
    return node_action(kind, node());
  const auto& flights = world.pending().flights;
  if (flights.size() == 0) return make_action(kind, Name(0, 1, 0, 99));
  const auto slot = static_cast<std::uint32_t>(rng.below(flights.size()));
  const bool there = flights[slot].alive();
  return make_action(kind, there ? flights[slot].name : Name(0, 1, 0, 99), 0, slot);
}

void step(SimWorld& world, Lists& lists, Rng& rng) {
  Action action;
  if (lists.in_partition() && rng.chance(0.3)) {
    action = make_action(Do::end, Name(), static_cast<std::uint32_t>(Macro::partition));
  } else if (!lists.in_partition() && rng.chance(0.05)) {
    action = make_action(Do::begin, Name(), static_cast<std::uint32_t>(Macro::partition));
    const bool can = lists.left.partition > 0;
    ASSERT_EQ(world.apply(action) == Refusal::none, can);
    if (can) lists.happens(action);
    return compare(world, lists);
  } else {
    action = any_action(kKinds[rng.below(std::size(kKinds))], world, rng);
    const bool can = lists.possible(action.kind).count(action.name.bits()) > 0;
    ASSERT_EQ(world.apply(action) == Refusal::none, can) << action_name(action.kind);
    if (!can) return;
    lists.happens(action);
    if (action.kind == Do::crash) {  // all others are told
      std::size_t told = 0;
      for (const Event& e : world.events()) {
        told += e.kind == Happened::sent && e.node == action.name.from() ? 1 : 0;
        EXPECT_FALSE(e.kind == Happened::sent && e.peer == action.name.from());
      }
      EXPECT_EQ(told, static_cast<std::size_t>(world.setup().nodes - 1));
    }
    lists.hear(world);
    return compare(world, lists);
  }
  ASSERT_EQ(world.apply(action), Refusal::none);
  lists.happens(action);
  compare(world, lists);
}

TEST(FaultsContract, WhatIsPossibleIsWhatPlainListsSay) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const schism::Setup setup = any_world(rng);
    SimWorld world;
    world.listen(kEveryEvent);
    world.reset(setup);
    Lists lists(setup);
    lists.hear(world);
    compare(world, lists);
    for (int i = 0; i < 150 && !HasFatalFailure(); ++i) step(world, lists, rng);
    if (HasFatalFailure()) return;
  }
}

// ---- disks that fail -----------------------------------------------------------------------

struct Entry {
  int value = 0;
  FIELDS(value)
};

// Writes and syncs when it is told to, and remembers how that ended.
struct Writer : Node<Writer, Gossip> {
  int written = 0, good = 0, bad = 0, found = 0;
  FIELDS(written, good, bad, found)
  void start(Context& c) {
    found = static_cast<int>(c.disk().load<Entry>(0).size());
    if (c.restarts() > 0 || c.self != 0) return;
    c.disk().append(0, Entry{++written});
    c.disk().sync(7);
  }
  void on(Context&, NodeId, const Gossip&) {}
  void on_disk(Context&, const DiskDone& done) { done.ok ? ++good : ++bad; }
};

const Registration writer =
    system<Writer>("test-writer", "writes one record and syncs").nodes(1, 1, 2).thread_safe();

TEST(FaultsContract, OnlyASyncThatSucceededKeepsWhatWasWritten) {
  for (const bool fails : {false, true}) {
    SimWorld world;
    schism::Setup setup = config_of("test-writer").setup;
    setup.options.faults.disk_error = 2;
    setup.options.faults.crash = 1;
    world.reset(setup);
    const Action done = world.pending().nth(Do::complete, 0);
    ASSERT_EQ(world.apply(fails ? failing(done) : done), Refusal::none);
    EXPECT_EQ(world.pending().left.disk_error, fails ? 1U : 2U);
    EXPECT_EQ(world.as<Writer>(0)->good, fails ? 0 : 1);
    EXPECT_EQ(world.as<Writer>(0)->bad, fails ? 1 : 0);
    EXPECT_EQ(world.crash_outcomes(0).size(), fails ? 3U : 1U);  // nothing, a torn one, all of it
    ASSERT_EQ(world.apply(node_action(Do::crash, 0)), Refusal::none);
    ASSERT_EQ(world.apply(node_action(Do::restart, 0)), Refusal::none);
    EXPECT_EQ(world.as<Writer>(0)->found, fails ? 0 : 1);
  }
}

TEST(FaultsContract, ADiskFailsAsOftenAsItsBudgetSays) {
  for (std::uint32_t budget = 0; budget < 3; ++budget) {
    SimWorld world;
    schism::Setup setup = config_of("test-writer").setup;
    setup.options.faults.disk_error = budget;
    setup.options.faults.crash = 9;
    world.reset(setup);
    const Action first = world.pending().nth(Do::complete, 0);
    EXPECT_EQ(world.apply(failing(first)), budget > 0 ? Refusal::none : Refusal::out_of_budget);
  }
}

}  // namespace
}  // namespace schism
