// The messages that made a predicate true in a run, as a picture: a lane a process, an arrow a
// receipt, the compared fields beside it. Inboxes have no common time, so the processes follow
// each other; within one, time goes down.
#pragma once

#include <string>

#include "schism/isolate/evaluate.hpp"

namespace schism::isolate {

struct DiagramOptions {
  int width = 100;
  std::size_t processes = 2;  // so many of those where it holds
};

std::string draw(const Predicates& predicates, const Run& run, const PredicateId& id,
                 const std::vector<Witness>& witnesses, const DiagramOptions& options);

// A field as text.
std::string print_field(const Schema& schema, const Run& run, const Message& m, std::size_t field);

}  // namespace schism::isolate
