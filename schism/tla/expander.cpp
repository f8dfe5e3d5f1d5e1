#include "schism/tla/expander.hpp"

namespace schism::tla {

void Findings::clear() {
  states.clear();
  steps.clear();
  keys.clear();
  rows.clear();
  hashes.clear();
}

Expander::Expander(Spec& spec, Evaluator& eval, const KnownStates& known, const Symmetry* symmetry)
    : spec_(spec), eval_(eval), known_(known), packer_(spec, eval, symmetry) {}

bool Expander::in_model(std::span<const Value> s) {
  for (const Check& c : spec_.constraints)
    if (!eval_.holds(c.code, s)) return false;
  return true;
}

void Expander::expand(std::uint32_t from, std::uint32_t to, Findings& out) {
  for (std::uint32_t i = from; i < to; ++i) {
    const State s = known_.state(i);
    Findings::OfState& of = out.states.emplace_back();
    const std::uint64_t between = eval_.between();
    try {
      eval_.successors(spec_.next, s, [&](std::span<const Value> t) {
        step(s, t, out, of);
        return !of.event.has_value();
      });
    } catch (const Failure& f) {
      of.event = Findings::Event{of.steps, nullptr, spec_.explain(f),
                                 std::string_view(f.what()).starts_with("Assert:"), State()};
    }
    eval_.sweep();
    of.between = eval_.between() - between;
    of.warnings.swap(eval_.warnings());
    eval_.warnings().clear();
  }
}

void Expander::step(const State& s, std::span<const Value> t, Findings& out,
                    Findings::OfState& of) {
  const Node* action = eval_.current_action();
  ++of.steps;
  out.steps.push_back({action != nullptr ? action->slot : Findings::kNobody, Findings::kBroken});
  bool inside = in_model(t);
  for (const Check& c : spec_.action_constraints) inside = inside && eval_.holds(c.code, s, t);
  std::uint32_t where = Findings::kOutside;
  if (inside) {
    const Packed& p = packer_.pack(t);
    where = known_.find(p.key, p.hash).value_or(Findings::kNew);
    if (where == Findings::kNew) {
      out.keys.insert(out.keys.end(), p.key.begin(), p.key.end());
      out.hashes.push_back(p.hash);
      if (known_.keeps_rows())
        for (const Value v : t) out.rows.push_back(spec_.store().pack(v));
    }
  }
  out.steps.back().to = where;  // from here on the state counts, even if it cannot be judged
  if (where == Findings::kNew || where == Findings::kOutside) judge(spec_.invariants, {}, t, of);
  if (!of.event) judge(spec_.implied_steps, s, t, of);
}

void Expander::judge(const std::vector<Check>& checks, const State& s, std::span<const Value> t,
                     Findings::OfState& of) {
  for (const Check& c : checks) {
    if (s.empty() ? eval_.holds(c.code, t) : eval_.holds(c.code, s, t)) continue;
    of.event = Findings::Event{of.steps - 1, &c, c.name, false, State(t.begin(), t.end())};
    return;
  }
}

}  // namespace schism::tla
