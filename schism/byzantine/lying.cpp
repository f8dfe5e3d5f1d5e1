#include "schism/byzantine/lying.hpp"

#include "schism/schedule/registry.hpp"
#include "schism/system/liars.hpp"

namespace schism::byzantine {
namespace {

// Made-up messages are numbered from the other end (SimWorld::inject).
bool made_up(Name name) { return name.nth() > 0xfffffff / 2; }

}  // namespace

Lying::Lying(std::vector<Child<Scheduler>> children, const Spec& alone)
    : Around(children.empty() ? std::move(*schedulers().make(alone, "scheduler"))
                              : std::move(children[0].made)) {}

bool Lying::plays(Do fault) const {
  return fault == Do::mutate || fault == Do::omit || fault == Do::inject || inner().plays(fault);
}

Status Lying::check(const Setup& setup) const {
  if (!has_liars(setup.options)) return error("nobody lies in these runs: --liars 1");
  return inner().check(setup);
}

void Lying::begin(const Setup& setup, std::uint64_t seed) {
  said_.clear();
  begin_lying(setup, keyed(seed, hash_text("lying")));
  Around::begin(setup, seed);
}

void Lying::on_pending(World& world, Do kind, std::uint32_t slot) {
  Around::on_pending(world, kind, slot);
  if (kind == Do::deliver) hear(world, slot);
}

void Lying::hear(World& world, std::uint32_t flight) {
  const Name name = world.pending().flights[flight].name;
  if (!made_up(name) && name.copy() == 0) sent(world, flight, world.liar(name.from()));
}

Action Lying::lie(World&) {
  if (said_.empty()) return {};
  const Action action = said_.front();
  said_.pop_front();
  return action;
}

void Lying::delivers(World&, const Action&) {}

Action Lying::next(World& world) {
  if (const Action action = lie(world); action.kind != Do::nothing) return action;
  const Action action = inner().next(world);
  if (action.kind == Do::deliver) delivers(world, action);
  return action;
}

}  // namespace schism::byzantine
