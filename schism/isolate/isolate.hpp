// Statistical bug isolation from runs to predictors: what `schism isolate` does.
//
//   Isolation job(*predicates, options);
//   supply->each([&](const Run& run) { job.add(run); });
//   Result<Findings> findings = job.finish();
//
// Runs are seen once, one at a time; what is kept of each is a bit a predicate.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schism/isolate/branches.hpp"
#include "schism/isolate/refined.hpp"

namespace schism::isolate {

// faults: as refined, but which faults a run had, not which messages arrived.
SCHISM_ENUM(Method, refined, seed, branches, faults);

struct Finding {
  std::string notation, sentence;       // the second only for message predicates
  std::optional<PredicateId> id;        // likewise
  std::vector<std::string> assertions;  // likewise
  Predictor predictor;
  std::optional<double> strikes;  // refined: how likely it fails a run by itself
  Interval increase;              // 95%
  Tally whole;                    // among all runs, also those explained before
  // Where there is ground truth, one a bug each: how well it tells the runs that fail of the bug
  // from all others, and, as in the paper, from those that fail of another. With one bug the second
  // says nothing: any failing run is a hit.
  std::vector<Score> in_all, in_failing;
  std::vector<std::string> equivalents;  // that hold in exactly the same runs
  std::vector<std::size_t> runs;         // failing ones that it explains
  std::optional<std::size_t> typical;    // the one closest to most of them
};

// A method tried on the runs outside a fold and judged inside it.
struct FoldResult {
  std::string fold;
  std::size_t training = 0, failing = 0;  // failing runs it learned from, and those it is judged on
  std::vector<std::string> notations;
  std::size_t runs = 0;                   // all that it is judged on
  std::vector<Score> in_all, in_failing;  // for each bug the predictor best in the second
};

struct Findings {
  Method method = Method::refined;
  std::vector<RunInfo> runs;
  std::size_t failing = 0;
  std::uint64_t without_tolerance = 0, predicates = 0, left_out = 0;  // generated
  std::size_t candidates = 0;  // that hold in a failing run, and for refined differ
  std::vector<std::string> bugs;
  std::vector<Finding> findings;
  std::vector<std::size_t> unexplained;  // failing runs
  std::optional<double> next_chance;     // refined: that the best further predictor is chance
  std::vector<FoldResult> folds;
};

struct IsolateOptions {
  Method method = Method::refined;
  RefineOptions refine = {};
  bool cross_validate = false;  // over the folds of the runs
};

class Isolation {
 public:
  Isolation(const Predicates& predicates, IsolateOptions options);
  ~Isolation();

  void add(const Run& run);
  // An error if there is nothing to compare: no run, none that failed, none that passed.
  Result<Findings> finish() const;

 private:
  struct Candidates;
  Result<Candidates> candidates() const;
  bool by_messages() const {
    return options_.method == Method::refined || options_.method == Method::seed;
  }
  std::vector<Predictor> predict(const Table& table, const Candidates& names,
                                 Findings* about) const;
  Finding describe(const Table& table, const Candidates& names, Predictor predictor) const;
  std::vector<FoldResult> cross_validate(const Table& table, const Candidates& names) const;

  const Predicates& predicates_;
  IsolateOptions options_;
  Evaluator evaluator_;
  RunBits bits_;
  Observations observations_;
  Branches branches_;  // and faults
};

}  // namespace schism::isolate
