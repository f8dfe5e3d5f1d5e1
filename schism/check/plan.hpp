// What is to be checked, complete: enough to explore any part of it, here or in another process.
#pragma once

#include "schism/check/graph.hpp"
#include "schism/check/outcome.hpp"
#include "schism/check/parts.hpp"

namespace schism::check {

struct Plan {
  RunConfig config;
  Spec search = {"dpor", {}};
  std::vector<Part> parts;
  std::uint32_t events = 0, restarts = 0;
  std::uint32_t delays = kNever;
  std::vector<Action> beginning;  // of every run, with what was chosen in it
  std::shared_ptr<Graph> graph;   // null: nobody wants it

  std::uint32_t steps_given() const;  // in the beginning

  Bounds bounds(const Part& part) const { return bounds_of(config, part, events, restarts); }
  Search::Limits limits(std::uint32_t depth) const;
  // A model of one part, standing after the beginning; null: it is not possible there.
  std::unique_ptr<WorldModel> model(const Part& part, bool reducing) const;
};

// One part, to its end or until `stop` says so.
Outcome explore(const Plan& plan, Search& search, const Part& part, std::uint32_t depth,
                std::function<bool(const SearchTotals&)> stop);

}  // namespace schism::check
