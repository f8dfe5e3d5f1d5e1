// `schism score` on every experiment of learners, and `schism waypoints`, as a person runs them.
#include <gtest/gtest.h>

#include <filesystem>

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
                                         "sequences", "proposed-rsl", "proposed-raft", "reward-rsl",
                                         "raft-why", "reward-raft"));

// Stories that finds had: their scenarios are files beside the experiment.
TEST(ScoreProgram, GoesAlongStories) {
  const Folder folder;
  const std::string experiment = source_file("experiments/learning-stories.toml");
  folder.write("experiments/learning-stories.toml", experiment);
  std::size_t stories = 0;
  for (std::size_t at = experiment.find("to=@experiments/"); at != std::string::npos;
       at = experiment.find("to=@experiments/", at + 1), ++stories) {
    const std::string path = experiment.substr(at + 4, experiment.find('"', at) - at - 4);
    folder.write(path, source_file(path));
  }
  EXPECT_EQ(stories, 10U);
  const Outcome o = folder.run(
      {"score", "experiments/learning-stories.toml", "--trials", "2", "--episodes", "10"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_NE(o.out.find("### Who goes wrong more often"), std::string::npos) << o;
}

TEST(ScoreProgram, KeepsALineATrialAndCurves) {
  const Folder folder;
  folder.write("cube.toml", source_file("experiments/learning-cube.toml"));
  const Outcome o =
      folder.run({"score", "cube.toml", "--trials", "2", "--episodes", "40", "--out", "kept"});
  ASSERT_EQ(o.code, 0) << o;
  const auto lines = lines_of(folder.read("kept/cube-world.csv"));
  EXPECT_EQ(lines.size(), 1U + 5 * 2);
  EXPECT_TRUE(lines[0].starts_with("strategy,way,trial,episodes,steps,states")) << lines[0];
  EXPECT_TRUE(folder.read("kept/cube-world.svg").starts_with("<svg xmlns="));
}

TEST(ScoreProgram, CountsPlacesAndCoverages) {
  const Folder folder;
  folder.write("few.toml",
               "trials = 2\nruns = 30\ncoverage = \"model,colours\"\n"
               "places = \"any(role = primary); not any(role = primary)\"\n"
               "[strategies]\nrandom = \"random-steps\"\nmodel = \"bonusmax:coverage=model\"\n"
               "[[case]]\nname = \"few\"\nsystem = \"rsl\"\nnodes = 3\n");
  const Outcome o = folder.run({"score", "few.toml", "--out", "kept"});
  ASSERT_EQ(o.code, 0) << o;
  EXPECT_NE(o.out.find("### few: states in a place"), std::string::npos) << o;
  EXPECT_NE(o.out.find("### Who covers more"), std::string::npos) << o;
  const auto lines = lines_of(folder.read("kept/few.csv"));
  ASSERT_EQ(lines.size(), 5U);
  const std::string head =
      "table_bytes,\"covered model\",\"covered colours\",\"in any(role = primary)\"";
  EXPECT_NE(lines[0].find(head), std::string::npos) << lines[0];
  // A state is in one of the two places, and in one only.
  std::vector<std::string> cells;
  for (std::size_t at = 0; at <= lines[1].size();) {
    const std::size_t end = std::min(lines[1].find(',', at), lines[1].size());
    cells.push_back(lines[1].substr(at, end - at));
    at = end + 1;
  }
  ASSERT_GT(cells.size(), 12U);
  EXPECT_EQ(std::stoi(cells[5]), std::stoi(cells[11]) + std::stoi(cells[12])) << lines[1];
  for (const char* wrong :
       {"coverage = \"modle\"\n", "places = \"any(rol = primary)\"\n", "steps = 7\n"}) {
    folder.write("wrong.toml",
                 std::string(wrong) +
                     folder.read("few.toml").substr(folder.read("few.toml").find("[strat")));
    const Outcome bad = folder.run({"score", "wrong.toml", "--trials", "1", "--episodes", "1"});
    EXPECT_EQ(bad.code, 2) << bad;
    EXPECT_EQ(lines_of(bad.err).size(), 1U) << bad;
  }
  EXPECT_EQ(folder.run({"compare", "few.toml"}).code, 2) << "places are for score";
}

// A find, its scenario, and a hunt along it, which finds it again.
TEST(WaypointsProgram, GoAlongAFindsOwnScenario) {
  const Folder folder;
  const Words rsl = {"hunt", "rsl:clients=10,requests=1", "--nodes", "3", "--bug", "minority"};
  const auto with = [&](const Words& more) {
    Words out = rsl;
    out.insert(out.end(), more.begin(), more.end());
    return out;
  };
  const Outcome found =
      folder.run(with({"--explorer", "random-steps", "--out", "finds", "--quiet"}));
  ASSERT_EQ(found.code, 1) << found;
  std::string trace;
  for (const std::string& file : folder.files())
    if (file.ends_with("bug.trace")) trace = file;
  ASSERT_FALSE(trace.empty());
  const Outcome script =
      folder.run({"scenario", trace, "--script-only", "--out", "story.scenario"});
  ASSERT_EQ(script.code, 0) << script;
  const Outcome way = folder.run(
      {"waypoints", "--script", "story.scenario", "--out", "way.txt", "--episodes", "200"});
  ASSERT_EQ(way.code, 0) << way;
  EXPECT_TRUE(folder.read("way.txt").starts_with("script(story.scenario) >= "));
  for (const char* to : {"waypoint:to=@way.txt", "waypoint:to=@story.scenario"}) {
    const Outcome again =
        folder.run(with({"--explorer", to, "--seed", "9", "--runs", "5000", "--out", "again"}));
    EXPECT_EQ(again.code, 1) << again;
    EXPECT_NE(again.out.find("script(story.scenario) >= "), std::string::npos) << again;
  }
  // What was found needs neither file.
  for (const char* gone : {"way.txt", "story.scenario"}) std::filesystem::remove(folder / gone);
  std::size_t replayed = 0;
  for (const std::string& file : folder.files())
    if (file.starts_with("again/") && file.ends_with("bug.trace")) {
      const Outcome again = folder.run({"replay", file});
      EXPECT_EQ(again.code, 1) << again;
      ++replayed;
    }
  EXPECT_GE(replayed, 1U);
  const Outcome missing = folder.run(with({"--explorer", "waypoint:to=@way.txt"}));
  EXPECT_EQ(missing.code, 2) << missing;
  EXPECT_EQ(lines_of(missing.err).size(), 1U) << missing;
  EXPECT_EQ(folder.run({"waypoints", "raft", "--script", "story.scenario"}).code, 2);
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
