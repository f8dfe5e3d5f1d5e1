#include "schism/step/game.hpp"

#include "schism/run/make_world.hpp"

namespace schism {

Game::Game(const Setup& setup) : setup_(setup), world_(make_world(setup)), jury_(setup) {
  world_->observe(jury_.observers());
  world_->listen(kEveryEvent);  // somebody reads along
}

Game::~Game() = default;

void Game::begin() {
  world_->reset(setup_);
  jury_.begin(*world_);
  jury_.look(*world_);
}

Refusal Game::apply(const Action& action) {
  const Refusal refusal = world_->apply(action);
  if (refusal == Refusal::none && !jury_.violation()) jury_.look(*world_);
  return refusal;
}

void Game::finish(bool fair) {
  if (!jury_.violation()) jury_.finish(*world_, fair);
}

}  // namespace schism
