// Expressions that are not applications: binders, functions, records, LET, EXCEPT.
#include "schism/tla/compile.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schism::tla {

Code Compiler::compile(const Expr* e, Scope* scope, Use use) {
  layout_ = &code_.layouts.emplace_back();
  mode_ = {};
  mode_.initial = use == Use::initial;
  depth_ = nesting_ = 0;
  nodes_here_ = 0;
  at_.clear();
  const Node* root = expr(e, scope);
  if (root->constant()) root = cached(root);
  return {root, layout_};
}

Code Compiler::compile_check(const Expr* e, Scope* scope) {
  const Code code = compile(e, scope);
  return {remembered(code.root), code.layout};
}

Code Compiler::compile_all(const std::vector<std::pair<const Expr*, Scope*>>& parts, Use use) {
  layout_ = &code_.layouts.emplace_back();
  mode_ = {};
  mode_.initial = use == Use::initial;
  depth_ = nesting_ = 0;
  nodes_here_ = 0;
  at_.clear();
  std::vector<const Node*> kids;
  for (const auto& [e, scope] : parts) kids.push_back(expr(e, scope));
  const Node* root = kids.size() == 1 ? kids[0] : seal(make(Op::and_, kids[0]->where, kids));
  return {root, layout_};
}

Code Compiler::compile_operator(const Definition& d, Scope* scope,
                                std::vector<std::uint32_t>& slots) {
  layout_ = &code_.layouts.emplace_back();
  mode_ = {};
  depth_ = nesting_ = 0;
  nodes_here_ = 0;
  at_.clear();
  Scope* inner = new_scope(scope, layout_);
  for (const Parameter& p : d.parameters) {
    if (p.arity > 0) throw Unsupported(d.where, "an action with an operator as parameter");
    std::uint64_t bits = 0;
    slots.push_back(bind_slot(inner, p.name, bits)->index);
  }
  const Node* root = expr(d.body, inner);
  if (root->constant()) root = cached(root);
  return {root, layout_};
}

const Node* Compiler::expr(const Expr* e, Scope* scope) {
  if (code_.nodes.size() > 20'000'000) throw Failure(e->where, "the specification is too large");
  return form(e, scope);
}

const Node* Compiler::form(const Expr* e, Scope* scope) {
  switch (e->form) {
    case Form::number:
      if (e->number > kIntegerMax) throw Failure(e->where, "this number is too large");
      return literal(Value::integer(e->number), e->where);
    case Form::string: return literal(Value::string(e->name), e->where);
    case Form::at:
      if (at_.empty()) throw Failure(e->where, "@ stands outside of EXCEPT");
      return slot_node(*at_.back(), e->where);
    case Form::apply: return apply(e, scope);
    case Form::junction: return junction(e, scope);
    case Form::forall: return quantified(e, scope, Op::forall);
    case Form::exists: return quantified(e, scope, Op::exists);
    case Form::choose: return choose(e, scope);
    case Form::filter: return quantified(e, scope, Op::filter);
    case Form::map: return quantified(e, scope, Op::map);
    case Form::function: return function(e, scope, 0);
    case Form::function_set: return all_of(e, scope, Op::function_set);
    case Form::record:
    case Form::record_set: return record(e, scope);
    case Form::except: return except(e, scope);
    case Form::tuple: return all_of(e, scope, Op::tuple);
    case Form::set: return all_of(e, scope, Op::set);
    case Form::product: return all_of(e, scope, Op::product);
    case Form::index: {
      const Node* f = expr(e->kids[0], scope);
      std::vector<const Node*> args;
      for (std::size_t i = 1; i < e->kids.size(); ++i) args.push_back(expr(e->kids[i], scope));
      const Node* x = args.size() == 1 ? args[0] : seal(make(Op::tuple, e->where, args));
      return seal(make(Op::index, e->where, {f, x}));
    }
    case Form::field: {
      Node* n = make(Op::field, e->where, {expr(e->kids[0], scope)});
      n->value = Value::string(e->name);
      return seal(n);
    }
    case Form::if_else: return all_of(e, scope, Op::if_);
    case Form::case_of: return all_of(e, scope, Op::case_);
    case Form::let: return let(e, scope);
    case Form::lambda: throw Failure(e->where, "LAMBDA stands where a value is needed");
    case Form::box_action: {
      const Node* a = expr(e->kids[0], scope);
      return seal(make(Op::or_, e->where, {a, unchanged(e->kids[1], scope, e->where)}));
    }
    case Form::angle_action: {
      const Node* a = expr(e->kids[0], scope);
      const Node* same = unchanged(e->kids[1], scope, e->where);
      return seal(make(Op::and_, e->where, {a, seal(make(Op::not_, e->where, {same}))}));
    }
    case Form::forall_time:
    case Form::exists_time: throw Unsupported(e->where, "a temporal quantifier here");
    case Form::weak_fair:
    case Form::strong_fair: throw Unsupported(e->where, "fairness inside an expression");
  }
  throw Failure(e->where, "internal: an unknown form");
}

