#include "systems/regular_register/regularity.hpp"

namespace schism::registers {
namespace {

constexpr EventMask kMessages = mask_of(Happened::sent) | mask_of(Happened::delivered) |
                                mask_of(Happened::dropped) | mask_of(Happened::lost) |
                                mask_of(Happened::duplicated);

std::uint64_t key_of(const Event& event) {
  const Name n = event.name();
  return Name(n.from(), n.to(), n.type(), n.nth()).bits();
}

}  // namespace

EventMask Regularity::wakes_on() const {
  return kMessages | announcements_of<Began>() | announcements_of<Ended>();
}

void Regularity::begin(const World& world) {
  absolve();
  nodes_.assign(static_cast<std::size_t>(world.setup().nodes), {});
  flying_.clear();
  operations_.clear();
}

// Which operations a node can know of.
void Regularity::follow(const Event& event) {
  Past& mine = nodes_[event.node];
  switch (event.kind) {
    case Happened::sent:
      if (mine.any()) flying_[key_of(event)].past = mine;
      break;
    case Happened::duplicated:
      if (const auto it = flying_.find(key_of(event)); it != flying_.end()) ++it->second.copies;
      break;
    case Happened::delivered:
      if (const auto it = flying_.find(key_of(event)); it != flying_.end()) mine |= it->second.past;
      land(event);
      break;
    case Happened::dropped:
    case Happened::lost: land(event); break;
    default: break;
  }
}

void Regularity::land(const Event& event) {
  const auto it = flying_.find(key_of(event));
  if (it != flying_.end() && --it->second.copies == 0) flying_.erase(it);
}

void Regularity::look(const World& world, std::span<const Event> events) {
  bool ended = false;
  for (const Event& event : events) {
    if (event.kind != Happened::announced) {
      follow(event);
    } else if (const auto* b = event.as<Began>()) {
      nodes_[event.node].set(static_cast<std::size_t>(b->operation));
      operations_[b->operation] = {b->write, false, event.node, b->value, {}, world.step(), 0};
    } else if (const auto* e = event.as<Ended>()) {
      Operation& op = operations_[e->operation];
      op.ended = ended = true;
      op.value = e->value;
      op.past = nodes_[event.node];
      op.ended_at = world.step();
    }
  }
  if (ended) judge(world);
}

void Regularity::judge(const World& world) {
  for (const auto& [number, op] : operations_)
    if (!op.write && op.ended) judge_read(world, number);
}

void Regularity::judge_read(const World& world, int number) {
  const Operation& read = operations_[number];
  const Operation* source = nullptr;  // null: the initial value, written before everything
  for (const auto& [n, op] : operations_)
    if (op.write && op.value == read.value) source = &op;
  if (!source && read.value != initial_) {
    violate(world, fmt::format("node {} read {}, which nobody wrote", read.node, read.value),
            {{read.ended_at, fmt::format("read {}", read.value)}});
    return;
  }
  const auto r = static_cast<std::size_t>(number);
  if (source && source->ended && source->past[r]) return;  // they overlap in every order
  for (const auto& [n, later] : operations_) {
    if (!later.write || !later.ended || &later == source || later.past[r]) continue;
    if (source && (!source->ended || source->past[static_cast<std::size_t>(n)])) continue;
    violate(world,
            fmt::format("node {} read {}, though {} was written before the read began, or no "
                        "message tells otherwise",
                        read.node, read.value, later.value),
            {{later.began_at, fmt::format("begins to write {}", later.value)},
             {later.ended_at, fmt::format("has written {}", later.value)},
             {read.began_at, "begins to read"},
             {read.ended_at, fmt::format("read {}", read.value)}});
    return;
  }
}

std::optional<Hash128> Regularity::digest() const {
  const auto hash = [](const Past& past) {
    const Past low(~std::uint64_t{0});
    return absorb(scatter((past & low).to_ullong()), (past >> 64).to_ullong());
  };
  Hash128 sum = seeded("regularity");
  for (std::size_t id = 0; id < nodes_.size(); ++id) sum += absorb(hash(nodes_[id]), id);
  for (const auto& [key, carried] : flying_)
    sum += absorb(absorb(hash(carried.past), key), static_cast<std::uint64_t>(carried.copies));
  for (const auto& [number, op] : operations_)
    sum += absorb(absorb(op.ended ? hash(op.past) : Hash128{}, static_cast<std::uint64_t>(number)),
                  static_cast<std::uint64_t>(op.value) << 2 | std::uint64_t{op.write} << 1 |
                      std::uint64_t{op.ended});
  return sum;
}

}  // namespace schism::registers
