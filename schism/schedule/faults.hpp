// Fault moves that several schedulers share: macro steps spelled out in primitive actions.
#pragma once

#include <deque>
#include <optional>

#include "schism/base/random.hpp"
#include "schism/world/world.hpp"

namespace schism {

using Script = std::deque<Action>;

// Cuts every link between two sides, inside a macro step. `side` has a bit a node, both values
// used.
void partition(const World& world, const std::vector<bool>& side, Script& script);
// A random split with at least one live node on each side; nothing when there are fewer than two.
std::optional<std::vector<bool>> random_sides(const World& world, Rng& rng);
void heal_all(const World& world, Script& script);
// A crash with one of the outcomes that its disk can have.
Action random_crash(const World& world, Action crash, Rng& rng);
// Content for a mutate of that message: the system's own mutator, else one field changed a little.
std::optional<Action> random_mutation(World& world, const Action& message, Rng& rng);

}  // namespace schism
