// Which configurations a search has entered. A configuration is a key, compared word by word (equal
// hashes prove nothing), and its *burden*: the reads that it has still to place, and what it has
// used up of the operations without an answer. One whose burden includes that of an earlier one
// with the same key can do nothing that the earlier one could not: it is not worth entering.
//
//   memory.words().push_back(...);              // write the next key, any number of words
//   if (!memory.keep(burden, reads)) return;    // been here before, with no more to carry
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "schism/base/hash.hpp"

namespace schism::linearize {

class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;  // the table points to the arena
  Memory& operator=(const Memory&) = delete;

  std::vector<std::uint64_t>& words() { return words_; }

  // The key is what was pushed to words() since the last call. `burden` holds kind << 32 | number,
  // in order of kinds, numbers above 0. Kinds below `reads` are reads that could come next; all
  // later reads are part of the burden too.
  bool keep(std::span<const std::uint64_t> burden, std::uint32_t reads) {
    const Key key{hash_from(begin_), begin_, words_.size()};
    const auto [at, fresh] = heads_.try_emplace(key, kEnd);
    if (!fresh) words_.resize(begin_);
    begin_ = words_.size();
    for (std::uint64_t node = at->second; node != kEnd; node = lists_[node])
      if (lists_[node + 1] >= reads &&
          includes(burden, reads, lists_.data() + node + 3, lists_[node + 2]))
        return false;
    const std::uint64_t node = lists_.size();
    lists_.push_back(at->second);
    lists_.push_back(reads);
    lists_.push_back(burden.size());
    lists_.insert(lists_.end(), burden.begin(), burden.end());
    at->second = node;
    ++size_;
    return true;
  }
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const {
    return (words_.capacity() + lists_.capacity()) * sizeof words_[0] +
           heads_.capacity() * (sizeof(Key) + sizeof(std::uint64_t) + 1);
  }

 public:
  static constexpr std::uint64_t kSpares = std::uint64_t{1} << 31;  // their kinds begin here

 private:
  static constexpr std::uint64_t kEnd = UINT64_MAX;
  struct Key {
    std::uint64_t hash;
    std::size_t begin, end;
  };
  struct HashOf {
    std::size_t operator()(const Key& k) const { return k.hash; }
  };
  struct Same {
    const std::vector<std::uint64_t>* words;
    bool operator()(const Key& a, const Key& b) const {
      const std::uint64_t* w = words->data();
      return a.hash == b.hash && std::equal(w + a.begin, w + a.end, w + b.begin, w + b.end);
    }
  };

  // Whether a burden includes another, whose kinds are reads below kSpares and spares above.
  static bool includes(std::span<const std::uint64_t> burden, std::uint32_t reads,
                       const std::uint64_t* other, std::uint64_t count) {
    std::size_t j = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t kind = other[i] >> 32;
      if (kind < kSpares && kind >= reads) continue;  // a read that is to come here too
      while (j < burden.size() && burden[j] >> 32 < kind) ++j;
      if (j == burden.size() || burden[j] >> 32 != kind || burden[j] < other[i]) return false;
    }
    return true;
  }
  std::uint64_t hash_from(std::size_t begin) const {
    std::uint64_t h = words_.size() - begin;
    for (std::size_t i = begin; i < words_.size(); ++i)
      h = absorb_lane(h, words_[i], 0xa0761d6478bd642fULL, 0xe7037ed1a0b428dbULL);
    return mix64(h);
  }

  std::vector<std::uint64_t> words_;
  std::size_t begin_ = 0;
  absl::flat_hash_map<Key, std::uint64_t, HashOf, Same> heads_{0, HashOf{}, Same{&words_}};
  std::vector<std::uint64_t> lists_;  // each: the next one, `reads`, the number of pairs, the pairs
  std::uint64_t size_ = 0;
};

}  // namespace schism::linearize
