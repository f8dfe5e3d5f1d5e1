#include "systems/xrpl/relay.hpp"

#include <utility>

namespace schism::xrpl {

Router::Entry* Router::Table::find(std::uint64_t id) {
  if (slots_.empty()) return nullptr;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = id & mask;; at = (at + 1) & mask) {
    if (slots_[at].id == id) return &slots_[at];
    if (slots_[at].id == 0) return nullptr;
  }
}

Router::Entry& Router::Table::insert(const Entry& entry) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = entry.id & mask;
  while (slots_[at].id != 0) at = (at + 1) & mask;
  ++used_;
  return slots_[at] = entry;
}

void Router::Table::grow() {
  std::vector<Entry> before(slots_.empty() ? 64 : 2 * slots_.size());
  before.swap(slots_);
  used_ = 0;
  for (const Entry& entry : before)
    if (entry.id != 0) insert(entry);
}

void Router::Table::clear() {
  slots_.assign(slots_.size(), Entry{});
  used_ = 0;
}

Hash128 Router::Table::digest() const {
  Hash128 sum;
  for (const Entry& e : slots_) {
    if (e.id == 0) continue;
    Hash128 h = absorb(absorb(scatter(e.id), e.peers), static_cast<std::uint64_t>(e.touched));
    h = absorb(h, static_cast<std::uint64_t>(e.relayed));
    sum += absorb(h, static_cast<std::uint64_t>(e.processed));
  }
  return sum;
}

Hash128 Router::digest() const {
  return absorb(absorb(young_.digest(), old_.digest()), static_cast<std::uint64_t>(generation_));
}

Router::Entry& Router::touch(std::uint64_t id, Micros now, bool& fresh) {
  if (id == 0) id = 1;
  if (now >= generation_ + kSuppression) {
    std::swap(young_, old_);
    young_.clear();
    if (now >= generation_ + 2 * kSuppression) old_.clear();
    generation_ = now;
  }
  Entry* found = young_.find(id);
  if (!found)
    if (const Entry* older = old_.find(id)) found = &young_.insert(*older);
  fresh = !found;
  if (!found) return young_.insert({id, 0, now, -1, -1});
  if (now >= found->touched + kSuppression) {
    fresh = true;
    *found = {id, 0, now, -1, -1};
  }
  found->touched = now;
  return *found;
}

bool Router::add(std::uint64_t id, NodeId from, Micros now) {
  bool fresh = false;
  Entry& entry = touch(id, now, fresh);
  if (from >= 0) entry.peers |= bit_of(from);
  return fresh;
}

bool Router::should_relay(std::uint64_t id, Micros now, Members& already) {
  bool fresh = false;
  Entry& entry = touch(id, now, fresh);
  if (entry.relayed >= 0 && now < entry.relayed + kSuppression) return false;
  entry.relayed = now;
  already = entry.peers;
  return true;
}

bool Router::should_process(std::uint64_t id, NodeId from, Micros now) {
  bool fresh = false;
  Entry& entry = touch(id, now, fresh);
  if (from >= 0) entry.peers |= bit_of(from);
  if (entry.processed >= 0 && now < entry.processed + kTransactionAgain) return false;
  entry.processed = now;
  return true;
}

}  // namespace schism::xrpl
