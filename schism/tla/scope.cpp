// Scopes of modules: what they extend, what they declare, what an INSTANCE substitutes.
#include "schism/tla/scope.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/tla/compile.hpp"

namespace schism::tla {
namespace {

constexpr int kInstancesMax = 200;  // inside each other

}  // namespace

Scope* Compiler::new_scope(Scope* up, Layout* layout) {
  Scope& s = scopes_.scopes.emplace_back();
  s.up = up;
  s.layout = layout;
  return &s;
}

Binding* Compiler::new_binding(Binding::What what) {
  Binding& b = scopes_.bindings.emplace_back();
  b.what = what;
  b.layout = layout_;
  b.epoch = mode_.epoch;
  b.at_depth = at_.size();
  return &b;
}

Scope* Compiler::main_scope(Module* main, std::vector<Override> overrides) {
  overrides_ = std::move(overrides);
  find_replaced(*main);
  return main_ = instantiate(*main, nullptr, nullptr, true);
}

// What the configuration says of a definition that the main module extends holds wherever that
// definition is used, in instances too: TLC replaces the definition, not the name.
void Compiler::find_replaced(Module& main) {
  std::vector<Module*> modules = {&main};
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (const Definition* d : modules[i]->definitions)
      for (const Override& o : overrides_)
        if (o.module == 0 && o.name == d->name && !d->local) replaced_[d] = &o;
    for (const auto& [name, where] : modules[i]->extends) {
      Module* other = library_.find(name, where);
      if (other != nullptr && std::find(modules.begin(), modules.end(), other) == modules.end())
        modules.push_back(other);
    }
  }
}

Module* Compiler::module_named(Symbol name, const Scope* scope, Location where) {
  for (const Scope* s = scope; s != nullptr; s = s->up)
    if (const auto found = s->inner.find(name); found != s->inner.end()) return found->second;
  return library_.find(name, where);
}

Scope* Compiler::instantiate(const Module& m, const Instance* instance, Scope* outer, bool main) {
  if (++instances_ > kInstancesMax)
    throw Failure(instance->where,
                  fmt::format("the instances of module {} have no end", symbols_.text(m.name)));
  // A module inside another one sees what the outer one defines.
  Scope* scope = new_scope(m.outer != nullptr ? outer : nullptr, nullptr);
  while (scope->up != nullptr && scope->up->module == nullptr) scope->up = scope->up->up;
  scope->module = &m;
  if (main) main_ = scope;
  std::vector<const Module*> done;
  add_module(*scope, m, instance, outer, main, done);
  --instances_;
  return scope;
}

void Compiler::add_module(Scope& scope, const Module& m, const Instance* instance, Scope* outer,
                          bool main, std::vector<const Module*>& done) {
  if (std::find(done.begin(), done.end(), &m) != done.end()) return;
  done.push_back(&m);
  // What an extended module keeps LOCAL is seen by its own definitions only.
  Scope* own = &scope;
  if (&m != done.front()) {
    own = new_scope(&scope, nullptr);
    own->module = &m;
  }
  if (main) parts_[&m] = own;
  for (const auto& [name, where] : m.extends) {
    const Module* other = module_named(name, &scope, where);
    add_builtins(scope, name);
    if (other == nullptr) continue;
    if (other == &m) throw Failure(where, "a module cannot extend itself");
    add_module(scope, *other, instance, outer, main, done);
  }
  for (Module* inner : m.inner) scope.inner[inner->name] = inner;
  declare(scope, m, instance, outer, main);
  for (const Definition* d : m.definitions) {
    if (const auto o = replaced_.find(d); !main && o != replaced_.end()) {
      const bool by_value = o->second->definition == 0;
      Binding* b = by_value ? new_binding(Binding::What::value) : named_in_main(*o->second);
      if (by_value) b->value = o->second->value, b->table = o->second->table;
      b->arity = static_cast<int>(d->parameters.size());
      scope.names[d->name] = b;
      continue;
    }
    Binding* b = new_binding(d->instance ? Binding::What::instance : Binding::What::definition);
    b->definition = d;
    b->scope = own;
    b->arity = static_cast<int>(d->parameters.size());
    b->local = d->local;
    b->layout = nullptr;
    (d->local ? own : &scope)->names[d->name] = b;
  }
  for (const Instance& i : m.instances) {
    const Module* other = module_named(i.module, own, i.where);
    Scope& into = i.local ? *own : scope;
    if (other == nullptr) {
      add_builtins(into, i.module);
      continue;
    }
    add_builtins(into, i.module);
    Scope* from = instantiate(*other, &i, own, false);
    import(into, *from, i.local);
  }
  apply_overrides(scope, m.name, *own);
  if (main && &m == done.front()) apply_overrides(scope, 0, scope);
}

