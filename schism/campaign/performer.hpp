// Carries out orders: what a player does. The only part of a hunt that runs the system's code.
#pragma once

#include <map>
#include <memory>

#include "schism/coverage/book.hpp"
#include "schism/explore/agent.hpp"
#include "schism/guard/mail.hpp"
#include "schism/run/config.hpp"
#include "schism/run/order.hpp"

namespace schism {

class Performer {
 public:
  explicit Performer(const RunConfig& config) : config_(config) {}

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

  RunResult result_of(const RunSummary& summary, const Scheduler& by);
  Runner& runner();
  Scheduler& scheduler(std::uint32_t arm);

  const RunConfig& config_;
  std::vector<Watcher*> watchers_;
  Book* book_ = nullptr;  // the director's
  bool wants_decisions_ = false;
  std::vector<std::unique_ptr<Coverage>> coverages_;
  std::unique_ptr<Runner> runner_;
  std::map<std::uint32_t, std::unique_ptr<Scheduler>> schedulers_;  // by arm
  std::string policy_;                                              // that they have heard of
  std::unique_ptr<Explorer> explorer_;                              // who knows the agents
  std::map<std::uint32_t, std::unique_ptr<Agent>> agents_;
};

}  // namespace schism
