// All runs of a model, or one of each class. Stateless: memory is the current run and what is still
// to be tried beside it.
//
//   none      all interleavings (Go-MC's prefix scheduler, Appendix C, as a depth-first stack)
//   sleep     sleep sets (Godefroid): each class once, but many runs that end asleep
//   source    source sets (Abdulla et al.): fewer of those
//   optimal   wakeup trees (the same): each class once, and no run that ends asleep
//
// The races are not the textbook's: events here kill and enable each other (races.hpp).
#pragma once

#include <functional>

#include "schism/base/enum.hpp"
#include "schism/check/races.hpp"
#include "schism/check/wakeup_tree.hpp"

namespace schism::check {

SCHISM_ENUM(Reduction, optimal, source, sleep, none);
// Which of several possible events a new run tries first.
SCHISM_ENUM(Order, oldest, newest, hashed);

struct DporOptions {
  Reduction mode = Reduction::optimal;
  Order order = Order::oldest;
  std::uint64_t order_seed = 0;
  std::uint32_t depth = 0;  // steps a run may have; 0: no bound
  RaceRules rules;
};

struct DporTotals {
  std::uint64_t executions = 0;  // runs that ended because nothing was left to do, or at the bound
  std::uint64_t cut = 0;         // of them at the bound
  std::uint64_t blocked = 0;     // runs that ended asleep
  std::uint64_t steps = 0;       // of all runs, beginnings that they share counted each time
  std::uint32_t longest = 0;
  std::size_t wakeup_peak = 0;
  std::uint64_t unrunnable = 0;  // wakeup events that could not run: our own bug
};

enum class Finished : std::uint8_t { all, stopped, by_model, broken };

class Dpor {
 public:
  struct Hooks {
    // After each run; true: go on. `asleep`: it ended with everything enabled asleep.
    std::function<bool(const Model&, const DporTotals&, bool asleep)> after_run;
  };

  Dpor(Model& model, DporOptions options) : model_(model), options_(options) {}

  Finished run(const Hooks& hooks);
  const DporTotals& totals() const { return totals_; }

 private:
  using Tree = WakeupTrees::Node;
  struct Frame {
    std::vector<Process> sleep;  // explored from here already, or of no use here
    Tree tree = WakeupTrees::kEmpty;
    Process current;
    bool fresh = true;
  };

  Frame& frame(std::uint32_t depth);
  bool asleep(const Frame& f, const Process& p) const;
  std::uint32_t pick(const Frame& f) const;  // kNever: nothing enabled is awake
  void plant_all(Frame& f);
  bool any_enabled() const;
  std::uint32_t find(const Process& p) const;
  bool descend();                // to the end of a run; false: the model stops or we are broken
  bool back(std::uint32_t& at);  // to the deepest frame that has more to do
  void analyse(bool cut, bool blocked);
  void insert(std::uint32_t pre, const std::vector<Process>& v);
  void insert_source(std::uint32_t pre, const std::vector<Process>& v);
  std::uint32_t room(std::uint32_t pre) const;

  Model& model_;
  DporOptions options_;
  DporTotals totals_;
  Races races_{options_.rules};
  WakeupTrees trees_;
  std::vector<Frame> frames_;
  std::vector<Process> w_;
  std::uint32_t fresh_from_ = 0;  // steps before it belonged to the run before
  Finished ending_ = Finished::all;
  bool cut_ = false, blocked_ = false;
};

}  // namespace schism::check
