// Applications: what TLA+ itself defines, definitions inlined or called, arguments.
#include <fmt/format.h>

#include <algorithm>

#include "schism/tla/compile.hpp"

namespace schism::tla {
namespace {

constexpr std::size_t kInlineMax = 60'000;  // nodes of one expression, then operators are called
constexpr int kNestingMax = 400;

struct CoreOperator {
  std::string_view name;
  Op op;
  int arity;
};
constexpr CoreOperator kCore[] = {{"~", Op::not_, 1},          {"=>", Op::implies, 2},
                                  {"<=>", Op::iff, 2},         {"=", Op::equal, 2},
                                  {"/=", Op::not_equal, 2},    {"\\in", Op::in, 2},
                                  {"\\notin", Op::not_in, 2},  {"\\subseteq", Op::subseteq, 2},
                                  {"\\cup", Op::cup, 2},       {"\\cap", Op::cap, 2},
                                  {"\\", Op::minus, 2},        {"DOMAIN", Op::domain, 1},
                                  {"SUBSET", Op::powerset, 1}, {"UNION", Op::union_, 1},
                                  {"/\\", Op::and_, 2},        {"\\/", Op::or_, 2},
                                  {"ENABLED", Op::enabled, 1}};

}  // namespace

const Node* Compiler::apply(const Expr* e, Scope* scope) {
  const PathItem& first = e->path[0];
  if (e->path.size() == 1) {
    const std::string& word = symbols_.text(first.name);
    if (const Node* n = core(word, first.args, scope, e->where)) return n;
  }
  Found found = resolve(e, scope);
  if (found.binding == nullptr) {
    if (e->path.size() > 1) {
      const auto [part, where] = select(e, scope);
      if (part != nullptr) return expr(part, where);
    }
    std::string word;
    for (const PathItem& item : e->path)
      word += (word.empty() ? "" : "!") + symbols_.text(item.name);
    throw Failure(e->where, fmt::format("{} is not defined", word));
  }
  return use(*found.binding, found.args, found.args_scope, e->where);
}

// What every module has; null for anything else.
const Node* Compiler::core(const std::string& word, const std::vector<Expr*>& args, Scope* scope,
                           Location where) {
  if (args.empty()) {
    if (word == "TRUE") return literal(kTrue, where);
    if (word == "FALSE") return literal(kFalse, where);
    if (word == "BOOLEAN") return literal(store_.booleans(), where);
    if (word == "STRING") return literal(store_.infinite(Infinite::strings), where);
    return nullptr;
  }
  if (args.size() == 1) {
    if (word == "'") return primed(args[0], scope, where);
    if (word == "UNCHANGED") return unchanged(args[0], scope, where);
    if (word == "[]" || word == "<>")
      throw Unsupported(where, fmt::format("the temporal operator {} inside an expression", word));
  }
  if (args.size() == 2) {
    if (word == "~>" || word == "-+->")
      throw Unsupported(where, fmt::format("the temporal operator {} inside an expression", word));
    if (word == "\\cdot") {
      if (scope->find(symbols_.intern(word)) != nullptr) return nullptr;
      const Node* a = expr(args[0], scope);
      const Mode before = mode_;
      mode_.epoch = ++epochs_;
      const Node* b = expr(args[1], scope);
      mode_ = before;
      Node* n = make(Op::compose, where, {a, b});
      n->uses |= kVariables | kPrimes;
      return n;
    }
  }
  for (const CoreOperator& c : kCore) {
    if (c.name != word || c.arity != static_cast<int>(args.size())) continue;
    std::vector<const Node*> kids;
    const Scope* outer = mode_.enabled;
    if (c.op == Op::enabled) mode_.enabled = scope;
    for (const Expr* a : args) kids.push_back(expr(a, scope));
    mode_.enabled = outer;
    if (c.op == Op::enabled) {
      if (mode_.primed) throw Unsupported(where, "a primed ENABLED");
      Node* n = make(Op::enabled, where, kids);
      n->uses = static_cast<std::uint8_t>((n->uses & ~kPrimes) | kVariables);
      return seal(n);
    }
    if ((c.op == Op::in || c.op == Op::not_in) && kids[1]->op == Op::interval) {
      Node* n = make(Op::in_interval, where, {kids[0], &kids[1]->kid(0), &kids[1]->kid(1)});
      const Node* in = seal(n);
      return c.op == Op::in ? in : seal(make(Op::not_, where, {in}));
    }
    return seal(make(c.op, where, kids));
  }
  return nullptr;
}

const Node* Compiler::primed(const Expr* e, Scope* scope, Location where) {
  if (mode_.primed) throw Failure(where, "a prime inside a primed expression");
  if (mode_.initial) throw Failure(where, "a primed variable in the initial predicate");
  mode_.primed = true;
  const Node* n = expr(e, scope);
  mode_.primed = false;
  return n;
}

const Node* Compiler::unchanged(const Expr* e, Scope* scope, Location where) {
  std::vector<const Node*> parts;
  unchanged_parts(e, scope, where, parts);
  if (parts.empty()) return literal(kTrue, where);
  // Plain variables go together: that is most of what an action says.
  const auto plain = [](const Node* n) {
    return n->op == Op::equal && n->kid(0).op == Op::primed && n->kid(1).op == Op::variable &&
           n->kid(0).slot == n->kid(1).slot;
  };
  const auto others = std::stable_partition(parts.begin(), parts.end(), plain);
  if (others - parts.begin() > 1) {
    Node* n = make(Op::unchanged, where, {parts.begin(), others});
    Extra* x = extra(n);
    for (auto at = parts.begin(); at != others; ++at) x->variables.push_back((*at)->kid(0).slot);
    parts.erase(parts.begin() + 1, others);
    parts[0] = n;
  }
  if (parts.size() == 1) return parts[0];
  return seal(make(Op::and_, where, parts));
}

// UNCHANGED <<a, <<b, c>>>> and UNCHANGED vars are equations of single variables.
void Compiler::unchanged_parts(const Expr* e, Scope* scope, Location where,
                               std::vector<const Node*>& out) {
  if (e->form == Form::tuple) {
    for (const Expr* kid : e->kids) unchanged_parts(kid, scope, where, out);
    return;
  }
  if (e->form == Form::apply) {
    const Found found = resolve(e, scope);
    const Binding* b = found.binding;
    if (b != nullptr && found.args.empty() && !is_shadow(*b)) {
      if (b->what == Binding::What::definition && b->arity == 0 && !b->definition->is_function &&
          !b->definition->recursive)
        return unchanged_parts(b->definition->body, b->scope, where, out);
      if (b->what == Binding::What::lazy && b->arity == 0)
        return unchanged_parts(b->expr, b->scope, where, out);
    }
  }
  const Node* after = primed(e, scope, where);
  const Node* before = expr(e, scope);
  out.push_back(seal(make(Op::equal, where, {after, before})));
}

// --- Names ---------------------------------------------------------------------------------------

// An ENABLED of another module sees what the variable is replaced by.
bool Compiler::is_shadow(const Binding& b) const {
  if (b.shadow == 0) return false;
  for (const Scope* s = mode_.enabled; s != nullptr; s = s->up)
    if (s == b.home) return true;
  return false;
}

const Node* Compiler::use(Binding& b, const std::vector<Expr*>& args, Scope* args_scope,
                          Location where) {
  if (mode_.primed && args.empty() && is_shadow(b)) {
    Node* n = make(Op::primed, where, {});
    n->slot = static_cast<std::uint32_t>(variables_.size()) + b.shadow - 1;
    n->uses = kPrimes;
    return n;
  }
  switch (b.what) {
    case Binding::What::value:
      if (!b.value.is_set())
        throw Failure(where, "this constant has no value in the configuration");
      if (b.table) {
        std::vector<const Node*> kids;
        for (const Expr* a : args) kids.push_back(expr(a, args_scope));
        const Node* x = kids.size() == 1 ? kids[0] : seal(make(Op::tuple, where, kids));
        return seal(make(Op::index, where, {literal(b.value, where), x}));
      }
      if (!args.empty()) throw Failure(where, "this constant takes no arguments");
      return literal(b.value, where);
    case Binding::What::variable: {
      Node* n = make(mode_.primed ? Op::primed : Op::variable, where, {});
      n->slot = b.index;
      n->uses = mode_.primed ? kPrimes : kVariables;
      return n;
    }
    case Binding::What::slot:
      if (!args.empty()) throw Failure(where, "this takes no arguments");
      return slot_node(b, where);
    case Binding::What::lazy:
      if (!args.empty()) {
        Binding* op = operator_argument(b.expr, b.scope, static_cast<int>(args.size()));
        return use(*op, args, args_scope, where);
      }
      return lazy(b, where);
    case Binding::What::definition: {
      if (b.definition->parameters.size() != args.size())
        throw Failure(
            where, fmt::format("{} takes {} arguments, not {}", symbols_.text(b.definition->name),
                               b.definition->parameters.size(), args.size()));
      if (b.definition->recursive) return called(b, args, args_scope, where);
      return inlined(b, args, args_scope, where);
    }
    case Binding::What::instance:
      throw Failure(where, "an instance stands where a value is needed");
    case Binding::What::builtin: return builtin(b, args, args_scope, where);
  }
  throw Failure(where, "internal: an unknown name");
}

const Node* Compiler::fresh(const Binding& b) {
  const std::vector<Binding*> at = at_;
  const Scope* enabled = mode_.enabled;
  if (enabled != nullptr && b.argument) mode_.enabled = b.scope;  // it means what it means there
  at_.resize(std::min(at_.size(), b.at_depth));
  const Node* n = b.definition != nullptr && b.definition->is_function
                      ? function(b.expr, b.scope, b.definition->name)
                      : expr(b.expr, b.scope);
  at_ = at;
  mode_.enabled = enabled;
  return n;
}

const Node* Compiler::lazy(Binding& b, Location where) {
  if (!b.memo || b.layout == nullptr) return fresh(b);
  if (b.code == nullptr) {
    Layout* layout = layout_;
    const Mode mode = mode_;
    layout_ = b.layout;
    mode_.primed = false;
    b.code = fresh(b);
    if (b.code->constant()) b.code = cached(b.code);
    layout_ = layout;
    mode_ = mode;
  }
  if (b.code->constant()) return b.code;
  const bool state = (b.code->uses & kVariables) != 0;
  // What depends on variables that are only being assigned cannot be kept.
  if ((b.code->uses & kPrimes) != 0 ||
      (state && (mode_.primed || mode_.initial || b.epoch != mode_.epoch)))
    return fresh(b);
  if (b.code->op == Op::slot || b.code->op == Op::variable) return in_frame(b.code, b.layout);
  if (b.resets == nullptr) return fresh(b);
  if (!b.memo_slot) {
    b.memo_slot = b.layout->size++;
    b.resets->push_back(*b.memo_slot);
  }
  Node* n = make(Op::lazy, where, {b.code});
  n->slot = *b.memo_slot;
  n->hops = hops_to(b.layout, where);
  return n;
}

// --- Definitions ---------------------------------------------------------------------------------

Binding* Compiler::argument(const Expr* e, Scope* scope, std::vector<std::uint32_t>* resets) {
  if (e->form == Form::at && !at_.empty()) return at_.back();
  Binding* b = new_binding(Binding::What::lazy);
  b->expr = e;
  b->scope = scope;
  b->resets = resets;
  b->argument = true;
  return b;
}

Binding* Compiler::operator_argument(const Expr* e, Scope* scope, int arity) {
  if (e->form == Form::lambda) {
    const Definition* d = e->definitions[0];
    if (static_cast<int>(d->parameters.size()) != arity)
      throw Failure(e->where, fmt::format("an operator with {} parameters is needed here", arity));
    Binding* b = new_binding(Binding::What::definition);
    b->definition = d;
    b->scope = scope;
    b->arity = arity;
    return b;
  }
  if (e->form != Form::apply) throw Failure(e->where, "an operator is needed here");
  const Found found = resolve(e, scope);
  if (found.binding != nullptr && found.args.empty()) {
    Binding* b = found.binding;
    if (b->what == Binding::What::lazy) return operator_argument(b->expr, b->scope, arity);
    if (b->what == Binding::What::definition || b->what == Binding::What::builtin) return b;
  }
  if (found.binding == nullptr && e->path.size() > 1) return wrapped(e, scope, arity);
  if (found.binding != nullptr && found.args.empty() && found.binding->arity == arity)
    return wrapped(e, scope, arity);  // a constant operator that the configuration gives by values
  if (e->path.size() == 1 && e->path[0].args.empty()) {
    const std::string& word = symbols_.text(e->path[0].name);
    bool core = word == "'" || word == "UNCHANGED";
    for (const CoreOperator& c : kCore) core = core || (c.name == word && c.arity == arity);
    if (core) return wrapped(e, scope, arity);
  }
  throw Failure(e->where, "an operator is needed here");
}

// A definition that applies what can only be applied where it stands: an operator of TLA+ itself,
// such as \cup, or a selector such as Def!@.
Binding* Compiler::wrapped(const Expr* e, Scope* scope, int arity) {
  SyntaxArena& arena = library_.arena();
  Definition& d = arena.definitions.emplace_back();
  d.name = e->path[0].name;
  d.where = e->where;
  Expr& body = arena.exprs.emplace_back(*e);
  for (int i = 0; i < arity; ++i) {
    d.parameters.push_back({symbols_.intern(fmt::format("operand {}", i)), 0});
    Expr& x = arena.exprs.emplace_back();
    x.form = Form::apply;
    x.where = e->where;
    x.path.push_back({d.parameters.back().name, {}});
    (e->path.size() == 1 ? body.path[0].args : body.kids).push_back(&x);
  }
  d.body = &body;
  Binding* b = new_binding(Binding::What::definition);
  b->definition = &d;
  b->scope = scope;
  b->arity = arity;
  return b;
}

Scope* Compiler::scope_with_arguments(const Definition& d, Scope* scope,
                                      const std::vector<Expr*>& args, Scope* args_scope,
                                      Location where) {
  Scope* inner = new_scope(scope, layout_);
  inner->of = &d;
  if (args.size() != d.parameters.size())
    throw Failure(where, fmt::format("{} takes {} arguments, not {}", symbols_.text(d.name),
                                     d.parameters.size(), args.size()));
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Parameter& p = d.parameters[i];
    inner->names[p.name] = p.arity > 0 ? operator_argument(args[i], args_scope, p.arity)
                                       : argument(args[i], args_scope, nullptr);
  }
  return inner;
}

