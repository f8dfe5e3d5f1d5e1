// The versions of registers as far as they can be told apart.
#pragma once

#include <map>

#include "schism/linearize/transactions/observations.hpp"

namespace schism::linearize {

struct Version {
  Id value = 0;
  OpId writer = kNever;  // kNever: it was there at first
  std::vector<OpId> readers;
};

struct KeyVersions {
  Id key = 0;
  std::vector<Version> versions;  // that were read, and whose writer is certain
  std::map<OpId, Id> finals;      // what each transaction left there
};

// The number of the value that registers hold at first; one of no operation, if it has none.
Id initial_id(const History& history, const Value& initial);
std::vector<KeyVersions> versions_of(const History& history, const std::vector<OpId>& nodes,
                                     const Writers& writers, const std::vector<ExternalRead>& reads,
                                     Id initial);

}  // namespace schism::linearize
