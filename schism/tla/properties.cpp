// Temporal formulas taken apart: SPECIFICATION into initial predicate, next-state relation and
// fairness; PROPERTY into what is checked state by state, step by step, or not at all.
#include <fmt/format.h>

#include "schism/tla/compile.hpp"
#include "schism/tla/spec.hpp"

namespace schism::tla {

void Spec::unfold(const Expr* e, Scope* scope, const std::string& name, std::vector<Piece>& out) {
  if (!reader_->temporal(e, scope)) {
    out.push_back({Piece::Kind::state, e, nullptr, scope, name});
    return;
  }
  const auto other = [&] { out.push_back({Piece::Kind::other, e, nullptr, scope, name}); };
  if (e->form == Form::junction && symbols_.text(e->name) == "/\\") {
    for (const Expr* kid : e->kids) unfold(kid, scope, name, out);
    return;
  }
  if (e->form == Form::weak_fair || e->form == Form::strong_fair) {
    const auto kind = e->form == Form::weak_fair ? Piece::Kind::weak : Piece::Kind::strong;
    out.push_back({kind, e->kids[1], e->kids[0], scope, name});
    return;
  }
  if (e->form == Form::forall) {
    std::vector<Piece> each;
    try {
      reader_->each_scope(e, scope, *evaluator_,
                          [&](Scope* s) { unfold(e->kids[0], s, name, each); });
    } catch (const Failure&) {
      return other();  // whoever reads it as a whole says what is wrong
    }
    out.insert(out.end(), each.begin(), each.end());
    return;
  }
  if (e->form == Form::let) return unfold(e->kids[0], compiler_->let_scope(e, scope), name, out);
  if (e->form != Form::apply) return other();
  if (e->path.size() == 1 && symbols_.text(e->path[0].name) == "[]") {
    const Expr* of = e->path[0].args[0];
    if (reader_->temporal(of, scope)) {
      if (of->form != Form::junction || symbols_.text(of->name) != "/\\") return other();
      for (const Expr* kid : of->kids) {  // [](A /\ B) is []A /\ []B
        Expr& box = library_->arena().exprs.emplace_back();
        box.form = Form::apply;
        box.where = kid->where;
        box.path.push_back({e->path[0].name, {const_cast<Expr*>(kid)}});
        unfold(&box, scope, name, out);
      }
      return;
    }
    // Through names, to [A]_v.
    Scope* where = scope;
    while (of->form == Form::apply) {
      const auto found = compiler_->resolve(of, where);
      if (found.binding == nullptr || found.binding->what != Binding::What::definition) break;
      const Definition& d = *found.binding->definition;
      if (d.body == nullptr || d.recursive || d.is_function) break;
      where = d.parameters.empty() ? found.binding->scope
                                   : compiler_->scope_with_arguments(d, found.binding->scope,
                                                                     found.args, where, of->where);
      of = d.body;
    }
    if (of->form == Form::box_action)
      out.push_back({Piece::Kind::step, of->kids[0], of->kids[1], where, name});
    else out.push_back({Piece::Kind::always, e->path[0].args[0], nullptr, scope, name});
    return;
  }
  const auto found = compiler_->resolve(e, scope);
  if (found.binding == nullptr) return other();
  const Binding& b = *found.binding;
  if (b.what == Binding::What::lazy) return unfold(b.expr, b.scope, name, out);
  if (b.what != Binding::What::definition || b.definition->recursive) return other();
  const Definition& d = *b.definition;
  Scope* inner = d.parameters.empty()
                     ? b.scope
                     : compiler_->scope_with_arguments(d, b.scope, found.args, scope, e->where);
  unfold(d.body, inner, name, out);
}

Code Spec::conjunction(const std::vector<Piece>& pieces, bool initial) {
  std::vector<std::pair<const Expr*, Scope*>> parts;
  for (const Piece& p : pieces) parts.emplace_back(p.expr, p.scope);
  return compiler_->compile_all(parts, initial ? Compiler::Use::initial : Compiler::Use::value);
}

// Fairness is needed for temporal properties only: whatever is wrong with it stops only them.
void Spec::assume(const Piece& p) {
  try {
    if (p.kind == Piece::Kind::other) reader_->assume(p.expr, p.scope, *evaluator_);
    else
      temporal.fairness.push_back(
          reader_->fairness(p.expr, p.subscript, p.scope, p.kind == Piece::Kind::strong));
  } catch (const Failure& f) {
    if (unread_fairness_.empty()) unread_fairness_ = explain(f);
  }
}

void Spec::set_up_behaviour(const Config& config) {
  if (config.specification && (config.init || config.next))
    throw Failure(config.specification->where, "SPECIFICATION stands beside INIT or NEXT");
  std::vector<Piece> initial, steps;
  if (config.specification) {
    std::vector<Piece> pieces;
    const std::string name = symbols_.text(config.specification->name);
    unfold(name_expr(*config.specification), main_, name, pieces);
    for (const Piece& p : pieces) {
      if (p.kind == Piece::Kind::state) initial.push_back(p);
      else if (p.kind == Piece::Kind::step) steps.push_back(p);
      else if (p.kind == Piece::Kind::always)
        throw Unsupported(p.expr->where, "an invariant inside of SPECIFICATION");
      else assume(p);
    }
    if (initial.empty() || steps.empty())
      throw Failure(config.specification->where,
                    fmt::format("{} is not of the form Init /\\ [][Next]_vars", name));
  } else if (config.init && config.next) {
    initial.push_back({Piece::Kind::state, name_expr(*config.init), nullptr, main_, ""});
    steps.push_back({Piece::Kind::step, name_expr(*config.next), nullptr, main_, ""});
  } else if (config.init || config.next) {
    throw Failure({}, "the configuration has one of INIT and NEXT, not both");
  } else {
    if (!variables().empty())
      throw Failure({}, "the configuration names no SPECIFICATION, and no INIT and NEXT");
    return;  // only assumptions
  }
  init = conjunction(initial, true);
  next = conjunction(steps, false);
  next.root = mark_actions(next.root, nullptr);
  has_behaviour = true;
}

// The parts that TLC calls actions: through disjunctions, \E and names; the innermost name counts.
const Node* Spec::mark_actions(const Node* n, const Node* within) {
  auto** kids = const_cast<const Node**>(n->kids);
  switch (n->op) {
    case Op::or_:
      for (std::uint32_t i = 0; i < n->count; ++i) kids[i] = mark_actions(kids[i], within);
      return n;
    case Op::exists: kids[0] = mark_actions(kids[0], within); return n;
    case Op::bind: kids[0] = mark_actions(kids[0], n->name != 0 ? n : within); return n;
    case Op::of_state: kids[0] = mark_actions(kids[0], within); return n;
    default: break;
  }
  Node& a = code_.nodes.emplace_back(*n);
  a.op = Op::action;
  a.kids = code_.keep({n});
  a.count = 1;
  a.slot = static_cast<std::uint32_t>(actions.size());
  a.name = within != nullptr ? within->name : 0;
  a.extra = within != nullptr ? within->extra : nullptr;
  actions.push_back(&a);
  return &a;
}

void Spec::set_up_properties(const Config& config) {
  for (const Config::Named& n : config.properties) {
    const std::string name = symbols_.text(n.name);
    std::vector<Piece> pieces;
    unfold(name_expr(n), main_, name, pieces);
    for (const Piece& p : pieces) {
      try {
        property(p, name);
      } catch (const Unsupported& u) {  // the states can be counted all the same
        unchecked.push_back(fmt::format("{} ({})", name, explain(u)));
      }
    }
  }
}

void Spec::property(const Piece& p, const std::string& name) {
  switch (p.kind) {
    case Piece::Kind::state:
      implied_inits.push_back({name, compiler_->compile(p.expr, p.scope), p.expr->where});
      return;
    case Piece::Kind::always: {
      const Code code = compiler_->compile_check(p.expr, p.scope);
      if ((code.root->uses & kPrimes) != 0) implied_steps.push_back({name, code, p.expr->where});
      else invariants.push_back({name, code, p.expr->where});
      return;
    }
    case Piece::Kind::step: {
      Expr& box = library_->arena().exprs.emplace_back();
      box.form = Form::box_action;
      box.where = p.expr->where;
      box.kids = {const_cast<Expr*>(p.expr), const_cast<Expr*>(p.subscript)};
      implied_steps.push_back({name, compiler_->compile(&box, p.scope), p.expr->where});
      return;
    }
    default: temporal_property(p, name);
  }
}

void Spec::temporal_property(const Piece& p, const std::string& name) {
  try {
    if (!unread_fairness_.empty()) throw Failure({}, unread_fairness_);
    const bool fair = p.kind == Piece::Kind::weak || p.kind == Piece::Kind::strong;
    const Formula f = fair ? reader_->as_formula(reader_->fairness(p.expr, p.subscript, p.scope,
                                                                   p.kind == Piece::Kind::strong))
                           : reader_->read(p.expr, p.scope, *evaluator_);
    temporal.properties.push_back({name, f});
  } catch (const Failure& f) {
    unchecked.push_back(fmt::format("{} ({})", name, explain(f)));
  }
}

}  // namespace schism::tla
