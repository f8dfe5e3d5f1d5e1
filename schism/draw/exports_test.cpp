// Every export of every system: well-formed, the same each time, and about the same run. Parsers
// that are not ours read them in tests/draw_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "schism/draw/format.hpp"
#include "schism/explain/causality.hpp"
#include "schism/explain/states.hpp"
#include "schism/testing/runs.hpp"
#include "schism/trace/timeline.hpp"

namespace schism::draw {
namespace {

std::string drawn_as(const char* format, const Trace& trace, const DrawOptions& options) {
  return find_format(format)->draw(trace, options);
}

using testing::HasSubstr;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::size_t count(const std::string& text, std::string_view word) {
  std::size_t n = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

void expect_sound(const Format& format, const std::string& out) {
  ASSERT_FALSE(out.empty());
  EXPECT_EQ(out.back(), '\n');
  if (format.name == "json" || format.name == "chrome" || format.name == "itf") {
    std::string problem;
    EXPECT_TRUE(parse_json(out, &problem)) << problem;
  }
  if (format.name == "html") {
    EXPECT_EQ(count(out, "<script"), 2U);
    EXPECT_EQ(count(out, "</script"), 2U);
    EXPECT_EQ(count(out, "://"), 0U) << "a page needs nothing from outside";
    EXPECT_EQ(count(out, "<g "), count(out, "</g>"));
    EXPECT_EQ(count(out, "<svg "), count(out, "</svg>"));
  }
  if (format.name == "dot") {
    EXPECT_THAT(out, testing::StartsWith("digraph"));
  }
}

class ExportsOf : public testing_tools::EverySystem {};
INSTANTIATE_TEST_SUITE_P(, ExportsOf, testing_tools::each_system(), testing_tools::system_in_name);

TEST_P(ExportsOf, AreSoundAndTheSameEachTime) {
  each_run(system(), "60", 2, [](const Trace& trace) {
    for (const Format& format : formats()) {
      SCOPED_TRACE(format.name);
      const std::string out = format.draw(trace, {});
      expect_sound(format, out);
      EXPECT_EQ(out, format.draw(trace, {}));
    }
  });
}

// A trace is outside input: its events and its violation may say anything.
TEST(Exports, AreSoundForOddTexts) {
  Trace trace = find_of("toy-consensus", "distrust-commits");
  const std::string odd =
      "</script><b>\" ' & \\ \n ; # %% \x1b[31m {}[] end --> ∀ \xff\xfe @enduml";
  trace.violation->property = odd;
  trace.violation->message = odd;
  trace.violation->evidence.push_back({1, odd});
  trace.violation->evidence.push_back({4'000'000'000U, odd});
  RecordedEvent event;
  event.kind = Happened::announced;
  event.type = odd;
  event.body = to_json(Value::Object{{odd, odd}, {"#map", Value(0.5)}, {"deep", Value()}});
  trace.steps[2].events.push_back(event);
  for (const Happened kind : {Happened::answered, Happened::invoked, Happened::delivered}) {
    RecordedEvent bare;
    bare.kind = kind;
    trace.steps[3].events.push_back(bare);
  }
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.name);
    expect_sound(format, format.draw(trace, {}));
  }
  EXPECT_EQ(count(drawn_as("plantuml", trace, {}), "@enduml"), 1U);
}

TEST(Exports, OfTheShortestTrace) {
  Trace trace = find_of("toy-consensus", "distrust-commits");
  for (const std::size_t size : {1U, 0U}) {
    trace.steps.resize(size);
    for (const Format& format : formats()) {
      SCOPED_TRACE(format.name);
      const std::string out = format.draw(trace, {});
      EXPECT_EQ(out, format.draw(trace, {}));
      if (size > 0) expect_sound(format, out);
    }
  }
}

TEST(Exports, FormatsHaveNamesAndLines) {
  std::set<std::string> names;
  for (const Format& format : formats()) {
    EXPECT_FALSE(format.description.empty());
    EXPECT_TRUE(names.emplace(format.name).second);
    EXPECT_EQ(find_format(format.name), &format);
  }
  EXPECT_EQ(find_format("nothing"), nullptr);
  EXPECT_THAT(format_names(), testing::SizeIs(names.size()));
}

TEST_P(ExportsOf, HaveTheStatesThatSeekShows) {
  each_run(system(), "60", 2, [](const Trace& trace) {
    const States states = states_of(trace);
    Timeline line(trace, 0);
    const int nodes = trace.config.setup.nodes;
    std::vector<Value> now(static_cast<std::size_t>(nodes));
    for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
      for (const auto& [id, state] : states.changed[step])
        now[static_cast<std::size_t>(id)] = state;
      const World& world = line.seek(step);
      for (NodeId id = 0; id < nodes; ++id)
        ASSERT_EQ(now[static_cast<std::size_t>(id)], world.inspect(id)) << step << " node " << id;
    }
    EXPECT_EQ(states.after(trace.steps.size(), nodes), now);
  });
}

TEST(States, ChangesAreBrief) {
  const Value before = Value::Object{{"term", 1}, {"log", Value::Array{}}, {"same", "x"}};
  Value after = before;
  after.set("term", 2);
  after.set("log", Value::Array{std::string(30, 'a'), "b"});
  EXPECT_EQ(describe_change(before, after), "term 1 → 2, log [] → [2 items]");
  EXPECT_EQ(describe_change(before, before), "");
  EXPECT_EQ(describe_change(before, Value()), "down");
  EXPECT_EQ(describe_change(Value(), before), "up");
}

// ---- ShiViz: its clocks are the happens-before relation --------------------------------------

struct Logged {
  std::string host;
  std::map<std::string, std::int64_t> clock;
  std::uint32_t step = 0;
};

std::vector<Logged> read_log(const std::string& text) {
  const auto lines = lines_of(text);
  std::vector<Logged> out;
  for (std::size_t i = 2; i + 1 < lines.size(); i += 2) {
    Logged one;
    one.host = lines[i].substr(0, lines[i].find(' '));
    const auto clock = parse_json(lines[i].substr(lines[i].find(' ') + 1));
    EXPECT_TRUE(clock) << lines[i];
    for (const auto& [host, n] : *clock->as_object()) one.clock[host] = *n.as_int();
    one.step = static_cast<std::uint32_t>(std::stoul(lines[i + 1].substr(1)));
    out.push_back(std::move(one));
  }
  return out;
}

TEST_P(ExportsOf, ShivizHasTheClocksOfTheCausalPast) {
  each_run(system(), "60", 2, [](const Trace& trace) {
    const auto log = read_log(drawn_as("shiviz", trace, {}));
    const Causality causality(trace);
    std::map<std::string, std::int64_t> last;
    // Only an event of a node has a step that it can be before.
    std::vector<const Logged*> of_nodes;
    for (const Logged& e : log)
      if (e.host.starts_with("node") && e.step != 0) of_nodes.push_back(&e);
    for (const Logged& e : log)
      ASSERT_EQ(e.clock.at(e.host), ++last[e.host]) << "a host counts its own events";
    for (const Logged* e : of_nodes) {
      // An event of another node is known exactly if its step is in the past of this one.
      const auto past = causality.past(std::vector<std::uint32_t>{e->step});
      for (const Logged* other : of_nodes) {
        const auto known = e->clock.find(other->host);
        const bool seen = known != e->clock.end() && known->second >= other->clock.at(other->host);
        if (seen != past[other->step])
          ADD_FAILURE() << other->step << (seen ? " not before " : " before ") << e->step;
      }
    }
  });
}

TEST(Shiviz, BeginsWithTheExpressionOfItsReader) {
  const auto lines = lines_of(drawn_as("shiviz", find_of("toy-consensus", "distrust-commits"), {}));
  EXPECT_EQ(lines[0], "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)");
  EXPECT_EQ(lines[1], "");
}

TEST(Html, OpensAtTheViolationAndSaysHowToRepeat) {
  const Trace trace = find_of("toy-consensus", "distrust-commits");
  DrawOptions options;
  options.replay = "schism replay 'a b.trace'";
  const std::string page = draw_html(trace, options);
  EXPECT_THAT(page, HasSubstr("schism replay &#39;a b.trace&#39;"));
  EXPECT_THAT(page, HasSubstr("nearest passing run"));
  EXPECT_THAT(page, HasSubstr("\"begin\":" + std::to_string(trace.violation->step)));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
}

}  // namespace
}  // namespace schism::draw
