// A corpus as files: a folder of traces without events, each named by its schedule, so that two
// corpora merge by union.
#pragma once

#include "schism/trace/trace.hpp"

namespace schism::fuzz {

// A kept run as a trace: what decided it, nothing of what happened. Without playing it.
Trace trace_of(const RunConfig& config, const KeptRun& run);
// The same name for the same schedule: "00a1f3....trace.zst".
std::string file_name(const Trace& trace);

// Writes those that are not there yet; how many.
Result<std::size_t> write_corpus(const std::vector<Trace>& traces, const std::string& folder);
// All traces of a folder, which are runs of one system; with their paths.
Result<std::vector<std::pair<std::string, Trace>>> read_corpus(const std::string& folder);

}  // namespace schism::fuzz
