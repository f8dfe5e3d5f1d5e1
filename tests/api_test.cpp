// docs/api/ says what the headers say now: `tools/api` makes the same pages again.
#include <gtest/gtest.h>

#include <filesystem>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

TEST(ApiReference, IsUpToDateWithTheHeaders) {
  const Folder folder;
  const Outcome o =
      Process(folder.path(), {places::kSource + std::string("/tools/api"), folder / "api"}, {})
          .finish();
  ASSERT_EQ(o.code, 0) << o;
  std::size_t pages = 0;
  for (const std::string& page : folder.files()) {
    ++pages;
    EXPECT_EQ(folder.read(page), source_file("docs/" + page)) << page << ": run tools/api";
  }
  EXPECT_GE(pages, 9U);
  for (const auto& kept :
       std::filesystem::directory_iterator(places::kSource + std::string("/docs/api")))
    EXPECT_TRUE(exists(folder / ("api/" + kept.path().filename().string())))
        << kept.path() << " is made no more";
}

// What a protocol's author calls is there, with the words that its header has for it.
TEST(ApiReference, HasWhatANewcomerLooksFor) {
  const std::string nodes = source_file("docs/api/nodes.md"),
                    systems = source_file("docs/api/systems.md"),
                    oracles = source_file("docs/api/oracles.md"),
                    histories = source_file("docs/api/histories.md");
  const auto has = [](const std::string& page, const std::string& words) {
    return page.find(words) != std::string::npos;
  };
  for (const char* words :
       {"void set_timer(Timer timer, Delay delay, int key = 0);", "void answer(RequestId request",
        "void sync_now();", "A restart builds the node anew", "DiskDone",
        "std::uint32_t choose(std::uint32_t n);"})
    EXPECT_TRUE(has(nodes, words)) << words;
  for (const char* words : {"SystemBuilder& survives(", "class Workload {",
                            "void request(int client, NodeId target, R content);"})
    EXPECT_TRUE(has(systems, words)) << words;
  for (const char* words : {"class Eventually final : public Oracle {",
                            "class Linearizability final", "class WorldInvariant final"})
    EXPECT_TRUE(has(oracles, words)) << words;
  EXPECT_TRUE(has(histories, "class History {"));
  EXPECT_FALSE(has(nodes, "host_")) << "bodies and private members are nobody's business";
}

}  // namespace
}  // namespace schism::e2e
