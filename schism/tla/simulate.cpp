#include "schism/tla/simulate.hpp"

#include <fmt/format.h>

#include "schism/base/random.hpp"

namespace schism::tla {
namespace {

class Walker {
 public:
  Walker(Spec& spec, const SimulateOptions& options) : spec_(spec), options_(options) {}

  // False at the first violation.
  bool walk(std::uint64_t run, const std::vector<State>& initial) {
    Rng random(keyed(options_.seed, run));
    trace_.clear();
    take(initial[random.below(initial.size())], "initial state", {});
    if (!judge(nullptr)) return false;
    while (trace_.size() < options_.depth) {
      const State from = trace_.back().state;
      std::uint64_t count = 0;
      std::optional<TraceStep> chosen;
      Evaluator& eval = spec_.evaluator();
      eval.successors(spec_.next, from, [&](std::span<const Value> t) {
        ++count;
        ++report.generated;
        if (random.below(count) != 0) return true;  // each is chosen with equal chance
        const Node* a = eval.current_action();
        chosen = TraceStep{State(t.begin(), t.end()),
                           a != nullptr && a->name != 0 ? spec_.symbols().text(a->name) : "",
                           {}};
        return true;
      });
      eval.sweep();
      if (!chosen) {
        if (!options_.deadlock || !spec_.check_deadlock) return true;
        report.outcome = Outcome::deadlock;
        report.what = "deadlock";
        return false;
      }
      take(chosen->state, chosen->action, chosen->where);
      if (!judge(&from)) return false;
      for (const Check& c : spec_.constraints)
        if (!eval.holds(c.code, trace_.back().state)) return true;
      for (const Check& c : spec_.action_constraints)
        if (!eval.holds(c.code, from, trace_.back().state)) return true;
    }
    return true;
  }

  CheckReport report;
  std::vector<TraceStep>& trace() { return trace_; }

 private:
  void take(State s, std::string action, Location where) {
    trace_.push_back({std::move(s), std::move(action), where});
    report.depth = std::max<std::uint64_t>(report.depth, trace_.size());
  }

  bool judge(const State* from) {
    Evaluator& eval = spec_.evaluator();
    const State& s = trace_.back().state;
    const auto broken = [&](const Check& c) {
      report.outcome = Outcome::violated;
      report.what = c.name;
      return false;
    };
    for (const Check& c : spec_.invariants)
      if (!eval.holds(c.code, s)) return broken(c);
    if (from == nullptr) {
      for (const Check& c : spec_.implied_inits)
        if (!eval.holds(c.code, s)) return broken(c);
    } else {
      for (const Check& c : spec_.implied_steps)
        if (!eval.holds(c.code, *from, s)) return broken(c);
    }
    return true;
  }

  Spec& spec_;
  SimulateOptions options_;
  std::vector<TraceStep> trace_;
};

}  // namespace

CheckReport simulate(Spec& spec, const SimulateOptions& options,
                     const std::atomic<bool>& interrupted) {
  Walker walker(spec, options);
  walker.report.outcome = Outcome::stopped;
  walker.report.what = "random behaviours prove nothing";
  walker.report.unchecked = spec.unchecked;
  for (const auto& p : spec.temporal.properties)
    walker.report.unchecked.push_back(p.name + " (random behaviours have an end)");
  spec.evaluator().seed(options.seed);
  try {
    std::vector<State> initial;
    spec.evaluator().initial(spec.init, [&](std::span<const Value> s) {
      return initial.emplace_back(s.begin(), s.end()), true;
    });
    walker.report.initial = initial.size();
    if (initial.empty()) return std::move(walker.report);
    for (std::uint64_t run = 0; run < options.runs && !interrupted.load(); ++run)
      if (!walker.walk(run, initial)) {
        walker.report.trace = walker.trace();
        break;
      }
  } catch (const Failure& f) {
    walker.report.outcome = Outcome::failed;
    walker.report.what = spec.explain(f);
    walker.report.asserted = std::string_view(f.what()).starts_with("Assert:");
    walker.report.trace = walker.trace();
  }
  return std::move(walker.report);
}

}  // namespace schism::tla