const Node* Compiler::inlined(const Binding& b, const std::vector<Expr*>& args, Scope* args_scope,
                              Location where) {
  const Definition& d = *b.definition;
  bool plain = true;
  for (const Parameter& p : d.parameters) plain = plain && p.arity == 0;
  if (nodes_here_ > kInlineMax && plain && !d.is_function)
    return called(b, args, args_scope, where);
  if (++nesting_ > kNestingMax)
    throw Failure(where,
                  fmt::format("{} is defined by itself, without RECURSIVE", symbols_.text(d.name)));
  auto resets = std::make_unique<std::vector<std::uint32_t>>();
  Scope* inner = scope_with_arguments(d, b.scope, args, args_scope, where);
  std::vector<Binding*> lazies;
  for (const auto& [name, arg] : inner->names)
    if (arg->what == Binding::What::lazy && arg->scope == args_scope && arg->resets == nullptr) {
      arg->resets = resets.get();
      lazies.push_back(arg);
    }
  const std::vector<Binding*> at = std::move(at_);
  at_.clear();
  for (Binding* arg : lazies) arg->at_depth = 0;
  if (!at.empty()) {
    at_ = at;  // arguments may mention it; a definition cannot
    for (Binding* arg : lazies) arg->at_depth = at.size();
  }
  const Node* body = d.is_function ? function(d.body, inner, d.name) : expr(d.body, inner);
  at_ = at;
  for (Binding* arg : lazies) arg->resets = nullptr;
  --nesting_;
  if (d.parameters.empty() && body->constant()) {
    const Node* g = cached(body);
    if (g->op == Op::global) const_cast<Node*>(g)->definition = true;
    return g;
  }
  Node* n = make(Op::bind, where, {body});
  n->name = d.name;
  n->definition = true;
  Extra* x = extra(n);
  x->resets = std::move(*resets);
  for (const Parameter& p : d.parameters) {
    if (p.arity > 0 || (body->uses & kPrimes) == 0) continue;
    Binding* arg = inner->names.at(p.name);
    if (arg->what == Binding::What::lazy && arg->code != nullptr && arg->layout == layout_)
      x->shown.push_back(arg->code);
    else if (arg->what == Binding::What::slot && arg->layout == layout_)
      x->shown.push_back(slot_node(*arg, where));
  }
  const Node* sealed = seal(n);
  return d.parameters.empty() ? cached_in_state(sealed, b) : sealed;
}

