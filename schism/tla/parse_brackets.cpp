// What stands in braces, brackets and angles: sets, functions, records, actions, tuples.
#include <fmt/format.h>

#include "schism/tla/parser.hpp"

namespace schism::tla {

// x \in S, or <<x, y>> \in S, read as an expression before its meaning was known.
Bound Parser::bound_of(const Expr* e) {
  Bound b;
  const bool membership = e->form == Form::apply && e->path.size() == 1 && !e->parenthesised &&
                          symbols_.text(e->path[0].name) == "\\in" && e->path[0].args.size() == 2;
  if (!membership) throw Failure(e->where, "expected 'variable \\in set' before ':'");
  const auto variable = [&](const Expr* v) {
    if (v->form != Form::apply || v->path.size() != 1 || !v->path[0].args.empty())
      throw Failure(v->where, "expected a variable");
    b.names.push_back(v->path[0].name);
  };
  const Expr* left = e->path[0].args[0];
  b.set = e->path[0].args[1];
  b.tuple = left->form == Form::tuple;
  if (!b.tuple) variable(left);
  else
    for (const Expr* v : left->kids) variable(v);
  return b;
}

Expr* Parser::braces() {
  const Location where = take().where;
  Expr* e = make(Form::set, where);
  if (accept("}")) return e;
  Expr* first = expression();
  if (accept(":")) {
    const bool membership = first->form == Form::apply && first->path.size() == 1 &&
                            !first->parenthesised && symbols_.text(first->path[0].name) == "\\in";
    if (membership) {
      const Expr* left = first->path[0].args[0];
      bool names =
          left->form == Form::apply && left->path.size() == 1 && left->path[0].args.empty();
      if (left->form == Form::tuple) {
        names = true;
        for (const Expr* v : left->kids)
          names = names && v->form == Form::apply && v->path.size() == 1 && v->path[0].args.empty();
      }
      if (names) {
        e->form = Form::filter;
        e->bounds.push_back(bound_of(first));
        e->kids = {expression()};
        expect("}");
        return e;
      }
    }
    e->form = Form::map;
    e->kids = {first};
    e->bounds = bounds(true);
    expect("}");
    return e;
  }
  e->kids.push_back(first);
  while (accept(",")) e->kids.push_back(expression());
  expect("}");
  return e;
}

// Looks whether "x \in S, y \in T |->" follows; otherwise nothing was read.
bool Parser::try_function_bounds(std::vector<Bound>& out) {
  const std::size_t begin = at_;
  if (!is_name() && !is("<<")) return false;
  std::size_t k = is("<<") ? 1 : 0;
  while (is_name(k) && is(",", k + 1)) k += 2;
  if (is_name(k)) ++k;
  if (is(">>", k)) ++k;
  if (!is("\\in", k)) return false;
  out = bounds(true);  // an error in it is one in an action, too
  if (accept("|->")) return true;
  at_ = begin;
  out.clear();
  return false;
}

Expr* Parser::brackets() {
  const Location where = take().where;
  Expr* e = make(Form::record, where);
  const bool word = peek().kind == Tok::name;
  if (word && (is("|->", 1) || is(":", 1))) {
    const std::string_view separator = is(":", 1) ? ":" : "|->";
    if (separator == ":") e->form = Form::record_set;
    do {
      if (peek().kind != Tok::name) unexpected("a field");
      e->names.push_back(take().text);
      expect(separator);
      e->kids.push_back(expression());
    } while (accept(","));
    expect("]");
    return e;
  }
  const std::vector<std::uint32_t> junctions = junctions_;
  const int depth = depth_;
  if (try_function_bounds(e->bounds)) {
    e->form = Form::function;
    e->kids = {expression()};
    expect("]");
    return e;
  }
  junctions_ = junctions;
  depth_ = depth;
  Expr* first = expression();
  if (accept("EXCEPT")) return except(first, where);
  if (accept("->")) {
    e->form = Form::function_set;
    e->kids = {first, expression()};
    expect("]");
    return e;
  }
  if (!accept("]_")) unexpected("']_', '->', '|->' or EXCEPT");
  e->form = Form::box_action;
  e->kids = {first, operand()};
  return e;
}

Expr* Parser::except(Expr* function, Location where) {
  Expr* e = make(Form::except, where);
  e->kids = {function};
  do {
    Change c;
    c.where = peek().where;
    expect("!");
    for (;;) {
      if (accept(".")) {
        if (peek().kind != Tok::name) unexpected("a field");
        c.path.push_back({take().text, {}});
      } else if (accept("[")) {
        Change::Step step;
        do step.index.push_back(expression());
        while (accept(","));
        expect("]");
        c.path.push_back(std::move(step));
      } else {
        break;
      }
    }
    if (c.path.empty()) unexpected("'[' or '.'");
    expect("=");
    c.value = expression();
    e->changes.push_back(std::move(c));
  } while (accept(","));
  expect("]");
  return e;
}

Expr* Parser::angles() {
  Expr* e = make(Form::tuple, take().where);
  if (accept(">>")) return e;
  do e->kids.push_back(expression());
  while (accept(","));
  if (accept(">>_")) {
    if (e->kids.size() != 1) unexpected("one action before '>>_'");
    e->form = Form::angle_action;
    e->kids.push_back(operand());
    return e;
  }
  expect(">>");
  return e;
}

}  // namespace schism::tla
