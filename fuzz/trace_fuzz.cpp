// The trace reader, and everything that is done with what it accepts: writing it again, drawing it,
// playing it. Outside input must never crash the program.
#include <cstdlib>

#include "schism/draw/format.hpp"
#include "schism/draw/story.hpp"
#include "schism/trace/trace.hpp"
#include "tests/systems/busy.cpp"  // its traces hold every kind of action

namespace {

// A reader may be asked for a large world; that costs time and finds nothing.
bool small(const schism::Trace& trace) {
  if (trace.steps.size() > 2000 || trace.config.setup.nodes > 16) return false;
  for (const auto& [name, text] : trace.config.system.values)
    if (text.size() > 3) return false;
  return true;
}

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto trace = schism::parse_trace(text, "fuzz");
  if (!trace) {
    require(trace.error().starts_with("fuzz, line "));
    return 0;
  }
  if (!small(*trace)) return 0;
  const std::string written = schism::to_text(*trace);
  const auto again = schism::parse_trace(written, "again");
  require(again.has_value() && schism::to_text(*again) == written);

  schism::StoryOptions story;
  story.rows_max = 40;
  schism::tell(*trace, story);
  // The page plays many runs, and each of a fair one with its tail.
  for (const schism::draw::Format& format : schism::draw::formats())
    if (format.name != "html" || (!trace->fair && trace->steps.size() < 100))
      require(!format.draw(*trace, {}).empty());

  const schism::ReplayReport report = schism::replay(*trace);
  // What was played is a trace itself, and replays exactly.
  const auto played = schism::parse_trace(schism::to_text(report.now), "played");
  require(played.has_value());
  require(!schism::replay(*played).difference);
  return 0;
}
