// Temporal formulas over atoms: what holds in a state, or of a step. Each formula exists once, with
// negations only at atoms, and written as simply as a few laws of [] and <> allow.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace schism::tla {

using Formula = std::uint32_t;

enum class Temporal : std::uint8_t { truth, falsity, atom, all, any, always, eventually };

struct FormulaNode {
  Temporal op = Temporal::truth;
  bool negated = false;  // of an atom
  std::uint32_t atom = 0;
  std::vector<Formula> kids;

  friend auto operator<=>(const FormulaNode&, const FormulaNode&) = default;
};

class Formulas {
 public:
  Formulas();
  const FormulaNode& operator[](Formula f) const { return nodes_[f]; }
  std::size_t size() const { return nodes_.size(); }

  static constexpr Formula kTrue = 0, kFalse = 1;
  Formula atom(std::uint32_t atom, bool negated = false);
  Formula all(std::vector<Formula> kids) { return joined(Temporal::all, std::move(kids)); }
  Formula any(std::vector<Formula> kids) { return joined(Temporal::any, std::move(kids)); }
  Formula always(Formula f);
  Formula eventually(Formula f);
  Formula negation(Formula f);
  Formula implies(Formula a, Formula b) { return any({negation(a), b}); }
  Formula leads_to(Formula a, Formula b) { return always(implies(a, eventually(b))); }

 private:
  Formula intern(FormulaNode n);
  Formula joined(Temporal op, std::vector<Formula> kids);

  std::vector<FormulaNode> nodes_;
  std::map<FormulaNode, Formula> index_;
};

}  // namespace schism::tla
