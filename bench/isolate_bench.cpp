// Bug isolation on generated runs the size of the published data set's, and on a hunt of our own.
// The goal for the data set itself, under 3 s and 500 MB on one core, is the whole command:
//   time build/bin/schism isolate experiments/data/xrpl-isolation/runs.jsonl.zst
//        --schema experiments/xrpl-isolation.toml
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "schism/base/random.hpp"
#include "schism/isolate/isolate.hpp"
#include "schism/base/lines.hpp"
#include "schism/isolate/reader.hpp"
#include "schism/isolate/supply.hpp"

namespace {

using namespace schism;
using namespace schism::isolate;

constexpr const char* kSchema = R"(
processes = 7
[predicates]
thresholds = [1, 4]
tolerances = [0, 4]
assertions = 3
[kind]
time = { type = "integer", operators = ["=", "!="] }
ledger = { type = "text", operators = ["=", "!="] }
sequence = { type = "integer", operators = ["=", "!=", "<", ">"] }
[[verb]]
name = "PRP"
fields = [{ name = "time", at = 2, kind = "time" }, { name = "previous", at = 3, kind = "ledger" },
          { name = "round", at = 4, kind = "sequence" }]
[[verb]]
name = "VAL"
fields = [{ name = "time", at = 2, kind = "time" }, { name = "ledger", at = 3, kind = "ledger" },
          { name = "sequence", at = 4, kind = "sequence" }]
)";

// So many runs of seven processes, 105 messages each; some equivocate, and some of those fail.
std::string make_log(int runs) {
  Rng rng(1);
  std::string out;
  for (int i = 0; i < runs; ++i) {
    const bool odd = rng.chance(0.1);
    out += fmt::format("{{\"run\":{},\"failed\":{},\"inbox\":[", i, odd && rng.chance(0.8));
    for (int process = 0; process < 7; ++process) {
      out += process == 0 ? "[" : ",[";
      for (int m = 0; m < 105; ++m) {
        const int round = m / 14, sender = static_cast<int>(rng.below(7));
        const int split = odd && round > 4 && sender < 2 ? 1 : 0;
        out += fmt::format("{}[\"{}\",{},{},\"{:016X}\",{}]", m == 0 ? "" : ",",
                           m / 7 % 2 == 0 ? "PRP" : "VAL", sender, 740000000 + round + split,
                           mix64(static_cast<std::uint64_t>(round * 2 + split)), round);
      }
      out += "]";
    }
    out += "]}\n";
  }
  return out;
}

// Time a run must not depend on their number.
void isolate_log(benchmark::State& state) {
  const auto runs = static_cast<int>(state.range(0));
  const Source source = Source::memory(make_log(runs), "log");
  const Schema schema = *parse_schema(kSchema, "schema");
  const Predicates predicates = *Predicates::generate(schema);
  for (auto _ : state) {
    Isolation job(predicates, {.method = state.range(1) == 0 ? Method::seed : Method::refined});
    Lines lines(source);
    RunReader reader(schema);
    Run run;
    std::string_view line;
    while (*lines.next(line))
      if (reader.read(line, run)) job.add(run);
    benchmark::DoNotOptimize(job.finish());
  }
  state.SetItemsProcessed(state.iterations() * runs * 7 * 105);
  state.SetLabel(state.range(1) == 0 ? "seed, items are messages" : "refined, items are messages");
}
BENCHMARK(isolate_log)->ArgsProduct({{300, 1200, 4800}, {0, 1}})->Unit(benchmark::kMillisecond);

// A hunt of about a million delivered messages: playing, evaluating, isolating.
void isolate_hunt(benchmark::State& state) {
  RunText text;
  text.system = *parse_spec("raft:progress=false,requests=20");
  text.bugs = {"vote-without-log-check", "truncate-without-conflict"};
  text.steps = "1000";
  text.tail = "1s";
  std::int64_t messages = 0;
  for (auto _ : state) {
    auto supply = *supply_from_hunt(text, {.runs = static_cast<std::uint64_t>(state.range(0))});
    const Predicates predicates = *Predicates::generate(supply->schema());
    Isolation job(predicates, {});
    if (!supply->each([&](const Run& run) {
          messages += static_cast<std::int64_t>(run.messages.size());
          job.add(run);
        }))
      state.SkipWithError("the hunt failed");
    benchmark::DoNotOptimize(job.finish());
  }
  state.SetItemsProcessed(messages);
  state.SetLabel("items are messages");
}
BENCHMARK(isolate_hunt)->Arg(500)->Arg(4000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
