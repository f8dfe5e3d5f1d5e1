// The arena's laws: blocks are zero, misuse is seen, and nothing is left from run to run.
#include "systems/craft/arena.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "schism/base/random.hpp"
#include "systems/craft/library.hpp"

namespace schism::craft {
namespace {

bool all_zero(const void* block, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(block);
  return std::all_of(bytes, bytes + size, [](unsigned char b) { return b == 0; });
}

TEST(CraftArena, BlocksAreZeroAlignedAndApart) {
  Arena arena;
  Rng rng(1);
  std::map<unsigned char*, std::size_t> live;
  for (int i = 0; i < 20'000; ++i) {
    if (live.empty() || rng.chance(0.55)) {
      const std::size_t size = rng.chance(0.02) ? rng.below(200'000) : rng.below(700);
      auto* block = static_cast<unsigned char*>(arena.allocate(size));
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0U);
      ASSERT_TRUE(all_zero(block, size));
      std::memset(block, 0xab, size);
      const auto after = live.lower_bound(block);
      if (after != live.end()) {
        ASSERT_LE(block + size, after->first);
      }
      if (after != live.begin()) {
        ASSERT_LE(std::prev(after)->first + std::prev(after)->second, block);
      }
      live[block] = size;
    } else {
      const auto victim =
          std::next(live.begin(), static_cast<std::ptrdiff_t>(rng.below(live.size())));
      if (rng.chance(0.2)) {
        const std::size_t size = rng.below(700);
        auto* moved = static_cast<unsigned char*>(arena.resize(victim->first, size));
        for (std::size_t k = 0; k < std::min(size, victim->second); ++k) ASSERT_EQ(moved[k], 0xab);
        std::memset(moved, 0xab, size);
        live.erase(victim);
        live[moved] = size;
      } else {
        arena.release(victim->first);
        live.erase(victim);
      }
    }
    ASSERT_EQ(arena.live_blocks(), live.size());
  }
  EXPECT_EQ(arena.complaint(), "");
  arena.reset();
  EXPECT_EQ(arena.live_blocks(), 0U);
  EXPECT_TRUE(all_zero(arena.allocate(60'000), 60'000));
}

TEST(CraftArena, SeesADoubleFree) {
  Arena arena;
  void* block = arena.allocate(24);
  arena.release(block);
  EXPECT_EQ(arena.complaint(), "");
  arena.release(block);
  EXPECT_EQ(arena.complaint(), "it frees a block twice");
}

TEST(CraftArena, SeesAForeignFree) {
  Arena arena, other;
  arena.release(other.allocate(8));
  EXPECT_EQ(arena.complaint(), "it frees a block that it never allocated");
  arena.reset();
  EXPECT_EQ(arena.complaint(), "");
  auto* inside = static_cast<char*>(arena.allocate(100)) + 32;
  arena.release(inside);
  EXPECT_EQ(arena.complaint(), "it frees a block that it never allocated");
}

TEST(CraftArena, SeesALeak) {
  Arena arena;
  void* first = arena.allocate(10);
  arena.allocate(20);
  arena.release(first);
  EXPECT_EQ(arena.live_blocks(), 1U);
  EXPECT_EQ(arena.live_bytes(), 20U);
}

TEST(CraftArena, AFreedBlockRestsBeforeItIsUsedAgain) {
  Arena arena;
  void* freed = arena.allocate(64);
  arena.release(freed);
  for (int i = 0; i < 10; ++i) EXPECT_NE(arena.allocate(64), freed);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(CraftArena, AFreedBlockIsFilled) {
  Arena arena;
  auto* block = static_cast<unsigned char*>(arena.allocate(40));
  std::memset(block, 7, 40);
  arena.release(block);
  EXPECT_EQ(block[0], 0xdd);
  EXPECT_EQ(block[39], 0xdd);
}
#endif

TEST(CraftArena, TheLibraryAllocatesWhereItIsTold) {
  Arena one, two;
  Arena::enter(&one);
  void* block = raft_malloc(10);
  Arena::enter(&two);
  void* other = raft_calloc(4, 8);
  EXPECT_EQ(one.live_blocks(), 1U);
  EXPECT_EQ(two.live_bytes(), 32U);
  raft_free(other);
  raft_free(block);  // of another node
  EXPECT_NE(two.complaint(), "");
  Arena::enter(nullptr);
}

}  // namespace
}  // namespace schism::craft
