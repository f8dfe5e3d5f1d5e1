#include "schism/coverage/edges.hpp"

#include <absl/container/flat_hash_map.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "schism/base/hash.hpp"
#include "schism/coverage/coverage.hpp"

extern "C" const char __executable_start;  // NOLINT: the linker's name

namespace schism::edges {
namespace {

struct Heard {
  std::uint32_t previous = 0;
  std::vector<std::uint32_t> edges;
  std::vector<std::uint8_t> counts = std::vector<std::uint8_t>(1U << 16);
  absl::flat_hash_map<std::uint64_t, std::uint8_t> ways;
};
Heard& heard() {
  static Heard only;
  return only;
}

// Whether anybody listens. The first call of all says that this program has code that calls.
enum class Ears : std::uint8_t { unasked, closed, open };
Ears ears = Ears::unasked;  // NOLINT: read at every basic block

std::uint64_t place_of(const void* address) {
  return static_cast<std::uint64_t>(static_cast<const char*>(address) - &__executable_start);
}

[[maybe_unused]] void enter(const void* address) {
  if (ears == Ears::unasked) ears = Ears::closed;
  if (ears == Ears::closed) return;
  Heard& h = heard();
  const auto block = static_cast<std::uint32_t>(mix64(place_of(address)) & 0xffff);
  const std::uint32_t edge = block ^ h.previous;
  h.previous = block >> 1;
  std::uint8_t& count = h.counts[edge];
  if (count == 0) h.edges.push_back(edge);
  if (count < 255) ++count;
}

template <class T>
[[maybe_unused]] void compare(const void* address, T a, T b) {
  if (ears != Ears::open) return;
  heard().ways[place_of(address)] |= a < b ? kLess : a == b ? kEqual : kGreater;
}

}  // namespace

bool built() { return ears != Ears::unasked; }

void listen() {
  Heard& h = heard();
  for (const std::uint32_t edge : h.edges) h.counts[edge] = 0;
  h.edges.clear();
  h.ways.clear();
  h.previous = 0;
  if (built()) ears = Ears::open;
}

void pause() {
  if (built()) ears = Ears::closed;
}

std::span<const std::uint32_t> seen() { return heard().edges; }
std::uint8_t times(std::uint32_t edge) { return heard().counts[edge]; }

std::vector<std::pair<std::uint64_t, std::uint8_t>> ways() {
  std::vector<std::pair<std::uint64_t, std::uint8_t>> out(heard().ways.begin(), heard().ways.end());
  std::sort(out.begin(), out.end());
  return out;
}

std::string place_text(std::uint64_t place) {
  static char* no_path = nullptr;
  static constexpr Dwfl_Callbacks callbacks = {::dwfl_linux_proc_find_elf,
                                               ::dwfl_standard_find_debuginfo, nullptr, &no_path};
  static Dwfl* const dwfl = [] {
    Dwfl* const out = ::dwfl_begin(&callbacks);
    if (!out) return out;
    ::dwfl_report_begin(out);
    ::dwfl_linux_proc_report(out, ::getpid());
    ::dwfl_report_end(out, nullptr, nullptr);
    return out;
  }();
  // A return address is behind its call.
  const auto address = reinterpret_cast<Dwarf_Addr>(&__executable_start) + place - 1;
  Dwfl_Module* const module = dwfl ? ::dwfl_addrmodule(dwfl, address) : nullptr;
  if (!module) return fmt::format("+{:#x}", place);
  int line = 0, column = 0;
  if (Dwfl_Line* const at = ::dwfl_module_getsrc(module, address))
    if (const char* path = ::dwfl_lineinfo(at, nullptr, &line, &column, nullptr, nullptr)) {
      const std::string all = path;
      return fmt::format("{}:{}:{}", all.substr(all.find_last_of('/') + 1), line, column);
    }
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* const name =
      ::dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  return name ? fmt::format("{}+{:#x}", name, offset) : fmt::format("+{:#x}", place);
}

namespace {

// `edges`: pairs of basic blocks of the systems' code, with how often they were taken, as AFL does.
class Edges final : public Coverage {
 public:
  struct Options {};
  explicit Edges(const Options&) {}

  EventMask wakes_on() const override { return 0; }
  Status check(const Setup&) const override {
    if (built()) return {};
    return error(
        "edges: no system of this program was compiled to say which way it goes: "
        "-fsanitize-coverage=trace-pc,trace-cmp (g++; for our own, cmake -DSCHISM_EDGES=ON)");
  }
  bool exact() const override { return false; }

 private:
  void start(const World&) override { listen(); }
  void end(const World&) override {
    pause();
    for (const std::uint32_t edge : seen()) see(mix64(std::uint64_t{edge} << 8 | often(edge)));
  }
  // 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more.
  static std::uint64_t often(std::uint32_t edge) {
    const std::uint8_t n = times(edge);
    if (n <= 3) return n;
    return n < 8 ? 4 : n < 16 ? 5 : n < 32 ? 6 : n < 128 ? 7 : 8;
  }
};

const Registration registered = coverage<Edges>(
    "edges", "pairs of basic blocks of the system's code, and how often (shown only)");

}  // namespace
}  // namespace schism::edges

// What the compiler calls. Names, types and meanings are those of g++'s manual; weak, because a
// user's program may bring its own. clang's libFuzzer does, and would call these from inside.
#ifndef __clang__

// NOLINTBEGIN
#define SCHISM_HERE __builtin_return_address(0)
extern "C" {
__attribute__((weak)) void __sanitizer_cov_trace_pc() {
  using schism::edges::Ears;
  if (__builtin_expect(schism::edges::ears != Ears::closed, 0)) schism::edges::enter(SCHISM_HERE);
}
#define SCHISM_COMPARE(name, type)                                          \
  __attribute__((weak)) void __sanitizer_cov_trace_##name(type a, type b) { \
    schism::edges::compare(SCHISM_HERE, a, b);                              \
  }
SCHISM_COMPARE(cmp1, std::int8_t)
SCHISM_COMPARE(cmp2, std::int16_t)
SCHISM_COMPARE(cmp4, std::int32_t)
SCHISM_COMPARE(cmp8, std::int64_t)
SCHISM_COMPARE(const_cmp1, std::int8_t)
SCHISM_COMPARE(const_cmp2, std::int16_t)
SCHISM_COMPARE(const_cmp4, std::int32_t)
SCHISM_COMPARE(const_cmp8, std::int64_t)
SCHISM_COMPARE(cmpf, float)
SCHISM_COMPARE(cmpd, double)
__attribute__((weak)) void __sanitizer_cov_trace_switch(std::uint64_t, void*) {}
}
// NOLINTEND
#endif
