// From the text of a temporal formula to a Formula: names are unfolded, bounded quantifiers are
// written out, and what is left without time becomes an atom of states or of steps. What cannot be
// read that way is a Failure, and the property is then not checked.
#pragma once

#include <functional>

#include "schism/tla/compile.hpp"
#include "schism/tla/evaluator.hpp"
#include "schism/tla/fair_cycles.hpp"

namespace schism::tla {

struct Atom {
  enum class Kind : std::uint8_t {
    state,
    angle,  // <<A>>_v
    box,    // [A]_v
  } kind = Kind::state;
  Code code;
};

// What is known about a specification's behaviours in the long run.
struct TemporalFormulas {
  struct Property {
    std::string name;
    Formula formula;
  };
  Formulas formulas;
  std::vector<Atom> atoms;
  std::vector<Fairness> fairness;
  Formula assumed = Formulas::kTrue;  // of SPECIFICATION beyond WF and SF
  std::vector<Property> properties;
};

class TemporalReader {
 public:
  TemporalReader(Compiler& compiler, Library& library, TemporalFormulas& out)
      : compiler_(compiler), library_(library), symbols_(library.symbols()), out_(out) {}

  // Whether an expression is about behaviours, here or in what it refers to.
  bool temporal(const Expr* e, Scope* scope, int depth = 0);
  Formula read(const Expr* e, Scope* scope, Evaluator& eval);
  // A conjunct of SPECIFICATION: fairness, or anything else.
  void assume(const Expr* e, Scope* scope, Evaluator& eval);
  Fairness fairness(const Expr* action, const Expr* subscript, Scope* scope, bool strong);
  Formula as_formula(const Fairness& f);
  // Calls `body` with a scope for every value of the bound variables.
  void each_scope(const Expr* e, Scope* scope, Evaluator& eval,
                  const std::function<void(Scope*)>& body);

 private:
  Formula read_apply(const Expr* e, Scope* scope, Evaluator& eval);
  Formula read_all(const Expr* e, Scope* scope, Evaluator& eval, bool conjunction);
  Formula boxed(const Expr* of, Scope* scope, Evaluator& eval, bool always);
  Formula state_atom(const Expr* e, Scope* scope, Evaluator& eval);
  std::uint32_t add_atom(Atom::Kind kind, const Expr* e, Scope* scope);
  const Expr* pair(Form form, const Expr* action, const Expr* subscript);
  // The definition behind an application, with its arguments; null where there is none.
  const Expr* unfolded(const Expr* e, Scope*& scope);

  Compiler& compiler_;
  Library& library_;
  Symbols& symbols_;
  TemporalFormulas& out_;
};

}  // namespace schism::tla
