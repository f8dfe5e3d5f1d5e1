// `schism list`, --help and --version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"
#include "schism/registry.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Words everything() {
  Words names = systems().names();
  for (const std::string& name : schedulers().names()) names.push_back(name);
  for (const std::string& name : explorers().names()) names.push_back(name);
  return names;
}

Words names_in(const nlohmann::json& list) {
  Words out;
  for (const auto& item : list) out.push_back(item.at("name").get<std::string>());
  return out;
}

// The first words below "Subcommands:".
Words verbs_in(const std::string& help) {
  Words out;
  const auto at = help.find("Subcommands:\n");
  if (at == std::string::npos) return out;
  for (const std::string& line : lines_of(help.substr(at)))
    if (line.starts_with("  ") && line[2] != ' ') out.push_back(words_of(line)[0]);
  return out;
}

TEST(ListProgram, NamesEverythingRegistered) {
  const Folder folder;
  const Outcome o = folder.run({"list"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.err, IsEmpty());
  for (const std::string& name : everything()) EXPECT_THAT(o.out, HasSubstr("  " + name + " "));
  for (const auto& system : systems().sorted())
    for (const Bug& bug : system->bugs) EXPECT_THAT(o.out, HasSubstr(bug.name));
  for (const std::string& line : lines_of(o.out)) EXPECT_LE(line.size(), 100U) << line;
}

TEST(ListProgram, JsonHoldsEverythingRegistered) {
  const Folder folder;
  const Outcome o = folder.run({"list", "--json"});
  ASSERT_EQ(o.code, 0) << o;
  const auto json = nlohmann::json::parse(o.out);
  EXPECT_EQ(names_in(json.at("systems")), systems().names());
  EXPECT_EQ(names_in(json.at("schedulers")), schedulers().names());
  EXPECT_EQ(names_in(json.at("explorers")), explorers().names());
  for (const auto& item : json.at("systems")) {
    const System* system = systems().find(item.at("name").get<std::string>());
    ASSERT_TRUE(system);
    EXPECT_EQ(item.at("description"), system->description);
    EXPECT_EQ(names_in(item.at("bugs")), system->bug_names());
    EXPECT_EQ(names_in(item.at("parameters")), system->params.names());
    // The nodes' own assertion and the survival of the process are judged in every system.
    EXPECT_EQ(item.at("oracles").size(), system->oracles.size() + 2);
  }
  for (const char* key : {"world", "faults"})
    for (const auto& item : json.at(key)) {
      EXPECT_FALSE(item.at("meaning").get<std::string>().empty());
      EXPECT_FALSE(item.at("range").get<std::string>().empty());
    }
}

TEST(ListProgram, ShowsOneWithItsParameters) {
  const Folder folder;
  for (const std::string& name : everything()) {
    const Outcome o = folder.run({"list", name});
    EXPECT_EQ(o.code, 0) << name << o;
    EXPECT_THAT(o.out, HasSubstr(name));
    const Outcome json = folder.run({"list", name, "--json"});
    EXPECT_EQ(json.code, 0) << name << json;
    EXPECT_TRUE(nlohmann::json::accept(json.out)) << json;
  }
  for (const auto& system : systems().sorted()) {
    const std::string text = folder.run({"list", system->name}).out;
    for (const Param& p : system->params.list()) EXPECT_THAT(text, HasSubstr("    " + p.name));
    for (const Bug& bug : system->bugs) EXPECT_THAT(text, HasSubstr("    " + bug.name));
  }
  EXPECT_THAT(folder.run({"list", "timed"}).out, HasSubstr("    slow-links"));
}

TEST(ListProgram, HelpOfTheProgramNamesEveryVerb) {
  const Folder folder;
  const Outcome help = folder.run({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.err, IsEmpty());
  const Words verbs = verbs_in(help.out);
  EXPECT_THAT(verbs, testing::IsSupersetOf({"list", "hunt", "replay", "show"}));
  for (const std::string& verb : verbs) {
    const Outcome o = folder.run({verb, "--help"});
    EXPECT_EQ(o.code, 0) << o;
    EXPECT_THAT(o.out, HasSubstr("schism " + verb));
    EXPECT_THAT(o.out, HasSubstr("--help"));
    EXPECT_THAT(o.err, IsEmpty());
  }
}

TEST(ListProgram, HelpOfHuntNamesTheConventionalFlags) {
  const Folder folder;
  const std::string help = folder.run({"hunt", "--help"}).out;
  for (const char* flag : {"--seed", "--runs", "--time", "--max-steps", "--jobs", "--out", "--json",
                           "--color", "--explorer", "--config", "--bug", "--faults", "--world"})
    EXPECT_THAT(help, HasSubstr(std::string("  ") + flag + " "));
}

TEST(ListProgram, VersionIsANumber) {
  const Folder folder;
  const Outcome o = folder.run({"--version"});
  EXPECT_EQ(o.code, 0);
  EXPECT_THAT(o.out, testing::ContainsRegex("^[0-9]+\\.[0-9]+\\.[0-9]+\n$"));
}

TEST(ListProgram, NoArgumentsAreBadUsageWithHelp) {
  const Folder folder;
  const Outcome o = folder.run({});
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.out + o.err, HasSubstr("hunt"));
}

}  // namespace
}  // namespace schism::e2e
