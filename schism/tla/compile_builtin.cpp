// Operators of the standard modules, and selectors of parts of definitions.
#include <fmt/format.h>

#include <charconv>

#include "schism/tla/compile.hpp"

namespace schism::tla {

const Node* Compiler::builtin(const Binding& b, const std::vector<Expr*>& args, Scope* scope,
                              Location where) {
  if (b.arity >= 0 && b.arity != static_cast<int>(args.size()))
    throw Failure(where,
                  fmt::format("this operator takes {} arguments, not {}", b.arity, args.size()));
  if (b.builtin == Builtin::string_set) {
    const Infinite which = b.index == 0   ? Infinite::naturals
                           : b.index == 1 ? Infinite::integers
                                          : Infinite::reals;
    return literal(store_.infinite(which), where);
  }
  switch (b.builtin) {
    case Builtin::select_seq:
    case Builtin::sort_seq:
    case Builtin::fold_set:
    case Builtin::fold_seq: return higher_order(b.builtin, args, scope, where);
    case Builtin::refuse:
      throw Unsupported(where, "this operator (it would act outside of the model)");
    case Builtin::real_divide: throw Unsupported(where, "real division");
    default: break;
  }
  std::vector<const Node*> kids;
  for (const Expr* a : args) kids.push_back(expr(a, scope));
  Node* n = make(b.op, where, std::move(kids));
  n->builtin = b.builtin;
  switch (b.builtin) {
    case Builtin::print:
    case Builtin::print_t:
    case Builtin::random_element:
    case Builtin::tlc_get:
    case Builtin::tlc_set:
    case Builtin::java_time:
    case Builtin::random_subset:
    case Builtin::random_set_of_subsets:
    case Builtin::assert_error:
    case Builtin::trace: n->uses |= kImpure | kOfTheRun; break;
    default: break;
  }
  return seal(n);
}

// SelectSeq(s, Test), SortSeq(s, Before), FoldSet(f, base, S), FoldSeq(f, base, s): the operator is
// inlined with slots for what it is applied to.
const Node* Compiler::higher_order(Builtin which, const std::vector<Expr*>& args, Scope* scope,
                                   Location where) {
  const bool fold = which == Builtin::fold_set || which == Builtin::fold_seq;
  const int arity = which == Builtin::select_seq ? 1 : 2;
  Binding* op = operator_argument(args[fold ? 0 : 1], scope, arity);
  std::vector<const Node*> kids;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (i != (fold ? 0u : 1u)) kids.push_back(expr(args[i], scope));
  Scope* inner = new_scope(scope, layout_);
  std::uint64_t bits = 0;
  const int depth = depth_;
  Group group;
  std::vector<Expr*> operands;
  for (int i = 0; i < arity; ++i) {
    const Symbol name = symbols_.intern(fmt::format("operand {} of {}", i, depth_));
    group.slots.push_back(bind_slot(inner, name, bits)->index);
    Expr& x = library_.arena().exprs.emplace_back();
    x.form = Form::apply;
    x.where = where;
    x.path.push_back({name, {}});
    operands.push_back(&x);
  }
  const Node* body = use(*op, operands, inner, where);
  depth_ = depth;
  Node* n = make(Op::builtin, where, std::move(kids));
  n->builtin = which;
  n->uses |= body->uses;
  n->bound |= body->bound & ~bits;
  group.set = body;
  extra(n)->groups.push_back(std::move(group));
  return seal(n);
}

// --- Selectors -----------------------------------------------------------------------------------

// Def!2!1: the first operand of the second item of what Def is defined to be.
std::pair<const Expr*, Scope*> Compiler::select(const Expr* e, Scope* scope) {
  Expr head = *e;
  for (std::size_t known = e->path.size() - 1; known > 0; --known) {
    head.path.assign(e->path.begin(), e->path.begin() + static_cast<std::ptrdiff_t>(known));
    const Found found = resolve(&head, scope);
    if (found.binding == nullptr || (found.binding->what != Binding::What::definition &&
                                     found.binding->what != Binding::What::lazy))
      continue;
    const Binding& b = *found.binding;
    const Expr* at = b.what == Binding::What::lazy ? b.expr : b.definition->body;
    Scope* where = b.scope;
    if (b.what == Binding::What::definition && !b.definition->parameters.empty())
      where = scope_with_arguments(*b.definition, b.scope, found.args, scope, e->where);
    for (std::size_t i = known; i < e->path.size(); ++i)
      at = select_part(at, where, e->path[i], scope, e->where);
    return {at, where};
  }
  return {nullptr, nullptr};
}

namespace {

// Everything directly inside, in the order of the text.
std::vector<const Expr*> parts_of(const Expr& e) {
  std::vector<const Expr*> out;
  const auto add = [&](const Expr* part) {
    if (part != nullptr) out.push_back(part);
  };
  for (const Bound& b : e.bounds) add(b.set);
  for (const PathItem& item : e.path)
    for (const Expr* arg : item.args) add(arg);
  for (const Expr* kid : e.kids) add(kid);
  for (const Change& c : e.changes) {
    for (const Change::Step& s : c.path)
      for (const Expr* i : s.index) add(i);
    add(c.value);
  }
  return out;
}

// The way to a label from there, the labelled expression last; labels inside of another label are
// reached through that one.
bool find_label(const Expr* e, Symbol label, bool top, std::vector<const Expr*>& way) {
  way.push_back(e);
  if (!top && e->label != 0) {
    if (e->label == label) return true;
  } else {
    for (const Expr* part : parts_of(*e))
      if (find_label(part, label, false, way)) return true;
  }
  way.pop_back();
  return false;
}

}  // namespace

// Def!P0(a, b): what the label P0(x, y) stands before, with a for x and b for y.
const Expr* Compiler::select_label(const Expr* e, Scope*& scope, const PathItem& item,
                                   Scope* args_scope, Location where) {
  std::vector<const Expr*> way;
  const bool here = e->label == item.name;
  if (here) way.push_back(e);
  else if (!find_label(e, item.name, true, way)) return nullptr;
  const Expr* found = way.back();
  const auto& parameters = found->label_parameters;
  if (parameters.size() != item.args.size())
    throw Failure(where,
                  fmt::format("the label {} takes {} arguments, not {}", symbols_.text(item.name),
                              parameters.size(), item.args.size()));
  Scope* inner = new_scope(scope, layout_);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    inner->names[parameters[i]] = argument(item.args[i], args_scope, nullptr);
  scope = inner;
  way.pop_back();
  for (const Expr* outer : way)
    if (outer->form == Form::let) scope = let_scope(outer, scope);
  return found;
}

const Expr* Compiler::select_part(const Expr* e, Scope*& scope, const PathItem& item,
                                  Scope* args_scope, Location where) {
  const std::string& word = symbols_.text(item.name);
  if (word == ":") return e;
  std::vector<Expr*> parts = e->kids;
  if (e->form == Form::apply) parts = e->path.back().args;
  std::size_t number = 0;
  if (word == "<<") number = 1;
  else if (word == ">>") number = 2;
  else std::from_chars(word.data(), word.data() + word.size(), number);
  if (number == 0 && word != "!()" && word != "@")
    if (const Expr* named = select_label(e, scope, item, args_scope, where)) return named;
  if (e->form == Form::let) {
    scope = let_scope(e, scope);
    if (number <= 1) return e->kids[0];
  }
  const bool binds = !e->bounds.empty();
  if (binds && (word == "!()" || word == "@")) {
    Scope* inner = new_scope(scope, layout_);
    std::size_t i = 0;
    for (const Bound& b : e->bounds)
      for (const Symbol name : b.names) {
        if (word == "@") continue;
        if (i >= item.args.size()) throw Failure(where, "too few values for this selector");
        inner->names[name] = argument(item.args[i++], args_scope, nullptr);
      }
    if (word == "@") throw Unsupported(where, "the selector !@ as a value");
    scope = inner;
    return e->kids[0];
  }
  if (binds && number >= 1 && number <= e->bounds.size()) return e->bounds[number - 1].set;
  if (!binds && number >= 1 && number <= parts.size()) {
    if (e->form == Form::apply && e->path.size() > 1) throw Unsupported(where, "this selector");
    return parts[number - 1];
  }
  throw Unsupported(where, fmt::format("the selector !{}", word));
}

}  // namespace schism::tla
