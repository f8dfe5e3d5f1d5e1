// Processes that carry out orders, both texts, and may die of it: the one pool of this program. A
// zygote forks them; this process, the director, runs no order itself, so that nothing a system
// under test does can kill, hang or corrupt it.
//
//   auto players = Players::start({.count = 2, .hang = second}, work);
//   (*players)->give(0, order);
//   auto report = (*players)->wait(100);     // letters, and how it died, if it did
//
// What a player has written arrives even if it dies afterwards, and a player that died is replaced.
// Each has a deadline, kept outside of it: time that passes inside one call of the system's code.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schism/base/result.hpp"
#include "schism/guard/black_box.hpp"
#include "schism/guard/mail.hpp"
#include "schism/guard/vigil.hpp"
#include "schism/words/death.hpp"

namespace schism::guard {

// What a process left that did not survive its order.
struct Fallen {
  Death death;
  std::uint64_t run = 0;          // how-manieth of its order it was in
  std::vector<Action> decisions;  // of that run
  bool lost = false;              // what it wrote was overwritten: where it was cannot be known
  bool outside = false;  // killed, and not by us: by itself, or by somebody who means no run
};

struct Report {
  int player = 0;
  std::vector<std::string> letters;
  std::optional<Fallen> fallen;  // nothing: it has carried out its order
  bool at_work = false;          // it goes on: more letters will come
};

class Players {
 public:
  // Carries out an order. `out` takes letters; `over` becomes true when the director has no more
  // use for it.
  using Work =
      std::function<void(std::string_view order, Outbox& out, const std::atomic<bool>& over)>;

  struct Options {
    int count = 1;
    Micros hang = 10'000'000;           // of one call of the system's code
    std::uint64_t memory = kMemoryMax;  // bytes that a player may hold; 0: any number
    bool in_process = false;            // orders are carried out here, at once
  };
  static Result<std::unique_ptr<Players>> start(const Options& options, Work work);
  ~Players();

  int count() const { return options_.count; }
  // One that has no order, among the first so many.
  std::optional<int> idle(int among) const;
  std::optional<int> idle() const { return idle(options_.count); }
  bool free(int player) const;  // it has no order
  bool any_busy() const;

  struct Manner {
    bool stepping = true;  // it plays runs all the time: a long time without a step is a hang
    bool last = false;     // the player ends with this order; the next one is for a new process
  };
  Status give(int player, std::string order, Manner manner);
  Status give(int player, std::string order) { return give(player, std::move(order), Manner{}); }
  void give_up(int player);  // `over` becomes true; a report comes all the same
  void kill(int player);     // no report comes; the next order finds a new process

  // Waits for a report, at most so long; nothing: time is over, a signal came.
  Result<std::optional<Report>> wait(int milliseconds);

 private:
  class Player;
  Players(const Options& options, Work work);
  void serve(int player);
  void look_after();
  std::optional<Report> listen_to(int player);
  Result<std::optional<Report>> take_news();
  std::optional<Report> bury(int player, int pid, int status);

  Options options_;
  Work work_;
  std::vector<std::unique_ptr<Player>> players_;
  std::unique_ptr<class Zygote> zygote_;
  std::vector<Report> local_;  // of orders that were carried out here
  std::chrono::steady_clock::time_point last_look_ = {};
};

}  // namespace schism::guard
