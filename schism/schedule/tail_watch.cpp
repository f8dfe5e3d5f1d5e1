#include "schism/schedule/tail_watch.hpp"

namespace schism {
namespace {

bool is_lie(const World& world, const Action& action) {
  switch (action.kind) {
    case Do::mutate:
    case Do::inject:
    case Do::omit: return true;
    case Do::restart: return world.liar(action.name.from());  // without its disk
    default: return false;
  }
}

}  // namespace

void TailWatch::begin(const Setup& setup, std::uint64_t seed) {
  setup_ = &setup;
  seed_ = seed;
  watching_ = in_step_ = over_ = false;
  player_.begin(setup, seed);
}

void TailWatch::start_over() {
  in_step_ = false;
  tail_.begin(*setup_, seed_);
}

Action TailWatch::next(World& world) {
  const Action action = player_.next(world);
  recorded_lie_ = is_lie(world, action) ? action : Action{};
  if (!watching_ && action.kind == Do::calm) {
    watching_ = true;
    world.attend(this, true);  // from now on it matters what becomes pending
    start_over();
  }
  if (!watching_) return action;
  // After a step of somebody else a tail may begin anew, as in a run by hand.
  const Action fair = tail_.next(world);
  const bool same = fair == action;
  if (action.kind == Do::nothing) over_ = same;
  else if (same) in_step_ = true;
  else start_over();
  return action;
}

void TailWatch::on_pending(World& world, Do kind, std::uint32_t slot) {
  if (player_.sees_pending()) player_.on_pending(world, kind, slot);
  if (watching_) tail_.on_pending(world, kind, slot);
}

std::uint32_t TailWatch::on_choice(World& world, std::uint32_t n) {
  return player_.on_choice(world, n);
}

}  // namespace schism
