#include "schism/tla/checker.hpp"

#include <fmt/format.h>

#include "schism/base/hash.hpp"

namespace schism::tla {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;

}  // namespace

Checker::Checker(Spec& spec, CheckLimits limits, const std::atomic<bool>& interrupted)
    : spec_(spec),
      limits_(std::move(limits)),
      interrupted_(interrupted),
      eval_(spec.evaluator()),
      width_(spec.variables().size()),
      table_(spec.view ? 1 : width_),
      own_rows_(spec.view.has_value() || !spec.symmetry.empty()) {
  if (!spec.symmetry.empty()) symmetry_ = std::make_unique<Symmetry>(spec.store(), spec.symmetry);
  report_.by_action.assign(spec.actions.size(), 0);
  report_.new_by_action.assign(spec.actions.size(), 0);
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
      expand();
    }
    report_.distinct = table_.size();
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
  report_.distinct = table_.size();
  report_.warnings = eval_.warnings();
  report_.bytes = spec_.store().bytes() + table_.bytes() + rows_.capacity() * 4;
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

// --- States --------------------------------------------------------------------------------------

State Checker::state(std::uint32_t i) const {
  const auto row =
      own_rows_ ? std::span(rows_).subspan(std::size_t{i} * width_, width_) : table_.row(i);
  State s(width_);
  for (std::size_t k = 0; k < width_; ++k) s[k] = spec_.store().unpack(row[k]);
  return s;
}

std::pair<std::uint32_t, bool> Checker::remember(std::span<const Value> s) {
  std::span<const Value> key = s;
  if (spec_.view) {
    scratch_.assign(1, eval_.normal(eval_.evaluate(spec_.view->code, s)));
    key = scratch_;
  }
  if (symmetry_ != nullptr) {
    std::vector<Value> out;
    symmetry_->canonical(key, out);
    scratch_ = std::move(out);
    key = scratch_;
  }
  packed_.clear();
  for (const Value v : key) packed_.push_back(spec_.store().pack(v));
  std::uint64_t h = 0;
  for (const std::uint32_t w : packed_) h = fold_multiply(h ^ w, 0x9e3779b97f4a7c15ULL) + w;
  const auto found = table_.insert(packed_, mix64(h));
  if (found.second && own_rows_)
    for (const Value v : s) rows_.push_back(spec_.store().pack(v));
  if (table_.size() >= kNobody - 1) throw Failure({}, "too many states");
  return found;
}

bool Checker::in_model(std::span<const Value> s) {
  for (const Check& c : spec_.constraints)
    if (!eval_.holds(c.code, s)) return false;
  return true;
}

void Checker::violated(Outcome outcome, const std::string& what, std::uint32_t at,
                       std::span<const Value> last) {
  report_.outcome = outcome;
  report_.what = what;
  tell_path(at, last);
  throw Stop{};
}

// --- The search ----------------------------------------------------------------------------------

void Checker::initial() {
  std::vector<State> all;
  eval_.initial(spec_.init, [&](std::span<const Value> s) {
    ++report_.generated;
    const bool inside = in_model(s);
    bool fresh = true;
    if (inside) {
      fresh = remember(s).second;
      if (fresh) parents_.push_back(kNobody);
    }
    if (!fresh) return true;
    for (const Check& c : spec_.invariants)
      if (!eval_.holds(c.code, s)) violated(Outcome::violated, c.name, kNobody, s);
    for (const Check& c : spec_.implied_inits)
      if (!eval_.holds(c.code, s)) violated(Outcome::violated, c.name, kNobody, s);
    return table_.size() < limits_.states;
  });
  eval_.sweep();
  report_.initial = table_.size();
  report_.depth = table_.size() > 0 ? 1 : 0;
}

void Checker::expand() {
  std::size_t level_end = table_.size();
  level_ = 1;
  for (std::size_t at = 0; at < table_.size(); ++at) {
    if (at == level_end) {
      level_end = table_.size();
      ++level_;
      report_.depth = level_;
      if (level_ > limits_.depth) {
        report_.outcome = Outcome::stopped;
        report_.what = fmt::format("depth {} was reached", limits_.depth);
        return;
      }
    }
    if (table_.size() >= limits_.states || interrupted_.load(std::memory_order_relaxed)) {
      report_.outcome = Outcome::stopped;
      report_.what = interrupted_.load() ? "interrupted" : "the limit of states was reached";
      report_.queue = table_.size() - at;
      return;
    }
    here_ = static_cast<std::uint32_t>(at);
    const State s = state(here_);
    const std::uint64_t before = report_.generated, between = eval_.between();
    eval_.successors(spec_.next, s, [&](std::span<const Value> t) {
      successor(here_, s, t, eval_.current_action());
      return true;
    });
    eval_.sweep();
    if (report_.generated == before && limits_.deadlock && spec_.check_deadlock)
      violated(Outcome::deadlock, "deadlock", here_, {});
    report_.generated += eval_.between() - between;  // TLC counts them, too
    if ((at & 1023) == 0 && limits_.progress) {
      report_.distinct = table_.size();
      report_.queue = table_.size() - at - 1;
      limits_.progress(report_);
    }
  }
  here_ = kNobody;
}