void Compiler::import(Scope& into, const Scope& from, bool local) {
  for (const auto& [name, binding] : from.names) {
    const bool exported = !binding->local && (binding->what == Binding::What::definition ||
                                              binding->what == Binding::What::instance ||
                                              binding->what == Binding::What::builtin);
    if (!exported || into.names.contains(name)) continue;
    if (local) {
      Binding* b = new_binding(binding->what);
      *b = *binding;
      b->local = true;
      into.names[name] = b;
    } else {
      into.names[name] = binding;
    }
  }
}

void Compiler::add_builtins(Scope& scope, Symbol module) {
  const std::string& word = symbols_.text(module);
  // Integers has what Naturals has, and Reals what both have.
  std::vector<std::string_view> modules = {word};
  if (word == "Integers") modules = {"Naturals", "Integers"};
  if (word == "Reals") modules = {"Naturals", "Integers", "Reals"};
  bool native = false;
  for (const BuiltinOperator& o : builtin_operators()) {
    if (std::find(modules.begin(), modules.end(), o.module) == modules.end()) continue;
    native = true;
    const Symbol name = symbols_.intern(o.name);
    if (const auto found = scope.names.find(name);
        found != scope.names.end() && found->second->what != Binding::What::builtin)
      continue;
    Binding* b = new_binding(Binding::What::builtin);
    b->op = o.op;
    b->builtin = o.builtin;
    b->index = o.name == "Int" ? 1 : o.name == "Real" ? 2 : 0;
    b->arity = o.arity;
    scope.names[name] = b;
  }
  if (!native) return;  // a module with a text: what is said of it is said of its own names
  apply_overrides(scope, module, scope);
  // What the configuration says of Nat or Seq holds in every module that uses them.
  for (const Override& o : overrides_) {
    if (o.module != 0 || main_ == nullptr) continue;
    const auto found = scope.names.find(o.name);
    if (found == scope.names.end() || found->second->what != Binding::What::builtin) continue;
    Binding* b = o.definition == 0 ? new_binding(Binding::What::value) : named_in_main(o);
    if (o.definition == 0) b->value = o.value, b->table = o.table;
    scope.names[o.name] = b;
  }
}

// What the main module defines under a name, which it may define only later: looked up when used.
Binding* Compiler::named_in_main(const Override& o) {
  Expr& e = library_.arena().exprs.emplace_back();
  e.form = Form::apply;
  e.path.push_back({o.definition, {}});
  Binding* b = new_binding(Binding::What::lazy);
  b->expr = &e;
  b->scope = main_;
  b->memo = false;
  for (const BuiltinOperator& op : builtin_operators())
    if (op.name == symbols_.text(o.name) && op.arity > 0) b->arity = op.arity;
  return b;
}

void Compiler::declare(Scope& scope, const Module& m, const Instance* instance, Scope* outer,
                       bool main) {
  for (const Parameter& p : m.constants) {
    if (main) {
      const auto found = scope.names.find(p.name);
      if (found == scope.names.end() || found->second->what != Binding::What::value) {
        Binding* b = new_binding(Binding::What::value);  // without a value until it is overridden
        b->arity = p.arity;
        scope.names[p.name] = b;
      }
    } else {
      scope.names[p.name] = substitution(p.name, p.arity, *instance, outer);
    }
  }
  for (const Symbol name : m.variables) {
    if (!main) {
      Binding* b = substitution(name, 0, *instance, outer);
      if (b->what != Binding::What::variable) {
        if (b == outer->find(name)) {  // by name, because what it means may still be replaced
          Expr& e = library_.arena().exprs.emplace_back();
          e.form = Form::apply;
          e.where = instance->where;
          e.path.push_back({name, {}});
          b = new_binding(Binding::What::lazy);
          b->expr = &e;
          b->scope = outer;
          b->memo = false;
        }
        b->shadow = ++code_.shadows;
        b->home = &scope;
      }
      scope.names[name] = b;
      continue;
    }
    Binding* b = new_binding(Binding::What::variable);
    b->index = static_cast<std::uint32_t>(variables_.size());
    variables_.push_back(name);
    scope.names[name] = b;
  }
}

