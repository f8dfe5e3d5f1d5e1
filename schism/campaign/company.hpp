// The director's side of a hunt: plans go out to players in orders, and what became of each run
// comes back in the order of the plans, whoever played it and however often somebody died. This
// process runs no line of the system.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "schism/coverage/book.hpp"
#include "schism/guard/players.hpp"
#include "schism/run/config.hpp"
#include "schism/run/order.hpp"
#include "schism/world/counting.hpp"

namespace schism {

// What became of a planned run.
struct Outcome {
  RunResult result;
  std::optional<Death> death;  // it did not survive; the result has its decisions
  std::uint64_t since = 0;     // number of the first run that its process played
  RunPlan plan = {};           // of an agent's episode, which only the agent could make
  NamedCounts counts = {};     // of those who looked on
};

class Company {
 public:
  struct Options {
    int jobs = 1;
    bool in_process = false;
    std::vector<Watcher*> watchers;  // in this process only
    Book* book = nullptr;            // what runs cover is looked up there; it outlives this
    bool decisions = false;          // also of runs that showed something new
    bool clocked = false;            // how much CPU time each run takes
  };
  static Result<std::unique_ptr<Company>> gather(const RunConfig& config, const Options& options);
  ~Company();

  // Plays batch after batch. `more` gives the next one, numbered from the given run on; nothing:
  // there are no more. It is asked while at most `lag` batches are still out. `take` gets all
  // outcomes in order; false ends it, and so does `stop`, asked at least ten times a second.
  struct Batch {
    std::vector<RunPlan> plans;
    std::string policy;
    FIELDS(plans, policy)
  };
  struct Game {
    std::uint64_t first_run = 0;
    std::size_t lag = 0;
    std::function<std::optional<Batch>(std::uint64_t first)> more;
    std::function<Result<bool>(std::uint64_t run, const Batch& batch, std::size_t i, Outcome&&)>
        take;
    std::function<bool()> stop;
  };
  Status play(const Game& game);

  // So many episodes of each agent, from the given one on, each agent's in a row; they go on from
  // those before. `take` and `stop` as above.
  struct Episodes {
    std::uint32_t agents = 1;
    std::uint64_t seed = 1, first = 0, count = 0;
    bool save = false;  // what the agents know then comes back
  };
  Status play(const Episodes& round,
              const std::function<Result<bool>(std::uint32_t agent, std::uint64_t episode,
                                               Outcome&&)>& take,
              const std::function<bool()>& stop);
  // What the agents knew when they were last saved, and to go on from there.
  struct Saved {
    std::uint64_t episode = 0;
    std::string state;
    FIELDS(episode, state)
  };
  const std::vector<Saved>& agents() const { return saved_; }
  void restore(std::vector<Saved> agents) { saved_ = std::move(agents); }

  // One order in a new process, also from within `take`. `on_letters`, where given, gets
  // those that come before the end; the report has the rest. When `stop` says so it is given up,
  // and after a moment killed: nothing.
  using OnLetters = std::function<Status(const std::vector<std::string>&)>;
  Result<std::optional<guard::Report>> ask(const Order& order, const std::function<bool()>& stop,
                                           const OnLetters& on_letters = {});

 private:
  class Play;
  class Round;
  Company(const RunConfig& config, const Options& options);
  Result<std::optional<guard::Report>> next_report();

  RunConfig config_;
  Options options_;
  bool guarded_;
  int asked_ = 0;  // the player whom ask() asks: no other order goes to that one
  std::vector<guard::Report> waiting_;  // of the others, met while somebody asked
  std::unique_ptr<class Performer> performer_;
  std::unique_ptr<guard::Players> players_;
  std::vector<Saved> saved_;                                          // by agent
  std::vector<std::vector<std::pair<std::uint64_t, Death>>> deaths_;  // since then
  std::vector<bool> in_mind_;  // its player knows it up to this round
  double seconds_a_run_ = 0;   // for the size of orders where it decides nothing
};

}  // namespace schism
