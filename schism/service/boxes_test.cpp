// The boxes do exactly what their specifications allow: the outcomes of all runs are compared with
// those of a slow definition, an automaton of the specification whose runs are all enumerated.
#include <gtest/gtest.h>

#include <set>

#include "schism/schism.hpp"
#include "schism/service/broadcast_box.hpp"
#include "schism/service/consensus_box.hpp"
#include "schism/testing/checked.hpp"

namespace schism::service {
namespace {

using namespace testing_tools;

// ---- a system: each member asks once, and keeps what happened to it
// -------------------------------

struct Put {
  int value;
  FIELDS(value)
};
struct Got {
  NodeId origin;
  int value;
  FIELDS(origin, value)
};
struct Bid {
  int instance, value;
  FIELDS(instance, value)
};
struct Sold {
  int instance, value;
  FIELDS(instance, value)
};
struct Left {
  FIELDS()
};
struct Go {
  FIELDS()
};
using BoxMessages = Types<Put, Got, Bid, Sold, Left>;

SCHISM_ENUM(Which, consensus, uniform, plain);

struct BoxConfig {
  Which which = Which::consensus;
  int askers = 2;
  int members(int nodes) const { return nodes - 1; }
};

struct Asker : Node<Asker, BoxMessages> {
  using Config = BoxConfig;
  using Requests = Types<Go>;
  std::vector<int> log;  // 0: asked; value + 1: got it
  FIELDS(log)

  void on_request(Context& c, RequestId, const Go&) {
    log.push_back(0);
    const NodeId box = c.nodes() - 1;
    if (c.config().which == Which::consensus) c.send(box, Bid{0, c.self});
    else c.send(box, Put{c.self});
    if (c.config().which == Which::plain) c.send(c.self, Got{c.self, c.self});
  }
  void on(Context&, NodeId, const Got& g) { log.push_back(g.value + 1); }
  void on(Context&, NodeId, const Sold& s) { log.push_back(s.value + 1); }
  void on(Context&, NodeId, const Put&) {}
  void on(Context&, NodeId, const Bid&) {}
  void on(Context&, NodeId, const Left&) {}
};
struct Auction : ConsensusBox<Auction, BoxMessages, Bid, Sold, Left> {
  using Config = BoxConfig;
};
struct Post : BroadcastBox<Post, BoxMessages, Put, Got, Left> {
  using Config = BoxConfig;
};
struct PlainPost : BroadcastBox<PlainPost, BoxMessages, Put, Got, Left> {
  using Config = BoxConfig;
  static constexpr bool kOwnApart = true;
};

template <Which W>
bool is_box(NodeId id, int nodes, const BoxConfig& c) {
  return id == nodes - 1 && c.which == W;
}

const Registration registered = [] {
  auto builder = system<Asker>("test-boxes", "for tests: abstract services");
  builder.nodes(4, 2, 8)
      .param<&BoxConfig::which>("which", "box")
      .param<&BoxConfig::askers>("askers", 0, 8, "members that ask")
      .service<Auction>(is_box<Which::consensus>)
      .service<Post>(is_box<Which::uniform>)
      .service<PlainPost>(is_box<Which::plain>)
      .crash_notice<Left>(nullptr)
      .workload([](Workload& w) {
        const auto& c = w.config<Asker>();
        for (NodeId id = 0; id < c.askers && id < c.members(w.nodes); ++id)
          w.request<Asker>(id, id, Go{});
      });
  return Registration(builder);
}();

// ---- slow definitions
// ----------------------------------------------------------------------------

// What happened to each member; of one that crashed, until then, and a -1.
using Logs = std::vector<std::vector<int>>;
using Outcomes = std::set<Logs>;

// The members that crash do so some time, in every run.
struct Specification {
  int members, askers;
  std::uint64_t crashing;
  Which which;

  struct State {
    Logs logs;
    std::uint64_t crashed = 0;
    int decision = -1;
    std::set<std::pair<int, int>> got;  // (member, message)
    auto operator<=>(const State&) const = default;
  };

  static bool in(std::uint64_t set, int i) { return (set >> i & 1) != 0; }
  static bool asked(const State& s, int i) {
    const auto& log = s.logs[static_cast<std::size_t>(i)];
    return std::find(log.begin(), log.end(), 0) != log.end();
  }

  bool may_end(const State& s) const {
    if (s.crashed != crashing) return false;
    for (int i = 0; i < members; ++i) {
      if (in(crashing, i)) continue;
      if (i < askers && !asked(s, i)) return false;
      if (which == Which::consensus) {
        // Termination: where a correct member has asked, or anybody has learned a decision.
        bool due = s.decision >= 0;
        for (int j = 0; j < members; ++j) due = due || (asked(s, j) && !in(crashing, j));
        if (due && !s.got.contains({i, 0})) return false;
        continue;
      }
      for (int m = 0; m < askers; ++m) {
        if (s.got.contains({i, m})) continue;
        if (asked(s, m) && !in(crashing, m)) return false;  // validity, agreement
        for (int j = 0; j < members; ++j) {
          // Agreement: what a correct node delivers, or, uniformly, any node.
          const bool counts = which == Which::uniform || j != m || !in(crashing, m);
          if (counts && s.got.contains({j, m})) return false;
        }
      }
    }
    return true;
  }

