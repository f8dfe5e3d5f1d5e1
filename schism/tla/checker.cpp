#include "schism/tla/checker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schism::tla {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;
constexpr std::size_t kWarnings = 20;
constexpr std::size_t kPart = 16;              // states that a worker takes at a time
constexpr std::size_t kStatesEach = 512;       // states of a round for each worker
constexpr std::size_t kStepsAtOnce = 1 << 18;  // steps of a round, by what was seen so far

}  // namespace

Checker::Checker(Spec& spec, CheckLimits limits, const std::atomic<bool>& interrupted)
    : spec_(spec),
      limits_(std::move(limits)),
      interrupted_(interrupted),
      eval_(spec.evaluator()),
      known_(spec) {
  if (!spec.symmetry.empty()) symmetry_ = std::make_unique<Symmetry>(spec.store(), spec.symmetry);
  report_.by_action.assign(spec.actions.size(), 0);
  report_.new_by_action.assign(spec.actions.size(), 0);
  workers_.push_back(std::make_unique<Expander>(spec, eval_, known_, symmetry_.get()));
  report_.unchecked = spec.unchecked;
  add_warnings(spec.notes);
  if (spec.temporal.properties.empty()) return;
  if (spec.view || symmetry_ != nullptr)
    for (const auto& p : spec.temporal.properties)
      report_.unchecked.push_back(
          fmt::format("{} (it cannot be judged with {})", p.name, spec.view ? "VIEW" : "SYMMETRY"));
  else graph_ = std::make_unique<StateGraph>(spec, known_);
}

CheckReport Checker::run() {
  eval_.seed(limits_.seed);
  Surroundings& around = eval_.surroundings();
  around.print = limits_.print;
  around.get = [this](Store& s, const std::string& what) { return ask(s, what); };
  around.trace = [this](Store& s) { return trace_to_here(s); };
  try {
    if (assumptions() && spec_.has_behaviour) {
      initial();
      search();
    }
    report_.distinct = known_.size();
    if (report_.outcome == Outcome::holds) judge_temporal();
    if (report_.outcome == Outcome::holds)
      for (const Check& c : spec_.postconditions)
        if (!eval_.holds(c.code, {})) {
          report_.outcome = Outcome::violated;
          report_.what = fmt::format("the postcondition {}", c.name);
        }
  } catch (const Stop&) {
  } catch (const Failure& f) {
    report_.outcome = Outcome::failed;
    report_.what = spec_.explain(f);
    report_.asserted = std::string_view(f.what()).starts_with("Assert:");
    if (here_ != kNobody) tell_path(here_, {});
  }
  crew_.reset();
  if (report_.outcome == Outcome::stopped)
    for (const auto& p : spec_.temporal.properties)
      report_.unchecked.push_back(p.name + " (not all states were seen)");
  // A property that was written out has several parts, and one reason.
  std::vector<std::string> open;
  for (std::string& why : report_.unchecked)
    if (std::find(open.begin(), open.end(), why) == open.end()) open.push_back(std::move(why));
  report_.unchecked = std::move(open);
  report_.distinct = known_.size();
  add_warnings(eval_.warnings());
  report_.bytes = spec_.store().bytes() + known_.bytes() + parents_.capacity() * 4 +
                  (graph_ != nullptr ? graph_->bytes() : 0);
  around = {};
  return std::move(report_);
}

bool Checker::assumptions() {
  for (const Check& c : spec_.assumptions) {
    if (eval_.holds(c.code, {})) continue;
    report_.outcome = Outcome::violated;
    report_.what = fmt::format("the assumption {}at {}", c.name.empty() ? "" : c.name + " ",
                               spec_.symbols().describe(c.where));
    return false;
  }
  eval_.sweep();
  return true;
}

void Checker::violated(Outcome outcome, const std::string& what, std::uint32_t at,
                       std::span<const Value> last) {
  report_.outcome = outcome;
  report_.what = what;
  tell_path(at, last);
  throw Stop{};
}

void Checker::add_warnings(const std::vector<std::string>& more) {
  for (const std::string& w : more)
    if (report_.warnings.size() < kWarnings &&
        std::find(report_.warnings.begin(), report_.warnings.end(), w) == report_.warnings.end())
      report_.warnings.push_back(w);
}

