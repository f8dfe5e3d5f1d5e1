// What waits for one node (or for the clients), in the order in which it is due. Cancelled and lost
// events are noticed when they come up; those that cannot be served now (the node is paused, the
// link keeps order) keep their place.
//
// It has no lock of its own: the live world's lock guards it.
#pragma once

#include <map>
#include <optional>

#include "schism/world/pending.hpp"

namespace schism {

class Mailbox {
 public:
  // A pending event of the world, and what will happen to it: deliver, drop, fire, complete,
  // submit.
  struct Item {
    Do kind = Do::nothing;
    std::uint32_t slot = 0, generation = 0;
  };
  struct Due {
    Micros at = 0;
    Item item;
  };

  void put(Micros due, const Item& item) { items_.emplace(due, item); }

  // The first that can be served; it stays.
  std::optional<Due> first(const Pending& pending) {
    for (auto at = items_.begin(); at != items_.end();) {
      const Slot& slot = pending.slot(at->second.kind, at->second.slot);
      if (!slot.alive() || slot.generation != at->second.generation) {
        at = items_.erase(at);
        continue;
      }
      if (slot.at != kNone) return Due{at->first, at->second};
      ++at;
    }
    return std::nullopt;
  }

  // Removes what first() gave.
  void remove(const Due& due) {
    for (auto [at, end] = items_.equal_range(due.at); at != end; ++at)
      if (at->second.slot == due.item.slot && at->second.kind == due.item.kind) {
        items_.erase(at);
        return;
      }
  }

  std::size_t size() const { return items_.size(); }

 private:
  std::multimap<Micros, Item> items_;
};

}  // namespace schism
