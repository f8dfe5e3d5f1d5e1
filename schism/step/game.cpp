#include "schism/step/game.hpp"

#include <algorithm>

#include "schism/oracle/assertion.hpp"
#include "schism/oracle/survival.hpp"
#include "schism/system/system.hpp"

namespace schism {

Game::Game(const Setup& setup) : setup_(setup) {
  oracles_.push_back(std::make_unique<Assertion>());
  oracles_.push_back(std::make_unique<Survival>());
  for (const auto& make : setup_.system->oracles) oracles_.push_back(make(setup_));
  std::vector<Observer> observers;
  for (const auto& oracle : oracles_)
    if (auto observer = oracle->observes()) observers.push_back(*std::move(observer));
  world_.observe(std::move(observers));
  world_.listen(kEveryEvent);  // somebody reads along
}

Game::~Game() = default;

void Game::begin() {
  violation_.reset();
  world_.reset(setup_);
  for (const auto& oracle : oracles_) oracle->begin(world_);
  look();
}

Refusal Game::apply(const Action& action) {
  const Refusal refusal = world_.apply(action);
  if (refusal == Refusal::none) look();
  return refusal;
}

void Game::look() {
  for (const auto& oracle : oracles_) {
    if (!(world_.step_mask() & oracle->wakes_on())) continue;
    oracle->look(world_, world_.events());
    if (!oracle->violation()) continue;
    violation_ = oracle->violation();
    return;
  }
}

void Game::finish(bool fair) {
  for (const auto& oracle : oracles_) {
    if (violation_) return;
    oracle->finish(world_, {fair});
    violation_ = oracle->violation();
  }
}

bool Game::satisfied() const {
  return std::all_of(oracles_.begin(), oracles_.end(), [](const auto& oracle) {
    return !oracle->wants_fair_tail() || oracle->satisfied();
  });
}

Recorded last_step(const World& world, std::size_t decided) {
  Recorded step;
  for (const Action& action : world.decisions().subspan(decided)) {
    if (action.kind == Do::choose) step.choices.push_back(action);
    else step.action = action;
  }
  const bool carries = step.action.kind == Do::mutate || step.action.kind == Do::inject;
  if (carries) step.content = world.contents()[step.action.arg()];
  return step;
}

}  // namespace schism
