// Reduction promises that steps which touch nothing in common, and of which none is the cause of
// the other, may be taken in either order. A node that looks at what another one did without a
// message (a static variable, a library's global, an object that two nodes share) breaks that, and
// so does an oracle that judges an order which it does not declare: then one run no longer speaks
// for its class. So some runs are played again with their independent steps in another order.
#pragma once

#include <memory>
#include <string>

#include "schism/base/random.hpp"
#include "schism/check/races.hpp"
#include "schism/check/world_model.hpp"

namespace schism::check {

class Orders {
 public:
  // The model stands where a run has ended, without a violation: false, and the model gives up,
  // where another order of it does something else. All runs at first, then few.
  bool trust(WorldModel& model);

  // The same of this run, whatever came before. Empty: it does not differ. Else a sentence.
  std::string compare(WorldModel& model, std::uint64_t seed);
  std::uint64_t compared() const { return compared_; }  // orders, other than the run's own

 private:
  std::vector<Process> another_order(const WorldModel& model, Rng* random);
  std::string play(WorldModel& model, const std::vector<Process>& order);

  std::unique_ptr<WorldModel> other_;  // of the same setup, made when it is needed
  Races races_;
  std::uint64_t runs_ = 0, work_ = 0, compared_ = 0;
};

// Looks for a system that breaks the promise in random runs.
struct Entangled {
  std::uint64_t orders = 0;  // compared
  std::string what;          // the first difference; empty: none
  FIELDS(orders, what)
};
Entangled find_entangled(const Setup& setup, std::uint32_t trials, std::uint64_t seed);

}  // namespace schism::check
