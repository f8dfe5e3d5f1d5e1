// Selectors: Def!2!1 is the first operand of the second item of what Def is defined to be. Where a
// selector without arguments needs some, it stands for an operator, and takes those that it is
// applied to, one after the other: with Def(a) == {x + a : x \in S}, Def!@ is an operator of two.
#include <fmt/format.h>

#include <charconv>

#include "schism/tla/compile.hpp"

namespace schism::tla {
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

// What a part of a selector is applied to: its own arguments, or else the next spare ones.
std::vector<Expr*> Compiler::arguments_of(const PathItem& item, std::size_t needed, Spare& spare,
                                          Location where) {
  if (!item.args.empty() || needed == 0) return item.args;
  if (spare.args.size() - spare.used < needed)
    throw Failure(
        where, fmt::format("the selector !{} needs {} values", symbols_.text(item.name), needed));
  const auto from = spare.args.begin() + static_cast<std::ptrdiff_t>(spare.used);
  spare.used += needed;
  return {from, from + static_cast<std::ptrdiff_t>(needed)};
}

std::pair<const Expr*, Scope*> Compiler::select(const Expr* e, Scope* scope) {
  Expr head = *e;
  for (std::size_t known = e->path.size() - 1; known > 0; --known) {
    head.path.assign(e->path.begin(), e->path.begin() + static_cast<std::ptrdiff_t>(known));
    const Found found = resolve(&head, scope);
    if (found.binding == nullptr || (found.binding->what != Binding::What::definition &&
                                     found.binding->what != Binding::What::lazy))
      continue;
    const Binding& b = *found.binding;
    Spare spare{e->kids, 0};
    Selected at{b.what == Binding::What::lazy ? b.expr : b.definition->body, b.scope};
    if (b.what == Binding::What::definition && !b.definition->parameters.empty())
      at.scope = scope_with_arguments(
          *b.definition, b.scope,
          arguments_of(head.path.back(), b.definition->parameters.size(), spare, e->where), scope,
          e->where);
    for (std::size_t i = known; i < e->path.size(); ++i)
      select_part(at, e->path[i], scope, spare, e->where);
    if (spare.used < spare.args.size())
      throw Failure(e->where, "this selector is applied to more values than it takes");
    return {at.expr, at.scope};
  }
  return {nullptr, nullptr};
}

// Def!P0(a, b): what the label P0(x, y) stands before, with a for x and b for y.
bool Compiler::select_label(Selected& at, const PathItem& item, Scope* args_scope, Spare& spare,
                            Location where) {
  std::vector<const Expr*> way;
  if (at.expr->label == item.name) way.push_back(at.expr);
  else if (!find_label(at.expr, item.name, true, way)) return false;
  const Expr* found = way.back();
  const auto& parameters = found->label_parameters;
  const std::vector<Expr*> args = arguments_of(item, parameters.size(), spare, where);
  if (parameters.size() != args.size())
    throw Failure(where, fmt::format("the label {} takes {} arguments, not {}",
                                     symbols_.text(item.name), parameters.size(), args.size()));
  Scope* inner = new_scope(at.scope, layout_);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    inner->names[parameters[i]] = argument(args[i], args_scope, nullptr);
  at.scope = inner;
  way.pop_back();
  for (const Expr* outer : way)
    if (outer->form == Form::let) at.scope = let_scope(outer, at.scope);
  at.expr = found;
  return true;
}

// An operator that a LET defines, by its name.
bool Compiler::select_defined(Selected& at, const PathItem& item, Scope* args_scope, Spare& spare,
                              Location where) {
  for (const Definition* d : at.expr->definitions) {
    if (d->name != item.name || d->body == nullptr) continue;
    Scope* inner = let_scope(at.expr, at.scope);
    const std::vector<Expr*> args = arguments_of(item, d->parameters.size(), spare, where);
    at.scope =
        d->parameters.empty() ? inner : scope_with_arguments(*d, inner, args, args_scope, where);
    at.expr = d->body;
    return true;
  }
  return false;
}

// Def!(a, b) and Def!@: the body of what binds variables.
bool Compiler::select_body(Selected& at, const PathItem& item, Scope* args_scope, Spare& spare,
                           Location where) {
  std::vector<Symbol> names;
  for (const Bound& b : at.expr->bounds) names.insert(names.end(), b.names.begin(), b.names.end());
  if (names.empty()) return false;
  const std::vector<Expr*> args = arguments_of(item, names.size(), spare, where);
  if (args.size() != names.size())
    throw Failure(where,
                  fmt::format("this selector takes {} values, not {}", names.size(), args.size()));
  Scope* inner = new_scope(at.scope, layout_);
  for (std::size_t i = 0; i < names.size(); ++i)
    inner->names[names[i]] = argument(args[i], args_scope, nullptr);
  at = {at.expr->kids[0], inner};
  return true;
}

// Its operands by number. An arm of CASE is a pair.
std::vector<Expr*> Compiler::operands_of(const Expr& e, Location where) {
  SyntaxArena& arena = library_.arena();
  const auto made = [&](Form form) {
    Expr& x = arena.exprs.emplace_back();
    x.form = form;
    x.where = e.where;
    return &x;
  };
  switch (e.form) {
    case Form::apply:
      if (e.path.size() > 1) throw Unsupported(where, "this selector");
      return e.path[0].args;
    case Form::field: {
      Expr* name = made(Form::string);
      name->name = e.name;
      return {e.kids[0], name};
    }
    case Form::case_of: {
      std::vector<Expr*> arms;
      for (std::size_t i = 0; i < e.kids.size(); i += 2) {
        Expr* arm = made(Form::tuple);
        const bool other = i + 1 == e.kids.size();
        arm->kids = {other ? made(Form::apply) : e.kids[i], e.kids[other ? i : i + 1]};
        if (other) arm->kids[0]->path.push_back({symbols_.intern("TRUE"), {}});
        arms.push_back(arm);
      }
      return arms;
    }
    case Form::junction:
      if (!e.bulleted && e.kids.size() > 2)
        throw Unsupported(where, "a selector inside of operands without bullets");
      return e.kids;
    case Form::except: return {e.kids[0]};
    default: return e.kids;
  }
}

void Compiler::select_part(Selected& at, const PathItem& item, Scope* args_scope, Spare& spare,
                           Location where) {
  const std::string& word = symbols_.text(item.name);
  if (word == ":") return;
  if (word == "!()" || word == "@") {
    if (select_body(at, item, args_scope, spare, where)) return;
    throw Unsupported(where, "the selector !@ of what binds no variables");
  }
  std::size_t number = 0;
  if (word == "<<") number = 1;
  else if (word == ">>") number = 2;
  else std::from_chars(word.data(), word.data() + word.size(), number);
  if (number == 0) {
    if (select_label(at, item, args_scope, spare, where)) return;
    if (select_defined(at, item, args_scope, spare, where)) return;
    throw Unsupported(where, fmt::format("the selector !{}", word));
  }
  if (at.expr->form == Form::let) {
    if (number > 1) throw Unsupported(where, fmt::format("the selector !{}", word));
    at = {at.expr->kids[0], let_scope(at.expr, at.scope)};
    return;
  }
  if (!at.expr->bounds.empty()) {
    if (number > at.expr->bounds.size() || at.expr->bounds[number - 1].set == nullptr)
      throw Unsupported(where, fmt::format("the selector !{}", word));
    at.expr = at.expr->bounds[number - 1].set;
    return;
  }
  const std::vector<Expr*> operands = operands_of(*at.expr, where);
  if (number > operands.size()) throw Unsupported(where, fmt::format("the selector !{}", word));
  at.expr = operands[number - 1];
}

}  // namespace schism::tla
