// Random protocols in random worlds, searched here and in a world that shares nothing with ours
// (reference_world.hpp): the same classes of runs in several search orders, and the same states.
#include "schism/check/testing/random_protocol.hpp"

#include <gtest/gtest.h>

#include "schism/check/search.hpp"
#include "schism/check/testing/reference.hpp"
#include "schism/check/testing/reference_search.hpp"
#include "schism/run/config.hpp"
#include "schism/testing/cases.hpp"

namespace schism::check {

// ---- the protocol ------------------------------------------------------------------------------

void RandomProtocol::start(Context& c) {
  fuel = c.config().fuel + 1;
  act(c, static_cast<std::uint64_t>(std::min(c.restarts(), 2)));
}

void RandomProtocol::on_request(Context& c, RequestId id, const Question& q) {
  asked.push_back(id);
  act(c, 700U + number(0, q.value));
}

void RandomProtocol::act(Context& c, std::uint64_t trigger) {
  if (fuel == 0) return;
  --fuel;
  const auto who = static_cast<std::uint64_t>(c.config().number) * 8 + c.self;
  Rng rng(keyed(who, trigger, static_cast<std::uint64_t>(phase)));
  phase = static_cast<int>(rng.below(3));
  if (c.config().choices && trigger >= 100 && rng.chance(0.4)) {
    const auto a = static_cast<int>(c.choose(2));
    const auto b = a == 1 ? static_cast<int>(c.random_below(2 + rng.below(2))) : 0;
    phase = (phase + a + b) % 3;
  }
  const auto deeds = rng.below(static_cast<std::uint64_t>(c.config().deeds) + 1);
  for (std::uint64_t i = 0; i < deeds; ++i) deed(c, rng);
}

void RandomProtocol::deed(Context& c, Rng& rng) {
  const int value = static_cast<int>(rng.below(2));
  switch (rng.below(8)) {
    case 0: c.broadcast(Word{value}); break;
    case 1:
    case 2:
      c.send(static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(c.nodes()))), Hint{value});
      break;
    case 3:
    case 4:
    case 5: c.config().timers ? set_or_cancel(c, rng) : void(); break;
    case 6: c.config().disks ? store(c, rng) : void(); break;
    default:
      if (c.config().clocks) phase = static_cast<int>(c.now() / 10 % 3);
      if (asked.empty()) break;
      c.answer(asked.back(), Word{value});
      asked.pop_back();
  }
}

void RandomProtocol::set_or_cancel(Context& c, Rng& rng) {
  const auto timer = static_cast<Clockwork>(rng.below(2));
  const int key = static_cast<int>(rng.below(2));
  if (rng.chance(0.35)) c.cancel_timer(timer, key);
  else c.set_timer(timer, 10 + 10 * static_cast<Micros>(rng.below(2)), key);
}

void RandomProtocol::store(Context& c, Rng& rng) {
  const int file = static_cast<int>(rng.below(2)), value = static_cast<int>(rng.below(2));
  DiskHandle disk = c.disk();
  const int tag = rng.chance(0.5) ? static_cast<int>(rng.below(2)) : kNoTag;
  switch (rng.below(9)) {
    case 0:
    case 1: disk.append(file, Word{value}, tag); break;
    case 2: disk.write(file, Word{value}, tag); break;
    case 3: disk.truncate(file, 1, tag); break;
    case 4:
    case 5: disk.sync(value); break;
    case 6: disk.sync_now(); break;
    case 7: disk.write_now(file, Word{value}); break;
    default:
      for (const Stored<Word>& record : disk.load<Word>(file))
        phase = (phase * 2 + record.value.value + 1) % 3;
  }
}

