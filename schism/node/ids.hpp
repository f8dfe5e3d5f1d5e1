// Fields that hold other nodes' numbers. They print and travel like numbers and lists of them, and
// can be renamed, which `symmetric()` needs: a protocol that declares its nodes interchangeable
// keeps every number of a node in one of these.
//
//   struct Vote { NodeRef candidate; FIELDS(candidate) };
//   NodeSet promised;            // promised.insert(from); promised.size()
//   PerNode<int> next_index;     // next_index[to]; in start(): next_index.assign(c.nodes(), 0)
#pragma once

#include <bit>
#include <iterator>
#include <vector>

#include "schism/base/fields.hpp"
#include "schism/words/name.hpp"

namespace schism {

struct NodeRef {
  NodeId id = -1;  // -1: nobody

  constexpr NodeRef() = default;
  constexpr NodeRef(NodeId node) : id(node) {}      // NOLINT: as a NodeId goes anywhere
  constexpr operator NodeId() const { return id; }  // NOLINT
  static constexpr bool schism_is_number = true;    // fields.hpp: written as its number
  NodeId& schism_number() { return id; }
  Hash128 renamed(Hash128 h, const Renaming& r) const {
    return absorb(h, static_cast<std::uint64_t>(r.node(id)));
  }
};

// Of at most 64 nodes.
class NodeSet {
 public:
  using value_type = NodeId;
  using schism_item = NodeRef;  // fields.hpp: they are nodes, not numbers

  class const_iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = NodeId;
    using difference_type = std::ptrdiff_t;
    using pointer = const NodeId*;
    using reference = NodeId;

    explicit const_iterator(std::uint64_t left) : left_(left) {}
    NodeId operator*() const { return std::countr_zero(left_); }
    const_iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    friend bool operator==(const const_iterator&, const const_iterator&) = default;

   private:
    std::uint64_t left_;
  };

  void insert(NodeId id) { bits_ |= bit(id); }
  void erase(NodeId id) { bits_ &= ~bit(id); }
  void clear() { bits_ = 0; }
  bool contains(NodeId id) const { return (bits_ & bit(id)) != 0; }
  bool empty() const { return bits_ == 0; }
  std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
  const_iterator begin() const { return const_iterator(bits_); }
  const_iterator end() const { return const_iterator(0); }
  friend bool operator==(const NodeSet&, const NodeSet&) = default;

  Hash128 renamed(Hash128 h, const Renaming& r) const {
    Hash128 sum;
    for (const NodeId id : *this) sum += scatter(static_cast<std::uint64_t>(r.node(id)));
    return absorb(h, sum);
  }

 private:
  // Numbers outside, as a mutated message may hold, are nobody's.
  static std::uint64_t bit(NodeId id) { return id >= 0 && id < 64 ? std::uint64_t{1} << id : 0; }
  std::uint64_t bits_ = 0;
};

// Something for each node, by its number.
template <class T>
class PerNode : public std::vector<T> {
 public:
  using std::vector<T>::vector;

  Hash128 renamed(Hash128 h, const Renaming& r) const {
    Hash128 sum;
    for (std::size_t id = 0; id < this->size(); ++id)
      sum += absorb_renamed(scatter(static_cast<std::uint64_t>(r.node(static_cast<int>(id)))),
                            (*this)[id], r);
    return absorb(h, sum);
  }
};

}  // namespace schism
