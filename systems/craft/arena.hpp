// One node's memory. The library's heap is a global of the process; `Arena::enter` points it at the
// node whose code is about to run. So a crash is to forget the arena, without running any code of
// the library, and what the library does wrong with its memory is seen:
//
//   - every block is zero: uninitialised bytes do not make runs differ;
//   - a block freed twice, or never allocated here, is noted in `complaint`;
//   - freed blocks are filled, or poisoned under the address sanitizer, and rest for a while before
//     they are used again, so that a use after free does not find what it looks for;
//   - what is still live after a clean close is a leak.
//
// Blocks come from chunks that are kept from run to run; which block an allocation gets depends on
// this arena's own past only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace schism::craft {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  void* allocate(std::size_t size);
  void release(void* block);
  void* resize(void* block, std::size_t size);
  // Forgets all blocks.
  void reset();

  std::size_t live_blocks() const { return live_blocks_; }
  std::size_t live_bytes() const { return live_bytes_; }
  // The first thing that went wrong; empty: nothing.
  const std::string& complaint() const { return complaint_; }

  // The library allocates here from now on; null: nowhere, which it must not try.
  static void enter(Arena* arena);

 private:
  // Before every block. Free blocks of a class form a queue.
  struct Header {
    std::uint32_t mark;
    std::uint32_t size_class;
    union {
      std::size_t size;  // as asked for, while it is live
      Header* next;      // while it is free
    };
  };
  struct Chunk {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0, used = 0;
  };
  struct Queue {
    Header* first = nullptr;
    Header* last = nullptr;
    std::uint32_t length = 0;
  };
  static constexpr std::uint32_t kSmall = 32;  // classes in steps of 16 bytes; then powers of two
  static constexpr std::uint32_t kClasses = kSmall + 32;
  static constexpr std::uint32_t kRest = 16;  // free blocks of a class that are not used yet
  static constexpr std::uint32_t kLive = 0x4c495645, kFree = 0x46524545;
  static constexpr std::size_t kChunk = std::size_t{1} << 16;

  static std::uint32_t class_of(std::size_t size);
  static std::size_t bytes_of(std::uint32_t size_class);
  Header* header_of(void* block) const;  // null: no block of this arena
  Header* fresh(std::size_t bytes);
  void complain(std::string what);

  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0;  // that is being used up
  std::array<Queue, kClasses> free_ = {};
  std::size_t live_blocks_ = 0, live_bytes_ = 0;
  std::string complaint_;
};

// Arenas that nobody uses: their chunks serve the next run.
std::unique_ptr<Arena> take_arena();
void give_back(std::unique_ptr<Arena> arena);

}  // namespace schism::craft
