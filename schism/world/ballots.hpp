// What nodes have answered to the open request of each client, where a client believes an answer
// only when so many nodes give the same (SystemBuilder::answers).
#pragma once

#include <algorithm>
#include <vector>

#include "schism/base/hash.hpp"
#include "schism/words/name.hpp"

namespace schism {

class Ballots {
 public:
  void clear() { votes_.clear(); }
  // Its client has an answer, or has gone on.
  void close(Name request) {
    std::erase_if(votes_, [&](const Vote& v) { return v.request == request; });
  }
  // A node counts once for each answer that it gives.
  void add(Name request, NodeId node, const Hash128& answer) {
    if (!has(request, node, answer)) votes_.push_back({request, node, answer});
  }
  bool has(Name request, NodeId node, const Hash128& answer) const {
    return std::any_of(votes_.begin(), votes_.end(), [&](const Vote& v) {
      return v.request == request && v.node == node && v.answer == answer;
    });
  }
  int count(Name request, const Hash128& answer) const {
    return static_cast<int>(std::count_if(votes_.begin(), votes_.end(), [&](const Vote& v) {
      return v.request == request && v.answer == answer;
    }));
  }
  // In whatever order they came, and whatever nodes and requests are called.
  template <class NodeName, class RequestName>
  Hash128 digest(NodeName node, RequestName request) const {
    Hash128 sum;
    for (const Vote& v : votes_)
      sum += absorb(
          absorb(scatter(request(v.request).bits()), static_cast<std::uint64_t>(node(v.node))),
          v.answer);
    return sum;
  }
  bool empty() const { return votes_.empty(); }

 private:
  struct Vote {
    Name request;
    NodeId node;
    Hash128 answer;
  };
  std::vector<Vote> votes_;
};

}  // namespace schism
