// Schedules that showed something new, and how much each is worth going on from: more if what it
// showed is still rare, less the more often that was tried in vain.
#pragma once

#include <absl/container/flat_hash_map.h>

#include "schism/fuzz/schedule.hpp"

namespace schism::fuzz {

struct Entry {
  std::uint64_t id = 0;  // from 1, never given twice
  std::uint64_t parent = 0;
  std::uint64_t run = 0;  // how-manieth of its explorer
  std::uint64_t node_seed = 0;
  Schedule schedule;
  std::uint64_t news = 0;              // so many keys were new
  std::vector<std::uint64_t> keys;     // the first of them
  std::uint64_t tries = 0, found = 0;  // runs that came from it; those that showed something new
  FIELDS(id, parent, run, node_seed, schedule, news, keys, tries, found)
};

class Corpus {
 public:
  explicit Corpus(std::size_t most) : most_(most) {}

  // The worst ones go where there is no room; it may be a quarter too full for a while.
  void add(Entry entry, std::span<const std::uint64_t> news);
  // A run showed these: they are less rare now.
  void count(std::span<const std::uint64_t> keys);
  // What became of a run that came from it.
  void tried(std::uint64_t id, bool found);

  // One of them by its worth; there is at least one. settle() first.
  const Entry& draw(Rng& random) const;
  void settle();  // works the worths out anew
  std::uint64_t worth(const Entry& entry) const;

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const std::vector<Entry>& entries() const { return entries_; }

  std::string save() const;
  Status load(std::string_view bytes);

 private:
  Entry* find(std::uint64_t id);
  void remove_worst();

  std::size_t most_;
  std::uint64_t next_id_ = 1;
  std::vector<Entry> entries_;                               // by id
  std::vector<std::uint64_t> sums_;                          // of worths, running
  absl::flat_hash_map<std::uint64_t, std::uint64_t> shown_;  // keys of entries: in how many runs
  std::vector<std::uint64_t> gone_;                          // keys of those being removed
};

}  // namespace schism::fuzz