// Under SYMMETRY and VIEW an edge of the graph is not a step of a behaviour.
void Checker::judge_temporal() {
  if (graph_ == nullptr) return;
  graph_->initial.resize(report_.initial);
  for (std::uint32_t i = 0; i < report_.initial; ++i) graph_->initial[i] = i;
  LivenessVerdict verdict = check_liveness(spec_, *graph_);
  for (std::string& why : verdict.unchecked) report_.unchecked.push_back(std::move(why));
  if (!spec_.constraints.empty() || !spec_.action_constraints.empty())
    add_warnings(
        {"with a constraint temporal properties are judged only on behaviours inside of "
         "it: one that leaves it could still break them"});
  if (verdict.violated.empty()) return;
  report_.outcome = Outcome::violated;
  report_.what = verdict.violated;
  report_.back_to = verdict.lasso.back_to;
  std::vector<State> states;
  for (const std::uint32_t i : verdict.lasso.states) states.push_back(known_.state(i));
  tell(states);
  if (verdict.lasso.back_to + 1 < states.size())
    report_.back_by = explain_step(states.back(), states[verdict.lasso.back_to]).action;
}

// --- The search ----------------------------------------------------------------------------------

void Checker::initial() {
  std::vector<std::uint32_t> row;
  const auto broken = [&](const Check& c, std::span<const Value> s) {
    const State last(s.begin(), s.end());
    report_.why = spec_.new_evaluator()->why_false(c.code, last);
    violated(Outcome::violated, c.name, kNobody, last);
  };
  eval_.initial(spec_.init, [&](std::span<const Value> s) {
    ++report_.generated;
    const bool inside = workers_[0]->in_model(s);
    bool fresh = true;
    if (inside) {
      const Packed& p = workers_[0]->packer().pack(s);
      row.clear();
      for (const Value v : s) row.push_back(spec_.store().pack(v));
      fresh = known_.insert(p.key, p.hash, row).second;
      if (fresh) parents_.push_back(kNobody);
    }
    if (!fresh) return true;
    for (const Check& c : spec_.invariants)
      if (!eval_.holds(c.code, s)) broken(c, s);
    for (const Check& c : spec_.implied_inits)
      if (!eval_.holds(c.code, s)) broken(c, s);
    return known_.size() < limits_.states;
  });
  eval_.sweep();
  add_warnings(eval_.warnings());
  eval_.warnings().clear();
  report_.initial = known_.size();
  report_.depth = known_.size() > 0 ? 1 : 0;
}

// Specifications that print, draw random values or look at the state of the search see it state by
// state, as with one worker.
bool Checker::depends_on_order() const {
  const auto of_the_run = [](const Code& c) { return (c.root->uses & kOfTheRun) != 0; };
  bool any = of_the_run(spec_.next) || (spec_.view && of_the_run(spec_.view->code));
  for (const auto* checks :
       {&spec_.invariants, &spec_.constraints, &spec_.action_constraints, &spec_.implied_steps})
    for (const Check& c : *checks) any = any || of_the_run(c.code);
  return any;
}

void Checker::search() {
  const bool one_by_one = depends_on_order();
  const unsigned members = one_by_one ? 1 : std::max(1u, limits_.jobs);
  if (members > 1) {
    spec_.store().share_between_threads();
    for (unsigned i = 1; i < members; ++i) {
      evaluators_.push_back(spec_.new_evaluator());
      evaluators_.back()->adopt_constants(eval_);
      workers_.push_back(
          std::make_unique<Expander>(spec_, *evaluators_.back(), known_, symmetry_.get()));
    }
    crew_ = std::make_unique<Crew>(members);
  }
  level_ = 1;
  level_end_ = known_.size();
  for (std::size_t at = 0; at < known_.size();) {
    // As many states as make work for everybody, and not more steps than fit into memory easily.
    const std::size_t steps_each =
        report_.expanded == 0 ? kStepsAtOnce : 1 + report_.generated / report_.expanded;
    std::size_t many = std::min(
        {known_.size() - at, kStepsAtOnce / steps_each + 1, std::size_t{members} * kStatesEach});
    if (one_by_one) many = 1;
    round(at, at + many);
    if (report_.outcome != Outcome::holds) return;
    at += many;
  }
  here_ = kNobody;
}

