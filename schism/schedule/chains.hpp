// Online chain partition of messages by happens-before (Agarwal and Garg, 2007), as PCTCP needs it:
// m1 < m2 if the delivery of m1 happens before the sending of m2. A partial order of width w is
// kept in at most w(w+1)/2 chains. A chain whose last message is still in flight cannot be
// extended, so each chain has at most one message in flight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace schism {

// Which deliveries a node knows of: how many at each node.
using DeliveryClock = std::span<const std::uint32_t>;

class ChainPartition {
 public:
  void clear();
  // Puts a message into a chain, whose number is returned; `opened` says whether it is a new one.
  // `knows` is what its sender knows when it sends. Of k chains of a group that it could extend,
  // choose(k) does; always taking, say, the first would make some orders impossible, since which
  // chain was served first is a matter of priorities.
  template <class Choose>
  std::uint32_t add(DeliveryClock knows, bool& opened, Choose&& choose);
  // The chain's message in flight was delivered, as the `nth` (from 1) at that node; or it was
  // lost.
  void delivered(std::uint32_t chain, int node, std::uint32_t nth);
  void lost(std::uint32_t chain);

  std::uint32_t size() const { return static_cast<std::uint32_t>(chains_.size()); }

 private:
  // Where a chain's last message was delivered, and as which there.
  struct Tail {
    std::uint32_t node, nth;  // 0: none was delivered yet, all were lost
  };
  struct Chain {
    Tail tail;
    std::uint32_t group;
  };
  struct Idle {  // a chain that has nothing in flight, with its tail beside it for a fast scan
    Tail tail;
    std::uint32_t chain;
  };
  struct Group {
    std::uint32_t size = 0;  // chains in it
    std::vector<Idle> idle;  // only these can be extended
  };
  // The group in which the message goes, as an index into `order_`; `fits_` are the idle ones there
  // that it can extend, none if it is to open a chain.
  std::size_t find_group(DeliveryClock knows);
  std::uint32_t put(std::size_t at, bool& opened, std::size_t chosen);

  std::vector<Chain> chains_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> order_;  // of the groups: the i-th (from 1) holds at most i chains
  std::vector<std::uint32_t> fits_;
};

template <class Choose>
std::uint32_t ChainPartition::add(DeliveryClock knows, bool& opened, Choose&& choose) {
  const std::size_t at = find_group(knows);
  return put(at, opened, fits_.size() > 1 ? choose(fits_.size()) : 0);
}

// Vector clocks over deliveries, and what each message in flight carries. O(nodes) a message.
class DeliveryClocks {
 public:
  void reset(int nodes);
  void on_sent(std::uint32_t slot, int from);
  // Returns the how-manieth delivery at `to` this is.
  std::uint32_t on_delivered(std::uint32_t slot, int to);
  DeliveryClock of(int node) const {
    return {known_.data() + static_cast<std::size_t>(node) * nodes_, nodes_};
  }

 private:
  std::size_t nodes_ = 0;
  std::vector<std::uint32_t> known_;    // a row a node
  std::vector<std::uint32_t> carried_;  // a row a slot
};

}  // namespace schism
