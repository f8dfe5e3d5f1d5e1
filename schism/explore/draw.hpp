// A configuration drawn for a group of runs (swarm testing: Groce, Zhang, Eide, Chen, Regehr, ISSTA
// 2012): which faults at all and how many, how many nodes, the workload, the semantics of the
// world, the scheduler and its weights. One distribution for all systems, which knows nothing of
// any bug: no single setting is good for all bugs, and nearly each is the best for one. The numbers
// come from a trial over 46 seeded bugs (docs/results/zoo.md).
//
//   const Draw draw(asked);
//   DrawnText drawn = draw.wild(random, damping);
//
// What was asked for stays: a parameter, the nodes, all faults, a word of the world, the length.
#pragma once

#include <map>

#include "schism/explore/explorer.hpp"
#include "schism/explore/odds.hpp"
#include "schism/system/system.hpp"

namespace schism {

// How much rarer than usual a feature is drawn; those that are not in it: as usual.
using Damping = std::map<std::string, double, std::less<>>;

class Draw {
 public:
  // `slow`: the share of walks that have slow links, senders or disks.
  explicit Draw(const RunText& asked, double slow = 0.04);

  // Everything drawn.
  DrawnText wild(Rng& random, const Damping& damping) const;
  // One scheduler as it is, with a few of the faults that the system survives: shallow bugs need no
  // more. `tail`: with the fair tail that the system has by default.
  DrawnText plain(std::string_view scheduler, bool tail) const;

  // The schedulers that can play what was asked for, most useful first.
  const std::vector<std::string>& schedulers() const { return possible_; }

 private:
  // A draw in the making.
  struct Sketch;
  void draw_parameters(Sketch& s) const;
  void draw_nodes(Sketch& s) const;
  void draw_length(Sketch& s) const;
  void draw_scheduler_name(Sketch& s) const;
  void draw_intent(Sketch& s) const;
  void draw_faults(Sketch& s) const;
  void draw_world(Sketch& s) const;
  void draw_weights(Sketch& s) const;
  void draw_slowness(Sketch& s) const;
  void draw_liars(Sketch& s) const;

  Spec random_walk(Sketch& s) const;
  Spec timed(Sketch& s) const;

  FaultKinds survived(const Sketch& s) const;
  int survived_liars(const Sketch& s) const;
  Setup setup_of(const Sketch& s) const;
  bool asked_parameter(std::string_view name) const;
  bool asked_world(std::string_view name) const;
  std::string value_of(const Param& param, Sketch& s) const;
  DrawnText finish(Sketch& s) const;

  const System* system_;
  RunText asked_;
  double slow_;
  std::vector<std::string> possible_;
  std::map<std::string, FaultKinds, std::less<>> plays_;  // by scheduler
};

}  // namespace schism
