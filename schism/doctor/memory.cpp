#include "schism/doctor/memory.hpp"

#include <alloca.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "schism/base/random.hpp"

namespace schism::doctor {
namespace {

// A block that nobody frees: in a chain through the blocks themselves, so that leak checkers find
// them and no further memory is touched.
void keep_block() {
  static void* last = nullptr;
  auto* block = static_cast<void**>(std::malloc(sizeof(void*)));
  if (!block) return;
  *block = last;
  last = block;
}

bool all_are(const unsigned char* bytes, std::size_t size, int value) {
  const volatile unsigned char* at = bytes;  // reading what malloc gave is the point
  for (std::size_t i = 0; i < size; ++i)
    if (at[i] != value) return false;
  return true;
}

}  // namespace

// glibc fills with the inverse of its setting, and only blocks that do not come from its caches of
// each thread. Address sanitizer has an allocator, and a setting, of its own.
std::vector<std::string> fill_environment(int fill) {
  std::vector<std::string> out;
  out.push_back(
      fmt::format("GLIBC_TUNABLES=glibc.malloc.perturb=0x{:02x}:glibc.malloc.tcache_count={}",
                  fill == 0 ? 0 : fill ^ 0xff, fill == 0 ? 7 : 0));
#if defined(__SANITIZE_ADDRESS__)
  const char* own = std::getenv("ASAN_OPTIONS");
  out.push_back(fmt::format("ASAN_OPTIONS={}:malloc_fill_byte={:03}:max_malloc_fill_size={}",
                            own ? own : "", fill == 0 ? 190 : fill, 1 << 20));
#endif
  return out;
}

bool is_fill_variable(const std::string& assignment) {
  for (const std::string& own : fill_environment(0))
    if (assignment.starts_with(own.substr(0, own.find('=') + 1))) return true;
  return assignment.starts_with("MALLOC_PERTURB_=");
}

bool heap_is_filled(int fill) {
  constexpr std::size_t kSize = 72;
  bool filled = true;
  for (int round = 0; round < 2; ++round) {  // a block that was never used, and one that was
    auto* block = static_cast<unsigned char*>(std::malloc(kSize));
    filled = filled && block && all_are(block, kSize, fill);
    if (block) std::memset(block, round, kSize);
    std::free(block);
  }
  return filled;
}

[[gnu::noinline, gnu::no_sanitize("address")]] void fill_stack(int fill) {
  constexpr std::size_t kSize = 12 * 1024;
  auto* room = static_cast<unsigned char*>(alloca(kSize));
  std::memset(room, fill, kSize);
  asm volatile("" : : "r"(room) : "memory");  // it is not for nothing
}

// All blocks are taken before the first is given back: what is free must not be used up for others.
void shuffle_heap(std::uint64_t seed) {
  constexpr std::size_t kClasses = 62, kBlocks = 64;  // up to 1000 bytes: more are kept otherwise
  static void* blocks[kClasses][kBlocks];
  static bool first = true;
  Rng rng(seed);
  for (std::size_t i = 0; i < kClasses; ++i)
    for (void*& block : blocks[i]) {
      block = std::malloc(24 + 16 * i);
      if (first) keep_block();  // keeps free neighbours from growing together
    }
  first = false;
  for (auto& alike : blocks) {
    for (std::size_t i = kBlocks - 1; i > 0; --i) std::swap(alike[i], alike[rng.below(i + 1)]);
    for (void* block : alike) std::free(block);
  }
}

}  // namespace schism::doctor
