#include "schism/trace/trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "schism/campaign/hunt.hpp"
#include "schism/draw/story.hpp"
#include "schism/testing/every_system.hpp"
#include "schism/testing/recorded.hpp"
#include "schism/testing/strategies.hpp"

namespace schism {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// With every known bug and every fault that the scheduler makes, so that there is much to record.
RunConfig eventful(const System& system, const std::string& scheduler) {
  RunText text;
  text.system = {system.name, {}};
  text.bugs = system.bug_names();
  text.explorer = *parse_spec(scheduler);
  text.steps = "150";
  text.tail = "1s";
  for (const std::string& fault : fault_params().names()) {
    text.faults.emplace_back(fault, "2");
    if (!make_config(text)) text.faults.pop_back();
  }
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

std::string toy_text() {
  static const std::string text = [] {
    const System* toy = systems().find("toy-consensus");
    return to_text(testing_tools::recorded(eventful(*toy, "random"), {5, 5}, 0));
  }();
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string join(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

class TraceOf : public testing_tools::EverySystem {};
INSTANTIATE_TEST_SUITE_P(, TraceOf, testing_tools::each_system(), testing_tools::system_in_name);

TEST_P(TraceOf, AnyRunComesBackUnderEveryScheduler) {
  for (const std::string& scheduler : testing_tools::every_scheduler()) {
    const RunConfig config = eventful(system(), scheduler);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      SCOPED_TRACE(testing::Message() << GetParam() << " " << scheduler << " seed " << seed);
      const Trace trace = testing_tools::recorded(config, {seed, seed + 100}, seed);
      const std::string text = to_text(trace);
      const auto back = parse_trace(text, "x");
      ASSERT_TRUE(back) << back.error();
      EXPECT_EQ(to_text(*back), text);
      EXPECT_EQ(back->plan.seed, seed);
      EXPECT_EQ(back->plan.node_seed, seed + 100);
      const ReplayReport report = replay(*back);
      EXPECT_FALSE(report.difference) << report.difference->recorded << report.difference->now;
      EXPECT_FALSE(report.refused);
      EXPECT_EQ(report.now.run_class, back->run_class);
      EXPECT_EQ(to_text(report.now), text);
    }
  }
}

TEST(TraceTest, AStoryHasARowForEachStep) {
  const auto trace = parse_trace(toy_text(), "x");
  ASSERT_TRUE(trace);
  StoryOptions options;
  const auto rows = lines_of(tell(*trace, options));
  EXPECT_GT(rows.size(), trace->steps.size());
  options.rows_max = 10;
  // The heading, the kept rows, what was left out, the verdict.
  EXPECT_LE(lines_of(tell(*trace, options)).size(), 13U);
  EXPECT_THAT(tell(*trace, options), HasSubstr("lines left out"));
}

struct Edit {
  const char *line, *from, *to, *says;  // `line`: first, step, last
};

TEST(TraceTest, EveryErrorNamesItsLine) {
  const Edit edits[] = {
      {"first", "\"trace\"", "\"tracer\"", "this is not a schism trace"},
      {"first", "\"version\":1", "\"version\":6", "the trace is of version 6"},
      {"first", "\"version\":1", "\"version\":-1", "\"version\" is a whole number"},
      {"first", "\"toy-consensus\"", "\"toy\"", "no system \"toy\"; did you mean"},
      {"first", "\"toy-consensus\"", "7", "\"system\" is a text"},
      {"first", "\"parameters\":{}", "\"parameters\":[]", "\"parameters\" is an object of texts"},
      {"first", "\"parameters\":{}", "\"parameters\":{\"rounds\":\"0\"}",
       "rounds is a whole number"},
      {"first", "\"nodes\":3", "\"nodes\":3000", "nodes is a whole number"},
      {"first", "\"time\":\"untimed\"", "\"time\":\"untime\"", "no use of time \"untime\""},
      {"first", "\"explorer\":\"random\"", "\"explorer\":\"randm\"", "did you mean \"random\"?"},
      {"first", "\"max_steps\":150", "\"max_steps\":0", "max-steps is a whole number"},
      {"first", "\"tail\":\"1s\"", "\"tail\":\"1\"", "tail is a time"},
      {"first", "\"seed\":\"5\"", "\"seed\":\"5x\"", "\"seed\" is a number in quotes"},
      {"first", "\"run\":0", "\"run\":0.5", "\"run\" is a whole number"},
      {"step", "\"step\":1", "\"step\":2", "step 2 stands where step 1 should"},
      {"step", "\"step\":1", "\"stp\":1", "\"step\" is a whole number"},
      {"step", "\"do\":\"", "\"do\":\"x", "no action \"x"},
      {"step", "\"do\":\"", "\"done\":\"", "\"do\" is a text"},
      {"step", "\"events\":[", "\"event\":[", "\"events\" is a list"},
      {"step", "{", "{\"choices\":[[2,1]],", "pairs [k, n] with k below n"},
      {"step", "{", "{\"choices\":7,", "\"choices\" is a list of pairs"},
      {"step", "{", "{\"hint\":-1,", ""},
      {"step", "{", "{\"at\":-5,", "\"at\" is a whole number"},
      {"step", "{", "", ""},
      {"last", "\"fair\":", "\"fairy\":", "\"fair\" is true or false"},
      {"last", "\"class\":\"", "\"class\":\"0", "\"class\" is 32 hexadecimal digits"},
      {"last", "\"end\":", "\"end\":1", "steps, but says"},
      {"last", "\"property\"", "\"proper\"", "\"violation\" is incomplete"},
      {"last", "\"evidence\":[", "\"evidenc\":[", "\"evidence\" is a list"},
      {"last", "\"role\"", "\"rule\"", "\"evidence\" is a list of steps and roles"},
  };
  for (const Edit& edit : edits) {
    auto lines = lines_of(toy_text());
    const std::string which = edit.line;
    const std::size_t at = which == "first" ? 0 : which == "step" ? 2 : lines.size() - 1;
    const auto found = lines[at].find(edit.from);
    ASSERT_NE(found, std::string::npos) << edit.from << " in " << lines[at];
    lines[at].replace(found, std::string(edit.from).size(), edit.to);
    const auto trace = parse_trace(join(lines), "bug.trace");
    ASSERT_FALSE(trace) << edit.to;
    EXPECT_THAT(trace.error(), StartsWith("bug.trace, line " + std::to_string(at + 1) + ": "));
    EXPECT_THAT(trace.error(), HasSubstr(edit.says));
  }
}

TEST(TraceTest, EmptyAndForeignFiles) {
  EXPECT_EQ(parse_trace("", "x").error(), "x, line 1: the trace ends before its last line");
  EXPECT_THAT(parse_trace("\n", "x").error(), StartsWith("x, line 1: not JSON"));
  EXPECT_EQ(parse_trace("{}\n", "x").error(), "x, line 1: this is not a schism trace");
  EXPECT_THAT(parse_trace("PK\x03\x04", "x").error(), StartsWith("x, line 1: not JSON"));
}

// The number in "x, line N: ...".
std::size_t line_in(const std::string& error) {
  return std::stoul(error.substr(error.find("line ") + 5));
}

RC_GTEST_PROP(TraceTest, DamageIsAnErrorWithItsLineOrStillATrace, ()) {
  std::string text = toy_text();
  for (int n = *rc::gen::inRange(1, 4); n > 0; --n) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 5)) {
      case 0: text[at] = *rc::gen::arbitrary<char>(); break;
      case 1: text[at] = *rc::gen::inRange('0', ':'); break;
      case 2: text.erase(at, *rc::gen::inRange<std::size_t>(1, 30)); break;
      case 3:
        text.insert(at, text.substr(*rc::gen::inRange<std::size_t>(0, text.size()), 12));
        break;
      default: text.resize(at + 1);
    }
  }
  const auto trace = parse_trace(text, "x");
  if (trace) {
    const std::string once = to_text(*trace);
    const auto back = parse_trace(once, "x");
    RC_ASSERT(back.has_value());
    RC_ASSERT(to_text(*back) == once);
    replay(*trace);
    tell(*trace, {});
  } else {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    RC_ASSERT(line_in(trace.error()) >= 1U);
    RC_ASSERT(line_in(trace.error()) <= lines + 1);
    RC_ASSERT(trace.error().find('\n') == std::string::npos);
  }
}

RC_GTEST_PROP(TraceTest, TruncatedAnywhereIsAnError, ()) {
  const std::string text = toy_text();
  // Without its last line break it is still whole.
  const auto size = *rc::gen::inRange<std::size_t>(0, text.size() - 1);
  RC_ASSERT_FALSE(parse_trace(text.substr(0, size), "x").has_value());
}

TEST(TraceTest, ARecordingThatDiffersSaysWhere) {
  auto lines = lines_of(toy_text());
  const auto at = lines[2].find("\"value\":");
  ASSERT_NE(at, std::string::npos) << lines[2];
  lines[2].replace(at, 9, "\"value\":7");
  const auto trace = parse_trace(join(lines), "x");
  ASSERT_TRUE(trace) << trace.error();
  const ReplayReport report = replay(*trace);
  ASSERT_TRUE(report.difference);
  EXPECT_EQ(report.difference->step, 1U);
  EXPECT_THAT(report.difference->recorded, HasSubstr("\"value\":7"));
  EXPECT_NE(report.difference->recorded, report.difference->now);
}

}  // namespace
}  // namespace schism