void Checker::round(std::size_t from, std::size_t to) {
  const std::size_t parts = (to - from + kPart - 1) / kPart;
  if (findings_.size() < parts) findings_.resize(parts);
  std::atomic<std::size_t> next{0};
  const std::function<void(unsigned)> work = [&](unsigned member) {
    for (std::size_t i = next++; i < parts; i = next++) {
      findings_[i].clear();
      workers_[member]->expand(static_cast<std::uint32_t>(from + i * kPart),
                               static_cast<std::uint32_t>(std::min(to, from + (i + 1) * kPart)),
                               findings_[i]);
    }
  };
  here_ = static_cast<std::uint32_t>(from);
  if (crew_ != nullptr && parts > 1) crew_->run(work);
  else work(0);
  for (std::size_t i = 0; i < parts && report_.outcome == Outcome::holds; ++i)
    take_up(findings_[i], static_cast<std::uint32_t>(from + i * kPart));
}

// Whether the state may be expanded; what is counted so far is of those before it.
bool Checker::goes_on(std::size_t at) {
  if (at == level_end_) {
    level_end_ = known_.size();
    ++level_;
    report_.depth = level_;
    if (level_ > limits_.depth) {
      report_.outcome = Outcome::stopped;
      report_.what = fmt::format("depth {} was reached", limits_.depth);
      return false;
    }
  }
  if (known_.size() >= limits_.states || interrupted_.load(std::memory_order_relaxed)) {
    report_.outcome = Outcome::stopped;
    report_.what = interrupted_.load() ? "interrupted" : "the limit of states was reached";
    report_.queue = known_.size() - at;
    return false;
  }
  return true;
}

void Checker::take_up(const Findings& found, std::uint32_t first) {
  const std::size_t key_width = known_.key_width(), width = known_.width();
  std::size_t step = 0, fresh = 0;
  for (std::size_t i = 0; i < found.states.size(); ++i) {
    here_ = first + static_cast<std::uint32_t>(i);
    if (!goes_on(here_)) return;
    const Findings::OfState& of = found.states[i];
    for (std::uint32_t k = 0; k < of.steps; ++k, ++step) {
      const auto [action, to] = found.steps[step];
      ++report_.generated;
      if (action != Findings::kNobody) ++report_.by_action[action];
      if (to == Findings::kBroken || to == Findings::kOutside) continue;
      std::uint32_t where = to;
      if (to == Findings::kNew) {
        const auto key = std::span(found.keys).subspan(fresh * key_width, key_width);
        const auto row = known_.keeps_rows() ? std::span(found.rows).subspan(fresh * width, width)
                                             : std::span<const std::uint32_t>();
        const auto [number, is_new] = known_.insert(key, found.hashes[fresh++], row);
        where = number;
        if (is_new) {
          parents_.push_back(here_);
          if (action != Findings::kNobody) ++report_.new_by_action[action];
        }
      }
      if (graph_ != nullptr) graph_->step(where);
      if (limits_.edge)
        limits_.edge(here_, where, action != Findings::kNobody ? spec_.actions[action] : nullptr);
    }
    if (graph_ != nullptr) graph_->close_state();
    take_up_state(of);
  }
}

void Checker::take_up_state(const Findings::OfState& of) {
  add_warnings(of.warnings);
  if (of.event && of.event->check != nullptr) {
    const bool of_step = (of.event->check->code.root->uses & kPrimes) != 0;
    const State from = known_.state(here_);
    report_.why = of_step ? eval_.why_false(of.event->check->code, from, of.event->last)
                          : eval_.why_false(of.event->check->code, of.event->last);
    violated(Outcome::violated, of.event->text, here_, of.event->last);
  }
  if (of.event) {
    report_.asserted = of.event->asserted;
    violated(Outcome::failed, of.event->text, here_, {});
  }
  if (of.steps == 0 && limits_.deadlock && spec_.check_deadlock)
    violated(Outcome::deadlock, "deadlock", here_, {});
  report_.generated += of.between;  // TLC counts them, too
  ++report_.expanded;
  if ((here_ & 1023) == 0 && limits_.progress) {
    report_.distinct = known_.size();
    report_.queue = known_.size() - here_ - 1;
    limits_.progress(report_);
  }
}

}  // namespace schism::tla
