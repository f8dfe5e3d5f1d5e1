// The table of pending events, as every world keeps it and every scheduler reads it. The enabled
// set is never materialised: a kind is a dense array, so that counting and picking are O(1).
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "schism/base/hash.hpp"
#include "schism/base/time.hpp"
#include "schism/node/host.hpp"
#include "schism/words/action.hpp"
#include "schism/words/options.hpp"
#include "schism/world/body.hpp"

namespace schism {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};
inline constexpr NodeId kAnyNode = -1;

// Who keeps a pending event back. It is held as long as anybody holds it.
enum class Holder : std::uint8_t { scheduler, scenario };

// What all pending events have. A slot is reused; its generation tells the tenants apart.
struct Slot {
  Hash128 id;  // causal identity: who created it, and the how-manieth
  Name name;
  Micros due = 0;            // a timer's deadline; for the rest a scheduler's stamp
  std::uint32_t at = kNone;  // place in the dense array; kNone: not enabled now
  std::uint32_t generation = 0;
  std::uint32_t created = 0;                 // in which step
  std::uint32_t next = kNone, prev = kNone;  // on its link, at its node, or in the free list
  std::uint32_t state = 0;                   // bit fields by hand: they are all set by one store

  bool alive() const { return (state & 1) != 0; }
  bool held() const { return holders() != 0; }
  bool held_by(Holder who) const { return (state & bit(who)) != 0; }
  std::uint32_t holders() const { return state & 6; }      // a bit each
  std::uint32_t group() const { return state >> kGroup; }  // of its broadcast; 0: none
  void hold(Holder who, bool on) { state = on ? state | bit(who) : state & ~bit(who); }

  static constexpr int kGroup = 3;  // where it begins in `state`

 private:
  static constexpr std::uint32_t bit(Holder who) { return 2U << static_cast<int>(who); }
};

struct Flight : Slot {  // a message in flight
  Body* body = nullptr;
};
static_assert(sizeof(Flight) == 64, "one cache line a message");
struct Armed : Slot {};  // a timer; name: (node, key, class, n-th)
struct DiskWait : Slot {
  DiskDone done;
  std::uint64_t place = 0;  // in the disk's journal
};
struct Asking : Slot {  // a request that its client would make now
  NodeId target = kAnyNode;
  Body* body = nullptr;
};