namespace {

const Registration random_protocol =
    system<RandomProtocol>("test-random", "a protocol for every number")
        .nodes(2, 1, 8)
        .param<&RandomProtocol::Config::number>("number", 0, 1'000'000'000, "which protocol")
        .param<&RandomProtocol::Config::fuel>("fuel", 0, 9, "handlers that do something")
        .param<&RandomProtocol::Config::deeds>("deeds", 1, 9, "of one handler")
        .param<&RandomProtocol::Config::timers>("timers", "it sets and cancels timers")
        .param<&RandomProtocol::Config::disks>("disks", "it has a disk")
        .param<&RandomProtocol::Config::clocks>("clocks", "it reads its clock")
        .param<&RandomProtocol::Config::choices>("choices", "it chooses and draws")
        .param<&RandomProtocol::Config::requests>("requests", 0, 9, "of clients")
        .workload([](Workload& w) {
          const int n = w.config<RandomProtocol>().requests;
          for (int i = 0; i < n; ++i)
            w.request<RandomProtocol>(i % 2, i % 2 == 0 ? kAnyNode : i % w.nodes, Question{i % 2});
        });

}  // namespace

RandomCase random_case(std::uint64_t number, bool by_state) {
  Rng rng(keyed(number, by_state ? 1 : 2));
  RunText text;
  const auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[rng.below(words.size())]);
  };
  const int nodes = 2 + static_cast<int>(rng.below(rng.chance(0.3) ? 3 : 2));
  const bool disks = rng.chance(0.4);
  const std::string spec = fmt::format(
      "test-random:number={},fuel={},deeds={},timers={},disks={},clocks={},requests={},choices={}",
      number, 1 + rng.below(3), 2 + rng.below(2), rng.chance(0.8), disks,
      by_state && rng.chance(0.15), rng.chance(0.3) ? 1 + rng.below(3) : 0, rng.chance(0.3));
  text.system = *parse_spec(spec);
  text.nodes = std::to_string(nodes);
  RandomCase out;
  Bounds& b = out.bounds;
  if (rng.chance(0.5)) b.may_crash.push_back(static_cast<NodeId>(rng.below(2)));
  if (!b.may_crash.empty() && rng.chance(0.3)) b.may_crash = {0, 1};
  if (!b.may_crash.empty() && rng.chance(0.3))
    b.crashes = 1 + static_cast<std::uint32_t>(rng.below(2));
  if (!b.may_crash.empty() && rng.chance(0.6))
    b.restarts = 1 + static_cast<std::uint32_t>(rng.below(2));
  if (rng.chance(0.2)) b.drops = 1 + static_cast<std::uint32_t>(rng.below(2));
  const std::string links = pick({"any", "any", "fifo"});
  if (links == "any" && rng.chance(0.15)) b.duplicates = 1;
  if (rng.chance(0.4)) b.events = 2 + static_cast<std::uint32_t>(rng.below(3));
  text.world = {
      {"links", links},
      {"down", b.restarts > 0 ? pick({"waits", "empty"}) : pick({"lost", "waits", "empty"})},
      {"disk", pick({"async", "async", "sync"})},
      {"completions", pick({"fifo", "any"})}};
  const auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  out.setup = config->setup;
  std::string who;
  for (const NodeId id : b.may_crash) who += std::to_string(id);
  out.text =
      fmt::format("{} --nodes {} crash {} of {} restarts {} drops {} duplicates {} events {}", spec,
                  nodes, b.crashes, who, b.restarts, b.drops, b.duplicates, b.events);
  for (const auto& [key, word] : text.world) out.text += " " + key + "=" + word;
  return out;
}

