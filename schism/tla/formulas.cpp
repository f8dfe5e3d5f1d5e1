#include "schism/tla/formulas.hpp"

#include <algorithm>

namespace schism::tla {

Formulas::Formulas() {
  intern({Temporal::truth, false, 0, {}});
  intern({Temporal::falsity, false, 0, {}});
}

Formula Formulas::intern(FormulaNode n) {
  const auto [at, fresh] = index_.try_emplace(n, static_cast<Formula>(nodes_.size()));
  if (fresh) nodes_.push_back(std::move(n));
  return at->second;
}

Formula Formulas::atom(std::uint32_t atom, bool negated) {
  return intern({Temporal::atom, negated, atom, {}});
}

Formula Formulas::joined(Temporal op, std::vector<Formula> kids) {
  const Formula nothing = op == Temporal::all ? kTrue : kFalse;
  const Formula everything = op == Temporal::all ? kFalse : kTrue;
  std::vector<Formula> flat;
  for (const Formula k : kids) {
    if (k == everything) return everything;
    if (k == nothing) continue;
    if (nodes_[k].op == op) flat.insert(flat.end(), nodes_[k].kids.begin(), nodes_[k].kids.end());
    else flat.push_back(k);
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  if (flat.empty()) return nothing;
  if (flat.size() == 1) return flat[0];
  return intern({op, false, 0, std::move(flat)});
}

Formula Formulas::always(Formula f) {
  const FormulaNode n = nodes_[f];
  if (f == kTrue || f == kFalse || n.op == Temporal::always) return f;
  if (n.op == Temporal::eventually && nodes_[n.kids[0]].op == Temporal::always)
    return f;  // []<>[]P is <>[]P
  if (n.op == Temporal::all) {
    std::vector<Formula> kids;
    for (const Formula k : n.kids) kids.push_back(always(k));
    return all(std::move(kids));
  }
  return intern({Temporal::always, false, 0, {f}});
}

Formula Formulas::eventually(Formula f) {
  const FormulaNode n = nodes_[f];
  if (f == kTrue || f == kFalse || n.op == Temporal::eventually) return f;
  if (n.op == Temporal::always && nodes_[n.kids[0]].op == Temporal::eventually)
    return f;  // <>[]<>P is []<>P
  if (n.op == Temporal::any) {
    std::vector<Formula> kids;
    for (const Formula k : n.kids) kids.push_back(eventually(k));
    return any(std::move(kids));
  }
  return intern({Temporal::eventually, false, 0, {f}});
}

Formula Formulas::negation(Formula f) {
  const FormulaNode n = nodes_[f];
  std::vector<Formula> kids;
  for (const Formula k : n.kids) kids.push_back(negation(k));
  switch (n.op) {
    case Temporal::truth: return kFalse;
    case Temporal::falsity: return kTrue;
    case Temporal::atom: return atom(n.atom, !n.negated);
    case Temporal::all: return any(std::move(kids));
    case Temporal::any: return all(std::move(kids));
    case Temporal::always: return eventually(kids[0]);
    case Temporal::eventually: return always(kids[0]);
  }
  return kTrue;
}

}  // namespace schism::tla
