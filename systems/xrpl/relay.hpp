// Who has which message already: rippled's hash router. A message that was seen is not processed
// again for 300 s, and is relayed once in that time, to the peers that are not known to have it.
//
// A hash table of our own: entries age in two generations, so that memory stays flat without a
// queue beside the table, and a node's copy is two arrays.
#pragma once

#include <vector>

#include "systems/xrpl/parameters.hpp"

namespace schism::xrpl {

class Router {
 public:
  struct Entry {
    std::uint64_t id = 0;  // 0: empty
    Members peers = 0;     // are known to have it
    Micros touched = 0;
    Micros relayed = -1;    // when; -1: never
    Micros processed = -1;  // when; -1: never
  };

  // True: it is new. `from` -1: it is our own.
  bool add(std::uint64_t id, NodeId from, Micros now);
  // Whether it may be relayed now; if so it counts as relayed, to all but those returned.
  bool should_relay(std::uint64_t id, Micros now, Members& already);
  // Whether a transaction may be processed (again); if so it counts as processed.
  bool should_process(std::uint64_t id, NodeId from, Micros now);

  std::size_t size() const { return young_.size() + old_.size(); }
  Hash128 digest() const;
  FIELDS(size())

 private:
  class Table {
   public:
    Entry* find(std::uint64_t id);
    Entry& insert(const Entry& entry);
    std::size_t size() const { return used_; }
    void clear();
    Hash128 digest() const;

   private:
    void grow();
    std::vector<Entry> slots_;
    std::size_t used_ = 0;
  };

  Entry& touch(std::uint64_t id, Micros now, bool& fresh);

  Table young_, old_;
  Micros generation_ = 0;  // when the young one began
};

}  // namespace schism::xrpl
