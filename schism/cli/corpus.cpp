// `schism corpus`: what a guided hunt keeps.
#include <fmt/format.h>

#include <algorithm>

#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/fuzz/keep.hpp"
#include "schism/fuzz/minimise.hpp"
#include "schism/fuzz/schedule.hpp"

namespace schism::cli {
namespace {

struct CorpusFlags {
  explicit CorpusFlags(Flags& flags) {
    flags.example("schism corpus list schism-out/corpus/raft",
                  "what a hunt with --explorer fuzz has kept");
    flags.example("schism corpus minimise schism-out/corpus/raft --out few",
                  "as few runs as cover the same");
    flags
        .option("what", what,
                "list: what is in a folder; minimise: as few runs as show the same; merge: all of "
                "several folders")
        .required()
        .one_of({"list", "minimise", "merge"});
    flags.option("folders", folders, "where the traces are, in them and in the folders below")
        .required();
    flags.option("--out", out, "a folder for the result of minimise and merge");
    flags.option("--coverage", coverage, "what minimise counts (colours): colours,events");
    flags.flag("--json", json, "for programs");
  }

  std::string what, out, coverage = "colours";
  std::vector<std::string> folders;
  bool json = false;
};

using Runs = std::vector<std::pair<std::string, Trace>>;

struct Size {
  std::size_t actions = 0, faults = 0;
};

Size size_of(const Trace& trace) {
  Size out;
  for (const Action& move : fuzz::schedule_of(trace).moves) {
    if (move.kind == Do::choose) continue;
    ++out.actions;
    out.faults += fuzz::is_fault_kind(move.kind) ? 1 : 0;
  }
  return out;
}

int list(const CorpusFlags& f, const Runs& runs) {
  Value::Array all;
  for (const auto& [file, trace] : runs) {
    const Size size = size_of(trace);
    if (!f.json) {
      say("{:>6} actions {:>4} faults  run {:<8} {}\n", size.actions, size.faults, trace.run, file);
      continue;
    }
    Value item;
    item.set("file", file);
    item.set("run", static_cast<std::int64_t>(trace.run));
    item.set("actions", static_cast<std::int64_t>(size.actions));
    item.set("faults", static_cast<std::int64_t>(size.faults));
    all.push_back(std::move(item));
  }
  const std::string& system = runs.front().second.config.setup.system->name;
  if (!f.json) {
    say("{} run{} of {}\n", runs.size(), runs.size() == 1 ? "" : "s", system);
    return kFine;
  }
  Value out;
  out.set("system", system);
  out.set("runs", std::move(all));
  say("{}\n", to_json(out));
  return kFine;
}

int write(const CorpusFlags& f, const std::vector<Trace>& traces, std::size_t of,
          std::size_t keys) {
  const auto written = fuzz::write_corpus(traces, f.out);
  if (!written) return bad_input(written.error());
  if (f.json) {
    Value out;
    out.set("of", static_cast<std::int64_t>(of));
    out.set("kept", static_cast<std::int64_t>(traces.size()));
    out.set("written", static_cast<std::int64_t>(*written));
    if (keys > 0) out.set("keys", static_cast<std::int64_t>(keys));
    say("{}\n", to_json(out));
    return kFine;
  }
  say("{} of {} runs", traces.size(), of);
  if (keys > 0) say(" show all {} keys of {}", keys, f.coverage);
  say("\nwritten:    {} ({} new)\n", f.out, *written);
  return kFine;
}

int minimise(const CorpusFlags& f, const Runs& runs) {
  const auto coverages = parse_coverages(f.coverage);
  if (!coverages) return bad_input(coverages.error());
  if (coverages->empty()) return bad_input("--coverage: nothing is counted");
  std::vector<fuzz::Shown> shown;
  std::vector<std::uint64_t> all;
  for (const auto& [file, trace] : runs) {
    if (interrupted()) return kInterrupted;
    auto keys = fuzz::shown_by(trace, *coverages);
    if (!keys) return bad_input(fmt::format("{}: {}", file, keys.error()));
    all.insert(all.end(), keys->begin(), keys->end());
    shown.push_back({size_of(trace).actions, *std::move(keys)});
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<Trace> kept;
  for (const std::size_t i : fuzz::enough(shown)) kept.push_back(runs[i].second);
  return write(f, kept, runs.size(), all.size());
}

int merge(const CorpusFlags& f, const Runs& runs) {
  std::vector<Trace> kept;
  std::vector<std::string> names;
  for (const auto& [file, trace] : runs) {
    const std::string name = fuzz::file_name(trace);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    kept.push_back(trace);
  }
  return write(f, kept, runs.size(), 0);
}

int run_corpus(const CorpusFlags& f) {
  if (f.what != "list" && f.out.empty())
    return bad_input(fmt::format("corpus {}: where to? --out FOLDER", f.what));
  if (f.what == "list" && !f.out.empty()) return bad_input("corpus list: writes nothing, no --out");
  Runs runs;
  for (const std::string& folder : f.folders) {
    auto more = fuzz::read_corpus(folder);
    if (!more) return bad_input(more.error());
    const auto* const own = more->front().second.config.setup.system;
    if (!runs.empty() && runs.front().second.config.setup.system != own)
      return bad_input(fmt::format("{} has runs of {}, not of {}", folder, own->name,
                                   runs.front().second.config.setup.system->name));
    for (auto& run : *more) runs.push_back(std::move(run));
  }
  catch_interrupts();
  if (f.what == "list") return list(f, runs);
  return f.what == "minimise" ? minimise(f, runs) : merge(f, runs);
}

const Registration registered =
    verb<CorpusFlags>(67, "corpus", "what a guided hunt keeps: list, minimise, merge", run_corpus);

}  // namespace
}  // namespace schism::cli
