#include "schism/tla/parser.hpp"

#include <fmt/format.h>

namespace schism::tla {
namespace {

constexpr int kDepthMax = 2000;  // nesting that no person writes
// Operators of one definition: a chain of them is a tree as deep as it is long.
constexpr int kOperatorsMax = 20'000;

const Token kEnd;

}  // namespace

// --- Tokens --------------------------------------------------------------------------------------

const Token& Parser::peek(std::size_t k) const {
  if (at_ + k >= tokens_.size()) return tokens_.back();
  const Token& t = tokens_[at_ + k];
  return k == 0 && t.where.column <= column_of_junction() ? kEnd : t;
}

std::string_view Parser::text(std::size_t k) const { return symbols_.text(peek(k).text); }

bool Parser::is(std::string_view word, std::size_t k) const {
  const Token& t = peek(k);
  return (t.kind == Tok::op || t.kind == Tok::name) && symbols_.text(t.text) == word;
}

bool Parser::is_name(std::size_t k) const {
  return peek(k).kind == Tok::name && !is_reserved(text(k));
}

Token Parser::take() {
  const Token& t = peek();
  if (t.kind == Tok::end) unexpected("more");
  ++at_;
  return t;
}

bool Parser::accept(std::string_view word) {
  if (!is(word)) return false;
  ++at_;
  return true;
}

void Parser::expect(std::string_view word) {
  if (!accept(word)) unexpected(fmt::format("'{}'", word));
}

void Parser::unexpected(std::string_view wanted) const {
  const Token& t = raw();
  const std::string found = t.kind == Tok::end ? std::string("the end of the text")
                                               : fmt::format("'{}'", symbols_.text(t.text));
  throw Failure(t.where, fmt::format("expected {}, found {}", wanted, found));
}

Symbol Parser::name(std::string_view what) {
  if (!is_name()) unexpected(what);
  return take().text;
}

// --- Operators -----------------------------------------------------------------------------------

Expr* Parser::make(Form form, Location where) {
  Expr& e = arena_.exprs.emplace_back();
  e.form = form;
  e.where = where;
  return &e;
}

Expr* Parser::apply(Symbol op, std::vector<Expr*> args, Location where) {
  Expr* e = make(Form::apply, where);
  e->path.push_back({op, std::move(args)});
  return e;
}

void Parser::reduce(std::vector<Expr*>& operands, std::vector<Pending>& operators) {
  const Pending op = operators.back();
  operators.pop_back();
  Expr* right = operands.back();
  operands.pop_back();
  if (op.prefix) {
    const Symbol name = symbols_.text(op.name) == "-" ? sym("-.") : op.name;
    operands.push_back(apply(name, {right}, op.where));
    return;
  }
  Expr* left = operands.back();
  const std::string& word = symbols_.text(op.name);
  const auto flat = [&](Form form) {
    return left->form == form && !left->parenthesised &&
           (form == Form::product || left->name == op.name);
  };
  if (word == "\\X" || word == "/\\" || word == "\\/") {
    const Form form = word == "\\X" ? Form::product : Form::junction;
    if (!flat(form)) {
      Expr* e = make(form, op.where);
      e->name = op.name;
      e->kids = {left};
      operands.back() = left = e;
    }
    left->kids.push_back(right);
    return;
  }
  operands.back() = apply(op.name, {left, right}, op.where);
}

// Reduces what binds more tightly than the operator that comes, then remembers that one.
void Parser::shift(std::vector<Expr*>& operands, std::vector<Pending>& operators) {
  const Token t = take();
  const Fixity* next = infix_operator(symbols_.text(t.text));
  while (!operators.empty()) {
    const Pending& top = operators.back();
    // SUBSET S \ T is (SUBSET S) \ T, though both bind equally.
    const bool same = top.prefix ? top.fixity->low == next->low && top.fixity->high == next->high
                                 : top.name == t.text && next->left;
    if (top.fixity->low > next->high || same) {
      reduce(operands, operators);
    } else if (top.fixity->high < next->low) {
      break;
    } else {
      throw Failure(t.where, fmt::format("'{}' and '{}' need parentheses between them",
                                         symbols_.text(top.name), symbols_.text(t.text)));
    }
  }
  operators.push_back({t.text, next, false, t.where});
}

void Parser::count_operator(Location where) {
  if (++operators_ > kOperatorsMax)
    throw Failure(where, "a definition has at most 20,000 operators, and this is one more");
}

Expr* Parser::expression() {
  if (++depth_ > kDepthMax) throw Failure(raw().where, "nested too deeply");
  if (depth_ == 1) operators_ = 0;
  std::vector<Expr*> operands;
  std::vector<Pending> operators;
  for (;;) {
    while (peek().kind == Tok::op || peek().kind == Tok::name) {
      const Fixity* prefix = prefix_operator(text());
      if (prefix == nullptr || operator_as_argument()) break;
      const Token t = take();
      count_operator(t.where);
      operators.push_back({t.text, prefix, true, t.where});
    }
    operands.push_back(operand());
    if (peek().kind != Tok::op || infix_operator(text()) == nullptr) break;
    count_operator(peek().where);
    shift(operands, operators);
  }
  while (!operators.empty()) reduce(operands, operators);
  --depth_;
  return operands.back();
}

// --- Operands ------------------------------------------------------------------------------------

Expr* Parser::operand() { return postfix(primary()); }

Expr* Parser::postfix(Expr* e) {
  for (;;) {
    const Location where = peek().where;
    const Expr* before = e;
    if (is("[")) {
      take();
      Expr* f = make(Form::index, where);
      f->kids.push_back(e);
      do f->kids.push_back(expression());
      while (accept(","));
      expect("]");
      e = f;
    } else if (is(".") && peek(1).kind == Tok::name) {
      take();
      Expr* f = make(Form::field, where);
      f->kids.push_back(e);
      f->name = take().text;
      e = f;
    } else if (peek().kind == Tok::op && is_postfix_operator(text())) {
      const Symbol op = take().text;
      e = apply(op, {e}, where);
    }
    if (e == before) return e;
    count_operator(where);
  }
}

Expr* Parser::primary() {
  const Token& t = peek();
  switch (t.kind) {
    case Tok::number: {
      Expr* e = make(Form::number, t.where);
      e->number = take().value;
      return e;
    }
    case Tok::string: {
      Expr* e = make(Form::string, t.where);
      e->name = take().text;
      return e;
    }
    case Tok::real: throw Unsupported(t.where, "real numbers");
    case Tok::name: {
      const std::string_view word = text();
      if (word == "IF") return if_else();
      if (word == "CASE") return case_of();
      if (word == "LET") return let();
      if (word == "CHOOSE") return choose();
      if (word == "LAMBDA") return lambda();
      if (word == "WF_") return fairness(Form::weak_fair);
      if (word == "SF_") return fairness(Form::strong_fair);
      if (is_reserved(word)) unexpected("an expression");
      return qualified();
    }
    case Tok::op: {
      const std::string_view word = text();
      if (word == "(") return parenthesised();
      if (word == "{") return braces();
      if (word == "[") return brackets();
      if (word == "<<") return angles();
      if (word == "/\\" || word == "\\/") return junction();
      if (word == "\\A") return quantified(Form::forall);
      if (word == "\\E") return quantified(Form::exists);
      if (word == "\\AA") return quantified(Form::forall_time);
      if (word == "\\EE") return quantified(Form::exists_time);
      if (word == "@") return take(), make(Form::at, t.where);
      unexpected("an expression");
    }
    default: unexpected("an expression");
  }
}

Expr* Parser::parenthesised() {
  expect("(");
  Expr* e = expression();
  expect(")");
  e->parenthesised = true;
  return e;
}

Expr* Parser::junction() {
  const Token bullet = peek();
  Expr* e = make(Form::junction, bullet.where);
  e->name = bullet.text;
  while (peek().kind == Tok::op && peek().text == bullet.text &&
         peek().where.column == bullet.where.column) {
    take();
    junctions_.push_back(bullet.where.column);
    e->kids.push_back(expression());
    junctions_.pop_back();
  }
  e->parenthesised = true;
  e->bulleted = true;
  return e;
}

// x, Op(a), M(x)!Op(y), Def!1!<<, a label P0:: before an expression.
Expr* Parser::qualified() {
  const Location where = peek().where;
  Expr* e = make(Form::apply, where);
  PathItem first{take().text, {}};
  if (is("(")) arguments(first.args);
  if (is("::")) {
    take();
    return labelled(first, where);
  }
  e->path.push_back(std::move(first));
  while (is("!")) {
    take();
    const Token part = take();
    PathItem item{part.text, {}};
    if (part.kind == Tok::number) item.name = sym(std::to_string(part.value));
    else if (part.kind == Tok::op && symbols_.text(part.text) == "(") {
      --at_;  // Def!(x): the body of a quantifier with x for its variable
      item.name = sym("!()");
    }
    if (is("(")) arguments(item.args);
    e->path.push_back(std::move(item));
  }
  return e;
}

// The label names what follows; its parameters are variables that are bound around it.
Expr* Parser::labelled(const PathItem& label, Location where) {
  std::vector<Symbol> parameters;
  for (const Expr* p : label.args) {
    if (p->form != Form::apply || p->path.size() != 1 || !p->path[0].args.empty())
      throw Failure(where, "the parameters of a label are bound variables");
    parameters.push_back(p->path[0].name);
  }
  Expr* e = expression();
  e->label = label.name;
  e->label_parameters = std::move(parameters);
  return e;
}

void Parser::arguments(std::vector<Expr*>& args) {
  expect("(");
  do args.push_back(argument());
  while (accept(","));
  expect(")");
}

// An operator without operands: what follows ends the argument.
bool Parser::operator_as_argument() const { return is(",", 1) || is(")", 1); }

// Operators may be arguments by themselves: Fold(+, 0, s).
Expr* Parser::argument() {
  if ((peek().kind == Tok::op || peek().kind == Tok::name) && operator_as_argument() &&
      (infix_operator(text()) != nullptr || prefix_operator(text()) != nullptr ||
       is_postfix_operator(text()) || is("-."))) {
    const Token t = take();
    return apply(t.text, {}, t.where);
  }
  return expression();
}

// --- Binders -------------------------------------------------------------------------------------

Bound Parser::bound_names() {
  Bound b;
  if (accept("<<")) {
    b.tuple = true;
    do b.names.push_back(name("a variable"));
    while (accept(","));
    expect(">>");
    return b;
  }
  do b.names.push_back(name("a variable"));
  while (accept(","));
  return b;
}

std::vector<Bound> Parser::bounds(bool must_have_set) {
  std::vector<Bound> out;
  do {
    out.push_back(bound_names());
    if (accept("\\in")) out.back().set = expression();
    else if (must_have_set) unexpected("'\\in'");
  } while (accept(","));
  return out;
}

Expr* Parser::quantified(Form form) {
  Expr* e = make(form, take().where);
  e->bounds = bounds(false);
  expect(":");
  e->kids = {expression()};
  return e;
}

Expr* Parser::choose() {
  Expr* e = make(Form::choose, take().where);
  e->bounds.push_back(bound_names());
  if (accept("\\in")) e->bounds.back().set = expression();
  expect(":");
  e->kids = {expression()};
  return e;
}

Expr* Parser::if_else() {
  Expr* e = make(Form::if_else, take().where);
  e->kids.push_back(expression());
  expect("THEN");
  e->kids.push_back(expression());
  expect("ELSE");
  e->kids.push_back(expression());
  return e;
}

Expr* Parser::case_of() {
  Expr* e = make(Form::case_of, take().where);
  do {
    if (accept("OTHER")) {
      expect("->");
      e->kids.push_back(expression());
      return e;
    }
    e->kids.push_back(expression());
    expect("->");
    e->kids.push_back(expression());
  } while (accept("[]"));
  return e;
}

Expr* Parser::let() {
  Expr* e = make(Form::let, take().where);
  std::vector<std::pair<Symbol, int>> names;
  while (!is("IN")) {
    if (is("RECURSIVE")) recursive(names);
    else e->definitions.push_back(definition(accept("LOCAL")));
  }
  mark_recursive(e->definitions, names);
  expect("IN");
  e->kids = {expression()};
  return e;
}

Expr* Parser::lambda() {
  Expr* e = make(Form::lambda, take().where);
  Definition& d = arena_.definitions.emplace_back();
  d.where = e->where;
  d.name = sym("LAMBDA");
  do d.parameters.push_back(parameter());
  while (accept(","));
  expect(":");
  d.body = expression();
  e->definitions = {&d};
  return e;
}

Expr* Parser::fairness(Form form) {
  Expr* e = make(form, take().where);
  if (is_name()) {  // not qualified(): the parenthesis belongs to the action
    Expr* v = make(Form::apply, peek().where);
    v->path.push_back({take().text, {}});
    while (accept("!")) v->path.push_back({name("a name"), {}});
    e->kids.push_back(v);
  } else {
    e->kids.push_back(primary());
  }
  expect("(");
  e->kids.push_back(expression());
  expect(")");
  return e;
}

}  // namespace schism::tla
