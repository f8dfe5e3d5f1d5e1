// Carries out orders: what a player does. The only part of a hunt that runs the system's code.
#pragma once

#include <map>
#include <memory>

#include "schism/coverage/book.hpp"
#include "schism/explore/agent.hpp"
#include "schism/guard/mail.hpp"
#include "schism/run/config.hpp"
#include "schism/run/order.hpp"
#include "schism/world/counting.hpp"

namespace schism {

// What comes back of a run.
struct PlayedRun {
  RunResult result;
  NamedCounts counts;  // of those who looked on
  FIELDS(result, counts)
};
// And of an agent's episode.
struct PlayedEpisode {
  RunPlan plan;
  PlayedRun run;
  FIELDS(plan, run)
};

class Performer {
 public:
  explicit Performer(const RunConfig& config) : config_(config) { given_.drawn.config = config; }

  // Runs also say what they cover, as far as it is rare in that book; with their decisions, where
  // those of runs that show something new are wanted.
  void cover(Book& book, bool decisions) {
    book_ = &book;
    wants_decisions_ = decisions;
  }

  // Those look on as well: at runs of this process.
  void attach(const std::vector<Watcher*>& watchers) { watchers_ = watchers; }

  void carry_out(std::string_view order, guard::Outbox& out, const std::atomic<bool>& over);

 private:
  void carry_out(const PlayRuns& order, guard::Outbox& out, const std::atomic<bool>& over);
  void carry_out(const PlayEpisodes& order, guard::Outbox& out, const std::atomic<bool>& over);
  void carry_out(const LookClosely& order, guard::Outbox& out, const std::atomic<bool>& over);

  NamedCounts counts_of(const Runner& runner) const;
  RunResult result_of(Runner& runner, const RunSummary& summary, const Scheduler& by);
  // Where the runs of a world are played; 0: of the given configuration.
  struct Stage {
    std::uint32_t world = 0;
    std::string policy;  // under which it was drawn
    DrawnConfig drawn;
    std::unique_ptr<Runner> runner;
    std::map<std::uint32_t, std::unique_ptr<Scheduler>> schedulers;  // by arm
  };
  Stage& stage(const RunPlan& plan);
  std::unique_ptr<Runner> make_runner(const RunConfig& config);
  Scheduler& scheduler(Stage& stage, std::uint32_t arm);
  const Explorer& explorer();

  const RunConfig& config_;
  std::vector<Watcher*> watchers_;
  Book* book_ = nullptr;  // the director's
  bool wants_decisions_ = false;
  std::vector<std::unique_ptr<Coverage>> coverages_;  // look on at the runs of all stages
  Stage given_, last_;                                // runs of a drawn world follow each other
  std::string policy_;                                // that schedulers have heard of
  std::unique_ptr<Explorer> explorer_;                // who knows the agents and the worlds
  std::map<std::uint32_t, std::unique_ptr<Agent>> agents_;
};

}  // namespace schism
