// What evaluations did, by the hash of what was asked and looked at (recall.hpp). In a campaign
// this outgrows every cache, so that what following costs is how many places are gone to: a slot of
// eight bytes, then the effect, with its changes behind it. To grow, nobody goes to the effects.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "schism/base/hash.hpp"
#include "schism/tla/reads.hpp"

namespace schism::tla {

struct Effect {
  Hash128 hash;
  std::uint32_t count = 0;  // of changes
  std::uint16_t shape = 0;  // of what was looked at
  std::uint8_t number = 0;  // of an action: whether it is possible

  std::span<const Assigned> changes() const;  // they stand behind it
};

class Effects {
 public:
  static constexpr std::size_t kChangesMax = 256;  // of an effect

  Effects() : slots_(kSlotsMin) {}

  const Effect* find(const Hash128& hash) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = tag_of(hash) & mask; slots_[i].cell != 0; i = (i + 1) & mask) {
      if (slots_[i].tag != tag_of(hash)) continue;
      const Effect& effect = cell(slots_[i].cell).effect;
      if (effect.hash == hash) return &effect;
    }
    return nullptr;
  }
  // It is not there yet.
  void keep(const Hash128& hash, std::uint16_t shape, std::uint8_t number,
            std::span<const Assigned> changes) {
    const auto count = static_cast<std::uint32_t>(changes.size());
    if (used_ % kChunk + 1 + count > kChunk) used_ = (used_ / kChunk + 1) * kChunk;  // together
    if (used_ + 1 + count > chunks_.size() * kChunk) chunks_.emplace_back(new Cell[kChunk]);
    Cell* const to = &cell(used_);
    to->effect = {hash, count, shape, number};
    for (std::uint32_t i = 0; i < count; ++i) to[1 + i].change = changes[i];
    if (++count_ * 2 > slots_.size()) grow();
    put({tag_of(hash), used_});
    used_ += 1 + count;
  }

  std::size_t bytes() const {
    return slots_.size() * sizeof(Slot) + chunks_.size() * kChunk * sizeof(Cell);
  }

 private:
  friend struct Effect;
  static constexpr std::size_t kSlotsMin = 1024;
  static constexpr std::uint32_t kChunk = 4096;  // cells
  struct Slot {
    std::uint32_t tag = 0, cell = 0;  // a part of the hash, by which they stand; 0: empty
  };
  union Cell {
    Cell() {}
    Effect effect;
    Assigned change;
  };
  static_assert(sizeof(Cell) == 24 && sizeof(Assigned) == 24);

  static std::uint32_t tag_of(const Hash128& hash) { return static_cast<std::uint32_t>(hash.lo); }
  Cell& cell(std::uint32_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  void put(const Slot& slot) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = slot.tag & mask;
    while (slots_[i].cell != 0) i = (i + 1) & mask;
    slots_[i] = slot;
  }
  void grow() {
    std::vector<Slot> before(slots_.size() * 2);
    before.swap(slots_);
    for (const Slot& slot : before)
      if (slot.cell != 0) put(slot);
  }

  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<Cell[]>> chunks_;
  std::uint32_t used_ = 1;
  std::size_t count_ = 0;
};

inline std::span<const Assigned> Effect::changes() const {
  return {&(reinterpret_cast<const Effects::Cell*>(this) + 1)->change, count};
}

}  // namespace schism::tla
