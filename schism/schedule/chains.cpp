#include "schism/schedule/chains.hpp"

#include <algorithm>

namespace schism {

void ChainPartition::clear() {
  chains_.clear();
  // The groups keep their memory for the next run.
  for (Group& group : groups_) {
    group.size = 0;
    group.idle.clear();
  }
  order_.clear();
}

std::size_t ChainPartition::find_group(DeliveryClock knows) {
  fits_.clear();
  for (std::size_t i = 0;; ++i) {
    if (i == order_.size()) {
      order_.push_back(static_cast<std::uint32_t>(i));
      if (i == groups_.size()) groups_.emplace_back();
    }
    const Group& group = groups_[order_[i]];
    for (std::uint32_t k = 0; k < group.idle.size(); ++k)
      if (knows[group.idle[k].tail.node] >= group.idle[k].tail.nth) fits_.push_back(k);
    // Full, and none to extend: the next group may hold one more.
    if (!fits_.empty() || group.size <= i) return i;
  }
}

std::uint32_t ChainPartition::put(std::size_t at, bool& opened, std::size_t chosen) {
  Group& group = groups_[order_[at]];
  std::uint32_t chain = size();
  opened = fits_.empty();
  if (opened) {
    chains_.push_back({{0, 0}, order_[at]});
    ++group.size;
  } else {
    Idle& idle = group.idle[fits_[chosen]];
    chain = idle.chain;
    idle = group.idle.back();
    group.idle.pop_back();
  }
  if (at > 0) {  // the chain moves to the smaller group, and the two groups swap places
    --group.size;
    ++groups_[order_[at - 1]].size;
    chains_[chain].group = order_[at - 1];
    std::swap(order_[at - 1], order_[at]);
  }
  return chain;
}

void ChainPartition::delivered(std::uint32_t chain, int node, std::uint32_t nth) {
  chains_[chain].tail = {static_cast<std::uint32_t>(node), nth};
  lost(chain);
}

// As if the message had never been in the chain: whoever is above the one before may follow.
void ChainPartition::lost(std::uint32_t chain) {
  const Chain& c = chains_[chain];
  groups_[c.group].idle.push_back({c.tail, chain});
}

void DeliveryClocks::reset(int nodes) {
  nodes_ = static_cast<std::size_t>(nodes);
  known_.assign(nodes_ * nodes_, 0);
}

void DeliveryClocks::on_sent(std::uint32_t slot, int from) {
  const std::size_t at = slot * nodes_;
  if (carried_.size() < at + nodes_) carried_.resize(2 * (at + nodes_));
  std::copy_n(known_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(from) * nodes_),
              nodes_, carried_.begin() + static_cast<std::ptrdiff_t>(at));
}

std::uint32_t DeliveryClocks::on_delivered(std::uint32_t slot, int to) {
  std::uint32_t* mine = known_.data() + static_cast<std::size_t>(to) * nodes_;
  const std::uint32_t* carried = carried_.data() + slot * nodes_;
  for (std::size_t i = 0; i < nodes_; ++i) mine[i] = std::max(mine[i], carried[i]);
  return ++mine[to];
}

}  // namespace schism