  void next(const State& s, std::vector<State>& out) const {
    for (int i = 0; i < members; ++i) {
      if (in(s.crashed, i)) continue;
      const auto add = [&](int entry, auto change) {
        State t = s;
        t.logs[static_cast<std::size_t>(i)].push_back(entry);
        change(t);
        out.push_back(std::move(t));
      };
      if (in(crashing, i)) add(-1, [&](State& t) { t.crashed |= std::uint64_t{1} << i; });
      if (i < askers && !asked(s, i)) add(0, [](State&) {});
      if (which == Which::consensus) {
        if (s.got.contains({i, 0})) continue;
        for (int v = 0; v < askers; ++v)  // the first to learn sees the decision made
          if (s.decision == v || (s.decision < 0 && asked(s, v)))
            add(v + 1, [&](State& t) { t.decision = v, t.got.insert({i, 0}); });
      } else {
        for (int m = 0; m < askers; ++m)
          if (asked(s, m) && !s.got.contains({i, m}))
            add(m + 1, [&](State& t) { t.got.insert({i, m}); });
      }
    }
  }

  Outcomes all() const {
    Outcomes out;
    State first;
    first.logs.resize(static_cast<std::size_t>(members));
    std::set<State> known = {first};
    std::vector<State> open = {first};
    while (!open.empty()) {
      const State s = open.back();
      open.pop_back();
      if (may_end(s)) out.insert(s.logs);
      std::vector<State> after;
      next(s, after);
      for (State& t : after)
        if (known.insert(t).second) open.push_back(std::move(t));
    }
    return out;
  }
};

Outcomes outcomes_of(const std::string& system, int members, const std::vector<NodeId>& crashing) {
  Outcomes out;
  Logs logs;
  EveryRun every;
  every.crashing = crashing;
  every.step = [&](const World& world) {
    if (world.step() == 0) logs.assign(static_cast<std::size_t>(members), {});
    for (NodeId id = 0; id < members; ++id) {
      auto& log = logs[static_cast<std::size_t>(id)];
      if (const auto* node = world.as<Asker>(id)) log = node->log;
      else if (log.empty() || log.back() != -1) log.push_back(-1);
    }
  };
  every.done = [&](const World&) { out.insert(logs); };
  for_every_run(config_of(system, {.nodes = members + 1}), every);
  return out;
}

void compare(Which which, const std::vector<std::vector<NodeId>>& crash_sets, int most_members,
             std::size_t floor) {
  std::size_t compared = 0;
  for (int members = 2; members <= most_members; ++members)
    for (int askers = 1; askers <= 2; ++askers)
      for (const auto& crashing : crash_sets) {
        std::uint64_t bits = 0;
        for (const NodeId id : crashing) bits |= std::uint64_t{1} << id;
        if ((bits >> members) != 0) continue;
        const std::string system =
            fmt::format("test-boxes:which={},askers={}", std::string(enum_name(which)), askers);
        const Outcomes expected = Specification{members, askers, bits, which}.all();
        const Outcomes seen = outcomes_of(system, members, crashing);
        EXPECT_EQ(seen, expected) << system << ", " << members << " members, crashing " << bits;
        compared += expected.size();
      }
  fmt::print("{} outcomes\n", compared);
  EXPECT_GE(compared, floor);
}

// ---- tests
// ---------------------------------------------------------------------------------------

TEST(ConsensusBox, DecidesExactlyAsItMay) {
  compare(Which::consensus, {{}, {0}, {1}, {2}, {0, 1}}, 3, 100);
}
TEST(BroadcastBox, DeliversExactlyAsItMay) {
  compare(Which::uniform, {{}, {0}, {1}, {2}, {0, 1}}, 3, 100);
}
// Without uniformity, and one crash: a sender that crashes may have delivered alone.
TEST(BroadcastBox, DeliversItsOwnApartExactlyAsItMay) {
  compare(Which::plain, {{}, {0}, {1}, {2}}, 3, 100);
}

TEST(Services, NeverCrash) {
  const RunConfig config = config_of("test-boxes", {.nodes = 3, .faults = {{"crash", "1"}}});
  EXPECT_EQ(config.setup.options.may_crash, (std::vector<std::int64_t>{0, 1}));
  RunText text;
  text.system = *parse_spec("test-boxes");
  text.world = {{"may-crash", "3"}};
  EXPECT_FALSE(make_config(text));
  text.world = {};
  text.faults = {{"drop", "1"}};
  EXPECT_FALSE(make_config(text));
}

}  // namespace
}  // namespace schism::service
