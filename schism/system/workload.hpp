// What clients ask for in a run. A client is sequential: its next request is offered when the one
// before was answered, or the node that was asked crashed.
#pragma once

#include <vector>

#include "schism/base/random.hpp"
#include "schism/base/value.hpp"
#include "schism/node/node.hpp"
#include "schism/world/pending.hpp"

namespace schism {

class Workload {
 public:
  struct Request {
    int client;
    NodeId target;  // kAnyNode: the scheduler picks one that takes it
    Body* body;
  };

  Workload(BodyPool& pool, int node_count, const void* config, std::uint64_t seed)
      : nodes(node_count), random(seed), pool_(pool), config_(config) {}

  const int nodes;
  Rng random;  // from the run's node seed

  template <class T>
  const typename T::Config& config() const {
    return *static_cast<const typename T::Config*>(config_);
  }
  // T is a node class whose Requests lists R.
  template <class T, class R>
  void request(int client, NodeId target, R content) {
    static_assert(T::Requests::template index<R>() >= 0, "not among the node's Requests");
    requests.push_back({client, target, pool_.make(type_info<R>(), &content)});
  }

  std::vector<Request> requests;

 private:
  BodyPool& pool_;
  const void* config_;
};

}  // namespace schism
