#include "schism/schedule/timed_queue.hpp"

#include <algorithm>

namespace schism {

void TimedQueue::push(Micros due, Do kind, std::uint32_t slot, std::uint32_t generation) {
  heap_.push_back({due, order_++, slot, generation, kind});
  sift_up(heap_.size() - 1);
}

void TimedQueue::sift_up(std::size_t at) {
  const Item item = heap_[at];
  while (at > 0) {
    const std::size_t parent = (at - 1) / 4;
    if (!item.before(heap_[parent])) break;
    heap_[at] = heap_[parent];
    at = parent;
  }
  heap_[at] = item;
}

// The first is gone: the earliest child moves up, level by level, to a leaf; the last item then
// goes into the hole and up as far as it must. It came from the bottom, so that is seldom far.
void TimedQueue::fill_hole() {
  const Item last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0) return;
  std::size_t hole = 0;
  for (;;) {
    const std::size_t child = 4 * hole + 1;
    std::size_t least = child;
    if (child + 4 <= size) {
      const Item* c = &heap_[child];
      const std::size_t left = c[1].before(c[0]) ? 1 : 0;
      const std::size_t right = c[3].before(c[2]) ? 3 : 2;
      least += c[right].before(c[left]) ? right : left;
    } else if (child < size) {
      for (std::size_t other = child + 1; other < size; ++other)
        if (heap_[other].before(heap_[least])) least = other;
    } else {
      break;
    }
    heap_[hole] = heap_[least];
    hole = least;
  }
  heap_[hole] = last;
  sift_up(hole);
}

const Slot& TimedQueue::slot_of(const Pending& pending, const Item& item) {
  switch (item.kind) {
    case Do::fire: return pending.timers[item.slot];
    case Do::complete: return pending.waits[item.slot];
    case Do::submit: return pending.askings[item.slot];
    default: return pending.flights[item.slot];  // some fate of a message
  }
}

void TimedQueue::take_back(const Pending& pending) {
  std::erase_if(parked_, [&](const Item& item) {
    const Slot& slot = slot_of(pending, item);
    if (stale(slot, item)) return true;
    if (slot.at == kNone) return false;
    heap_.push_back(item);
    sift_up(heap_.size() - 1);
    return true;
  });
}

namespace {

// Wait first where the action itself cannot carry the time.
Action at_time(const World& world, Action action, Micros due) {
  const Micros wait = due - world.clock();
  if (wait <= 0) return action;
  // A timer goes to its due time by itself; other fates of a message take no time.
  if (action.kind != Do::deliver && action.kind != Do::complete && action.kind != Do::submit)
    return action;
  const bool carries = action.kind == Do::deliver || action.kind == Do::complete;
  if (carries && wait <= static_cast<Micros>(kArgMax))
    return make_action(action.kind, action.name, static_cast<std::uint32_t>(wait), action.hint);
  return advance_by(wait);
}

}  // namespace

Action TimedQueue::pop(World& world) {
  const Pending& pending = world.pending();
  if (!parked_.empty()) take_back(pending);
  while (!heap_.empty()) {
    const Item item = heap_.front();
    const Slot& slot = slot_of(pending, item);
    if (stale(slot, item)) {
      fill_hole();
      continue;
    }
    const bool anywhere = item.kind == Do::submit && pending.askings[item.slot].target == kAnyNode;
    if (slot.at == kNone || (anywhere && pending.live.size() == 0)) {
      parked_.push_back(item);
      fill_hole();
      continue;
    }
    std::uint32_t arg = 0;
    if (item.kind == Do::submit) {
      // Any node: a different one each time, by the request's own name.
      const std::uint64_t spread = mix64(slot.name.bits());
      arg = anywhere ? pending.live[static_cast<std::uint32_t>(spread % pending.live.size())]
                     : static_cast<std::uint32_t>(pending.askings[item.slot].target);
    }
    const Action action =
        at_time(world, make_action(item.kind, slot.name, arg, item.slot), item.due);
    if (action.kind == item.kind) fill_hole();  // else it comes up again after the wait
    return action;
  }
  return {};
}

void queue_all(World& world, TimedQueue& queue, Micros latency) {
  const Pending& pending = world.pending();
  const Micros now = world.clock();
  struct Old {
    std::uint32_t created, slot;
    Do kind;
  };
  std::vector<Old> old;  // oldest first, whatever slots they have
  for (std::uint32_t i = 0; i < pending.flights.size(); ++i)
    if (pending.flights[i].alive()) old.push_back({pending.flights[i].created, i, Do::deliver});
  for (std::uint32_t i = 0; i < pending.waits.size(); ++i)
    if (pending.waits[i].alive()) old.push_back({pending.waits[i].created, i, Do::complete});
  for (std::uint32_t i = 0; i < pending.askings.size(); ++i)
    if (pending.askings[i].alive()) old.push_back({pending.askings[i].created, i, Do::submit});
  std::stable_sort(old.begin(), old.end(),
                   [](const Old& a, const Old& b) { return a.created < b.created; });
  for (const Old& o : old) {
    const std::uint32_t generation = o.kind == Do::deliver    ? pending.flights[o.slot].generation
                                     : o.kind == Do::complete ? pending.waits[o.slot].generation
                                                              : pending.askings[o.slot].generation;
    queue.push(now + latency, o.kind, o.slot, generation);
  }
  for (std::uint32_t i = 0; i < pending.timers.size(); ++i)
    if (pending.timers[i].alive())
      queue.push(pending.timers[i].due, Do::fire, i, pending.timers[i].generation);
}

}  // namespace schism
