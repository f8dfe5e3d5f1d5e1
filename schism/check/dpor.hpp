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
  // Without reduction: how often a run may do something else than the model's default.
  std::uint32_t delays = kNever;
  std::uint32_t from = 0;  // so many steps of the model's run are given and stay
  RaceRules rules;

  bool reduces() const { return mode != Reduction::none; }
  std::uint32_t room(std::uint32_t pre) const;  // steps that a run may still have after `pre`
};

struct DporTotals {
  std::uint64_t executions = 0;  // runs that ended because nothing was left to do, or at the bound
  std::uint64_t cut = 0;         // of them at the bound
  std::uint64_t blocked = 0;     // runs that ended asleep
  std::uint64_t steps = 0;       // of all runs, beginnings that they share counted each time
  std::uint64_t withheld = 0;    // steps that the bound of delays did not allow
  std::uint32_t longest = 0;
  std::size_t wakeup_peak = 0;
  std::uint64_t unrunnable = 0;  // wakeup events that could not run: our own bug
};

enum class Finished : std::uint8_t { all, stopped, by_model, broken };

// A part of a search without races, which can be done apart from the rest: everything after a
// beginning.
struct DporTask {
  std::vector<Process> path;   // from the beginning of the run
  std::vector<Process> sleep;  // after it
  std::vector<Twig> tree;
  FIELDS(path, sleep, tree)
};

// What is left of a task: what is to be done after its beginning, after one more step, and so on.
struct DporRest {
  Process last;                 // the last event of its beginning, with its answers
  std::vector<Choices> others;  // which it could give as well
  struct Level {
    Process event;  // to the next level
    std::vector<Process> sleep;
    std::vector<Twig> tree;
    FIELDS(event, sleep, tree)
  };
  std::vector<Level> stack;  // empty: it is done
  FIELDS(last, others, stack)
};

class Dpor {
 public:
  struct Hooks {
    // After each run; true: go on. `asleep`: it ended with everything enabled asleep.
    std::function<bool(const Model&, const DporTotals&, bool asleep)> after_run;
  };

  Dpor(Model& model, DporOptions options) : model_(model), options_(options) {}

  Finished run(const Hooks& hooks) { return run({}, 0, hooks); }
  // A task, or so many runs of it (0: all). Finished::stopped where something is left.
  Finished run(const DporTask& task, std::uint64_t budget, const Hooks& hooks);
  DporRest rest();
  const DporTotals& totals() const { return totals_; }

 private:
  using Tree = WakeupTrees::Node;
  struct Frame {
    std::vector<Process> sleep;  // explored from here already, or of no use here
    Tree tree = WakeupTrees::kEmpty;
    Process current;
    std::uint32_t delays = 0;  // used so far
    bool fresh = true;
  };

  Frame& frame(std::uint32_t depth);
  bool asleep(const Frame& f, const Process& p) const;
  std::uint32_t pick(const Frame& f) const;  // kNever: nothing enabled is awake
  void plant_all(Frame& f);
  bool begin(const DporTask& task);
  void settle(const DporTask& task, std::uint32_t delays);
  bool answer_otherwise(const DporTask& task);
  void branch(std::uint32_t depth, const Choices& given);
  bool costs_delay(const Process& p);
  bool any_enabled() const;
  std::uint32_t find(const Process& p) const;
  bool descend();                // to the end of a run; false: the model stops or we are broken
  bool back(std::uint32_t& at);  // to the deepest frame that has more to do
  void analyse(bool cut, bool blocked);
  void insert(std::uint32_t pre, const std::vector<Process>& v);
  void insert_source(std::uint32_t pre, const std::vector<Process>& v);

  Model& model_;
  DporOptions options_;
  DporTotals totals_;
  Races races_{options_.rules};
  WakeupTrees trees_;
  std::vector<Frame> frames_;
  std::uint32_t fresh_from_ = 0;  // steps before it belonged to the run before
  std::uint32_t floor_ = 0;       // frames below it are others' business
  std::uint32_t next_ = kNever;   // where a run that is still to come branches off
  Process last_;                  // of the task's beginning
  std::vector<Choices> others_;   // answers of it that are still to be tried
  Finished ending_ = Finished::all;
  bool stopped_ = false, cut_ = false, blocked_ = false;
};

}  // namespace schism::check
