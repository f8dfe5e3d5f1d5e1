// `schism show`: the diagram fits, for every system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "program.hpp"
#include "schism/campaign/hunt.hpp"
#include "schism/testing/every_system.hpp"
#include "schism/testing/recorded.hpp"
#include "schism/testing/strategies.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// A run of each registered system, whether or not anything is wrong in it.
std::string a_trace_of(const System& system, const std::string& explorer) {
  RunText text;
  text.system = {system.name, {}};
  text.bugs = system.bug_names();
  text.explorer = {explorer, {}};
  text.steps = "120";
  text.faults = {{"crash", "1"}, {"drop", "2"}, {"partition", "1"}};
  if (system.is_service) text.faults = {{"crash", "1"}};  // the links to services are whole
  const auto scheduler = schedulers().make(text.explorer, "scheduler");
  std::erase_if(text.faults, [&](const auto& fault) {
    return !(*scheduler)->plays(action_of(*enum_value<Fault>(fault.first)));
  });
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return to_text(testing_tools::recorded(*config, {3, 3}, 0));
}

void expect_fits(const std::string& trace) {
  const Folder folder;
  folder.write("a.trace", trace);
  for (const int width : {60, 80, 100, 120}) {
    const Outcome o = folder.run_odd({"show", "a.trace", "--width", std::to_string(width)});
    ASSERT_EQ(o.code, 0) << o;
    const Words lines = lines_of(o.out);
    // Above the diagram stand the flags that give the run: for copying, so never cut.
    EXPECT_GT(lines.size(), 4U);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (lines[i].starts_with("     ◆  ")) continue;  // the verdict is a sentence, never cut
      EXPECT_LE(columns(lines[i]), static_cast<std::size_t>(width)) << lines[i];
    }
  }
}

class ShowProgramOf : public testing_tools::EverySystem {};
INSTANTIATE_TEST_SUITE_P(, ShowProgramOf, testing_tools::each_system(),
                         testing_tools::system_in_name);

TEST_P(ShowProgramOf, FitsUnderEveryScheduler) {
  for (const std::string& explorer : testing_tools::every_scheduler()) {
    SCOPED_TRACE(GetParam() + " " + explorer);
    expect_fits(a_trace_of(system(), explorer));
  }
}

TEST(ShowProgram, FitsForOddTexts) {
  const Folder folder;
  ASSERT_EQ(folder.run_odd({"hunt", "wordy"}).code, 1);
  expect_fits(folder.read(folder.traces()[0]));
}

TEST(ShowProgram, FortyNodesHaveAColumnEach) {
  const Folder folder;
  ASSERT_EQ(folder
                .run({"hunt", "toy-consensus", "--bug", "distrust-commits", "--nodes", "40",
                      "--no-shrink"})
                .code,
            1);
  const Outcome o = folder.run({"show", folder.traces()[0], "--width", "100"});
  std::string start(40 * std::string_view("○").size(), ' ');
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = "○"[i % 3];
  EXPECT_THAT(o.out, HasSubstr(start));
  EXPECT_THAT(o.out, HasSubstr("\n        0123456789012345678901234567890123456789\n"));
}

TEST(ShowProgram, ADiagramOfManyNodesIsStillDrawn) {
  const Folder folder;
  ASSERT_EQ(
      folder.run({"hunt", "toy-consensus", "--bug", "distrust-commits", "--nodes", "40"}).code, 1);
  const Outcome o = folder.run({"show", folder.traces()[0], "--width", "60"});
  EXPECT_EQ(o.code, 0);
  EXPECT_THAT(o.out, HasSubstr("agreement: node "));
}

TEST(ShowProgram, EveryStepHasItsRow) {
  const Folder folder;
  ASSERT_EQ(folder.run({"hunt", "toy-consensus", "--bug", "distrust-commits"}).code, 1);
  const std::size_t steps = lines_of(folder.read(folder.traces()[0])).size() - 2;
  const Outcome o = folder.run({"show", folder.traces()[0]});
  std::size_t rows = 0;
  for (const std::string& line : lines_of(o.out)) {
    const std::string number =
        std::string(6 - std::to_string(rows).size(), ' ') + std::to_string(rows);
    // A dot behind the number: the violation does not need the step.
    rows += line.starts_with(number + "  ") || line.starts_with(number + " ·") ? 1 : 0;
  }
  EXPECT_EQ(rows, steps) << o;
  EXPECT_THAT(o.out, HasSubstr("◆ agreement is violated here"));
}

TEST(ShowProgram, SendsCanBeLeftOut) {
  const Folder folder;
  ASSERT_EQ(folder.run({"hunt", "toy-consensus", "--bug", "distrust-commits"}).code, 1);
  EXPECT_THAT(folder.run({"show", folder.traces()[0]}).out, HasSubstr(" sends "));
  EXPECT_THAT(folder.run({"show", folder.traces()[0], "--no-sends"}).out,
              Not(HasSubstr(" sends ")));
}

TEST(ShowProgram, ColorIsGivenOnRequestOnly) {
  const Folder folder;
  ASSERT_EQ(folder.run({"hunt", "toy-consensus", "--bug", "distrust-commits"}).code, 1);
  const auto shown = [&](const char* when) {
    return folder.run({"show", folder.traces()[0], "--color", when}).out;
  };
  EXPECT_THAT(shown("always"), HasSubstr("\x1b["));
  EXPECT_THAT(shown("never"), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(shown("auto"), Not(HasSubstr("\x1b[")));  // this is no terminal
  // Without the colours it is the same picture.
  std::string plain;
  const std::string colored = shown("always");
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b') i = colored.find('m', i);
    else plain += colored[i];
  }
  EXPECT_EQ(plain, shown("never"));
}

}  // namespace
}  // namespace schism::e2e
