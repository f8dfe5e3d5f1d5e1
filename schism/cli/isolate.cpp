// `schism isolate`: which message predicates explain the failures of many runs.

#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/isolate/diagram.hpp"
#include "schism/isolate/report.hpp"
#include "schism/isolate/save.hpp"

namespace schism::cli {
namespace {

struct IsolateFlags {
  explicit IsolateFlags(Flags& flags) : run(flags) {
    flags.example("schism isolate raft --hunt --bug quorum-third --runs 2000",
                  "which messages tell the failing runs from the others");
    flags.example("schism isolate runs.jsonl --schema schema.toml",
                  "the same for logs of any system");
    run.allow_in_file({"seed", "runs"});
    flags.at("system").help =
        "JSON lines, plain or zstd (- for standard input), with --schema; or a folder of traces; "
        "or, with --hunt, a system: NAME[:key=value,...]";
    flags.option("--schema", schema,
                 "a TOML file that says what the messages of a log are; or of a system, and "
                 "which of them to look at");
    flags
        .option("--method", method,
                "refined: few predictors weighed together; seed: as in the paper; branches: "
                "the paper's baseline; faults: which lies and losses, weighed as in refined")
        .one_of({"refined", "seed", "branches", "faults"});
    flags.option("--assertions", assertions, "at most so many a predicate").within(0, 8);
    flags.flag("--folds", folds, "also leave out each fold of the runs in turn");
    flags.flag("--skip-bad", skip_bad, "skip damaged lines, and count them");
    flags.flag("--hunt", hunt, "play a system here, and take these runs");
    flags.option("--runs", runs, "hunt: how many runs (2000); traces: how many beside them (0)");
    flags.option("--seed", seed, "hunt: the first seed (1)");
    flags.flag("--alone", alone, "hunt: plant the bugs one at a time, in turn");
    flags.flag("--by-property", by_property,
               "hunt: what was violated, muted properties too, stands for the bug, also where one "
               "is planted");
    flags.option("--save", save,
                 "write the runs there as JSON lines, and beside them their schema (.toml)");
    flags.flag("--no-pictures", no_pictures, "leave out the typical runs' diagrams");
    flags.option("--width", width, "columns (the terminal's)").within(40, 400);
    flags.flag("--json", json, "for programs");
  }

  RunFlags run;
  std::string schema, method = "refined", runs, seed, save;
  int width = 0, assertions = -1;
  bool folds = false, skip_bad = false, hunt = false, alone = false, no_pictures = false,
       json = false, by_property = false;
};

Result<std::unique_ptr<isolate::Supply>> hunted(const IsolateFlags& f, const std::string& runs) {
  isolate::HuntPlan plan;
  plan.alone = f.alone;
  plan.by_property = f.by_property;
  if (!f.schema.empty()) {
    auto schema = isolate::read_schema(f.schema);
    if (!schema) return tl::unexpected(schema.error());
    plan.schema = *std::move(schema);
  }
  if (!runs.empty()) {
    const auto n = parse_integer(runs, 1, INT32_MAX);
    if (!n) return error("runs {}", n.error());
    plan.runs = static_cast<std::uint64_t>(*n);
  }
  if (!f.seed.empty()) {
    const auto seed = parse_seed(f.seed);
    if (!seed) return error("seed {}", seed.error());
    plan.seed = *seed;
  }
  const auto text = f.run.text();
  if (!text) return tl::unexpected(text.error());
  return isolate::supply_from_hunt(*text, plan);
}

Result<std::unique_ptr<isolate::Supply>> supply_of(const IsolateFlags& f) {
  const std::string& path = f.run.system();
  if (f.hunt) return hunted(f, f.runs);
  if (path.empty()) return error("which runs? a file, a folder of traces, or --hunt and a system");
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    std::uint64_t passing = 0;
    if (!f.runs.empty()) {
      const auto n = parse_integer(f.runs, 0, INT32_MAX);
      if (!n) return error("runs {}", n.error());
      passing = static_cast<std::uint64_t>(*n);
    }
    return isolate::supply_from_traces(path, passing, f.skip_bad);
  }
  if (f.schema.empty()) return error("{} needs a --schema that says what its messages are", path);
  auto schema = isolate::read_schema(f.schema);
  if (!schema) return tl::unexpected(schema.error());
  return isolate::supply_from_file(path, *std::move(schema), f.skip_bad);
}

// The most typical run of each predictor, drawn.
Result<std::vector<std::string>> diagrams(const isolate::Findings& findings,
                                          isolate::Supply& supply,
                                          const isolate::Predicates& predicates, int width) {
  isolate::Evaluator evaluator(predicates);
  std::vector<std::string> out;
  for (const isolate::Finding& f : findings.findings) {
    out.emplace_back();
    if (!f.id || !f.typical) continue;
    const auto run = supply.again(findings.runs[*f.typical].place);
    if (!run) return tl::unexpected(run.error());
    out.back() = draw(predicates, *run, *f.id, evaluator.witnesses(*run, *f.id), {.width = width});
  }
  return out;
}

int run_isolate(const IsolateFlags& f) {
  auto supply = supply_of(f);
  if (!supply) return bad_input(supply.error());
  isolate::Schema schema = (*supply)->schema();
  if (f.assertions >= 0) schema.assertions = f.assertions;
  const auto predicates = isolate::Predicates::generate(schema);
  if (!predicates) return bad_input((f.schema.empty() ? "" : f.schema + ": ") + predicates.error());

  isolate::IsolateOptions options;
  options.method = *enum_value<isolate::Method>(f.method);
  options.cross_validate = f.folds;
  isolate::Isolation job(*predicates, options);
  isolate::ReportParts parts;
  std::string saved;
  const auto reading = (*supply)->each([&](const isolate::Run& run) {
    if (!f.save.empty()) saved += isolate::to_line(schema, run) + "\n";
    job.add(run);
  });
  if (!reading) return bad_input(reading.error());
  if (!f.save.empty()) {
    const std::string beside = std::filesystem::path(f.save).replace_extension(".toml");
    if (auto s = write_file(f.save, saved); !s) return bad_input(s.error());
    if (auto s = write_file(beside, isolate::to_toml(schema)); !s) return bad_input(s.error());
  }
  parts.reading = *reading;
  parts.width = f.width > 0 ? f.width : terminal_width();
  const auto findings = job.finish();
  if (!findings) return bad_input((*supply)->name() + ": " + findings.error());
  if (f.json) {
    say("{}\n", to_json(isolate::to_value(*findings, parts)));
    return kFine;
  }
  if (!f.no_pictures) {
    auto drawn = diagrams(*findings, **supply, *predicates, parts.width);
    if (!drawn) return bad_input(drawn.error());
    parts.diagrams = *std::move(drawn);
  }
  say("{}", Shown{isolate::print(*findings, parts)});
  return kFine;
}

const Registration registered = verb<IsolateFlags>(
    100, "isolate", "which messages explain the failures of many runs", run_isolate);

}  // namespace
}  // namespace schism::cli
