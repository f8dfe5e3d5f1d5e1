#include "schism/fuzz/keep.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/fuzz/schedule.hpp"

namespace schism::fuzz {

Trace trace_of(const RunConfig& config, const KeptRun& run) {
  Trace out;
  out.config = config;
  out.plan = run.plan;
  out.plan.gene.clear();
  out.run = run.run;
  out.steps = record(run.decisions, run.contents);
  // The first holds the start.
  if (out.steps.empty() || out.steps.front().action.kind != Do::nothing)
    out.steps.insert(out.steps.begin(), Recorded{});
  return out;
}

std::string file_name(const Trace& trace) {
  const Schedule schedule = schedule_of(trace);
  Hash128 h = absorb(seeded("schedule", schedule.moves.size()), trace.plan.node_seed);
  for (const Action& move : schedule.moves) {
    const bool content = has_content(move);  // which of them is no part of what it is
    h = absorb(absorb(h, move.name.bits()),
               static_cast<std::uint64_t>(move.kind) << 32 | (content ? 0 : move.arg()));
  }
  for (const Value& content : schedule.contents) h = absorb_text(h, to_json(content));
  return to_hex(h).substr(0, 16) + ".trace.zst";
}

Result<std::size_t> write_corpus(const std::vector<Trace>& traces, const std::string& folder) {
  if (auto made = make_directory(folder); !made) return tl::unexpected(made.error());
  std::size_t written = 0;
  for (const Trace& trace : traces) {
    const std::string path = folder + "/" + file_name(trace);
    std::error_code none;
    if (std::filesystem::exists(path, none)) continue;
    if (auto s = write_trace(trace, path); !s) return tl::unexpected(s.error());
    ++written;
  }
  return written;
}

Result<std::vector<std::pair<std::string, Trace>>> read_corpus(const std::string& folder) {
  const auto files = list_traces(folder);
  if (!files) return tl::unexpected(files.error());
  if (files->empty()) return error("no traces in {}", folder);
  std::vector<std::pair<std::string, Trace>> out;
  for (const std::string& file : *files) {
    auto trace = read_trace(file);
    if (!trace) return tl::unexpected(trace.error());
    const System* const own = trace->config.setup.system;
    if (!out.empty() && own != out.front().second.config.setup.system)
      return error("{} is a run of {}, and {} one of {}", file, own->name, out.front().first,
                   out.front().second.config.setup.system->name);
    out.emplace_back(file, *std::move(trace));
  }
  return out;
}

}  // namespace schism::fuzz