void Checker::successor(std::uint32_t from, const State& s, std::span<const Value> t,
                        const Node* action) {
  ++report_.generated;
  if (action != nullptr) ++report_.by_action[action->slot];
  bool inside = in_model(t);
  for (const Check& c : spec_.action_constraints) inside = inside && eval_.holds(c.code, s, t);
  bool fresh = true;
  if (inside) {
    const auto found = remember(t);
    fresh = found.second;
    if (fresh) parents_.push_back(from);
    if (fresh && action != nullptr) ++report_.new_by_action[action->slot];
    if (limits_.edge) limits_.edge(from, found.first, action);
  }
  if (fresh)
    for (const Check& c : spec_.invariants)
      if (!eval_.holds(c.code, t)) {
        const State last(t.begin(), t.end());
        violated(Outcome::violated, c.name, from, last);
      }
  for (const Check& c : spec_.implied_steps)
    if (!eval_.holds(c.code, s, t)) {
      const State last(t.begin(), t.end());
      violated(Outcome::violated, c.name, from, last);
    }
}

// --- Telling -------------------------------------------------------------------------------------

void Checker::tell_path(std::uint32_t to, std::span<const Value> last) {
  std::vector<State> states;
  for (std::uint32_t i = to; i != kNobody; i = parents_[i]) states.push_back(state(i));
  std::reverse(states.begin(), states.end());
  if (!last.empty()) states.emplace_back(last.begin(), last.end());
  here_ = kNobody;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (i == 0) report_.trace.push_back({states[0], "initial state", {}});
    else report_.trace.push_back(explain_step(states[i - 1], states[i]));
  }
}

// Which action leads from one state to the next: found by taking the step again.
TraceStep Checker::explain_step(const State& from, const State& to) {
  TraceStep step{to, "", {}};
  const auto evaluator = spec_.new_evaluator();
  evaluator->surroundings() = eval_.surroundings();
  evaluator->surroundings().print = nullptr;
  try {
    evaluator->successors(spec_.next, from, [&](std::span<const Value> t) {
      if (!std::equal(t.begin(), t.end(), to.begin(), to.end())) return true;
      if (const Node* a = evaluator->current_action()) {
        step.action = a->name != 0 ? spec_.symbols().text(a->name) : "the next-state relation";
        std::string args;
        for (const Value v : evaluator->action_arguments())
          args += (args.empty() ? "" : ", ") + (v.is_set() ? spec_.print(v) : "?");
        if (!args.empty()) step.action += "(" + args + ")";
        step.where = a->where;
      }
      return false;
    });
  } catch (const Failure&) {
  }
  return step;
}

Value Checker::as_record(Store& store, const State& s) const {
  std::vector<std::pair<Value, Value>> pairs;
  for (std::size_t i = 0; i < s.size(); ++i)
    pairs.emplace_back(Value::string(spec_.variables()[i]), s[i]);
  std::sort(pairs.begin(), pairs.end(),
            [&](const auto& a, const auto& b) { return store.compare(a.first, b.first) < 0; });
  std::vector<Value> keys, values;
  for (const auto& [k, v] : pairs) keys.push_back(k), values.push_back(v);
  return store.function(store.sorted_set(keys), values);
}

std::vector<Value> Checker::trace_to_here(Store& store) {
  std::vector<Value> out;
  for (std::uint32_t i = here_; i != kNobody; i = parents_[i])
    out.push_back(as_record(store, state(i)));
  std::reverse(out.begin(), out.end());
  return out;
}

Value Checker::ask(Store& store, const std::string& what) {
  const auto number = [](std::uint64_t n) { return Value::integer(static_cast<std::int64_t>(n)); };
  if (what == "level") return number(level_);
  if (what == "diameter") return number(report_.depth);
  if (what == "distinct") return number(table_.size());
  if (what == "generated") return number(report_.generated);
  if (what == "queue") return number(table_.size() - std::min<std::size_t>(here_, table_.size()));
  if (what == "duration") return number(0);
  // A switch of TLC that specifications with \cdot ask for: here it is always on.
  if (what == "-Dtlc2.tool.impl.Tool.cdot") return Value::string(store.symbols().intern("true"));
  if (what == "stats") {
    std::vector<std::pair<Value, Value>> fields;
    for (const char* name : {"diameter", "distinct", "generated", "queue", "duration"})
      fields.emplace_back(Value::string(store.symbols().intern(name)), ask(store, name));
    fields.emplace_back(Value::string(store.symbols().intern("traces")), number(0));
    std::sort(fields.begin(), fields.end(),
              [&](const auto& a, const auto& b) { return store.compare(a.first, b.first) < 0; });
    std::vector<Value> keys, values;
    for (const auto& [k, v] : fields) keys.push_back(k), values.push_back(v);
    return store.function(store.sorted_set(keys), values);
  }
  return {};
}

}  // namespace schism::tla
