#include "systems/craft/arena.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "systems/craft/library.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace schism::craft {
namespace {

constexpr int kFreed = 0xdd;  // no pointer, no small number

Arena* arena_of(void* data) { return static_cast<Arena*>(data); }

// Over-aligned blocks are only asked for by the library's own file system code, which is not used.
void* no_aligned_block(void*, std::size_t, std::size_t) { return nullptr; }

raft_heap heap = {
    nullptr,
    [](void* data, std::size_t size) { return arena_of(data)->allocate(size); },
    [](void* data, void* block) { arena_of(data)->release(block); },
    [](void* data, std::size_t count, std::size_t size) {
      return arena_of(data)->allocate(count * size);
    },
    [](void* data, void* block, std::size_t size) { return arena_of(data)->resize(block, size); },
    no_aligned_block,
    [](void* data, std::size_t, void* block) { arena_of(data)->release(block); },
};

std::vector<std::unique_ptr<Arena>>& idle_arenas() {
  static std::vector<std::unique_ptr<Arena>> idle;
  return idle;
}

}  // namespace

void Arena::enter(Arena* arena) {
  static const bool set = (raft_heap_set(&heap), true);
  static_cast<void>(set);
  heap.data = arena;
}

Arena::~Arena() {
  for (const Chunk& chunk : chunks_) ASAN_UNPOISON_MEMORY_REGION(chunk.bytes.get(), chunk.size);
}

std::uint32_t Arena::class_of(std::size_t size) {
  if (size <= kSmall * 16) return static_cast<std::uint32_t>((size + 15) / 16);
  return kSmall + static_cast<std::uint32_t>(std::bit_width(size - 1)) - 9;  // 1024 is the first
}

std::size_t Arena::bytes_of(std::uint32_t size_class) {
  return size_class <= kSmall ? std::max<std::size_t>(size_class, 1) * 16
                              : std::size_t{1} << (size_class - kSmall + 9);
}

void* Arena::allocate(std::size_t size) {
  const std::uint32_t size_class = class_of(size);
  const std::size_t bytes = bytes_of(size_class);
  Queue& queue = free_[size_class];
  Header* header = nullptr;
  if (queue.length > kRest) {
    header = queue.first;
    queue.first = header->next;
    --queue.length;
    ASAN_UNPOISON_MEMORY_REGION(header + 1, bytes);
    std::memset(header + 1, 0, bytes);
  } else {
    header = fresh(bytes);
  }
  header->mark = kLive;
  header->size_class = size_class;
  header->size = size;
  ++live_blocks_;
  live_bytes_ += size;
  return header + 1;
}

// Chunks are zero beyond what was used of them.
Arena::Header* Arena::fresh(std::size_t bytes) {
  const std::size_t needed = sizeof(Header) + bytes;
  while (chunk_ < chunks_.size() && chunks_[chunk_].used + needed > chunks_[chunk_].size) ++chunk_;
  if (chunk_ == chunks_.size()) {
    const std::size_t size = std::max(kChunk, needed);
    chunks_.push_back({std::make_unique<std::byte[]>(size), size, 0});
  }
  Chunk& chunk = chunks_[chunk_];
  auto* header = reinterpret_cast<Header*>(chunk.bytes.get() + chunk.used);
  chunk.used += needed;
  return header;
}

Arena::Header* Arena::header_of(void* block) const {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  for (const Chunk& chunk : chunks_) {
    const auto begin = reinterpret_cast<std::uintptr_t>(chunk.bytes.get());
    if (address < begin + sizeof(Header) || address >= begin + chunk.used) continue;
    if ((address - begin) % 16 != 0) return nullptr;
    auto* header = static_cast<Header*>(block) - 1;
    ASAN_UNPOISON_MEMORY_REGION(header, sizeof(Header));
    return header->mark == kLive || header->mark == kFree ? header : nullptr;
  }
  return nullptr;
}

void Arena::release(void* block) {
  if (block == nullptr) return;
  Header* header = header_of(block);
  if (!header) return complain("it frees a block that it never allocated");
  if (header->mark == kFree) return complain("it frees a block twice");
  const std::size_t bytes = bytes_of(header->size_class);
  --live_blocks_;
  live_bytes_ -= header->size;
  header->mark = kFree;
  header->next = nullptr;
  std::memset(block, kFreed, std::min<std::size_t>(bytes, 512));
  ASAN_POISON_MEMORY_REGION(block, bytes);
  Queue& queue = free_[header->size_class];
  (queue.length > 0 ? queue.last->next : queue.first) = header;
  queue.last = header;
  ++queue.length;
}

void* Arena::resize(void* block, std::size_t size) {
  if (block == nullptr) return allocate(size);
  Header* header = header_of(block);
  if (!header || header->mark == kFree) {
    complain(header ? "it resizes a freed block" : "it resizes a block that it never allocated");
    return allocate(size);
  }
  void* moved = allocate(size);
  std::memcpy(moved, block, std::min(size, header->size));
  release(block);
  return moved;
}

void Arena::reset() {
  for (Chunk& chunk : chunks_) {
    ASAN_UNPOISON_MEMORY_REGION(chunk.bytes.get(), chunk.size);
    std::memset(chunk.bytes.get(), 0, chunk.used);
    chunk.used = 0;
  }
  chunk_ = 0;
  free_ = {};
  live_blocks_ = live_bytes_ = 0;
  complaint_.clear();
}

void Arena::complain(std::string what) {
  if (complaint_.empty()) complaint_ = std::move(what);
}

std::unique_ptr<Arena> take_arena() {
  auto& idle = idle_arenas();
  if (idle.empty()) return std::make_unique<Arena>();
  auto arena = std::move(idle.back());
  idle.pop_back();
  arena->reset();
  return arena;
}

void give_back(std::unique_ptr<Arena> arena) {
  if (arena) idle_arenas().push_back(std::move(arena));
}

}  // namespace schism::craft
