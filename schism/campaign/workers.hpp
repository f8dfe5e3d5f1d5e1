// Worker processes that play runs. Processes, because systems under test may have globals; forked
// before anything starts a thread. Plans and results lie in memory that both sides share, so that
// the runs of a worker that dies are not lost.
//
// Where runs are guarded a worker lives for one chunk: a batch. If it dies, its result has the runs
// before, and how the next one died; the rest of the chunk is for another worker.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "schism/run/config.hpp"

namespace schism {

inline constexpr std::size_t kChunkMax = 256;

struct Chunk {
  std::uint64_t first = 0;     // number of its first run
  std::vector<RunPlan> plans;  // at most kChunkMax
};

struct Casualty {
  Death death;
  std::vector<Action> decisions;  // up to there
};

struct ChunkResult {
  std::uint64_t first = 0;
  std::size_t given = 0;              // runs in the chunk
  std::vector<RunSummary> summaries;  // of those that were finished
  std::optional<Casualty> casualty;   // the run after them
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
  // where runs are not guarded is an error with the number of its first run.
  Result<std::optional<ChunkResult>> wait(int milliseconds);

 private:
  class Worker;
  RunConfig config_;
  bool guarded_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

// One batch in a process of its own, to its end or the first death.
Result<ChunkResult> play_batch(const RunConfig& config, const std::vector<RunPlan>& plans);

}  // namespace schism
