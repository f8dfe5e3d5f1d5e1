// The installed package: a protocol outside of this tree finds it, builds against it, and is hunted
// by its own program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "consumer.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

TEST(InstallProgram, AProtocolOfOnesOwnIsHuntedByItsOwnProgram) {
  const Folder folder;
  const std::string program =
      build_outside(folder, {{"ring.cpp", source_file("tests/data/ring.cpp")}});
  ASSERT_TRUE(exists(program));
  const auto run = [&](Words words) {
    words.insert(words.begin(), program);
    return Process(folder.path(), words, {}).finish();
  };
  const Outcome list = run({"list", "--json"});
  ASSERT_EQ(list.code, 0) << list;
  // Schedulers and oracles register themselves, so they must have come with the archive.
  const auto json = nlohmann::json::parse(list.out);
  EXPECT_EQ(json.at("systems").size(), 1U);
  EXPECT_GE(json.at("schedulers").size(), 3U);
  const Outcome found = run({"hunt", "ring", "--bug", "eager"});
  EXPECT_EQ(found.code, 1) << found;
  EXPECT_THAT(found.out, HasSubstr("one leader is violated"));
  const Outcome again = folder.shell(after(found.out, "reproduce:"), program);
  EXPECT_EQ(again.code, 1) << again;
  EXPECT_EQ(run({"hunt", "ring", "--runs", "200"}).code, 0);

  // Headers are for users; what helps our own tests stays here.
  std::size_t headers = 0;
  for (const std::string& file : folder.files()) {
    headers += file.starts_with("prefix/include/schism/") ? 1 : 0;
    EXPECT_FALSE(file.starts_with("prefix/include/") && file.find("/testing/") != std::string::npos)
        << file;
  }
  EXPECT_GT(headers, 100U);

  // What is installed beside the library works on its own.
  const Outcome version =
      Process(folder.path(), {folder / "prefix/bin/schism", "--version"}, {}).finish();
  EXPECT_EQ(version.code, 0) << version;
}

// Whoever compiles a system so that it says which way it goes can count that, and ask which way
// leads to the failure.
TEST(InstallProgram, AProtocolOfOnesOwnSaysWhichWayItsCodeGoes) {
  const Folder folder;
  const std::string source = source_file("systems/paxos/paxos.cpp");
  const std::string program =
      build_outside(folder, {{"paxos.cpp", source}}, "-fsanitize-coverage=trace-pc,trace-cmp;-g");
  ASSERT_TRUE(exists(program));
  const auto run = [&](Words words) {
    words.insert(words.begin(), program);
    return Process(folder.path(), words, {}).finish();
  };
  const auto edges = [&](const char* runs) -> std::int64_t {
    const Outcome o = run(
        {"hunt", "paxos", "--explorer", "random", "--coverage", "edges", "--runs", runs, "--json"});
    EXPECT_EQ(o.code, 0) << o;
    const auto json = nlohmann::json::parse(o.out, nullptr, false);
    return json.is_discarded() ? -1 : json.at("coverage").at("edges").at("keys").get<int>();
  };
  const auto one = edges("1"), many = edges("200");
  EXPECT_GT(one, 5);
  EXPECT_GT(many, one);

  const Outcome why = run({"isolate", "--hunt", "paxos", "--bug", "own-value", "--explorer",
                           "random", "--runs", "400", "--method", "branches"});
  EXPECT_EQ(why.code, 0) << why;
  EXPECT_THAT(why.out, HasSubstr("branch predicates"));
  EXPECT_THAT(why.out, ContainsRegex("\\.(cpp|h|hpp):[0-9]+:[0-9]+ a [=<] b is (true|false)"));
}

// The examples build where they were installed, as their own page says, and hunt.
TEST(InstallProgram, ExamplesAndPagesAreInstalledAndBuild) {
  const Folder folder;
  const std::string sanitize = places::kSanitize;
  const std::string doc = "prefix/share/doc/schism/";
  for (const Words& command :
       {Words{places::kCMake, "--install", places::kBuild, "--prefix", folder / "prefix"},
        Words{places::kCMake, "-S", doc + "examples", "-B", "mine", "-G", "Ninja",
              "-DCMAKE_PREFIX_PATH=" + (folder / "prefix"), "-DCMAKE_BUILD_TYPE=Debug",
              "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror" +
                  (sanitize.empty() ? "" : " -fsanitize=" + sanitize)},
        Words{places::kCMake, "--build", "mine", "--target", "ben_or"}}) {
    const Outcome o = Process(folder.path(), command, {}).finish();
    ASSERT_EQ(o.code, 0) << o;
  }
  const Outcome found =
      Process(folder.path(), {"mine/ben_or", "hunt", "ben-or", "--bug", "decide-by-one"}, {})
          .finish();
  EXPECT_EQ(found.code, 1) << found;
  for (const char* page : {"docs/api/README.md", "docs/api/nodes.md", "docs/your-own-protocol.md",
                           "examples/README.md", "examples/vsr.cpp", "README.md"})
    EXPECT_TRUE(exists(folder / (doc + page))) << page;
}

}  // namespace
}  // namespace schism::e2e
