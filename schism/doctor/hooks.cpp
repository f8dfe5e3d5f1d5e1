#include "schism/doctor/hooks.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace schism::doctor {
namespace {

using ClockGettime = int (*)(clockid_t, timespec*);
using CreateThread = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

struct Hooks {
  ClockUse clock = ClockUse::real;
  bool one_thread = false;
  HookCounts counts{};
  std::atomic<std::int64_t> readings{0};  // of the held clock, since it was rewound
  ClockGettime clock_gettime = nullptr;   // the real ones
  CreateThread create = nullptr;
};
Hooks g_hooks;

constexpr std::int64_t kHeldSecond = 1'000'000'000, kShiftSeconds = 100 * 86'400 + 12'345;

// ---- clocks --------------------------------------------------------------------------------

int hooked_clock_gettime(clockid_t id, timespec* out) {
  g_hooks.counts.clock_reads->fetch_add(1, std::memory_order_relaxed);
  if (g_hooks.clock == ClockUse::held) {
    const std::int64_t us = ++g_hooks.readings;  // waiting for time to pass must end
    *out = {kHeldSecond + us / 1'000'000, us % 1'000'000 * 1000};
    return 0;
  }
  const int result = g_hooks.clock_gettime(id, out);
  if (g_hooks.clock == ClockUse::shifted) {
    // Seconds and their fractions: some programs look at the one, some at the other.
    out->tv_sec += kShiftSeconds;
    out->tv_nsec = (out->tv_nsec + 271'828'182) % 1'000'000'000;
  }
  return result;
}

int hooked_gettimeofday(timeval* out, void*) {
  timespec t{};
  hooked_clock_gettime(CLOCK_REALTIME, &t);
  if (out) *out = {t.tv_sec, t.tv_nsec / 1000};
  return 0;
}

time_t hooked_time(time_t* out) {
  timespec t{};
  hooked_clock_gettime(CLOCK_REALTIME, &t);
  if (out) *out = t.tv_sec;
  return t.tv_sec;
}

int hooked_timespec_get(timespec* out, int base) {
  hooked_clock_gettime(CLOCK_REALTIME, out);
  return base;
}

clock_t hooked_clock() {
  timespec t{};
  hooked_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC);
}

// ---- threads -------------------------------------------------------------------------------

struct Started {
  void* (*body)(void*);
  void* argument;
  std::atomic<int> owners{2};
  sem_t ended;

  Started(void* (*b)(void*), void* a) : body(b), argument(a) { ::sem_init(&ended, 0, 0); }
  void let_go() {
    if (--owners > 0) return;
    ::sem_destroy(&ended);
    delete this;
  }
};

void* run_thread(void* p) {
  struct Guard {  // also when the thread is cancelled or leaves by pthread_exit
    Started* started;
    ~Guard() {
      ::sem_post(&started->ended);
      started->let_go();
    }
  } guard{static_cast<Started*>(p)};
  return guard.started->body(guard.started->argument);
}

