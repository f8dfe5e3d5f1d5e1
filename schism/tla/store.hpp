// Where nodes live: each value once, in one stretch of address space, so that a value also has a
// 32-bit name by which the checker keeps millions of states. Values stay until the store ends. With
// several threads the table is locked in parts.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "schism/tla/value.hpp"

namespace schism::tla {

class Store {
 public:
  explicit Store(Symbols& symbols);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  Symbols& symbols() { return symbols_; }
  const Symbols& symbols() const { return symbols_; }
  void share_between_threads() { shared_ = true; }

  // Elements in order and different from each other.
  Value sorted_set(std::span<const Value> elements);
  // Any elements; sorts them in place. Those that cannot be compared are a Failure.
  Value set(std::vector<Value>& elements);
  Value tuple(std::span<const Value> items);
  // The hash that this tuple would have.
  std::uint64_t hash_of_tuple(std::span<const Value> items) const;
  // The domain is a set; a domain 1..n makes a tuple.
  Value function(Value domain, std::span<const Value> values);
  Value description(Kind kind, std::span<const Value> words);
  Value infinite(Infinite which);
  Value interval(std::int64_t low, std::int64_t high);
  Value empty_set() const { return empty_set_; }
  Value empty_tuple() const { return empty_tuple_; }
  Value booleans() const { return booleans_; }

  std::uint64_t hash(Value v) const;
  // The order of TLC; a Failure where TLA+ does not say whether the two are equal.
  int compare(Value a, Value b) const;
  bool equal(Value a, Value b) const { return a == b || (compare(a, b) == 0); }
  // Where a key is in an ordered set, or -1.
  std::int64_t find(const ValueNode& set, Value key) const;

  std::uint32_t pack(Value v);
  Value unpack(std::uint32_t packed) const;
  std::size_t bytes() const { return used_.load(std::memory_order_relaxed); }

  // What exists now stays for good; what is made later can be given back.
  void settle();
  // Gives back every value made since settle() that none of these leads to; those that stay move,
  // and the words that point to them are rewritten. For one thread, and while nobody else holds
  // values.
  void collect(std::span<Value* const> live);
  std::size_t values() const;

  static std::uint64_t hash_pair(std::uint64_t key, std::uint64_t value);
  static std::uint64_t hash_of_sum(Kind kind, std::size_t size, std::uint64_t sum);

 private:
  struct Shard {
    std::atomic_flag lock = ATOMIC_FLAG_INIT;
    std::vector<std::uint64_t> table;  // a part of the hash, by which they stand; the granule
    std::size_t count = 0;
    std::size_t at = 0, end = 0;  // its own stretch of the arena, in bytes
    std::size_t settled_at = 0, settled_end = 0;
  };
  static constexpr std::size_t kShards = 64, kGranule = 16, kStretch = 1 << 16;

  Value intern(Kind kind, std::uint32_t size, std::span<const Value> words, std::uint64_t hash);
  const ValueNode* allocate(Shard& shard, Kind kind, std::uint32_t size,
                            std::span<const Value> words, std::uint64_t hash);
  static std::uint64_t slot_of(std::uint64_t hash, std::size_t granule) {
    return (hash >> 26) << 32 | granule;
  }
  static void put(std::vector<std::uint64_t>& table, std::uint64_t slot);
  static void grow(Shard& shard);
  bool settled(const ValueNode& n) const;
  void drop_unsettled();
  const ValueNode* at(std::uint32_t granule) const {
    return reinterpret_cast<const ValueNode*>(base_ + std::size_t{granule} * kGranule);
  }
  int compare_nodes(const ValueNode& a, const ValueNode& b) const;
  int compare_functions(const ValueNode& a, const ValueNode& b) const;
  [[noreturn]] void incomparable(Value a, Value b) const;

  Symbols& symbols_;
  char* base_ = nullptr;
  std::size_t reserved_ = 0;
  std::atomic<std::size_t> used_{0};
  std::size_t settled_ = 0;
  bool shared_ = false;
  std::unique_ptr<Shard[]> shards_;
  Value empty_set_, empty_tuple_, booleans_;
};

}  // namespace schism::tla
