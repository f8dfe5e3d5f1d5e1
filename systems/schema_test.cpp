// Fields by name, on everything that every shipped system sends, announces and shows of its nodes
// along random runs: an object and its decoded value read alike, and judge conditions alike; and a
// type that was made from the description of another is as good as that one.
#include <gtest/gtest.h>

#include <map>

#include "schism/run/config.hpp"
#include "schism/schema/random_where.hpp"
#include "schism/system/system.hpp"

namespace schism {
namespace {

constexpr std::uint64_t kSeeds = 5;
constexpr std::size_t kConditionsMax = 400;  // a type

RunConfig config_of(const System& system, const std::string& scheduler) {
  RunText text;
  text.system = {system.name, {}};
  text.explorer = {scheduler, {}};
  text.steps = "120";
  text.tail = "1ms";
  text.faults = {{"crash", "1"}, {"drop", "2"}, {"duplicate", "2"}};
  const bool lies = scheduler == "random" && !system.is_service;
  if (lies) text.faults.emplace_back("mutate", "2"), text.world = {{"liars", "0"}};
  if (system.is_service) text.faults = {{"crash", "1"}};
  const auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *config;
}

// What is known of one type: paths and conditions that were made from one object of it and are
// asked of all others, so that what is remembered of places is right for them too.
class Known {
 public:
  Known(const TypeInfo& type, Rng& rng) : type_(type), rng_(rng) {
    auto made = RecordType::make(std::string(type.name), describe(*type.schema));
    EXPECT_TRUE(made) << made.error();
    if (made) described_ = *std::move(made);
  }

  void look(const void* object, const Value& value) {
    ASSERT_EQ(type_.to_value(object), value);
    const auto texts = paths_of(type_, value);
    for (const std::string& text : texts)
      if (!paths_.contains(text)) add_path(text);
    for (const auto& [text, path] : paths_)
      ASSERT_EQ(path.read(object), path.read(value)) << type_.name << ": " << text;
    if (texts.empty()) return;
    for (int i = 0; i < 3 && conditions_.size() < kConditionsMax; ++i)
      add_condition(random_where(type_, value, texts, rng_));
    for (const auto& [text, where] : conditions_)
      ASSERT_EQ(where.holds(object), where.holds(value)) << type_.name << ": " << text;
    look_described(value);
    ++objects;
  }

  std::size_t objects = 0;
  std::size_t conditions() const { return conditions_.size(); }

 private:
  void add_path(const std::string& text) {
    auto path = Path::parse(type_, text);
    ASSERT_TRUE(path) << path.error();
    paths_.emplace(text, *std::move(path));
  }
  void add_condition(const std::string& text) {
    auto where = Where::parse(type_, text);
    ASSERT_TRUE(where) << where.error();
    conditions_.emplace_back(text, *std::move(where));
  }
  void look_described(const Value& value) {
    const TypeInfo& info = described_->info();
    ASSERT_EQ(fits(*type_.schema, value), fits(*info.schema, value)) << to_json(value);
    if (!fits(*info.schema, value)) return;  // a natural number that a value shows as negative
    Value object;
    ASSERT_TRUE(info.from_value(value, &object));
    ASSERT_EQ(info.to_value(&object), value);
  }

  const TypeInfo& type_;
  Rng& rng_;
  std::map<std::string, Path> paths_;
  std::vector<std::pair<std::string, Where>> conditions_;
  std::unique_ptr<const RecordType> described_;
};

class EverySystem : public testing::TestWithParam<std::string> {};

TEST_P(EverySystem, ReadsAndJudgesObjectsAndValuesAlike) {
  const System& system = *systems().find(GetParam());
  Rng rng(7);
  std::map<const TypeInfo*, Known> types;
  const auto look = [&](const TypeInfo& type, const void* object, const Value& value) {
    types.try_emplace(&type, type, rng).first->second.look(object, value);
  };
  for (const std::string scheduler : {"random", "timed"}) {
    const RunConfig config = config_of(system, scheduler);
    Runner runner(config.setup, config.limits);
    runner.listen_to(kEveryEvent);
    runner.on_step([&](const World& world) {
      if (testing::Test::HasFailure()) return;
      for (const Event& event : world.events())
        if (event.type && event.body)
          look(*event.type, event.body, event.type->to_value(event.body));
      for (NodeId id = 0; world.step() % 8 == 0 && id < config.setup.nodes; ++id)
        if (world.node(id)) look(world.node_type(id), world.node(id), world.inspect(id));
    });
    const auto played = make_scheduler(config);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      runner.run(*played, {seed, seed});
      if (const auto& refused = runner.first_refusal()) {  // what is mutated fits
        EXPECT_NE(refused->second, Refusal::bad_content) << scheduler << " seed " << seed;
      }
    }
  }
  std::size_t objects = 0, conditions = 0;
  for (const auto& [type, known] : types)
    objects += known.objects, conditions += known.conditions();
  EXPECT_GT(objects, 100U);
  EXPECT_GT(conditions, 20U);
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& system : systems().sorted()) out.push_back(system->name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Schema, EverySystem, testing::ValuesIn(names()), [](const auto& param) {
  std::string out = param.param;
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
});

}  // namespace
}  // namespace schism