namespace {

// ---- classes -----------------------------------------------------------------------------------

struct Classes {
  std::set<std::string> seen;
  std::size_t twice = 0, impossible = 0;
  Finished ending = Finished::all;
  std::string problem;
};

Classes classes_of(const RandomCase& c, const DporOptions& options) {
  Classes out;
  WorldModel model(c.setup, c.bounds, true);
  model.judge_nothing();
  ReferenceWorld judge(c.setup, c.bounds, false);
  Dpor dpor(model, options);
  out.ending = dpor.run({[&](const Model&, const DporTotals&, bool asleep) {
    if (asleep) return true;
    judge.begin();
    std::vector<ReferenceWorld::Step> steps;
    for (const Action& action : model.world().decisions()) {
      if (action.kind != Do::choose) steps.push_back({action});
      else if (!steps.empty()) steps.back().push_back(action);  // at the start: the first of all
    }
    for (const ReferenceWorld::Step& step : steps) {
      if (!judge.can(step.front())) {
        ++out.impossible;
        return true;
      }
      judge.apply(step);
    }
    out.impossible += judge.enabled().empty() ? 0 : 1;
    out.twice += out.seen.insert(judge.run_class()).second ? 0 : 1;
    return true;
  }});
  out.problem = model.problem();
  return out;
}

using testing_tools::cases;

// In parts, so that none is long: each takes every fourth protocol.
constexpr std::uint64_t kParts = 4;
class RandomProtocols : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(, RandomProtocols, testing::Range<std::uint64_t>(0, kParts));

TEST_P(RandomProtocols, HaveTheSameClassesHereAndInAnotherWorld) {
  std::size_t compared = 0, classes = 0, skipped = 0;
  for (std::uint64_t number = GetParam(); number < cases(1000); number += kParts) {
    const RandomCase c = random_case(number, false);
    const auto there = reference_classes(c.setup, c.bounds, 400);
    if (!there) {
      ++skipped;
      continue;
    }
    ++compared, classes += there->size();
    auto orders = six_orders(Reduction::optimal);
    orders.push_back(six_orders(Reduction::source)[2]);
    orders.push_back(six_orders(Reduction::sleep)[0]);
    for (const DporOptions& options : orders) {
      const Classes here = classes_of(c, options);
      ASSERT_EQ(here.problem, "") << c.text;
      ASSERT_EQ(here.ending, Finished::all) << c.text;
      ASSERT_EQ(here.impossible, 0U) << c.text;
      ASSERT_EQ(here.twice, 0U) << c.text << " of " << there->size();
      ASSERT_EQ(here.seen.size(), there->size()) << c.text;
      ASSERT_TRUE(here.seen == *there) << c.text;
    }
  }
  fmt::print("{} protocols, {} classes, {} too large\n", compared, classes, skipped);
  EXPECT_GE(compared, cases(200) / kParts);
  EXPECT_GE(classes, cases(4'000) / kParts);
}

// ---- states ------------------------------------------------------------------------------------

SearchTotals states_of(const RandomCase& c, const char* name, std::string* problem) {
  WorldModel model(c.setup, c.bounds, false);
  model.judge_nothing();
  SearchTotals totals;
  Search::Limits limits;
  limits.most = 10'000;
  auto made = searches().make(*parse_spec(name), "explorer");
  EXPECT_EQ((*made)->run(model, limits, totals), Finished::all) << c.text;
  *problem = model.problem();
  return totals;
}

TEST_P(RandomProtocols, HaveTheSameStatesHereAndInAnotherWorld) {
  std::size_t compared = 0, states = 0, skipped = 0, clocks = 0;
  for (std::uint64_t number = GetParam(); number < cases(600); number += kParts) {
    const RandomCase c = random_case(number, true);
    const auto there = reference_states(c.setup, c.bounds, 600);
    if (!there) {
      ++skipped;
      continue;
    }
    ++compared, states += there->states.size(), clocks += there->clocks ? 1 : 0;
    for (const char* search : {"dfs", "bfs", "dfs:bits=128"}) {
      std::string problem;
      const SearchTotals t = states_of(c, search, &problem);
      EXPECT_EQ(problem, "") << c.text;
      EXPECT_EQ(t.states, there->states.size()) << search << " " << c.text;
      EXPECT_EQ(t.executions, there->terminal.size()) << search << " " << c.text;
      // Every step from a state that was new leads to a known one or to a new one.
    }
  }
  fmt::print("{} protocols, {} states, {} too large, {} read a clock\n", compared, states, skipped,
             clocks);
  EXPECT_GE(compared, cases(200) / kParts);
  EXPECT_GE(states, cases(4'000) / kParts);
}

}  // namespace
}  // namespace schism::check
