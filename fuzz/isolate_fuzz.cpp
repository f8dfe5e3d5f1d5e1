// Logs and schemas from strangers: reading never crashes, an error is a sentence without a final
// dot, and whatever was read can be evaluated and isolated by every method. An input is a schema,
// a line of dashes, and lines of runs; without the dashes, runs by a schema of our own.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "schism/base/lines.hpp"
#include "schism/isolate/diagram.hpp"
#include "schism/isolate/isolate.hpp"
#include "schism/isolate/reader.hpp"
#include "schism/isolate/report.hpp"

namespace {

using namespace schism::isolate;

constexpr std::string_view kSchema = R"(
processes = 3
[run]
bugs = "bugs"
branches = "branches"
[predicates]
assertions = 1
[kind]
n = { type = "integer", operators = ["=", "<"] }
d = { type = "number", operators = [">"] }
t = { type = "text", operators = ["=", "!="] }
[[verb]]
name = "A"
fields = [{ name = "x", at = 2, kind = "n" }, { name = "y", at = 3, kind = "t", optional = true }]
[[verb]]
name = "B"
fields = [{ name = "z", at = 2, kind = "d" }]
)";

void require(bool condition) {
  if (!condition) std::abort();
}

void isolate_all(const Predicates& predicates, const std::vector<Run>& runs) {
  for (const Method method : {Method::refined, Method::seed, Method::branches}) {
    IsolateOptions options;
    options.method = method;
    options.cross_validate = !predicates.schema().run.fold.empty();
    Isolation job(predicates, options);
    for (const Run& run : runs) job.add(run);
    const auto findings = job.finish();
    if (!findings) {
      require(!findings.error().empty() && !findings.error().ends_with('.'));
      continue;
    }
    require(!print(*findings, {}).empty() && !to_json(to_value(*findings, {})).empty());
    Evaluator evaluator(predicates);
    for (const Finding& f : findings->findings)
      if (f.id && f.typical) {
        const Run& run = runs[*f.typical];
        const auto witnesses = evaluator.witnesses(run, *f.id);
        require(static_cast<int>(witnesses.size()) > f.id->tolerance);
        draw(predicates, run, *f.id, witnesses, {});
      }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto dashes = text.find("\n---\n");
  std::string_view schema_text = kSchema;
  if (dashes != std::string_view::npos) {
    schema_text = text.substr(0, dashes);
    text.remove_prefix(dashes + 5);
  }
  const auto schema = parse_schema(schema_text, "schema");
  if (!schema) {
    require(schema.error().starts_with("schema, line ") && !schema.error().ends_with('.'));
    return 0;
  }
  if (schema->assertions > 2 || schema->thresholds() * schema->tolerances() > 64) return 0;
  const auto predicates = Predicates::generate(*schema);
  if (!predicates || predicates->sets() > 20'000) return 0;
  schism::Lines lines(schism::Source::memory(std::string(text), "runs"));
  RunReader reader(*schema);
  std::vector<Run> runs;
  std::string_view line;
  for (;;) {
    const auto more = lines.next(line);
    if (!more || !*more || runs.size() == 50) break;
    Run run;
    const auto good = reader.read(line, run);
    if (good) runs.push_back(std::move(run));
    else require(!good.error().empty());
  }
  isolate_all(*predicates, runs);
  return 0;
}