Binding* Compiler::substitution(Symbol name, int arity, const Instance& instance, Scope* outer) {
  for (const auto& [what, expr] : instance.with) {
    if (what != name) continue;
    if (arity > 0) return operator_argument(expr, outer, arity);
    Binding* b = new_binding(Binding::What::lazy);
    b->expr = expr;
    b->scope = outer;
    b->memo = false;
    return b;
  }
  Binding* same = outer->find(name);
  if (same == nullptr)
    throw Failure(instance.where, fmt::format("nothing is given for {} of module {}",
                                              symbols_.text(name), symbols_.text(instance.module)));
  return same;
}

// A name that a module has from an INSTANCE of its own is replaced for that module alone.
void Compiler::apply_overrides(Scope& scope, Symbol module, Scope& own) {
  for (const Override& o : overrides_) {
    if (o.module != module) continue;
    auto found = own.names.find(o.name);
    if (found == own.names.end()) {
      found = scope.names.find(o.name);
      if (found == scope.names.end()) continue;
    }
    // In place: instances of this module may refer to it already.
    Binding& here = *found->second;
    if (o.definition == 0) {
      here.what = Binding::What::value;
      here.value = o.value;
      here.table = o.table;
      continue;
    }
    Binding* to = main_ == nullptr ? nullptr : main_->find(o.definition);
    if (to == nullptr) to = scope.find(o.definition);
    if (to == nullptr && main_ != nullptr) to = named_in_main(o);
    if (to == nullptr)
      throw Failure({}, fmt::format("the configuration replaces {} by {}, which is not defined",
                                    symbols_.text(o.name), symbols_.text(o.definition)));
    const bool local = here.local;
    here = Binding(*to);
    here.local = local;
  }
}

// M(x)!..., with x known.
Scope* Compiler::instance_scope(Binding& b, const PathItem& item, Scope* args_scope,
                                Location where) {
  const Definition& d = *b.definition;
  if (d.parameters.size() != item.args.size())
    throw Failure(where, fmt::format("{} takes {} arguments, not {}", symbols_.text(d.name),
                                     d.parameters.size(), item.args.size()));
  if (d.parameters.empty() && b.instantiated != nullptr) return b.instantiated;
  Scope* outer = b.scope;
  if (!d.parameters.empty()) outer = scope_with_arguments(d, b.scope, item.args, args_scope, where);
  const Module* m = module_named(d.instance->module, b.scope, d.instance->where);
  Scope* made = nullptr;
  if (m == nullptr) {
    made = new_scope(nullptr, nullptr);
    add_builtins(*made, d.instance->module);
  } else {
    made = instantiate(*m, d.instance.get(), outer, false);
  }
  if (d.parameters.empty()) b.instantiated = made;
  return made;
}

Compiler::Found Compiler::resolve(const Expr* e, Scope* scope) {
  Found found;
  found.args_scope = scope;
  Scope* where = scope;
  for (std::size_t i = 0; i < e->path.size(); ++i) {
    const PathItem& item = e->path[i];
    Binding* b = i == 0 ? where->find(item.name) : nullptr;
    if (i > 0) {
      const auto at = where->names.find(item.name);
      b = at == where->names.end() ? nullptr : at->second;
    }
    if (b == nullptr) return {};
    if (i + 1 == e->path.size()) {
      found.binding = b;
      found.args = item.args;
      return found;
    }
    if (b->what != Binding::What::instance) return {};
    where = instance_scope(*b, item, scope, e->where);
  }
  return {};
}

}  // namespace schism::tla
