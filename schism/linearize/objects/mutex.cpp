// A mutex: acquire when it is free, release when it is taken; with an owner, only by who took it.
#include "schism/linearize/objects/rules.hpp"

namespace schism::linearize {
namespace {

class MutexRules final : public Rules {
 public:
  State first() override { return kFree; }
  std::optional<State> after(State state, const Act& act) override {
    const State holder = act.element + 1;  // 1 for all where owners do not matter
    if (act.function == Function::acquire)
      return state == kFree ? std::optional(holder) : std::nullopt;
    return state == holder ? std::optional(kFree) : std::nullopt;
  }
  // It can wait until somebody needs the mutex as it leaves it.
  bool helps(State, const Act& spare, std::span<const Act* const> next) const override {
    if (spare.function == Function::release) return true;
    for (const Act* act : next)
      if (act->function == Function::release && act->element == spare.element) return true;
    return false;
  }

 private:
  static constexpr State kFree = 0;
};

}  // namespace

std::unique_ptr<Rules> mutex_rules(const ObjectHistory&) { return std::make_unique<MutexRules>(); }

}  // namespace schism::linearize
