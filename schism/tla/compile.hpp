// From syntax to code. One compiler serves all expressions of a specification; what it makes stays
// valid as long as its arenas.
#pragma once

#include <map>

#include "schism/tla/library.hpp"
#include "schism/tla/store.hpp"

namespace schism::tla {

class Compiler {
 public:
  Compiler(Library& library, Store& store, ScopeArena& scopes, CodeArena& code)
      : library_(library),
        symbols_(library.symbols()),
        store_(store),
        scopes_(scopes),
        code_(code) {}

  // A definition replaced by the configuration: everywhere, or in one module.
  struct Override {
    Symbol module = 0, name = 0;
    Value value;            // or
    Symbol definition = 0;  // of the main module
    bool table = false;     // the value is what an operator gives, by its arguments
  };
  // The scope of the main module: constants come from `overrides`, variables are numbered.
  Scope* main_scope(Module* main, std::vector<Override> overrides);
  const std::vector<Symbol>& variables() const { return variables_; }
  // What a module that the main one extends sees, LOCAL definitions of its own too.
  Scope* part(const Module* m) const { return parts_.at(m); }

  enum class Use { value, initial };  // initial: unprimed variables are being assigned
  Code compile(const Expr* e, Scope* scope, Use use = Use::value);
  // The same for what many states are asked: conjuncts that look at one variable alone are computed
  // once for each of its values.
  Code compile_check(const Expr* e, Scope* scope);
  // All of them together, each in its scope.
  Code compile_all(const std::vector<std::pair<const Expr*, Scope*>>& parts, Use use);
  // A named action: its parameters are the first slots.
  Code compile_operator(const Definition& d, Scope* scope, std::vector<std::uint32_t>& slots);

  // The meaning of a name with instances in front: M!Op; null where there is none.
  struct Found {
    Binding* binding = nullptr;
    std::vector<Expr*> args;
    Scope* args_scope = nullptr;
  };
  Found resolve(const Expr* e, Scope* scope);
  // A scope in which the parameters of a definition mean the arguments.
  Scope* scope_with_arguments(const Definition& d, Scope* scope, const std::vector<Expr*>& args,
                              Scope* args_scope, Location where);
  // A scope in which these names are constants.
  Scope* scope_with_values(Scope* scope, const std::vector<std::pair<Symbol, Value>>& values);
  Scope* let_scope(const Expr* let, Scope* scope);
  // Where a selector such as Def!2!1 leads.
  std::pair<const Expr*, Scope*> select(const Expr* e, Scope* scope);
  static bool mentions(const Expr* e, Symbol name);

 private:
  struct Mode {
    bool primed = false;
    bool initial = false;
    const Scope* enabled = nullptr;  // inside of an ENABLED that stands there
    int epoch = 0;
  };

  // Scopes (scope.cpp).
  Scope* new_scope(Scope* up, Layout* layout);
  Binding* new_binding(Binding::What what);
  Scope* instantiate(const Module& m, const Instance* instance, Scope* outer, bool main);
  void add_module(Scope& scope, const Module& m, const Instance* instance, Scope* outer, bool main,
                  std::vector<const Module*>& done);
  void add_builtins(Scope& scope, Symbol module);
  void declare(Scope& scope, const Module& m, const Instance* instance, Scope* outer, bool main);
  void import(Scope& into, const Scope& from, bool local);
  void apply_overrides(Scope& scope, Symbol module, Scope& own);
  Binding* named_in_main(const Override& o);
  void find_replaced(Module& main);
  Binding* substitution(Symbol name, int arity, const Instance& instance, Scope* outer);
  Module* module_named(Symbol name, const Scope* scope, Location where);
  Scope* instance_scope(Binding& instance, const PathItem& item, Scope* args_scope, Location where);

  // Selectors (compile_select.cpp).
  struct Selected {
    const Expr* expr;
    Scope* scope;
  };
  struct Spare {
    const std::vector<Expr*>& args;
    std::size_t used = 0;
  };
  std::vector<Expr*> arguments_of(const PathItem& item, std::size_t needed, Spare& spare,
                                  Location where);
  bool select_label(Selected& at, const PathItem& item, Scope* args_scope, Spare& spare,
                    Location where);
  bool select_defined(Selected& at, const PathItem& item, Scope* args_scope, Spare& spare,
                      Location where);
  bool select_body(Selected& at, const PathItem& item, Scope* args_scope, Spare& spare,
                   Location where);
  void select_part(Selected& at, const PathItem& item, Scope* args_scope, Spare& spare,
                   Location where);
  std::vector<Expr*> operands_of(const Expr& e, Location where);

