// What a node is given: sets of nodes against std::set, names that change with their nodes, and a
// context over a host that writes down what it is asked.
#include "schism/node/node.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/base/random.hpp"
#include "schism/node/ids.hpp"

namespace schism {
namespace {

TEST(NodeSets, AreSetsOfNumbersBelow64) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Rng rng(seed);
    NodeSet here;
    std::set<NodeId> there;
    for (int i = 0; i < 200; ++i) {
      const auto id = static_cast<NodeId>(rng.below(70)) - 3;
      const bool nobody = id < 0 || id >= 64;
      if (rng.chance(0.6)) {
        here.insert(id);
        if (!nobody) there.insert(id);
      } else {
        here.erase(id);
        there.erase(id);
      }
      ASSERT_EQ(here.contains(id), there.count(id) > 0);
      ASSERT_EQ(here.size(), there.size());
      ASSERT_EQ(here.empty(), there.empty());
      ASSERT_EQ(std::set<NodeId>(here.begin(), here.end()), there);
    }
    NodeSet last;
    last.insert(63);
    EXPECT_EQ(last.size(), 1U);
    EXPECT_TRUE(last.contains(63));
  }
}

struct Knows {
  NodeRef leader;
  NodeSet heard;
  PerNode<int> counts;
  FIELDS(leader, heard, counts)
};

Hash128 called(const Knows& k, const std::vector<int>& names) {
  return absorb_renamed(Hash128{}, k, Renaming{names, {}});
}

// The same with its nodes called otherwise, made by hand.
Knows by_hand(const Knows& k, const std::vector<int>& names) {
  Knows out;
  const auto name = [&](NodeId id) { return id < 0 ? id : names[static_cast<std::size_t>(id)]; };
  out.leader = name(k.leader);
  for (const NodeId id : k.heard) out.heard.insert(name(id));
  out.counts.resize(k.counts.size());
  for (std::size_t id = 0; id < k.counts.size(); ++id)
    out.counts[static_cast<std::size_t>(name(static_cast<NodeId>(id)))] = k.counts[id];
  return out;
}

TEST(Renamed, FieldsAreThoseOfTheStateMadeByHand) {
  const std::vector<int> same = {0, 1, 2, 3};
  std::size_t other = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Rng rng(seed);
    Knows k;
    k.leader = static_cast<NodeId>(rng.below(5)) - 1;
    for (NodeId id = 0; id < 4; ++id)
      if (rng.chance(0.5)) k.heard.insert(id);
    for (int i = 0; i < 4; ++i) k.counts.push_back(static_cast<int>(rng.below(3)));
    std::vector<int> names = same;
    for (std::size_t i = 4; i > 1; --i) std::swap(names[i - 1], names[rng.below(i)]);
    ASSERT_EQ(called(k, names), called(by_hand(k, names), same)) << seed;
    other += called(k, names) != called(k, same) ? 1 : 0;
  }
  EXPECT_GT(other, 150U);
  // Each of the three tells by itself.
  const std::vector<int> swapped = {1, 0, 2, 3};
  Knows leads, hears, counts;
  leads.leader = 0;
  hears.heard.insert(1);
  counts.counts = {5, 0, 0, 0};
  for (const Knows& k : {leads, hears, counts}) EXPECT_NE(called(k, swapped), called(k, same));
}

// ---- the context -------------------------------------------------------------------------------

struct Word {
  int value = 7;
  FIELDS(value)
};
struct Told {
  int value = 0;
  FIELDS(value)
};
struct Other {
  int value = 0;
  FIELDS(value)
};

struct Someone : Node<Someone, Word> {
  int none = 0;
  FIELDS(none)
  void on(Context&, NodeId, const Word&) {}
};

class Notes final : public Host {
 public:
  void post(NodeId to, int, void*) override { said += "to " + std::to_string(to) + ";"; }
  void post_to_others(int, void*) override { said += "to others;"; }
  void set_timer(int, int, Micros, Micros) override {}
  void cancel_timer(int, int) override {}
  Micros now() override { return 0; }
  std::uint64_t draw() override { return 0; }
  std::uint64_t draw_below(std::uint64_t n) override {
    asked = n;
    return drawn % n;
  }
  std::uint32_t choose(std::uint32_t) override { return 0; }
  void announce(const TypeInfo& type, const void*) override {
    said += "announced " + std::string(type.name) + ";";
  }
  void answer(Name, const TypeInfo&, const void*) override {}
  void fail(std::string message) override { said += "failed: " + message + ";"; }
  void disk(DiskOp, int, const TypeInfo*, void*, std::uint32_t, int) override {}
  void disk_sync_now() override {}
  void disk_write_now(int, const TypeInfo&, void*) override {}
  std::uint32_t disk_length(int) override { return static_cast<std::uint32_t>(records.size()); }
  StoredRecord disk_record(int, std::uint32_t index) override {
    return {&records[index].first, &type_info<Word>(), records[index].second};
  }

  std::string said;
  std::uint64_t asked = 0, drawn = 0;
  std::vector<std::pair<Word, bool>> records;  // torn
};

TEST(Context, AMajorityIsMoreThanHalf) {
  for (int n = 1; n <= 64; ++n) {
    Notes host;
    host.nodes = n;
    const int majority = Someone::Context(host).majority();
    EXPECT_GT(2 * majority, n);
    EXPECT_LE(2 * (majority - 1), n);
  }
}

TEST(Context, DrawsEveryNumberOfARange) {
  Notes host;
  Someone::Context c(host);
  for (const auto& [low, high] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {0, 1}, {-3, 3}, {150, 300}}) {
    std::set<std::int64_t> seen;
    for (host.drawn = 0; host.drawn < 400; ++host.drawn) seen.insert(c.random_between(low, high));
    EXPECT_EQ(*seen.begin(), low);
    EXPECT_EQ(*seen.rbegin(), high);
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(high - low + 1));
  }
}

TEST(Context, ARecordThatIsTornHasNothingOfWhatWasWritten) {
  Notes host;
  host.records = {{Word{3}, false}, {Word{4}, true}};
  const auto records = Someone::Context(host).disk().load<Word>(0);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_FALSE(records[0].torn);
  EXPECT_EQ(records[0].value.value, 3);
  EXPECT_TRUE(records[1].torn);
  EXPECT_EQ(records[1].value.value, Word{}.value);
}

TEST(Context, WhatIsRequiredAndHoldsIsSilent) {
  Notes host;
  Someone::Context c(host);
  c.require(true, "fine");
  EXPECT_EQ(host.said, "");
  c.require(false, "bad");
  EXPECT_EQ(host.said, "failed: bad;");
}

TEST(Context, AnnouncesToWhoWantsAllOfThemOrThese) {
  const auto said = [](EventMask listening) {
    Notes host;
    host.listening = listening;
    Someone::Context(host).announce(Told{});
    return host.said;
  };
  EXPECT_EQ(said(0), "");
  EXPECT_EQ(said(mask_of(Happened::sent)), "");
  EXPECT_NE(said(mask_of(Happened::announced)), "");
  EXPECT_NE(said(announcements_of<Told>()), "");
  EXPECT_NE(said(mask_of_type(type_info<Told>())), "");
}

}  // namespace
}  // namespace schism
