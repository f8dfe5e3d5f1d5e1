// The set-up of ByzzFuzz's runs of the XRP Ledger (docs/results/isolation.md): what is lied about,
// when the payment comes, and what a run that fails is called.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/isolate/isolate.hpp"
#include "schism/isolate/supply.hpp"
#include "schism/run/config.hpp"
#include "systems/xrpl/messages.hpp"
#include "tests/places/places.hpp"

namespace schism::xrpl {
namespace {

constexpr const char* kTool =
    "about=declared,omit=false,to=list,crossing=held,rounds=common,r=6,whose=own(timed:max="
    "100ms)";

RunText runs_with(const std::string& faults) {
  RunText text;
  text.system = *parse_spec(
      "xrpl:rules=1.7,case=byzzfuzz,unl=byzzfuzz,ledgers=9,linger=20s,judge-progress=false,"
      "judge-stalls=true");
  text.nodes = "7";
  text.bugs = {"validation-by-hash"};
  text.world = {{"liars", "3"}};
  text.explorer = *parse_spec("byzzfuzz:" + faults + "," + kTool);
  text.steps = "10000";
  text.tail = "0s";
  text.mute = {"true-sequence",        "same-validated",       "test-case",
               "stalled-incompatible", "stalled-insufficient", "stalled-agreement"};
  return text;
}

std::int64_t number(const Value& content, std::string_view item, std::string_view field) {
  return *content.find(item)->find("value")->find(field)->as_int();
}

TEST(XrplIsolation, Node3LiesAboutWhatItSignedAlsoWhenItComesBack) {
  const auto config = make_config(runs_with("c=2,d=1"));
  ASSERT_TRUE(config) << config.error();
  Runner runner(config->setup, config->limits);
  const auto scheduler = make_scheduler(*config);
  std::map<std::string, int> about;
  std::set<bool> known;  // whether a hearer had accepted a ledger that is named instead
  std::int64_t furthest = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    runner.run(*scheduler, {seed, seed});
    EXPECT_FALSE(runner.first_refusal());
    const World& world = runner.world();
    for (const Action& action : world.decisions()) {
      EXPECT_NE(action.kind, Do::drop);
      EXPECT_NE(action.kind, Do::omit);
      if (action.kind != Do::mutate) continue;
      const Value& told = world.contents()[content_index(action)];
      const std::string type(config->setup.system->message(action.name.type()).name);
      EXPECT_NE(action.name.to(), 3);
      ++about[type];
      EXPECT_EQ(action.name.from(), 3);
      if (type == "Transaction") continue;
      const char* item = type == "Validation" ? "vote" : "proposal";
      EXPECT_EQ(number(told, item, "node"), 3) << type;
      if (type != "Validation") continue;
      known.insert(number(told, "vote", "ledger") != 0);
      furthest = std::max(furthest, number(told, "vote", "seq"));
    }
  }
  EXPECT_EQ(about.size(), 3U) << "transactions, proposals and validations";
  EXPECT_EQ(known.size(), 2U);
  EXPECT_GT(furthest, 10) << "one more each time";
}

// As in the data, where on average 1.7 of the seven propose first without it: who closed the ledger
// before the others, and those who closed it before the payment came.
TEST(XrplIsolation, ThePaymentComesWhenSomebodyHasClosedTheLedger) {
  const auto config = make_config(runs_with("c=0,d=0"));
  ASSERT_TRUE(config) << config.error();
  Runner runner(config->setup, config->limits);
  const auto scheduler = make_scheduler(*config);
  std::set<NodeId> first, without;
  runner.listen_to(kEveryEvent);
  runner.on_step([&](const World& world) {
    for (const Event& event : world.events()) {
      const auto* position = event.kind == Happened::announced ? event.as<Positioned>() : nullptr;
      if (!position || position->ledger_seq != 6 || position->seq != 0) continue;
      first.insert(event.node);
      if (position->set->txs().empty()) without.insert(event.node);
    }
  });
  double all = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    first.clear(), without.clear();
    runner.run(*scheduler, {seed, seed});
    EXPECT_EQ(first.size(), 6U) << "judges do not see the liar";
    EXPECT_LT(without.size(), 6U);
    all += static_cast<double>(without.size());
  }
  EXPECT_GT(all / 40, 1.0);
  EXPECT_LT(all / 40, 2.2);
}

TEST(XrplIsolation, AFailingRunHasAllItsLabels) {
  auto supply = isolate::supply_from_hunt(runs_with("c=2,d=0"), {.runs = 150, .by_property = true});
  ASSERT_TRUE(supply) << supply.error();
  std::map<std::string, int> labels;
  int failing = 0, mixed = 0;
  ASSERT_TRUE((*supply)->each([&](const isolate::Run& run) {
    EXPECT_EQ(run.info.bugs.empty(), !run.info.failed);
    int stalls = 0;
    for (const std::string& label : run.info.bugs) {
      ++labels[label];
      stalls += label.starts_with("stalled-") ? 1 : 0;
      EXPECT_NE(label, "stalled") << "where there is another one";
    }
    failing += run.info.failed ? 1 : 0;
    mixed += stalls > 1 ? 1 : 0;
  }));
  EXPECT_GT(failing, 10);
  EXPECT_LT(failing, 60);
  EXPECT_GT(labels["stalled-incompatible"], 5);
  EXPECT_GT(labels["stalled-insufficient"], 5);
  EXPECT_GT(mixed, 0);
}

// As in the published runs, half as many: which messages explain the failures says which bug it is.
TEST(XrplIsolation, TheFirstTwoPredictorsAreTheTwoBugs) {
  isolate::HuntPlan plan{.runs = 150, .by_property = true};
  plan.schema = *isolate::read_schema(std::string(places::kSource) + "/experiments/xrpl-own.toml");
  const auto predicates = *isolate::Predicates::generate(*plan.schema);
  isolate::Isolation job(predicates, {});
  for (const char* faults : {"c=1,d=0", "c=1,d=1", "c=1,d=2", "c=2,d=0"}) {
    auto supply = *isolate::supply_from_hunt(runs_with(faults), plan);
    ASSERT_TRUE(supply->each([&](const isolate::Run& run) { job.add(run); }));
  }
  const auto found = job.finish();
  ASSERT_TRUE(found) << found.error();
  ASSERT_GE(found->findings.size(), 2U);
  // How well the one of the first two with these conditions tells the label.
  const auto f1 = [&](const std::vector<std::string>& assertions, const std::string& label) {
    for (std::size_t i = 0; i < 2; ++i)
      for (const isolate::Score& score : found->findings[i].in_failing)
        if (found->findings[i].assertions == assertions && score.bug == label) return score.f1;
    return 0.0;
  };
  EXPECT_GT(f1({"ledger !=", "sequence =", "time !="}, "stalled-insufficient"), 0.8);
  EXPECT_GT(f1({"senders disjoint", "ledger =", "sequence !="}, "stalled-incompatible"), 0.9);
}

}  // namespace
}  // namespace schism::xrpl
