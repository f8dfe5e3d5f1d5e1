// What the collects of a leader change say of an instance (Cachin, "Yet Another Visit to Paxos",
// 2011): either a value is bound, because it may have been decided, or anything may be proposed.
#pragma once

#include "systems/bft_smart/messages.hpp"

namespace bft_smart {

struct Predicates {
  int replicas = 4;
  // How the library has it: see bft_smart.cpp.
  bool zero_is_none = false, later_are_empty = false, entries_certify = false;

  // The collects that say something about that instance. One for an earlier instance says that
  // nothing was written in this one; one for a later says that it is decided, which is no help.
  std::vector<Collect> of_instance(const std::vector<Signed<Collect>>& all, int cid) const;

  bool quorum_highest(const std::vector<Collect>& of, int epoch, int digest) const;
  bool certified(const std::vector<Collect>& of, int epoch, int digest) const;
  bool unbound(const std::vector<Collect>& of) const;
  // The value that is bound, if one is.
  std::optional<Batch> bound(const std::vector<Collect>& of) const;
  bool sound(const std::vector<Collect>& of) const { return bound(of) || unbound(of); }

 private:
  int none() const { return zero_is_none ? 0 : -1; }
  bool enough(const std::vector<Collect>& of) const {
    return of.size() >= static_cast<std::size_t>(replicas) - faults_of(replicas);
  }
};

}  // namespace bft_smart