  // Expressions (compile.cpp).
  const Node* expr(const Expr* e, Scope* scope);
  const Node* form(const Expr* e, Scope* scope);
  const Node* junction(const Expr* e, Scope* scope);
  const Node* quantified(const Expr* e, Scope* scope, Op op);
  const Node* choose(const Expr* e, Scope* scope);
  const Node* function(const Expr* e, Scope* scope, Symbol self);
  const Node* record(const Expr* e, Scope* scope);
  const Node* except(const Expr* e, Scope* scope);
  const Node* let(const Expr* e, Scope* scope);
  const Node* unchanged(const Expr* e, Scope* scope, Location where);
  void unchanged_parts(const Expr* e, Scope* scope, Location where, std::vector<const Node*>& out);
  const Node* primed(const Expr* e, Scope* scope, Location where);
  const Node* all_of(const Expr* e, Scope* scope, Op op);
  std::uint64_t open_groups(const std::vector<Bound>& bounds, Scope* outer, Scope* inner,
                            std::vector<Group>& groups);
  Binding* bind_slot(Scope* scope, Symbol name, std::uint64_t& bits);

  // Applications (compile_apply.cpp).
  const Node* apply(const Expr* e, Scope* scope);
  const Node* core(const std::string& word, const std::vector<Expr*>& args, Scope* scope,
                   Location where);
  const Node* use(Binding& b, const std::vector<Expr*>& args, Scope* args_scope, Location where);
  const Node* lazy(Binding& b, Location where);
  const Node* fresh(const Binding& b);  // its expression, compiled once more
  const Node* inlined(const Binding& b, const std::vector<Expr*>& args, Scope* args_scope,
                      Location where);
  const Node* called(const Binding& b, const std::vector<Expr*>& args, Scope* args_scope,
                     Location where);
  const Function* function_of(const Binding& b, Layout* up, const std::vector<Binding*>& ops,
                              Location where);
  const Node* builtin(const Binding& b, const std::vector<Expr*>& args, Scope* scope,
                      Location where);
  const Node* higher_order(Builtin which, const std::vector<Expr*>& args, Scope* scope,
                           Location where);
  Binding* operator_argument(const Expr* e, Scope* scope, int arity);
  Binding* wrapped(const Expr* e, Scope* scope, int arity);
  bool is_shadow(const Binding& b) const;
  Binding* argument(const Expr* e, Scope* scope, std::vector<std::uint32_t>* resets);
  const Node* slot_node(const Binding& b, Location where);
  const Node* in_frame(const Node* n, const Layout* layout);
  std::uint16_t hops_to(const Layout* layout, Location where) const;

  // Nodes (compile_node.cpp).
  Node* make(Op op, Location where, const std::vector<const Node*>& kids);
  const Node* seal(Node* n);  // constant kids of a node that is not constant are computed once
  const Node* cached(const Node* n);
  const Node* cached_in_state(const Node* n, const Binding& b);
  const Node* remembered(const Node* n);
  const Node* literal(Value v, Location where);
  const Node* refused(std::string_view what, Location where);
  Extra* extra(Node* n);
  void depend(Node* n, const Node* on);
  std::uint64_t bit_here();

  Library& library_;
  Symbols& symbols_;
  Store& store_;
  ScopeArena& scopes_;
  CodeArena& code_;
  std::vector<Symbol> variables_;
  std::vector<Override> overrides_;
  absl::flat_hash_map<const Definition*, const Override*> replaced_;
  absl::flat_hash_map<const Module*, Scope*> parts_;  // the main module and those it extends
  Scope* main_ = nullptr;
  Layout* layout_ = nullptr;
  Mode mode_;
  int instances_ = 0;  // inside each other, while they are made
  int depth_ = 0;      // binders around the expression
  int nesting_ = 0;    // operators being inlined
  int epochs_ = 0;
  std::size_t nodes_here_ = 0;  // of the expression being compiled
  std::vector<Binding*> at_;    // @ of the EXCEPTs around
  using Key = std::tuple<const Definition*, const Scope*, std::vector<Binding*>, bool, bool,
                         const Scope*, const Layout*>;
  std::map<Key, Function*> functions_;
  std::map<std::pair<const Definition*, const Scope*>, std::uint32_t> state_caches_;
};

}  // namespace schism::tla
