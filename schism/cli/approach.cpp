// `schism approach`: does an explorer come nearer to known failures, generation by generation?
#include <fmt/format.h>

#include <filesystem>

#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/evolve/approach.hpp"

namespace schism::cli {
namespace {

struct ApproachFlags {
  explicit ApproachFlags(Flags& flags) : run(flags) {
    flags.example("schism approach xrpl --bug quorum-40 --explorer evolve --known schism-out",
                  "how far generations of evolved delays are from the finds in that folder");
    flags.example(
        "schism approach xrpl --bug quorum-40 --explorer evolve:algorithm=random "
        "--known schism-out",
        "the same of random ones, to compare");
    flags.option("--known", known, "failing runs: a trace, or a folder with some in it").required();
    flags.option("--generations", generations, "batches of runs (13)");
    flags.option("--trials", trials, "with seeds of their own; the table is of all (1)");
    flags.option("--seed", seed, "of the first (1)");
    flags.flag("--json", json, "for programs");
  }

  RunFlags run;
  std::string known, generations = "13", trials = "1", seed = "1";
  bool json = false;
};

// As they happened: a run that was made small is like no run that an explorer makes.
Result<std::vector<Trace>> read_failures(const std::string& path) {
  std::vector<std::string> files = {path};
  if (std::filesystem::is_directory(path)) {
    auto listed = list_traces(path);
    if (!listed) return tl::unexpected(listed.error());
    files.clear();
    for (const std::string& file : *listed)
      if (std::filesystem::path(file).filename().string().starts_with("original"))
        files.push_back(file);
    if (files.empty()) return error("{} holds no original.trace, nor do the folders in it", path);
  }
  std::vector<Trace> out;
  for (const std::string& file : files) {
    auto trace = read_trace(file);
    if (!trace) return tl::unexpected(trace.error());
    out.push_back(*std::move(trace));
  }
  return out;
}

void print_text(const std::vector<evolve::Approached>& generations, std::size_t known) {
  say("distance to the nearest of {} failing run{}, as a share of the largest possible\n", known,
      known == 1 ? "" : "s");
  say("generation  mean (deviation)  nearest    gauge  violating runs\n");
  for (std::size_t i = 0; i < generations.size(); ++i) {
    const evolve::Approached& g = generations[i];
    say("{:>10}  {:.4f} ({:.4f})   {:.4f}  {:>7}  {} of {}\n", i + 1, g.distance.mean(),
        g.distance.deviation(), g.nearest,
        g.gauge.count > 0 ? fmt::format("{:.4g}", g.gauge.mean()) : "-", g.violated,
        g.distance.count);
  }
}

void print_json(const std::vector<evolve::Approached>& generations) {
  Value::Array all;
  for (const evolve::Approached& g : generations) {
    Value one;
    one.set("runs", static_cast<std::int64_t>(g.distance.count));
    one.set("distance", g.distance.mean());
    one.set("deviation", g.distance.deviation());
    one.set("nearest", g.nearest);
    if (g.gauge.count > 0) one.set("gauge", g.gauge.mean());
    one.set("violated", static_cast<std::int64_t>(g.violated));
    all.push_back(std::move(one));
  }
  say("{}\n", to_json(Value(std::move(all))));
}

int run_approach(const ApproachFlags& f) {
  auto text = f.run.text();
  if (!text) return bad_input(text.error());
  const auto config = make_config(*text);
  if (!config) return bad_input(config.error());
  const auto generations = parse_integer(f.generations, 1, 1'000'000);
  if (!generations) return bad_input(fmt::format("--generations {}", generations.error()));
  const auto trials = parse_integer(f.trials, 1, 1'000'000);
  if (!trials) return bad_input(fmt::format("--trials {}", trials.error()));
  const auto seed = parse_seed(f.seed);
  if (!seed) return bad_input(fmt::format("--seed {}", seed.error()));
  const auto known = read_failures(f.known);
  if (!known) return bad_input(known.error());
  catch_interrupts();
  std::vector<evolve::Approached> all;
  for (std::int64_t trial = 0; trial < *trials && !interrupted(); ++trial) {
    const auto measured =
        evolve::measure_approach(*config, *known, static_cast<std::uint64_t>(*generations),
                                 *seed + static_cast<std::uint64_t>(trial), interrupted());
    if (!measured) return bad_input(measured.error());
    all.resize(std::max(all.size(), measured->size()));
    for (std::size_t i = 0; i < measured->size(); ++i) all[i].add((*measured)[i]);
  }
  if (f.json) print_json(all);
  else print_text(all, known->size());
  return interrupted() ? kInterrupted : kFine;
}

const Registration registered = verb<ApproachFlags>(
    96, "approach", "how far generations of runs are from known failures", run_approach);

}  // namespace
}  // namespace schism::cli
