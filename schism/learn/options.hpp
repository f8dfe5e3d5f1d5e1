// What can be switched in the environment, and of all agents in it. Policies' own options go on
// from there, in one line of inheritance: a table of parameters finds all of them at one address.
#pragma once

#include <cstdint>
#include <string>

#include "schism/base/enum.hpp"
#include "schism/base/time.hpp"

namespace schism::learn {

// `published`: as the program behind the published numbers. Nodes are looked at before they start
// and speak with their first tick, messages between blocks are lost in the first tick of a step
// only, equal messages in flight are one, keeping the blocks is offered as a change too, the
// counter of equal states ends one early and follows a change, nobody crashes.
SCHISM_ENUM(As, text, published);
SCHISM_ENUM(Ids, relative, raw);
SCHISM_ENUM(NodeSeed, episode, fixed);
// What a learner tells apart and chooses: blocks of colours; blocks of nodes with their colours, by
// number; or which links are up, each direction of each pair of nodes, by number.
SCHISM_ENUM(Model, colours, ids, links);

struct EnvironmentOptions {
  std::int64_t horizon = 25;
  std::int64_t ticks = -1;  // of a step; -1: as the system says
  Micros tick = 0;          // 0: as the system says
  std::int64_t deliveries = 100;
  std::int64_t same = 5;
  std::int64_t requests = 10;
  std::int64_t crashes = 3;
  std::int64_t down = 1;
  As as = As::text;
  Ids ids = Ids::relative;
  Model model = Model::colours;
  NodeSeed node_seed = NodeSeed::episode;
  std::string to;        // waypoints
  std::string sees;      // fields that a learner sees of a node; empty: its portrait
  std::string coverage;  // whose keys reward; empty: a pair of state and step does
};

struct AgentOptions : EnvironmentOptions {
  std::int64_t agents = 1;
};

}  // namespace schism::learn