const Function* Compiler::function_of(const Binding& b, Layout* up,
                                      const std::vector<Binding*>& ops, Location where) {
  const Definition& d = *b.definition;
  const Key key{&d, b.scope, ops, mode_.primed, mode_.initial, mode_.enabled, up};
  if (const auto found = functions_.find(key); found != functions_.end()) return found->second;
  if (functions_.size() > 20'000)
    throw Unsupported(
        where, fmt::format("operators that make ever new operators, in {}", symbols_.text(d.name)));
  Function& f = code_.functions.emplace_back();
  functions_[key] = &f;
  f.name = d.name;
  f.layout = &code_.layouts.emplace_back();
  f.layout->up = up;
  Layout* outer = layout_;
  const std::size_t nodes = nodes_here_;
  const std::vector<Binding*> at = std::move(at_);
  at_.clear();
  layout_ = f.layout;
  nodes_here_ = 0;
  Scope* inner = new_scope(b.scope, f.layout);
  std::uint64_t bits = 0;
  const int depth = depth_;
  std::size_t op = 0;
  for (const Parameter& p : d.parameters) {
    if (p.arity > 0) inner->names[p.name] = ops[op++];
    else f.parameters.push_back(bind_slot(inner, p.name, bits)->index);
  }
  f.body = d.is_function ? function(d.body, inner, d.name) : expr(d.body, inner);
  depth_ = depth;
  f.uses = static_cast<std::uint8_t>(f.body->uses & ~kUnfinished);
  if (f.calls_unfinished) f.uses |= kImpure;
  f.bound = f.body->bound & ~bits;
  f.ready = true;
  layout_ = outer;
  nodes_here_ = nodes + 50;
  at_ = at;
  return &f;
}

const Node* Compiler::called(const Binding& b, const std::vector<Expr*>& args, Scope* args_scope,
                             Location where) {
  const Definition& d = *b.definition;
  std::vector<Binding*> ops;
  std::vector<const Node*> kids;
  // Operators among the arguments may use the caller's variables.
  Layout* up = b.layout;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (d.parameters[i].arity > 0) {
      ops.push_back(operator_argument(args[i], args_scope, d.parameters[i].arity));
      Layout* own = ops.back()->what == Binding::What::definition ? ops.back()->layout : nullptr;
      if (own != nullptr && own != up) {
        // The innermost of the frames that are seen.
        for (Layout* l = layout_; l != nullptr; l = l->up) {
          if (l == up) break;
          if (l == own) {
            up = own;
            break;
          }
        }
      }
    } else {
      kids.push_back(expr(args[i], args_scope));
    }
  }
  const Function* f = function_of(b, up, ops, where);
  Node* n = make(Op::call, where, kids);
  n->name = d.name;
  extra(n)->function = f;
  n->hops = up == nullptr ? UINT16_MAX : hops_to(up, where);
  if (f->ready) {
    n->uses |= f->uses;
    n->bound |= f->bound;
  } else {
    n->uses |= kUnfinished;
    bool inside = false;  // those begun after it were begun while compiling it
    for (Function& other : code_.functions) {
      if (inside && !other.ready) other.calls_unfinished = true;
      inside = inside || &other == f;
    }
  }
  return seal(n);
}

}  // namespace schism::tla
