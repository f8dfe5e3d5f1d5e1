// One run that is played action by action from outside: a world, and the oracles that look at every
// step of it. What Runner (run/runner.hpp) is for schedulers, this is for a person's hands
// (session.hpp) and for real time (live/live_world.hpp).
//
//   Game game(setup);
//   game.begin();
//   game.apply(game.world().pending().nth(Do::deliver, 0));
//   if (game.violation()) ...
#pragma once

#include <memory>
#include <optional>

#include "schism/run/jury.hpp"
#include "schism/schedule/replay.hpp"
#include "schism/world/world.hpp"

namespace schism {

class Game {
 public:
  explicit Game(const Setup& setup);
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;
  ~Game();

  // From the start. Whoever attends the world is attached before this.
  void begin();
  // For the next beginning; the run that is under way does not change.
  void change(const Setup& setup) { setup_ = setup; }
  // Nothing changes where it is refused. After a violation there is nothing more to play.
  Refusal apply(const Action& action);
  // The run ends here; `fair`: `eventually` can be judged.
  void finish(bool fair);

  World& world() { return *world_; }
  const World& world() const { return *world_; }
  const Setup& setup() const { return setup_; }
  const std::optional<Violation>& violation() const { return jury_.violation(); }
  // Nothing in the rest of a fair tail can change any verdict.
  bool satisfied() const { return jury_.satisfied(); }
  bool holds_now() const { return jury_.holds_now(*world_); }
  EventMask wakes_on() const { return jury_.wakes_on(); }

 private:
  Setup setup_;
  std::unique_ptr<World> world_;
  Jury jury_;
};

}  // namespace schism
