// What a director says to a player, and what comes back: closed in themselves, so that it does not
// matter which player gets them, or how often.
#pragma once

#include <optional>
#include <variant>

#include "schism/words/codec.hpp"
#include "schism/words/death.hpp"
#include "schism/words/plan.hpp"

namespace schism {

// Comes back as a RunResult a plan.
struct PlayRuns {
  std::vector<RunPlan> plans;
  std::string policy;    // of their explorer
  bool clocked = false;  // how much CPU time each takes
  FIELDS(plans, policy, clocked)
};

// Episodes of an agent, from what it had saved. Comes back as a RunResult an episode, then the
// agent's new state.
struct PlayEpisodes {
  std::uint32_t agent = 0;
  std::uint64_t seed = 0;
  std::uint64_t first = 0, count = 0;  // episodes
  std::string state;                   // empty: it has just been born
  bool goes_on = false;                // the player has it in mind: no state is needed
  std::vector<std::pair<std::uint64_t, Death>> deaths;  // of those among them that are known to die
  bool save = false;                                    // what it then knows comes back
  bool clocked = false;                                 // how much CPU time each takes
  FIELDS(agent, seed, first, count, state, goes_on, deaths, save, clocked)
};

// What is drawn of a find, because drawing plays the run.
struct Pictures {
  bool story = false, color = false;  // for a terminal
  int width = 100;
  std::string out, program;  // where the folder of the find will be, and who replays it; or empty
  FIELDS(story, color, width, out, program)
};

// A closer look at a run that violated something. Comes back as an Original, then an Examined
// (finds/examine.hpp).
struct LookClosely {
  std::uint64_t run = 0;
  RunPlan plan;
  std::string policy;
  std::vector<Action> decisions;  // none: it died, and is played anew
  std::vector<Value> contents;
  std::optional<Death> died;
  bool shrink = true;
  double seconds = 0;  // for shrinking; 0: no limit
  bool wary = false;   // the system is known to kill: every play in a process of its own
  Pictures pictures;
  FIELDS(run, plan, policy, decisions, contents, died, shrink, seconds, wary, pictures)
};

using Order = std::variant<PlayRuns, PlayEpisodes, LookClosely>;

}  // namespace schism
