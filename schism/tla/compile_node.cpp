// Making nodes, and knowing what they depend on.
#include <fmt/format.h>

#include "absl/container/flat_hash_set.h"
#include "schism/tla/compile.hpp"

namespace schism::tla {

Extra* Compiler::extra(Node* n) {
  Extra& e = code_.extras.emplace_back();
  n->extra = &e;
  return &e;
}

void Compiler::depend(Node* n, const Node* on) {
  n->uses |= on->uses;
  n->bound |= on->bound;
}

Node* Compiler::make(Op op, Location where, const std::vector<const Node*>& kids) {
  ++nodes_here_;
  Node& n = code_.nodes.emplace_back();
  n.op = op;
  n.where = where;
  for (const Node* kid : kids) depend(&n, kid);
  if (!kids.empty()) {
    n.kids = code_.keep(kids);
    n.count = static_cast<std::uint32_t>(kids.size());
  }
  return &n;
}

const Node* Compiler::cached(const Node* n) {
  if (n->op == Op::literal || n->op == Op::global) return n;
  Node* g = make(Op::global, n->where, {n});
  g->slot = code_.caches++;
  return g;
}

// The same definition in the same instance has one place, wherever it is inlined.
const Node* Compiler::cached_in_state(const Node* n, const Binding& b) {
  if (n->uses != kVariables || n->bound != 0 || mode_.primed || mode_.initial) return n;
  const auto [at, is_new] = state_caches_.try_emplace({b.definition, b.scope}, code_.state_caches);
  if (is_new) ++code_.state_caches;
  Node* once = make(Op::of_state, n->where, {n});
  once->slot = at->second;
  return once;
}

namespace {

// Which variables it looks at, and whether it does so in a loop.
struct Reading {
  absl::flat_hash_set<const Node*> seen;
  absl::flat_hash_set<std::uint32_t> variables;
  bool loops = false;

  void read(const Node* n) {
    if (n == nullptr || !seen.insert(n).second) return;
    if (n->op == Op::variable) variables.insert(n->slot);
    loops = loops || n->op == Op::forall || n->op == Op::exists || n->op == Op::filter ||
            n->op == Op::map || n->op == Op::function || n->op == Op::choose || n->op == Op::call;
    for (std::uint32_t i = 0; i < n->count; ++i) read(n->kids[i]);
    if (n->extra == nullptr) return;
    for (const Group& g : n->extra->groups) read(g.set);
    for (const ChangeCode& c : n->extra->changes) {
      read(c.value);
      for (const ChangeCode::Step& s : c.path) read(s.index);
    }
    if (n->extra->function != nullptr) read(n->extra->function->body);
  }
};

}  // namespace

const Node* Compiler::remembered(const Node* n) {
  auto** kids = const_cast<const Node**>(n->kids);
  switch (n->op) {
    case Op::of_state: return remembered(&n->kid(0));
    case Op::and_:
      for (std::uint32_t i = 0; i < n->count; ++i) kids[i] = remembered(kids[i]);
      return n;
    case Op::bind:
      if (n->kid(0).op == Op::and_ || n->kid(0).op == Op::bind) {
        kids[0] = remembered(kids[0]);
        return n;
      }
      break;
    default: break;
  }
  if (n->uses != kVariables || n->bound != 0) return n;
  Reading reading;
  reading.read(n);
  if (reading.variables.size() != 1 || !reading.loops) return n;
  Node* once = make(Op::of_variable, n->where, {n});
  once->slot = code_.memos++;
  extra(once)->variables = {*reading.variables.begin()};
  return once;
}

const Node* Compiler::seal(Node* n) {
  if (n->constant()) return n;
  // The list belongs to this node alone.
  for (std::uint32_t i = 0; i < n->count; ++i)
    if (n->kids[i]->constant()) const_cast<const Node**>(n->kids)[i] = cached(n->kids[i]);
  if (n->extra == nullptr) return n;
  auto* x = const_cast<Extra*>(n->extra);
  for (Group& g : x->groups)
    if (g.set != nullptr && g.set->constant()) g.set = cached(g.set);
  for (ChangeCode& c : x->changes) {
    if (c.value->constant()) c.value = cached(c.value);
    for (ChangeCode::Step& s : c.path)
      if (s.index->constant()) s.index = cached(s.index);
  }
  return n;
}

const Node* Compiler::literal(Value v, Location where) {
  Node* n = make(Op::literal, where, {});
  n->value = v;
  return n;
}

// What cannot be evaluated, and perhaps never is.
const Node* Compiler::refused(std::string_view what, Location where) {
  Node* n = make(Op::builtin, where, {});
  n->builtin = Builtin::refuse;
  n->value = Value::string(symbols_.intern(what));
  n->uses = kImpure;
  return n;
}

std::uint64_t Compiler::bit_here() {
  return depth_ < 63 ? std::uint64_t{1} << depth_ : std::uint64_t{1} << 63;
}

std::uint16_t Compiler::hops_to(const Layout* layout, Location where) const {
  std::uint16_t hops = 0;
  for (const Layout* l = layout_; l != nullptr; l = l->up, ++hops)
    if (l == layout) return hops;
  throw Failure(where, "internal: a variable is used outside its scope");
}

const Node* Compiler::slot_node(const Binding& b, Location where) {
  Node* n = make(Op::slot, where, {});
  n->slot = b.index;
  n->hops = hops_to(b.layout, where);
  n->bound = b.bit;
  return n;
}

const Node* Compiler::in_frame(const Node* n, const Layout* layout) {
  if (layout == layout_ || n->constant()) return n;
  Node* up = make(Op::up, n->where, {n});
  up->hops = hops_to(layout, n->where);
  return up;
}

}  // namespace schism::tla
