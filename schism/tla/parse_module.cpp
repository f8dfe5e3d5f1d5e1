// Modules and their units: declarations, definitions, instances, assumptions.
#include <fmt/format.h>

#include "schism/tla/parser.hpp"

namespace schism::tla {

std::vector<Module*> Parser::modules() {
  std::vector<Module*> out;
  while (raw().kind != Tok::end) out.push_back(module(nullptr));
  return out;
}

Module* Parser::module(Module* outer) {
  if (raw().kind != Tok::rule) unexpected("---- MODULE");
  ++at_;
  expect("MODULE");
  Module& m = arena_.modules.emplace_back();
  m.outer = outer;
  m.file = file_;
  m.name = name("the module's name");
  if (raw().kind != Tok::rule) unexpected("----");
  ++at_;
  const auto outer_recursive = std::move(recursive_);
  recursive_.clear();
  if (accept("EXTENDS")) do {
      const Location where = peek().where;
      m.extends.emplace_back(name("a module"), where);
    } while (accept(","));
  while (raw().kind != Tok::end_rule) {
    if (raw().kind == Tok::end) unexpected("==== at the end of the module");
    unit(m);
  }
  ++at_;
  mark_recursive(m.definitions, recursive_);
  recursive_ = outer_recursive;
  return &m;
}

void Parser::unit(Module& m) {
  const std::uint32_t column = raw().where.column;
  if (raw().kind == Tok::rule) {
    if (is("MODULE", 1)) {
      m.inner.push_back(module(&m));
      return;
    }
    ++at_;
    return;
  }
  if (raw().kind == Tok::step) return skip_proof(column);
  if (is("CONSTANT") || is("CONSTANTS")) return constants(m);
  if (is("VARIABLE") || is("VARIABLES")) {
    take();
    do m.variables.push_back(name("a variable"));
    while (accept(","));
    return;
  }
  if (is("ASSUME") || is("ASSUMPTION") || is("AXIOM")) return assumption(m);
  for (const char* word : {"THEOREM", "LEMMA", "PROPOSITION", "COROLLARY"})
    if (is(word)) return take(), theorem(m, column);
  for (const char* word : {"PROOF", "BY", "USE", "HIDE", "OBVIOUS", "OMITTED", "QED"})
    if (is(word)) return take(), skip_proof(column);
  if (is("RECURSIVE")) return recursive(recursive_);
  const bool local = accept("LOCAL");
  if (is("INSTANCE")) {
    m.instances.push_back(instance());
    m.instances.back().local = local;
    return;
  }
  m.definitions.push_back(definition(local));
}

void Parser::constants(Module& m) {
  take();
  do m.constants.push_back(parameter());
  while (accept(","));
}

Parameter Parser::parameter() {
  Parameter p;
  const auto placeholder = [&] {
    if (!accept("_")) unexpected("'_'");
    ++p.arity;
  };
  if (is("_")) {  // _ + _, or _^*
    placeholder();
    if (peek().kind != Tok::op) unexpected("an operator");
    p.name = take().text;
    if (is("_")) placeholder();
    return p;
  }
  if (peek().kind == Tok::op && (is("-.") || prefix_operator(text()) != nullptr)) {
    p.name = take().text;
    placeholder();
    return p;
  }
  p.name = name("a name");
  if (accept("(")) {
    do placeholder();
    while (accept(","));
    expect(")");
  }
  return p;
}

void Parser::assumption(Module& m) {
  const bool axiom = is("AXIOM");  // taken for granted, by TLC too
  const Location where = take().where;
  Assumption a;
  a.where = where;
  if (is_name() && is("==", 1)) {
    a.name = take().text;
    take();
  }
  a.body = expression();
  if (!axiom) m.assumptions.push_back(a);
  if (a.name != 0) {  // it may be used by its name
    Definition& d = arena_.definitions.emplace_back();
    d.name = a.name;
    d.body = a.body;
    d.where = where;
    m.definitions.push_back(&d);
  }
  if (is("BY") || is("PROOF") || is("OBVIOUS") || is("OMITTED") || raw().kind == Tok::step)
    skip_proof(where.column);
}

// What a theorem says may be used by its name. Of what is not an expression (ASSUME ... PROVE) and
// of proofs nothing is kept.
void Parser::theorem(Module& m, std::uint32_t column) {
  if (!is_name() || !is("==", 1) || is("ASSUME", 2)) return skip_proof(column);
  const std::size_t begin = at_;
  Definition d;
  d.where = peek().where;
  d.name = take().text;
  take();
  try {
    d.body = expression();
  } catch (const Failure&) {
    at_ = begin;
    depth_ = 0;
    junctions_.clear();
    return skip_proof(column);
  }
  arena_.definitions.push_back(std::move(d));
  m.definitions.push_back(&arena_.definitions.back());
  if (!begins_unit()) skip_proof(column);
}

// A theorem and its proof reach to the next unit that begins at or left of its own column.
void Parser::skip_proof(std::uint32_t column) {
  for (bool first = true;; first = false, ++at_) {
    const Token& t = raw();
    if (t.kind == Tok::end || t.kind == Tok::end_rule) return;
    if (t.kind == Tok::rule) return;
    if (!first && t.first_on_line && t.where.column <= column && begins_unit()) return;
  }
}

bool Parser::begins_unit() const {
  for (const char* word :
       {"THEOREM", "LEMMA", "PROPOSITION", "COROLLARY", "CONSTANT", "CONSTANTS", "VARIABLE",
        "VARIABLES", "LOCAL", "RECURSIVE", "INSTANCE", "ASSUMPTION", "AXIOM"})
    if (is(word)) return true;
  if (is("ASSUME")) {  // ASSUME ... PROVE belongs to the theorem
    const std::string& before = symbols_.text(tokens_[at_ - 1].text);
    const bool after_head = before == "==" || before == "THEOREM" || before == "LEMMA" ||
                            before == "PROPOSITION" || before == "COROLLARY";
    return !after_head;
  }
  return begins_definition(0);
}

std::size_t Parser::skip_balanced(std::size_t k) const {
  int depth = 0;
  for (; at_ + k < tokens_.size(); ++k) {
    if (is("(", k) || is("[", k)) ++depth;
    if (is(")", k) || is("]", k)) --depth;
    if (depth == 0) return k + 1;
  }
  return k;
}

bool Parser::begins_definition(std::size_t k) const {
  if (is("-.", k) && is_name(k + 1) && is("==", k + 2)) return true;
  if (!is_name(k)) return false;
  if (is("==", k + 1)) return true;
  if (is("(", k + 1) || is("[", k + 1)) return is("==", skip_balanced(k + 1));
  if (peek(k + 1).kind != Tok::op) return false;
  if (infix_operator(text(k + 1)) != nullptr) return is_name(k + 2) && is("==", k + 3);
  return is_postfix_operator(text(k + 1)) && is("==", k + 2);
}

void Parser::recursive(std::vector<std::pair<Symbol, int>>& names) {
  take();
  do {
    const Parameter p = parameter();
    names.emplace_back(p.name, p.arity);
  } while (accept(","));
}

void Parser::mark_recursive(std::vector<Definition*>& all,
                            const std::vector<std::pair<Symbol, int>>& names) {
  for (Definition* d : all)
    for (const auto& [name, arity] : names)
      if (d->name == name) d->recursive = true;
}

void Parser::parameters(Definition& d) {
  if (!accept("(")) return;
  do d.parameters.push_back(parameter());
  while (accept(","));
  expect(")");
}

Definition* Parser::definition(bool local) {
  Definition& d = arena_.definitions.emplace_back();
  d.local = local;
  d.where = peek().where;
  if (peek().kind == Tok::op && (is("-.") || prefix_operator(text()) != nullptr)) {
    d.name = is("-") ? (take(), sym("-.")) : take().text;
    d.parameters.push_back({name("a parameter"), 0});
  } else {
    d.name = name("a definition");
    if (is("[")) {
      const Location where = take().where;
      Expr* f = make(Form::function, where);
      f->bounds = bounds(true);
      expect("]");
      expect("==");
      f->kids = {expression()};
      d.body = f;
      d.is_function = true;
      return &d;
    }
    if (peek().kind == Tok::op && !is("==") && !is("(")) {
      const Symbol left = d.name;
      const bool after = is_postfix_operator(text());
      if (!after && infix_operator(text()) == nullptr) unexpected("'=='");
      d.name = take().text;
      d.parameters.push_back({left, 0});
      if (!after) d.parameters.push_back({name("a parameter"), 0});
    } else {
      parameters(d);
    }
  }
  expect("==");
  if (is("INSTANCE")) d.instance = std::make_unique<Instance>(instance());
  else d.body = expression();
  return &d;
}

Instance Parser::instance() {
  Instance i;
  i.where = take().where;
  i.module = name("a module");
  if (!accept("WITH")) return i;
  do {
    const Symbol what = peek().kind == Tok::op ? take().text : name("a constant or variable");
    expect("<-");
    const bool op = peek().kind == Tok::op && infix_operator(text()) != nullptr && !is("/\\") &&
                    !is("\\/") && !is("-") && !is("<<");
    if (op) {
      const Token t = take();
      i.with.emplace_back(what, apply(t.text, {}, t.where));
    } else {
      i.with.emplace_back(what, expression());
    }
  } while (accept(","));
  return i;
}

std::vector<Module*> parse_modules(std::string_view text, std::uint32_t file, Symbols& symbols,
                                   SyntaxArena& arena) {
  return Parser(lex(text, file, symbols), file, symbols, arena).modules();
}

Expr* parse_expression(std::string_view text, Symbols& symbols, SyntaxArena& arena) {
  Parser parser(lex_config(text, 0, symbols), 0, symbols, arena);
  Expr* e = parser.expression();
  if (!parser.done()) throw Failure({0, 1, 1}, "more text than one expression");
  return e;
}

}  // namespace schism::tla
