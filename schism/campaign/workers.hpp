// Worker processes that play runs. Processes, because systems under test may have globals; forked
// before anything starts a thread. A worker ends when its socket does, so that it never outlives a
// parent that was killed.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "schism/campaign/config.hpp"

namespace schism {

struct Chunk {
  std::uint64_t first = 0;  // number of its first run
  std::vector<RunPlan> plans;
};
struct ChunkResult {
  std::uint64_t first = 0;
  std::vector<RunSummary> summaries;
};

class Workers {
 public:
  Workers(const RunConfig& config, int jobs);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  bool any_idle() const;
  bool any_busy() const;
  void give(const Chunk& chunk);  // to an idle one
  // Waits for a result, at most so long; nothing: time is over, a signal came. A worker that died
  // is an error with its number of the first run.
  Result<std::optional<ChunkResult>> wait(int milliseconds);

 private:
  struct Worker;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace schism