const Node* Compiler::all_of(const Expr* e, Scope* scope, Op op) {
  std::vector<const Node*> kids;
  for (const Expr* kid : e->kids) kids.push_back(expr(kid, scope));
  return seal(make(op, e->where, kids));
}

const Node* Compiler::junction(const Expr* e, Scope* scope) {
  const bool conjunction = symbols_.text(e->name) == "/\\";
  if (e->kids.size() == 1) return expr(e->kids[0], scope);
  return all_of(e, scope, conjunction ? Op::and_ : Op::or_);
}

// --- Binders -------------------------------------------------------------------------------------

Binding* Compiler::bind_slot(Scope* scope, Symbol name, std::uint64_t& bits) {
  Binding* b = new_binding(Binding::What::slot);
  b->index = layout_->size++;
  b->bit = bit_here();
  if (depth_ < 63) bits |= b->bit;
  ++depth_;
  scope->names[name] = b;
  return b;
}

std::uint64_t Compiler::open_groups(const std::vector<Bound>& bounds, Scope* outer, Scope* inner,
                                    std::vector<Group>& groups) {
  for (const Bound& b : bounds) {
    Group& g = groups.emplace_back();
    g.tuple = b.tuple;
    g.names = b.names;
    g.set = expr(b.set, outer);
  }
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i)
    for (const Symbol name : bounds[i].names)
      groups[i].slots.push_back(bind_slot(inner, name, bits)->index);
  return bits;
}

const Node* Compiler::quantified(const Expr* e, Scope* scope, Op op) {
  for (const Bound& b : e->bounds)
    if (b.set == nullptr) return refused("an unbounded quantifier", e->where);
  Scope* inner = new_scope(scope, layout_);
  std::vector<Group> groups;
  const int depth = depth_;
  const std::uint64_t bits = open_groups(e->bounds, scope, inner, groups);
  const Node* body = expr(e->kids[0], inner);
  depth_ = depth;
  Node* n = make(op, e->where, {body});
  n->bound &= ~bits;
  for (const Group& g : groups) depend(n, g.set);
  extra(n)->groups = std::move(groups);
  return seal(n);
}

const Node* Compiler::choose(const Expr* e, Scope* scope) {
  if (e->bounds[0].set != nullptr) return quantified(e, scope, Op::choose);
  return refused("an unbounded CHOOSE (the configuration can replace its definition)", e->where);
}

const Node* Compiler::function(const Expr* e, Scope* scope, Symbol self) {
  Scope* inner = new_scope(scope, layout_);
  std::vector<Group> groups;
  const int depth = depth_;
  std::uint64_t bits = open_groups(e->bounds, scope, inner, groups);
  const bool recursive = self != 0 && mentions(e, self);
  std::uint32_t self_slot = 0;
  if (recursive) {
    // A variable of the same name hides the function.
    if (!inner->names.contains(self)) self_slot = bind_slot(inner, self, bits)->index;
    else self_slot = layout_->size++;
  }
  const Node* body = expr(e->kids[0], inner);
  depth_ = depth;
  Node* n = make(Op::function, e->where, {body});
  n->bound &= ~bits;
  for (const Group& g : groups) depend(n, g.set);
  Extra* x = extra(n);
  x->groups = std::move(groups);
  x->recursive = recursive;
  x->self = self_slot;
  n->name = self;
  return seal(n);
}

// Whether the name stands anywhere inside; it may be another thing of that name.
bool Compiler::mentions(const Expr* e, Symbol name) {
  const auto any = [&](const std::vector<Expr*>& list) {
    return std::any_of(list.begin(), list.end(), [&](const Expr* x) { return mentions(x, name); });
  };
  if (e == nullptr) return false;
  for (const PathItem& item : e->path)
    if (item.name == name || any(item.args)) return true;
  if (any(e->kids)) return true;
  for (const Bound& b : e->bounds)
    if (mentions(b.set, name)) return true;
  for (const Change& c : e->changes) {
    if (mentions(c.value, name)) return true;
    for (const Change::Step& s : c.path)
      if (any(s.index)) return true;
  }
  for (const Definition* d : e->definitions) {
    if (mentions(d->body, name)) return true;
    if (d->instance)
      for (const auto& [what, with] : d->instance->with)
        if (mentions(with, name)) return true;
  }
  return false;
}

