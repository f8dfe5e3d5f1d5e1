#include "schism/schedule/timed_queue.hpp"

#include <algorithm>

namespace schism {

void TimedQueue::push(Micros due, Do kind, std::uint32_t slot, std::uint32_t generation) {
  const std::uint64_t order = order_++ & ((std::uint64_t{1} << kOrderBits) - 1);
  insert({static_cast<std::uint64_t>(due) << kOrderBits | order, slot,
          (generation & 0x7ffffff) << 5 | static_cast<std::uint32_t>(kind)});
}

void TimedQueue::clear() {
  for (auto& bucket : buckets_) bucket.clear();
  occupied_ = last_ = order_ = 0;
  size_ = 0;
  parked_.clear();
}

void TimedQueue::insert(const Item& item) {
  ++size_;
  if (item.key < last_) {
    // Earlier than what was looked at last, which was not served yet: seldom, so start over.
    scratch_.clear();
    for (auto& bucket : buckets_) {
      scratch_.insert(scratch_.end(), bucket.begin(), bucket.end());
      bucket.clear();
    }
    occupied_ = 0;
    last_ = item.key;
    for (const Item& other : scratch_) put(other);
    scratch_.clear();  // else the next spread() would leave them in a bucket a second time
  }
  put(item);
}

void TimedQueue::spread(std::uint64_t new_last, std::size_t bucket) {
  last_ = new_last;
  occupied_ &= ~(std::uint64_t{1} << bucket);
  scratch_.swap(buckets_[bucket]);
  for (const Item& item : scratch_) put(item);
  scratch_.clear();
}

const TimedQueue::Item& TimedQueue::first() {
  if (buckets_[0].empty()) {
    const auto bucket = static_cast<std::size_t>(__builtin_ctzll(occupied_));
    std::uint64_t least = UINT64_MAX;
    for (const Item& item : buckets_[bucket]) least = std::min(least, item.key);
    spread(least, bucket);
  }
  return buckets_[0].back();
}

void TimedQueue::remove_first() {
  --size_;
  buckets_[0].pop_back();
  if (buckets_[0].empty()) occupied_ &= ~std::uint64_t{1};
}

namespace {

bool for_any_node(const Pending& pending, Do kind, std::uint32_t slot) {
  return kind == Do::submit && pending.askings[slot].target == kAnyNode;
}

// A request for any node also needs one that can take it.
bool servable(const Pending& pending, Do kind, std::uint32_t slot) {
  if (pending.slot(kind, slot).at == kNone) return false;
  return !for_any_node(pending, kind, slot) ||
         pending.takers(pending.askings[slot].name).size() > 0;
}

}  // namespace

void TimedQueue::take_back(const Pending& pending) {
  std::erase_if(parked_, [&](const Item& item) {
    if (stale(pending.slot(item.kind(), item.slot), item)) return true;
    if (!servable(pending, item.kind(), item.slot)) return false;
    Item late = item;  // its time has passed: it is next
    late.key = std::max(late.key, last_);
    insert(late);
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
    return with_arg(action, static_cast<std::uint32_t>(wait));
  return advance_by(wait);
}

}  // namespace

Action TimedQueue::pop(World& world) {
  const Pending& pending = world.pending();
  refresh(world);
  while (size_ > 0) {
    const Item item = first();
    const Do kind = item.kind();
    const Slot& slot = pending.slot(item.kind(), item.slot);
    if (stale(slot, item)) {
      remove_first();
      continue;
    }
    if (!servable(pending, kind, item.slot)) {
      parked_.push_back(item);
      remove_first();
      continue;
    }
    std::uint32_t arg = 0;
    if (kind == Do::submit) {
      // Any node: a different one each time, by the request's own name.
      const std::uint64_t spread = mix64(slot.name.bits());
      const IdSet& takers = pending.takers(slot.name);
      arg = for_any_node(pending, kind, item.slot)
                ? takers[static_cast<std::uint32_t>(spread % takers.size())]
                : static_cast<std::uint32_t>(pending.askings[item.slot].target);
    }
    const Action action = at_time(world, make_action(kind, slot.name, arg, item.slot), item.due());
    if (action.kind == kind) remove_first();  // else it comes up again after the wait
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
    queue.push(now + latency, o.kind, o.slot, pending.slot(o.kind, o.slot).generation);
  }
  for (std::uint32_t i = 0; i < pending.timers.size(); ++i)
    if (pending.timers[i].alive())
      queue.push(pending.timers[i].due, Do::fire, i, pending.timers[i].generation);
}

}  // namespace schism
