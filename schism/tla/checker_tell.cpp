// What a checker says of its states: the way to one of them, and what a specification may ask.
#include <algorithm>

#include "schism/tla/checker.hpp"

namespace schism::tla {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;

}  // namespace

void Checker::tell_path(std::uint32_t to, std::span<const Value> last) {
  std::vector<State> states;
  for (std::uint32_t i = to; i != kNobody; i = parents_[i]) states.push_back(known_.state(i));
  std::reverse(states.begin(), states.end());
  if (!last.empty()) states.emplace_back(last.begin(), last.end());
  tell(states);
}

void Checker::tell(const std::vector<State>& states) {
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
    out.push_back(as_record(store, known_.state(i)));
  std::reverse(out.begin(), out.end());
  return out;
}

Value Checker::ask(Store& store, const std::string& what) {
  const auto number = [](std::uint64_t n) { return Value::integer(static_cast<std::int64_t>(n)); };
  if (what == "level") return number(level_);
  if (what == "diameter") return number(report_.depth);
  if (what == "distinct") return number(known_.size());
  if (what == "generated") return number(report_.generated);
  if (what == "queue") return number(known_.size() - std::min<std::size_t>(here_, known_.size()));
  if (what == "duration") return number(0);
  // A switch of TLC that specifications with \cdot ask for: here it is always on.
  if (what == "-Dtlc2.tool.impl.Tool.cdot") return Value::string(store.symbols().intern("true"));
  std::vector<std::pair<Value, Value>> fields;
  const auto field = [&](const char* name, Value v) {
    fields.emplace_back(Value::string(store.symbols().intern(name)), v);
  };
  if (what == "config") {
    field("mode", Value::string(store.symbols().intern("bfs")));
    field("deadlock", Value::boolean(limits_.deadlock && spec_.check_deadlock));
    field("seed", number(limits_.seed));
    field("worker", number(limits_.jobs));
    field("depth", Value::integer(-1));
    field("traces", Value::integer(-1));
  }
  if (what == "stats") {
    for (const char* name : {"diameter", "distinct", "generated", "queue", "duration"})
      field(name, ask(store, name));
    field("traces", number(0));
  }
  if (!fields.empty()) {
    std::sort(fields.begin(), fields.end(),
              [&](const auto& a, const auto& b) { return store.compare(a.first, b.first) < 0; });
    std::vector<Value> keys, values;
    for (const auto& [k, v] : fields) keys.push_back(k), values.push_back(v);
    return store.function(store.sorted_set(keys), values);
  }
  return {};
}

}  // namespace schism::tla