template <class T>
class SlotTable {
 public:
  std::uint32_t take(std::uint32_t group = 0) {
    if (free_ == kNone) {
      slots_.emplace_back();
      slots_.back().state = 1 | group << Slot::kGroup;
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_;
    T& t = slots_[slot];
    free_ = t.next;
    t.state = 1 | group << Slot::kGroup;
    return slot;
  }
  void give_back(std::uint32_t slot) {
    T& t = slots_[slot];
    assert(t.alive() && t.at == kNone);
    t.state = 0;
    ++t.generation;
    t.next = free_;
    free_ = slot;
  }
  T& operator[](std::uint32_t slot) { return slots_[slot]; }
  const T& operator[](std::uint32_t slot) const { return slots_[slot]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
  // Slots of a new run are handed out in the same order, whatever the run before did.
  void clear() {
    slots_.clear();
    free_ = kNone;
  }

 private:
  std::vector<T> slots_;
  std::uint32_t free_ = kNone;
};

// Enabled slots in no particular, but deterministic, order.
class Dense {
 public:
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
  std::uint32_t operator[](std::uint32_t i) const { return slots_[i]; }
  void clear() { slots_.clear(); }
  template <class Table>
  void add(Table& table, std::uint32_t slot) {
    assert(table[slot].at == kNone);
    table[slot].at = size();
    slots_.push_back(slot);
  }
  template <class Table>
  void remove(Table& table, std::uint32_t slot) {
    const std::uint32_t at = table[slot].at;
    const std::uint32_t last = slots_.back();
    slots_[at] = last;
    table[last].at = at;
    slots_.pop_back();
    table[slot].at = kNone;
  }

 private:
  std::vector<std::uint32_t> slots_;
};

// Small sets of nodes or links with O(1) insertion, removal and n-th.
class IdSet {
 public:
  void reset(std::uint32_t universe, bool full);
  bool has(std::uint32_t id) const { return at_[id] < count_; }
  std::uint32_t size() const { return count_; }
  std::uint32_t operator[](std::uint32_t i) const { return ids_[i]; }
  void add(std::uint32_t id);
  void remove(std::uint32_t id);

 private:
  void swap(std::uint32_t i, std::uint32_t j);
  std::vector<std::uint32_t> ids_, at_;  // members first
  std::uint32_t count_ = 0;
};

// Requests that the same nodes take: most systems have one such desk.
struct Desk {
  std::vector<bool> served_by;  // a flag a node
  IdSet takers;                 // those of them that are up and not paused
  Dense askable;                // what would be asked at any of them
};

// Of a node's failure: it answers what it may not.
constexpr std::string_view not_open_text(bool answers_anywhere) {
  return answers_anywhere ? "an answer to a request that no client has made"
                          : "an answer to a request that is not open at this node (a system whose "
                            "nodes answer for each other says answers_anywhere())";
}

class Pending {
 public:
  // How many actions of a kind are enabled, and the i-th of them. Fates of a message (deliver,
  // drop, duplicate) are counted over the deliverable ones and only within their budgets; mutate
  // and inject need a content and are made by whoever has one. Not listed either is what only a
  // script does: free actions, and fates of messages that are held or not first.
  std::uint32_t count(Do kind) const;
  Action nth(Do kind, std::uint32_t i) const;
  std::uint32_t timer_classes() const { return static_cast<std::uint32_t>(armed.size()); }
  std::uint32_t count_fire(std::uint32_t timer) const { return armed[timer].size(); }
  Action nth_fire(std::uint32_t timer, std::uint32_t i) const {
    const std::uint32_t slot = armed[timer][i];
    return make_action(Do::fire, timers[slot].name, 0, slot);
  }
  // What an action of that kind would serve: fates of a message are in the table of flights.
  const Slot& slot(Do kind, std::uint32_t slot) const {
    switch (kind) {
      case Do::fire: return timers[slot];
      case Do::complete: return waits[slot];
      case Do::submit: return askings[slot];
      default: return flights[slot];
    }
  }
  // Calls f(kind, slot number) for everything pending, enabled or not, a table after the other.
  template <class F>
  void each(F&& f) const {
    const auto all = [&](Do kind, const auto& table) {
      for (std::uint32_t i = 0; i < table.size(); ++i)
        if (table[i].alive()) f(kind, i);
    };
    all(Do::deliver, flights), all(Do::fire, timers);
    all(Do::complete, waits), all(Do::submit, askings);
  }
  bool any_held_by(Holder who) const;
  // The commonest case, inline.
  Action nth_deliver(std::uint32_t i) const {
    const std::uint32_t slot = deliverable[i];
    return make_action(Do::deliver, flights[slot].name, 0, slot);
  }

  // Who could take it now, of those that may be asked for it.
  const Desk& desk(Name request) const {
    return desks[desk_of[static_cast<std::size_t>(request.type())]];
  }
  Desk& desk(Name request) { return desks[desk_of[static_cast<std::size_t>(request.type())]]; }
  const IdSet& takers(Name request) const { return desk(request).takers; }
  // Whether some node was asked it, where its client has come to `offered` requests.
  bool was_asked(Name request, std::uint32_t offered) const;
  void open_desks(std::span<const NodeClass* const> of_nodes);  // of each node; all of them live
  void attend_desks(std::uint32_t node, bool on);
  void clear_desks();  // nobody asks

  SlotTable<Flight> flights;
  SlotTable<Armed> timers;
  SlotTable<DiskWait> waits;
  SlotTable<Asking> askings;
  Dense deliverable, completable, askable;  // askable: to a given node that is live
  std::vector<Dense> armed;                 // a timer class each
  std::uint32_t armed_total = 0;
  IdSet live;                         // up and not paused
  std::vector<Desk> desks;            // for requests to any node
  std::vector<std::uint8_t> desk_of;  // a request's type
  IdSet crashable, down, pausable, paused;
  IdSet cuttable, severed;  // links, from * nodes + to; filled only where links may be cut
  int nodes = 0;
  std::uint32_t down_max = 0;
  bool recovers = true;  // a node that crashed may come back
  // Nodes and links that a fair end needs repaired.
  std::uint32_t broken() const {
    return (recovers ? down.size() : 0) + paused.size() + severed.size();
  }
  Faults left;  // budgets
};

}  // namespace schism
