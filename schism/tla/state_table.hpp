// All distinct states, as rows of 32-bit names: equal rows are equal states, without any chance of
// a collision. A state is known by its number, in the order of discovery.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace schism::tla {

class StateTable {
 public:
  explicit StateTable(std::size_t width) : width_(width), slots_(1024, 0) {}

  std::size_t size() const { return count_; }
  std::size_t bytes() const {
    return rows_.capacity() * 4 + slots_.capacity() * 8 + hashes_low_.capacity() * 4;
  }
  std::span<const std::uint32_t> row(std::uint32_t i) const {
    return {rows_.data() + std::size_t{i} * width_, width_};
  }

  std::optional<std::uint32_t> find(std::span<const std::uint32_t> row, std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t tag = hash & 0xffffffff00000000ULL;
    for (std::size_t i = hash & mask; slots_[i] != 0; i = (i + 1) & mask) {
      if ((slots_[i] & 0xffffffff00000000ULL) != tag) continue;
      const auto index = static_cast<std::uint32_t>(slots_[i]) - 1;
      if (std::ranges::equal(this->row(index), row)) return index;
    }
    return std::nullopt;
  }

  // Its number, and whether it is new.
  std::pair<std::uint32_t, bool> insert(std::span<const std::uint32_t> row, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t tag = hash & 0xffffffff00000000ULL;
    std::size_t i = hash & mask;
    for (; slots_[i] != 0; i = (i + 1) & mask) {
      if ((slots_[i] & 0xffffffff00000000ULL) != tag) continue;
      const auto index = static_cast<std::uint32_t>(slots_[i]) - 1;
      if (std::ranges::equal(this->row(index), row)) return {index, false};
    }
    const auto index = static_cast<std::uint32_t>(count_++);
    slots_[i] = tag | (index + 1);
    rows_.insert(rows_.end(), row.begin(), row.end());
    hashes_low_.push_back(static_cast<std::uint32_t>(hash));
    if (count_ * 3 > slots_.size() * 2) grow();
    return {index, true};
  }

 private:
  void grow() {
    std::vector<std::uint64_t> larger(slots_.size() * 2, 0);
    const std::size_t mask = larger.size() - 1;
    for (const std::uint64_t s : slots_) {
      if (s == 0) continue;
      const std::uint64_t low = hashes_low_[static_cast<std::uint32_t>(s) - 1];
      std::size_t i = ((s & 0xffffffff00000000ULL) | low) & mask;
      while (larger[i] != 0) i = (i + 1) & mask;
      larger[i] = s;
    }
    slots_.swap(larger);
  }

  std::size_t width_, count_ = 0;
  std::vector<std::uint64_t> slots_;  // the upper half of the hash, and the number plus one
  std::vector<std::uint32_t> rows_, hashes_low_;
};

}  // namespace schism::tla
