// Operators of the standard modules.
#include <fmt/format.h>

#include "schism/tla/compile.hpp"

namespace schism::tla {

const Node* Compiler::builtin(const Binding& b, const std::vector<Expr*>& args, Scope* scope,
                              Location where) {
  if (b.arity >= 0 && b.arity != static_cast<int>(args.size()))
    throw Failure(where,
                  fmt::format("this operator takes {} arguments, not {}", b.arity, args.size()));
  if (b.builtin == Builtin::string_set) {
    const Infinite which = b.index == 0   ? Infinite::naturals
                           : b.index == 1 ? Infinite::integers
                                          : Infinite::reals;
    return literal(store_.infinite(which), where);
  }
  switch (b.builtin) {
    case Builtin::select_seq:
    case Builtin::sort_seq:
    case Builtin::fold_set:
    case Builtin::fold_seq: return higher_order(b.builtin, args, scope, where);
    case Builtin::refuse:
      return refused("this operator (it would act outside of the model)", where);
    case Builtin::real_divide: return refused("real division", where);
    default: break;
  }
  std::vector<const Node*> kids;
  for (const Expr* a : args) kids.push_back(expr(a, scope));
  Node* n = make(b.op, where, kids);
  n->builtin = b.builtin;
  switch (b.builtin) {
    case Builtin::print:
    case Builtin::print_t:
    case Builtin::random_element:
    case Builtin::tlc_get:
    case Builtin::tlc_set:
    case Builtin::java_time:
    case Builtin::random_subset:
    case Builtin::random_set_of_subsets:
    case Builtin::assert_error:
    case Builtin::trace: n->uses |= kImpure | kOfTheRun; break;
    default: break;
  }
  return seal(n);
}

// SelectSeq(s, Test), SortSeq(s, Before), FoldSet(f, base, S), FoldSeq(f, base, s): the operator is
// inlined with slots for what it is applied to.
const Node* Compiler::higher_order(Builtin which, const std::vector<Expr*>& args, Scope* scope,
                                   Location where) {
  const bool fold = which == Builtin::fold_set || which == Builtin::fold_seq;
  const int arity = which == Builtin::select_seq ? 1 : 2;
  Binding* op = operator_argument(args[fold ? 0 : 1], scope, arity);
  std::vector<const Node*> kids;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (i != (fold ? 0u : 1u)) kids.push_back(expr(args[i], scope));
  Scope* inner = new_scope(scope, layout_);
  std::uint64_t bits = 0;
  const int depth = depth_;
  Group group;
  std::vector<Expr*> operands;
  for (int i = 0; i < arity; ++i) {
    const Symbol name = symbols_.intern(fmt::format("operand {} of {}", i, depth_));
    group.slots.push_back(bind_slot(inner, name, bits)->index);
    Expr& x = library_.arena().exprs.emplace_back();
    x.form = Form::apply;
    x.where = where;
    x.path.push_back({name, {}});
    operands.push_back(&x);
  }
  const Node* body = use(*op, operands, inner, where);
  depth_ = depth;
  Node* n = make(Op::builtin, where, kids);
  n->builtin = which;
  n->uses |= body->uses;
  n->bound |= body->bound & ~bits;
  group.set = body;
  extra(n)->groups.push_back(std::move(group));
  return seal(n);
}

}  // namespace schism::tla