// Whether the thread ended while it was waited for.
bool await(Started& started) {
  constexpr time_t kPatienceSeconds = 2;
  timespec until{};
  g_hooks.clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += kPatienceSeconds;
  int result = 0;
  do result = ::sem_timedwait(&started.ended, &until);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

int hooked_create(pthread_t* id, const pthread_attr_t* attributes, void* (*body)(void*),
                  void* argument) {
  g_hooks.counts.threads->fetch_add(1, std::memory_order_relaxed);
  auto* started = new Started(body, argument);
  const int result = g_hooks.create(id, attributes, run_thread, started);
  if (result != 0) {
    started->let_go();
    started->let_go();
    return result;
  }
  // One that waits for its starter never ends before it: after a few of those nobody waits.
  constexpr std::uint32_t kImpatientMax = 3;
  if (g_hooks.one_thread && g_hooks.counts.impatient->load() < kImpatientMax && !await(*started))
    g_hooks.counts.impatient->fetch_add(1);
  started->let_go();
  return 0;
}

// ---- the tables of loaded objects ----------------------------------------------------------

struct Replacement {
  const char* name;
  void* by;
};
const Replacement kReplacements[] = {
    {"clock_gettime", reinterpret_cast<void*>(&hooked_clock_gettime)},
    {"gettimeofday", reinterpret_cast<void*>(&hooked_gettimeofday)},
    {"time", reinterpret_cast<void*>(&hooked_time)},
    {"timespec_get", reinterpret_cast<void*>(&hooked_timespec_get)},
    {"clock", reinterpret_cast<void*>(&hooked_clock)},
    {"pthread_create", reinterpret_cast<void*>(&hooked_create)},
};

#if defined(__x86_64__)
constexpr bool is_entry(std::uint64_t type) {
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
}
#elif defined(__aarch64__)
constexpr bool is_entry(std::uint64_t type) {
  return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
}
#else
constexpr bool is_entry(std::uint64_t) { return false; }
#endif

// What an object says about its own tables.
struct Tables {
  const ElfW(Rela) * plt = nullptr, *data = nullptr;
  std::size_t plt_bytes = 0, data_bytes = 0;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
};

Tables tables_of(const dl_phdr_info& object) {
  Tables t;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      // glibc has made them absolute, others have not.
      ElfW(Addr) at = entry->d_un.d_ptr;
      if (at < object.dlpi_addr) at += object.dlpi_addr;
      switch (entry->d_tag) {
        case DT_JMPREL: t.plt = reinterpret_cast<const ElfW(Rela)*>(at); break;
        case DT_PLTRELSZ: t.plt_bytes = entry->d_un.d_val; break;
        case DT_RELA: t.data = reinterpret_cast<const ElfW(Rela)*>(at); break;
        case DT_RELASZ: t.data_bytes = entry->d_un.d_val; break;
        case DT_SYMTAB: t.symbols = reinterpret_cast<const ElfW(Sym)*>(at); break;
        case DT_STRTAB: t.names = reinterpret_cast<const char*>(at); break;
        default: break;
      }
    }
  }
  return t;
}

void replace_in(const Tables& t, ElfW(Addr) base, const ElfW(Rela) * first, std::size_t size) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t i = 0; first && i < size / sizeof *first; ++i) {
    if (!is_entry(ELF64_R_TYPE(first[i].r_info))) continue;
    const char* name = t.names + t.symbols[ELF64_R_SYM(first[i].r_info)].st_name;
    for (const Replacement& r : kReplacements) {
      if (std::strcmp(name, r.name) != 0) continue;
      const std::uintptr_t entry = base + first[i].r_offset;
      // The table may have been made read-only after loading.
      if (::mprotect(reinterpret_cast<void*>(entry & ~(page - 1)), page, PROT_READ | PROT_WRITE) ==
          0)
        std::memcpy(reinterpret_cast<void*>(entry), &r.by, sizeof r.by);
    }
  }
}

int replace_in_object(dl_phdr_info* object, std::size_t, void*) {
  const std::string_view name = object->dlpi_name ? object->dlpi_name : "";
  // The loader, the kernel's own page, and the sanitizers' libraries, which need the real ones.
  for (const char* own : {"linux-vdso", "ld-linux", "libasan", "libtsan", "libubsan", "liblsan"})
    if (name.find(own) != std::string_view::npos) return 0;
  const Tables t = tables_of(*object);
  if (!t.symbols || !t.names) return 0;
  replace_in(t, object->dlpi_addr, t.plt, t.plt_bytes);
  replace_in(t, object->dlpi_addr, t.data, t.data_bytes);
  return 0;
}

}  // namespace

bool install_hooks(ClockUse clock, bool one_thread, const HookCounts& counts) {
  g_hooks.clock_gettime = reinterpret_cast<ClockGettime>(::dlsym(RTLD_DEFAULT, "clock_gettime"));
  g_hooks.create = reinterpret_cast<CreateThread>(::dlsym(RTLD_DEFAULT, "pthread_create"));
  if (!g_hooks.clock_gettime || !g_hooks.create) return false;
  g_hooks.clock = clock;
  g_hooks.one_thread = one_thread;
  g_hooks.counts = counts;
  ::dl_iterate_phdr(replace_in_object, nullptr);
  // Where the program is linked statically nothing was found: see whether it works.
  const std::uint64_t before = counts.clock_reads->load();
  volatile time_t now = ::time(nullptr);
  (void)now;
  const bool works = counts.clock_reads->load() > before;
  counts.clock_reads->store(before);
  rewind_clock();
  return works;
}

void rewind_clock() { g_hooks.readings = 0; }

double real_seconds() {
  timespec t{};
  const ClockGettime real = g_hooks.clock_gettime ? g_hooks.clock_gettime : &::clock_gettime;
  real(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace schism::doctor
