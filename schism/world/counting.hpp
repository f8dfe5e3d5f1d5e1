// A watcher that counts beside its verdict or its keys implements this, too: what it has counted in
// the run is summed up over a hunt, for people.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace schism {

// How often something happened, by the name of who counts: "model.mapped".
using NamedCounts = std::vector<std::pair<std::string, std::uint64_t>>;

class Counting {
 public:
  virtual ~Counting() = default;
  virtual void count(NamedCounts& counts) const = 0;
};

}  // namespace schism
