// From tokens to modules: operator precedence by ranges, junction lists by column. Proofs are
// skipped, theorems too. The first thing that is wrong is thrown as a Failure with its position.
#pragma once

#include <string_view>
#include <vector>

#include "schism/tla/lexer.hpp"
#include "schism/tla/operators.hpp"
#include "schism/tla/syntax.hpp"

namespace schism::tla {

// All modules of one file, the first one first.
std::vector<Module*> parse_modules(std::string_view text, std::uint32_t file, Symbols& symbols,
                                   SyntaxArena& arena);
// A single expression, for tests and tools.
Expr* parse_expression(std::string_view text, Symbols& symbols, SyntaxArena& arena);

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::uint32_t file, Symbols& symbols, SyntaxArena& arena)
      : tokens_(std::move(tokens)), file_(file), symbols_(symbols), arena_(arena) {}

  std::vector<Module*> modules();
  void count_operator(Location where);
  Expr* expression();
  bool done() const { return tokens_[at_].kind == Tok::end; }

 private:
  struct Pending {  // an operator that waits for its right side
    Symbol name;
    const Fixity* fixity;
    bool prefix;
    Location where;
  };

  // Tokens. A token at or left of a junction's bullet ends the item: it is not seen.
  const Token& peek(std::size_t k = 0) const;
  const Token& raw() const { return tokens_[at_]; }
  std::string_view text(std::size_t k = 0) const;
  bool is(std::string_view word, std::size_t k = 0) const;
  bool is_name(std::size_t k = 0) const;
  Token take();
  bool accept(std::string_view word);
  void expect(std::string_view word);
  [[noreturn]] void unexpected(std::string_view wanted) const;
  Symbol name(std::string_view what);
  Symbol sym(std::string_view t) { return symbols_.intern(t); }
  std::uint32_t column_of_junction() const { return junctions_.empty() ? 0 : junctions_.back(); }

  // Expressions.
  Expr* make(Form form, Location where);
  Expr* apply(Symbol op, std::vector<Expr*> args, Location where);
  Expr* operand();
  Expr* primary();
  Expr* postfix(Expr* e);
  Expr* parenthesised();
  Expr* junction();
  Expr* quantified(Form form);
  Expr* choose();
  Expr* if_else();
  Expr* case_of();
  Expr* let();
  Expr* lambda();
  Expr* braces();
  Expr* brackets();
  Expr* except(Expr* function, Location where);
  Expr* angles();
  Expr* fairness(Form form);
  Expr* qualified();
  Expr* labelled(const PathItem& label, Location where);
  void arguments(std::vector<Expr*>& args);
  Expr* argument();
  bool operator_as_argument() const;
  void reduce(std::vector<Expr*>& operands, std::vector<Pending>& operators);
  void shift(std::vector<Expr*>& operands, std::vector<Pending>& operators);
  std::vector<Bound> bounds(bool must_have_set);
  Bound bound_names();
  bool try_function_bounds(std::vector<Bound>& out);
  Bound bound_of(const Expr* membership);

  // Units.
  Module* module(Module* outer);
  void unit(Module& m);
  void constants(Module& m);
  void assumption(Module& m);
  void theorem(Module& m, std::uint32_t column);
  void skip_proof(std::uint32_t column);
  bool begins_unit() const;
  bool begins_definition(std::size_t k) const;
  std::size_t skip_balanced(std::size_t k) const;
  Definition* definition(bool local);
  void recursive(std::vector<std::pair<Symbol, int>>& names);
  void parameters(Definition& d);
  Parameter parameter();
  Instance instance();
  static void mark_recursive(std::vector<Definition*>& all,
                             const std::vector<std::pair<Symbol, int>>& names);

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t file_;
  Symbols& symbols_;
  SyntaxArena& arena_;
  std::vector<std::uint32_t> junctions_;
  std::vector<std::pair<Symbol, int>> recursive_;
  int depth_ = 0, operators_ = 0;
};

}  // namespace schism::tla
