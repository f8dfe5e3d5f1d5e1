#include "schism/tla/liveness.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schism::tla {

StateGraph::StateGraph(Spec& spec, const KnownStates& known)
    : spec_(spec), known_(known), answers_(spec.temporal.atoms.size()) {}

void StateGraph::close_state() {
  const auto self = static_cast<std::uint32_t>(begin.size() - 1);
  const auto first = targets.begin() + static_cast<std::ptrdiff_t>(begin.back());
  std::sort(first, targets.end());
  targets.erase(std::unique(first, targets.end()), targets.end());
  const auto same = std::find(first, targets.end(), self);
  if (same != targets.end()) targets.erase(same);
  begin.push_back(targets.size());
}

std::size_t StateGraph::bytes() const {
  std::size_t n = begin.capacity() * sizeof(std::size_t) + targets.capacity() * 4;
  for (const auto& a : answers_) n += a.capacity();
  return n;
}

bool StateGraph::of_state(std::uint32_t atom) const {
  return spec_.temporal.atoms[atom].kind == Atom::Kind::state;
}

bool StateGraph::in_state(std::uint32_t atom, std::uint32_t s) {
  std::vector<std::uint8_t>& known = answers_[atom];
  if (known.empty()) known.assign(states(), kUnknown);
  if (known[s] == kUnknown) {
    Evaluator& eval = spec_.evaluator();
    known[s] = eval.holds(spec_.temporal.atoms[atom].code, known_.state(s)) ? kYes : kNo;
    eval.sweep();
  }
  return known[s] == kYes;
}

bool StateGraph::in_step(std::uint32_t atom, std::uint32_t from, std::size_t edge) {
  std::vector<std::uint8_t>& known = answers_[atom];
  if (known.empty()) known.assign(targets.size(), kUnknown);
  if (known[edge] == kUnknown) {
    Evaluator& eval = spec_.evaluator();
    known[edge] =
        eval.holds(spec_.temporal.atoms[atom].code, known_.state(from), known_.state(targets[edge]))
            ? kYes
            : kNo;
    eval.sweep();
  }
  return known[edge] == kYes;
}

bool StateGraph::when_stuttering(std::uint32_t atom) const {
  return spec_.temporal.atoms[atom].kind == Atom::Kind::box;
}

LivenessVerdict check_liveness(Spec& spec, StateGraph& graph) {
  LivenessVerdict verdict;
  TemporalFormulas& t = spec.temporal;
  for (const TemporalFormulas::Property& p : t.properties) {
    // A conjunction is broken where one of its parts is.
    const FormulaNode whole = t.formulas[p.formula];
    const std::vector<Formula> parts =
        whole.op == Temporal::all ? whole.kids : std::vector<Formula>{p.formula};
    try {
      for (const Formula part : parts) {
        const Formula broken = t.formulas.all({t.assumed, t.formulas.negation(part)});
        auto lasso = fair_lasso(graph, t.formulas, broken, t.fairness);
        if (!lasso) continue;
        verdict.violated = p.name;
        verdict.lasso = std::move(*lasso);
        return verdict;
      }
    } catch (const Failure& f) {
      verdict.unchecked.push_back(fmt::format("{} ({})", p.name, spec.explain(f)));
    }
  }
  return verdict;
}

}  // namespace schism::tla
