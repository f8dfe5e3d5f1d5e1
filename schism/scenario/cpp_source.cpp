// Scenarios as tests in C++.
#include <fmt/format.h>

#include "schism/scenario/from_trace.hpp"

namespace schism::scenario {
namespace {

std::string text(std::string_view s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string identifier(std::string_view s) {
  std::string out;
  for (const char c : s) {
    const bool good = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (good) out += c;
    else if (!out.empty() && out.back() != '_') out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0 ? "s_" + out : out;
}

// Those of the scenarios that the tool writes: events of some types, joined by or.
std::string condition(const Cond& c) {
  std::string out;
  if (c.kind == Cond::any) {
    for (const Cond& part : c.parts) out += (out.empty() ? "" : " || ") + condition(part);
    return out;
  }
  for (const std::string& type : c.types) out += (out.empty() ? "" : ", ") + text(type);
  return fmt::format("{}({})", c.name, out);
}

std::string pairs(std::string_view member, const Pairs& list) {
  std::string out;
  for (const auto& [key, value] : list)
    out += fmt::format("{}{{{}, {}}}", out.empty() ? "" : ", ", text(key), text(value));
  return out.empty() ? out : fmt::format("  test.run.{} = {{{}}};\n", member, out);
}

std::string source(const Scenario& s) {
  std::string out =
      fmt::format("SCENARIO({}, {}) {{\n", identifier(s.run.system.name), identifier(s.name));
  if (identifier(s.run.system.name) != s.run.system.name)
    out += fmt::format("  test.run.system.name = {};\n", text(s.run.system.name));
  out += pairs("system.values", s.run.system.values);
  for (const std::string& bug : s.run.bugs) out += fmt::format("  test.bug({});\n", text(bug));
  for (const std::string& property : s.run.mute)
    out += fmt::format("  test.run.mute.emplace_back({});\n", text(property));
  if (!s.run.nodes.empty()) out += fmt::format("  test.nodes({});\n", s.run.nodes);
  out += pairs("world", s.run.world);
  if (!s.run.steps.empty()) out += fmt::format("  test.steps({});\n", s.run.steps);
  if (!s.run.tail.empty()) out += fmt::format("  test.tail({});\n", text(s.run.tail));
  out += fmt::format("  test.explorer({});\n", text(print_spec(s.run.explorer)));
  if (s.node_seed >= 0) out += fmt::format("  test.node_seed = {};\n", s.node_seed);
  if (s.until_calm) out += "  test.until_calm = true;\n";
  for (const Let& let : s.lets)
    out += fmt::format("  test.let({}, {});\n", text(let.name), print(let.value));
  for (const Filter& f : s.filters)
    out += fmt::format("  test.filter({}).If({}).Then(Hold());\n", text(f.name),
                       condition(f.condition));
  std::string lines;
  for (const Line& line : s.script) {
    std::string cues;
    for (const Cue& cue : line.cues) cues += (cues.empty() ? "" : ", ") + print(cue);
    lines += "    " + cues + "\n";
  }
  if (!lines.empty()) out += fmt::format("  test.play(R\"script(\n{}  )script\");\n", lines);
  for (const Expectation& e : s.expectations)
    out += fmt::format("  test.expect_violation({}, {});\n", text(e.property), e.percent);
  return out + "}\n";
}

}  // namespace

std::string cpp_source(const std::vector<Scenario>& scenarios) {
  std::string out =
      "// Written by `schism scenario`.\n#include \"schism/scenario/gtest.hpp\"\n\n"
      "using namespace schism::scenario;\n";
  for (const Scenario& s : scenarios) out += "\n" + source(s);
  return out;
}

}  // namespace schism::scenario
