// Names and strings as small numbers, in the order of their first occurrence: configuration first,
// then the modules. That is the order that TLC has among strings and among model values, on which
// CHOOSE depends. Strings that only arise while evaluating come after those, by their text, so that
// the order does not depend on who made one first.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "schism/tla/source.hpp"

namespace schism::tla {

using Symbol = std::uint32_t;

class Symbols {
 public:
  Symbols();
  Symbol intern(std::string_view text);
  const std::string& text(Symbol s) const { return at(s).text; }
  std::uint64_t hash(Symbol s) const { return at(s).hash; }
  // From now on new strings are ordered by their text.
  void freeze() { frozen_at_ = size_; }
  int compare(Symbol a, Symbol b) const;

  std::uint32_t add_file(std::string name);
  const std::string& file(std::uint32_t number) const { return files_[number]; }
  std::string describe(Location where) const;  // "raft.tla:12:3"

 private:
  struct Entry {
    std::string text;
    std::uint64_t hash = 0;
  };
  // Entries never move, so that readers need no lock while another thread adds one.
  static constexpr Symbol kChunk = 1024, kChunks = 1 << 16;
  const Entry& at(Symbol s) const { return chunks_[s / kChunk][s % kChunk]; }

  std::mutex lock_;
  Symbol size_ = 0;
  std::vector<std::unique_ptr<Entry[]>> chunks_;
  absl::flat_hash_map<std::string_view, Symbol> index_;
  std::deque<std::string> files_;
  Symbol frozen_at_ = UINT32_MAX;
};

}  // namespace schism::tla
