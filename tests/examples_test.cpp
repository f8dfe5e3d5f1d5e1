// The protocols of examples/: each survives a default hunt, each of its seeded bugs is found by one
// and told as a small story that replays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;

Outcome run_examples(const Folder& folder, Words words) {
  words.insert(words.begin(), places::kExamples);
  return Process(folder.path(), words, {}).finish();
}

struct Seeded {
  const char* system;
  const char* bug;
  const char* property;
  int actions;  // of the story, at most
};

class ExampleBugs : public testing::TestWithParam<Seeded> {};

TEST_P(ExampleBugs, AreFoundByADefaultHuntAndToldInAFewSteps) {
  const Seeded seeded = GetParam();
  const Folder folder;
  const Outcome found =
      run_examples(folder, {"hunt", seeded.system, "--bug", seeded.bug, "--runs", "50000"});
  ASSERT_EQ(found.code, 1) << found;
  EXPECT_THAT(found.out, HasSubstr(std::string(seeded.property) + " is violated"));
  EXPECT_THAT(found.out, HasSubstr("nothing can be left out"));
  std::smatch shrunk;
  ASSERT_TRUE(std::regex_search(found.out, shrunk, std::regex(R"(shrunk: \d+ -> (\d+) actions)")))
      << found;
  EXPECT_LE(std::stoi(shrunk[1]), seeded.actions) << found;
  const Outcome again = folder.shell(after(found.out, "reproduce:"), places::kExamples);
  EXPECT_EQ(again.code, 1) << again;
}

INSTANTIATE_TEST_SUITE_P(Examples, ExampleBugs,
                         testing::Values(Seeded{"ben-or", "majority-of-heard", "agreement", 25},
                                         Seeded{"ben-or", "decide-by-one", "agreement", 15},
                                         Seeded{"bracha", "counts-copies", "all or none", 15},
                                         Seeded{"bracha", "ready-after-one", "all or none", 15},
                                         Seeded{"chain", "answers-unsynced", "linearizability", 20},
                                         Seeded{"chain", "reads-early", "linearizability", 35},
                                         Seeded{"vsr", "longest-log", "agreement", 40},
                                         Seeded{"vsr", "any-log", "agreement", 25}),
                         [](const auto& tested) {
                           std::string name = tested.param.bug;
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

TEST(Examples, SurviveADefaultHunt) {
  const Folder folder;
  const auto list = nlohmann::json::parse(run_examples(folder, {"list", "--json"}).out);
  ASSERT_EQ(list.at("systems").size(), 4U);
  for (const auto& system : list.at("systems")) {
    const Outcome o = run_examples(folder, {"hunt", system.at("name").get<std::string>()});
    EXPECT_EQ(o.code, 0) << o;
    EXPECT_THAT(o.out, HasSubstr("nothing wrong found"));
    EXPECT_GE(system.at("bugs").size(), 2U);
  }
}

TEST(Examples, AreDeterministic) {
  const Folder folder;
  for (const char* system : {"ben-or", "bracha", "chain", "vsr"}) {
    const Outcome o = run_examples(folder, {"doctor", system, "--runs", "200"});
    EXPECT_EQ(o.code, 0) << o;
  }
}

}  // namespace
}  // namespace schism::e2e
