// A race: the book survives a writer that was killed, nothing is played twice, and what comes out
// is what the statistics say of the trials.
#include "schism/campaign/race.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "schism/base/file.hpp"

namespace schism {
namespace {

using testing::HasSubstr;

class Book : public testing::Test {
 protected:
  Book() : path_(fmt::format("{}/race-{}.jsonl", testing::TempDir(), ::getpid())) {
    std::filesystem::remove(path_);
  }
  ~Book() override { std::filesystem::remove(path_); }

  RaceBook open() const {
    auto book = RaceBook::open(path_);
    EXPECT_TRUE(book) << book.error();
    return *std::move(book);
  }
  std::string path_;
};

Race small_race() {
  Race race;
  race.bugs = {*find_exhibit("toy-consensus/distrust-commits"),
               *find_exhibit("paxos/small-quorum")};
  race.explorers = {"swarm", "random"};
  race.trials = 2;
  race.budget = 0.5;
  return race;
}

TEST_F(Book, KeepsWhatIsInIt) {
  RaceBook book = open();
  const Heat heat{"raft/x", "random:deliver=\"1\"", 1, 2.5};
  EXPECT_EQ(book.find(heat), nullptr);
  HeatResult result;
  result.found = true;
  result.at = 0.25;
  result.runs = 12;
  result.steps = 345;
  result.property = "agreement";
  ASSERT_TRUE(book.add(heat, result));
  const RaceBook again = open();
  const HeatResult* read = again.find(heat);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->found);
  EXPECT_EQ(read->at, 0.25);
  EXPECT_EQ(read->runs, 12U);
  EXPECT_EQ(read->steps, 345U);
  EXPECT_EQ(read->property, "agreement");
  EXPECT_EQ(again.find({"raft/x", "random", 1, 2.5}), nullptr);
}

TEST_F(Book, ALineThatWasNotFinishedIsPlayedAgain) {
  RaceBook book = open();
  ASSERT_TRUE(book.add({"a/b", "random", 0, 2}, {}));
  ASSERT_TRUE(book.add({"a/b", "random", 1, 2}, {}));
  const auto size = std::filesystem::file_size(path_);
  for (std::uintmax_t cut = 1; cut < size / 2; cut += 7) {
    const auto whole = read_file(path_);
    std::filesystem::resize_file(path_, size - cut);
    RaceBook torn = open();
    EXPECT_NE(torn.find({"a/b", "random", 0, 2}), nullptr);
    EXPECT_EQ(torn.find({"a/b", "random", 1, 2}), nullptr);
    ASSERT_TRUE(torn.add({"a/b", "random", 1, 2}, {}));
    EXPECT_EQ(*read_file(path_), *whole);
  }
}

TEST_F(Book, WhatIsNoRaceIsToldWithItsLine) {
  std::ofstream(path_) << "{\"bug\":\"a\"}\n";
  const auto book = RaceBook::open(path_);
  ASSERT_FALSE(book);
  EXPECT_THAT(book.error(), HasSubstr("line 1"));
}

TEST_F(Book, ARaceIsPlayedOnceAndGoesOnWhereItWas) {
  const Race race = small_race();
  std::atomic<bool> stop{false};
  int played = 0;
  const auto count = [&](const Heat&, const HeatResult& r, std::size_t) {
    EXPECT_TRUE(r.problem.empty()) << r.problem;
    stop = ++played == 3;
  };
  RaceBook book = open();
  ASSERT_TRUE(run_race(race, book, count, stop));
  EXPECT_EQ(played, 3);
  EXPECT_EQ(standings_of(race, book).missing, 5U);
  stop = false;
  RaceBook again = open();
  ASSERT_TRUE(run_race(race, again, count, stop));
  EXPECT_EQ(played, 8);
  RaceBook once_more = open();
  ASSERT_TRUE(run_race(race, once_more, count, stop));
  EXPECT_EQ(played, 8);
  const Standings standings = standings_of(race, once_more);
  EXPECT_EQ(standings.missing, 0U);
  ASSERT_EQ(standings.explorers.size(), 2U);
  EXPECT_EQ(standings.explorers[0].bugs_found, 2);
  EXPECT_EQ(standings.explorers[0].found, 4);
  EXPECT_FALSE(standings.explorers[0].ratio);
  const std::string page = race_page(race, once_more);
  for (const char* part : {"<svg", "swarm", "random", "paxos/small-quorum", "PAR-2", "</html>"})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_THAT(race_csv(race, once_more), HasSubstr("\"paxos/small-quorum\",\"swarm\",0,0.5,1,"));
  EXPECT_THAT(to_json(race_json(race, once_more)), HasSubstr("\"missing\":0"));
}

TEST_F(Book, StandingsAreThoseOfTheTrials) {
  const Race race = small_race();
  RaceBook book = open();
  for (const Heat& heat : race.heats()) {
    HeatResult result;
    result.found = heat.explorer == "swarm" || heat.trial == 0;
    result.at = !result.found ? 0.5 : heat.explorer == "swarm" ? 0.1 : 0.2;
    ASSERT_TRUE(book.add(heat, result));
  }
  const Standings s = standings_of(race, book);
  EXPECT_DOUBLE_EQ(s.explorers[0].par2, 0.1);
  EXPECT_DOUBLE_EQ(s.explorers[1].par2, 0.6);  // half of them 0.2, half missed: twice 0.5
  EXPECT_EQ(s.explorers[1].found, 2);
  EXPECT_EQ(s.explorers[1].bugs_found, 2);
}

TEST(Zoo, HasEveryBugOfEverySystemByName) {
  std::size_t bugs = 0;
  for (const auto& system : systems().sorted()) bugs += system->bugs.size();
  const auto all = zoo();
  EXPECT_EQ(all.size(), bugs);
  for (const Exhibit& exhibit : all) {
    const auto found = find_exhibit(exhibit.name());
    ASSERT_TRUE(found) << found.error();
    EXPECT_EQ(found->bug, exhibit.bug);
  }
  EXPECT_EQ(find_exhibit("commit-old-term")->name(), "raft/commit-old-term");
  EXPECT_THAT(find_exhibit("break-promise").error(), HasSubstr(" or "));
  EXPECT_THAT(find_exhibit("raft/commit-old-tern").error(), HasSubstr("raft/commit-old-term"));
}

// By its declaration alone: what it claims to survive, and nothing that anybody knows of the bug.
TEST(Zoo, PlainStrategiesGetAFewOfTheFaultsThatAreSurvived) {
  const auto raft = exhibit_config(*find_exhibit("commit-old-term"), {"random", {}});
  ASSERT_TRUE(raft) << raft.error();
  EXPECT_EQ(to_flags(*raft),
            "raft --bug commit-old-term --faults drop=5,duplicate=2,crash=2,partition=1 --explorer "
            "random");
  const auto drawn = exhibit_config(*find_exhibit("commit-old-term"), {"swarm", {}});
  ASSERT_TRUE(drawn);
  EXPECT_EQ(to_flags(*drawn), "raft --bug commit-old-term --explorer swarm");
  const auto broadcast = exhibit_config(*find_exhibit("no-relay"), {"random", {}});
  ASSERT_TRUE(broadcast);
  EXPECT_EQ(broadcast->setup.options.faults.drop, 0U);
  EXPECT_EQ(broadcast->setup.options.faults.crash, 2U);
}

}  // namespace
}  // namespace schism
