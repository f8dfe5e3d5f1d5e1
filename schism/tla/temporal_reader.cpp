#include "schism/tla/temporal_reader.hpp"

namespace schism::tla {
namespace {

constexpr std::size_t kWrittenOut = 10'000;  // instances of a quantified formula
constexpr int kNesting = 60;

}  // namespace

bool TemporalReader::temporal(const Expr* e, Scope* scope, int depth) {
  if (e == nullptr || depth > kNesting) return false;
  switch (e->form) {
    case Form::weak_fair:
    case Form::strong_fair:
    case Form::exists_time:
    case Form::forall_time: return true;
    case Form::let: return temporal(e->kids[0], compiler_.let_scope(e, scope), depth + 1);
    default: break;
  }
  if (e->form == Form::apply) {
    if (e->path.size() == 1) {
      const std::string& word = symbols_.text(e->path[0].name);
      if ((word == "[]" || word == "<>") && e->path[0].args.size() == 1) return true;
      if (word == "~>" || word == "-+->") return true;
    }
    for (const PathItem& item : e->path)
      for (const Expr* a : item.args)
        if (temporal(a, scope, depth + 1)) return true;
    const auto found = compiler_.resolve(e, scope);
    if (found.binding == nullptr) return false;
    const Binding& b = *found.binding;
    if (b.what == Binding::What::definition && !b.definition->recursive)
      return temporal(b.definition->body, b.scope, depth + 1);
    if (b.what == Binding::What::lazy) return temporal(b.expr, b.scope, depth + 1);
    return false;
  }
  for (const Expr* kid : e->kids)
    if (temporal(kid, scope, depth + 1)) return true;
  return false;
}

// --- Parts ---------------------------------------------------------------------------------------

std::uint32_t TemporalReader::add_atom(Atom::Kind kind, const Expr* e, Scope* scope) {
  out_.atoms.push_back({kind, compiler_.compile(e, scope)});
  return static_cast<std::uint32_t>(out_.atoms.size() - 1);
}

Formula TemporalReader::state_atom(const Expr* e, Scope* scope, Evaluator& eval) {
  const std::uint32_t atom = add_atom(Atom::Kind::state, e, scope);
  const Code& code = out_.atoms[atom].code;
  if ((code.root->uses & kPrimes) != 0)
    throw Unsupported(e->where, "an action that is neither [A]_v nor <<A>>_v in a property");
  if (code.root->constant()) return eval.holds(code, {}) ? Formulas::kTrue : Formulas::kFalse;
  return out_.formulas.atom(atom);
}

const Expr* TemporalReader::pair(Form form, const Expr* action, const Expr* subscript) {
  Expr& e = library_.arena().exprs.emplace_back();
  e.form = form;
  e.where = action->where;
  e.kids = {const_cast<Expr*>(action), const_cast<Expr*>(subscript)};
  return &e;
}

Fairness TemporalReader::fairness(const Expr* action, const Expr* subscript, Scope* scope,
                                  bool strong) {
  const Expr* step = pair(Form::angle_action, action, subscript);
  Expr& enabled = library_.arena().exprs.emplace_back();
  enabled.form = Form::apply;
  enabled.where = action->where;
  enabled.path.push_back({symbols_.intern("ENABLED"), {const_cast<Expr*>(step)}});
  return {strong, add_atom(Atom::Kind::state, &enabled, scope),
          add_atom(Atom::Kind::angle, step, scope)};
}

Formula TemporalReader::as_formula(const Fairness& f) {
  Formulas& to = out_.formulas;
  const Formula disabled = to.atom(f.enabled, true), taken = to.atom(f.taken);
  if (!f.strong) return to.always(to.eventually(to.any({disabled, taken})));
  return to.any({to.eventually(to.always(disabled)), to.always(to.eventually(taken))});
}

void TemporalReader::each_scope(const Expr* e, Scope* scope, Evaluator& eval,
                                const std::function<void(Scope*)>& body) {
  std::size_t count = 0;
  const std::function<void(std::size_t, std::size_t, Scope*)> bind =
      [&](std::size_t group, std::size_t name, Scope* inner) {
        if (group == e->bounds.size()) {
          if (++count > kWrittenOut) throw Failure(e->where, "too many cases of a quantifier");
          return body(inner);
        }
        const Bound& b = e->bounds[group];
        if (b.set == nullptr) throw Unsupported(e->where, "an unbounded quantifier");
        const Value set = eval.normal(eval.evaluate(compiler_.compile(b.set, scope), {}));
        eval.need_set(set);
        for (const Value v : set.node()->words()) {
          if (!b.tuple) {
            Scope* next = compiler_.scope_with_values(inner, {{b.names[name], v}});
            if (name + 1 < b.names.size()) bind(group, name + 1, next);
            else bind(group + 1, 0, next);
            continue;
          }
          std::vector<std::pair<Symbol, Value>> values;
          for (std::size_t i = 0; i < b.names.size(); ++i)
            values.emplace_back(b.names[i],
                                eval.apply(v, Value::integer(static_cast<std::int64_t>(i + 1))));
          bind(group + 1, 0, compiler_.scope_with_values(inner, values));
        }
      };
  bind(0, 0, scope);
}

const Expr* TemporalReader::unfolded(const Expr* e, Scope*& scope) {
  if (e->form != Form::apply) return nullptr;
  const auto found = compiler_.resolve(e, scope);
  if (found.binding == nullptr) return nullptr;
  const Binding& b = *found.binding;
  if (b.what == Binding::What::lazy && found.args.empty()) {
    scope = b.scope;
    return b.expr;
  }
  if (b.what != Binding::What::definition) return nullptr;
  const Definition& d = *b.definition;
  if (d.body == nullptr || d.recursive || d.is_function) return nullptr;
  scope = d.parameters.empty()
              ? b.scope
              : compiler_.scope_with_arguments(d, b.scope, found.args, scope, e->where);
  return d.body;
}

// --- Formulas ------------------------------------------------------------------------------------

// []F, <>F, [][A]_v, <><<A>>_v.
Formula TemporalReader::boxed(const Expr* of, Scope* scope, Evaluator& eval, bool always) {
  Formulas& to = out_.formulas;
  const auto wrap = [&](Formula f) { return always ? to.always(f) : to.eventually(f); };
  if (temporal(of, scope)) return wrap(read(of, scope, eval));
  const Expr* at = of;
  Scope* where = scope;
  while (at != nullptr && at->form == Form::apply) {
    const Expr* next = unfolded(at, where);
    if (next == nullptr) break;
    at = next;
  }
  if (at->form == (always ? Form::box_action : Form::angle_action))
    return wrap(to.atom(add_atom(always ? Atom::Kind::box : Atom::Kind::angle, at, where)));
  return wrap(state_atom(of, scope, eval));
}

Formula TemporalReader::read_all(const Expr* e, Scope* scope, Evaluator& eval, bool conjunction) {
  std::vector<Formula> kids;
  if (e->form == Form::junction)
    for (const Expr* kid : e->kids) kids.push_back(read(kid, scope, eval));
  else each_scope(e, scope, eval, [&](Scope* s) { kids.push_back(read(e->kids[0], s, eval)); });
  return conjunction ? out_.formulas.all(std::move(kids)) : out_.formulas.any(std::move(kids));
}

Formula TemporalReader::read(const Expr* e, Scope* scope, Evaluator& eval) {
  if (!temporal(e, scope)) return state_atom(e, scope, eval);
  Formulas& to = out_.formulas;
  switch (e->form) {
    case Form::junction: return read_all(e, scope, eval, symbols_.text(e->name) == "/\\");
    case Form::forall: return read_all(e, scope, eval, true);
    case Form::exists: return read_all(e, scope, eval, false);
    case Form::let: return read(e->kids[0], compiler_.let_scope(e, scope), eval);
    case Form::weak_fair:
    case Form::strong_fair:
      return as_formula(fairness(e->kids[1], e->kids[0], scope, e->form == Form::strong_fair));
    case Form::if_else: {
      const Formula c = read(e->kids[0], scope, eval);
      return to.all({to.implies(c, read(e->kids[1], scope, eval)),
                     to.any({c, read(e->kids[2], scope, eval)})});
    }
    case Form::apply: return read_apply(e, scope, eval);
    case Form::forall_time:
    case Form::exists_time: throw Unsupported(e->where, "a temporal quantifier in a property");
    default: throw Unsupported(e->where, "this kind of temporal formula");
  }
}

Formula TemporalReader::read_apply(const Expr* e, Scope* scope, Evaluator& eval) {
  Formulas& to = out_.formulas;
  if (e->path.size() == 1) {
    const std::string& word = symbols_.text(e->path[0].name);
    const std::vector<Expr*>& args = e->path[0].args;
    if (args.size() == 1) {
      if (word == "[]" || word == "<>") return boxed(args[0], scope, eval, word == "[]");
      if (word == "~") return to.negation(read(args[0], scope, eval));
    }
    if (args.size() == 2) {
      const auto one = [&](std::size_t i) { return read(args[i], scope, eval); };
      if (word == "-+->") throw Unsupported(e->where, "-+-> in a property");
      if (word == "/\\") return to.all({one(0), one(1)});
      if (word == "\\/") return to.any({one(0), one(1)});
      if (word == "=>") return to.implies(one(0), one(1));
      if (word == "~>") return to.leads_to(one(0), one(1));
      if (word == "<=>") {
        const Formula a = one(0), b = one(1);
        return to.all({to.implies(a, b), to.implies(b, a)});
      }
    }
  }
  Scope* inner = scope;
  const Expr* body = unfolded(e, inner);
  if (body == nullptr) throw Unsupported(e->where, "this kind of temporal formula");
  return read(body, inner, eval);
}

void TemporalReader::assume(const Expr* e, Scope* scope, Evaluator& eval) {
  if (temporal(e, scope)) {
    if (e->form == Form::weak_fair || e->form == Form::strong_fair) {
      out_.fairness.push_back(
          fairness(e->kids[1], e->kids[0], scope, e->form == Form::strong_fair));
      return;
    }
    if (e->form == Form::junction && symbols_.text(e->name) == "/\\") {
      for (const Expr* kid : e->kids) assume(kid, scope, eval);
      return;
    }
    if (e->form == Form::forall)
      return each_scope(e, scope, eval, [&](Scope* s) { assume(e->kids[0], s, eval); });
    if (e->form == Form::let) return assume(e->kids[0], compiler_.let_scope(e, scope), eval);
    if (e->form == Form::apply && e->path.size() == 1 && e->path[0].args.size() == 2 &&
        symbols_.text(e->path[0].name) == "/\\") {
      for (const Expr* a : e->path[0].args) assume(a, scope, eval);
      return;
    }
    if (e->form == Form::apply && e->path.size() == 1 && e->path[0].args.size() == 2 &&
        symbols_.text(e->path[0].name) == "=>" && !temporal(e->path[0].args[0], scope)) {
      const Code when = compiler_.compile(e->path[0].args[0], scope);
      if (when.root->constant()) {  // \A a, b \in S : a # b => WF_v(A(a, b))
        if (eval.holds(when, {})) assume(e->path[0].args[1], scope, eval);
        return;
      }
    }
    Scope* inner = scope;
    if (const Expr* body = unfolded(e, inner)) return assume(body, inner, eval);
  }
  out_.assumed = out_.formulas.all({out_.assumed, read(e, scope, eval)});
}

}  // namespace schism::tla