const Node* Compiler::record(const Expr* e, Scope* scope) {
  // Fields in the order of strings: kids and names stay together.
  std::vector<std::size_t> order(e->names.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return symbols_.compare(e->names[a], e->names[b]) < 0;
  });
  std::vector<Value> names;
  std::vector<const Node*> kids;
  for (const std::size_t i : order) {
    const Value name = Value::string(e->names[i]);
    if (!names.empty() && names.back() == name)
      throw Failure(e->where, fmt::format("the field {} stands twice", symbols_.text(e->names[i])));
    names.push_back(name);
    kids.push_back(expr(e->kids[i], scope));
  }
  Node* n = make(e->form == Form::record ? Op::record : Op::record_set, e->where, kids);
  n->value = store_.sorted_set(names);
  return seal(n);
}

const Node* Compiler::except(const Expr* e, Scope* scope) {
  const Node* f = expr(e->kids[0], scope);
  Node* n = make(Op::except, e->where, {f});
  Extra* x = extra(n);
  for (const Change& c : e->changes) {
    ChangeCode code;
    code.where = c.where;
    for (const Change::Step& s : c.path) {
      ChangeCode::Step step;
      step.field = s.index.empty();
      if (step.field) {
        step.index = literal(Value::string(s.field), c.where);
      } else {
        std::vector<const Node*> parts;
        for (const Expr* i : s.index) parts.push_back(expr(i, scope));
        step.index = parts.size() == 1 ? parts[0] : seal(make(Op::tuple, c.where, parts));
      }
      depend(n, step.index);
      code.path.push_back(step);
    }
    Scope* inner = new_scope(scope, layout_);
    std::uint64_t bits = 0;
    const int depth = depth_;
    Binding* at = bind_slot(inner, symbols_.intern("@"), bits);
    at_.push_back(at);
    code.at_slot = at->index;
    code.value = expr(c.value, inner);
    at_.pop_back();
    depth_ = depth;
    n->uses |= code.value->uses;
    n->bound |= code.value->bound & ~bits;
    code.uses_at = (code.value->bound & bits) != 0;
    x->changes.push_back(std::move(code));
  }
  return seal(n);
}

Scope* Compiler::scope_with_values(Scope* scope,
                                   const std::vector<std::pair<Symbol, Value>>& values) {
  Scope* inner = new_scope(scope, layout_);
  for (const auto& [name, value] : values) {
    Binding* b = new_binding(Binding::What::value);
    b->value = value;
    inner->names[name] = b;
  }
  return inner;
}

// --- LET -----------------------------------------------------------------------------------------

Scope* Compiler::let_scope(const Expr* e, Scope* scope) {
  Scope* inner = new_scope(scope, layout_);
  for (const Definition* d : e->definitions) {
    const bool plain = d->parameters.empty() && !d->instance && !d->recursive;
    Binding* b = new_binding(d->instance                ? Binding::What::instance
                             : plain && !d->is_function ? Binding::What::lazy
                                                        : Binding::What::definition);
    b->definition = d;
    b->expr = d->body;
    b->scope = inner;
    b->arity = static_cast<int>(d->parameters.size());
    inner->names[d->name] = b;
  }
  return inner;
}

const Node* Compiler::let(const Expr* e, Scope* scope) {
  Scope* inner = let_scope(e, scope);
  auto resets = std::make_unique<std::vector<std::uint32_t>>();
  for (const auto& [name, b] : inner->names) {
    b->resets = resets.get();
    // A function defined in LET is a value like any other, so it is also computed at most once.
    if (b->what == Binding::What::definition && b->definition->is_function)
      b->what = Binding::What::lazy;
  }
  const Node* body = expr(e->kids[0], inner);
  for (const auto& [name, b] : inner->names) b->resets = nullptr;
  if (resets->empty()) return body;
  Node* n = make(Op::bind, e->where, {body});
  extra(n)->resets = std::move(*resets);
  return seal(n);
}

}  // namespace schism::tla
