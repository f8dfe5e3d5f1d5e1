// A replicated log: entries numbered from 1, of which a prefix may have been compacted away, with
// the hash of every prefix at hand. So two logs are compared up to an index in O(1), and the digest
// of a node costs the same however long its log has grown.
//
//   Log<Entry> log;
//   log.append(entry);
//   const bool same = log.prefix(3) == other.prefix(3);    // three entries, up to collision
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "schism/base/fields.hpp"

namespace schism {

template <class T>
class Log {
 public:
  using value_type = T;
  using Index = std::uint32_t;

  // The last index that was compacted away; its prefix hash is still known.
  Index base() const { return base_; }
  Index last() const { return base_ + static_cast<Index>(entries_.size()); }
  bool has(Index index) const { return index > base_ && index <= last(); }

  const T& operator[](Index index) const {
    assert(has(index));
    return entries_[index - base_ - 1];
  }
  // Of all entries from 1 to `index`, compacted ones included. The hashes of what was compacted
  // last are still there: whoever looks after a step can see what was appended and compacted in it.
  const Hash128& prefix(Index index) const {
    assert(knows(index));
    return prefixes_[index - known_];
  }
  bool knows(Index index) const { return index >= known_ && index <= last(); }

  void append(const T& entry) {
    prefixes_.push_back(absorb_field(prefix(last()), entry));
    entries_.push_back(entry);
  }
  // Keeps the entries up to `last`.
  void truncate(Index last_kept) {
    assert(last_kept >= base_ && last_kept <= last());
    entries_.resize(last_kept - base_);
    prefixes_.resize(last_kept - known_ + 1);
  }
  // Forgets the entries up to `index`.
  void compact(Index index) {
    assert(index >= base_ && index <= last());
    prefixes_.erase(prefixes_.begin(), prefixes_.begin() + (base_ - known_));
    entries_.erase(entries_.begin(), entries_.begin() + (index - base_));
    known_ = base_;
    base_ = index;
  }
  // Nothing but a prefix that somebody else vouches for.
  void reset(Index index, const Hash128& prefix_hash) {
    entries_.clear();
    prefixes_.assign(1, prefix_hash);
    known_ = base_ = index;
  }

  // What is still there, for printing and iteration.
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  // How a log is read back from a file.
  void push_back(const T& entry) { append(entry); }
  void clear() { reset(0, {}); }

  Hash128 digest() const { return absorb(absorb(prefix(last()), last()), base_); }

 private:
  std::vector<T> entries_;
  std::vector<Hash128> prefixes_ = {Hash128{}};  // from index known_ on
  Index base_ = 0, known_ = 0;
};

}  // namespace schism
