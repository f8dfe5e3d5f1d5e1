// `schism score` on every experiment of learners, and `schism waypoints`, as a person runs them.
#include <gtest/gtest.h>

#include "program.hpp"

namespace schism::e2e {
namespace {

class Learning : public testing::TestWithParam<const char*> {};

TEST_P(Learning, IsScored) {
  const Folder folder;
  const std::string file = std::string("learning-") + GetParam() + ".toml";
  folder.write(file, source_file("experiments/" + file));
  const Outcome o =
      folder.run({"score", file, "--trials", "2", "--episodes", "5", "--out", "kept"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_NE(o.out.find("states seen"), std::string::npos) << o;
}

INSTANTIATE_TEST_SUITE_P(Experiments, Learning,
                         testing::Values("rsl", "raft", "craft", "cube", "published", "models",
                                         "sequences"));

TEST(ScoreProgram, KeepsALineATrialAndCurves) {
  const Folder folder;
  folder.write("cube.toml", source_file("experiments/learning-cube.toml"));
  const Outcome o =
      folder.run({"score", "cube.toml", "--trials", "2", "--episodes", "40", "--out", "kept"});
  ASSERT_EQ(o.code, 0) << o;
  const auto lines = lines_of(folder.read("kept/cube-world.csv"));
  EXPECT_EQ(lines.size(), 1U + 4 * 2);
  EXPECT_TRUE(lines[0].starts_with("strategy,way,trial,episodes,steps,states")) << lines[0];
  EXPECT_TRUE(folder.read("kept/cube-world.svg").starts_with("<svg xmlns="));
}

TEST(WaypointsProgram, ProposesWhatAHuntTakes) {
  const Folder folder;
  const Words cubes = {"cube-world", "--explorer", "random-steps:horizon=80,crashes=0"};
  Words words = {"waypoints"};
  words.insert(words.end(), cubes.begin(), cubes.end());
  for (const char* word : {"--target", "any(cube >= 1)", "--out", "way.txt"}) words.push_back(word);
  const Outcome o = folder.run(words);
  ASSERT_EQ(o.code, 0) << o;
  EXPECT_TRUE(folder.read("way.txt").ends_with("any(cube >= 1)\n"));
  const Outcome hunt = folder.run({"hunt", "cube-world", "--explorer",
                                   "waypoint:horizon=80,crashes=0,to=@way.txt", "--runs", "20"});
  EXPECT_EQ(hunt.code, 0) << hunt;
  EXPECT_NE(hunt.out.find("any(cube >= 1)"), std::string::npos) << hunt;
}

TEST(WaypointsProgram, MistakesAreOneLine) {
  const Folder folder;
  const std::vector<Words> mistakes = {{"waypoints"},
                                       {"waypoints", "rsl", "--target", "any(rol = primary)"},
                                       {"waypoints", "rsl", "--find", "nowhere"},
                                       {"waypoints", "--find", "nowhere"},
                                       {"waypoints", "rsl", "--most", "0"}};
  for (const Words& words : mistakes) {
    const Outcome o = folder.run(words);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
  }
}

}  // namespace
}  // namespace schism::e2e
