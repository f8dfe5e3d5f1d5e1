// One tiny system for each cause that `schism doctor` can name. Each node passes a number on; the
// number should depend on the node's own history alone, and does not.
#include <absl/container/flat_hash_set.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <random>
#include <set>
#include <thread>

#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Pass {
  std::int64_t number;
  FIELDS(number)
};

// A ring of nodes that pass a number on, ten times; T::impure() taints it.
template <class T>
struct Ring : Node<T, Pass> {
  using Context = typename Node<T, Pass>::Context;
  std::int64_t number = 0;
  int seen = 0;
  FIELDS(number, seen)

  void start(Context& c) {
    if (c.self == 0) pass(c, 1);
  }
  void on(Context& c, NodeId, const Pass& p) {
    ++seen;
    number = (p.number * 31 + static_cast<T*>(this)->impure(seen)) % 1'000'003;
    if (seen < 10) pass(c, number);
  }
  void pass(Context& c, std::int64_t n) { c.send((c.self + 1) % c.nodes(), Pass{n}); }
};

template <class T>
SystemBuilder<T> ring(const char* name, const char* what) {
  return std::move(system<T>(name, what).nodes(3, 1, 8));
}

// What is in memory that nobody wrote.
struct Uninitialised : Ring<Uninitialised> {
  std::int64_t impure(int) {
    auto* bytes = static_cast<unsigned char*>(std::malloc(40));
    asm volatile("" : "+r"(bytes));  // the compiler must not see that nobody wrote there
    const int sum = bytes[20] + bytes[30];
    std::free(bytes);
    return sum;
  }
};
const Registration uninitialised =
    ring<Uninitialised>("bad-uninitialised", "not deterministic: reads memory before writing it");

// A constructor that forgets a member: it has what the run before left there.
struct Forgotten : Node<Forgotten, Pass> {
  int forgotten;
  FIELDS(forgotten)
  Forgotten() {}  // NOLINT: that is the mistake
  void start(Context& c) {
    const int* stale = &forgotten;
    asm volatile("" : "+r"(stale));
    c.send((c.self + 1) % c.nodes(), Pass{*stale & 0xff});
  }
  void on(Context&, NodeId, const Pass& p) { forgotten = static_cast<int>(p.number) + 1; }
};
const Registration forgotten = system<Forgotten>(
    "bad-constructor", "not deterministic: its constructor leaves a member as it finds it");

// Which of some objects comes first, by address.
struct AddressOrder : Ring<AddressOrder> {
  std::int64_t impure(int) {
    std::array<std::unique_ptr<int>, 4> objects;
    std::set<const int*> sorted;
    for (int i = 0; i < 4; ++i) {
      objects[static_cast<std::size_t>(i)] = std::make_unique<int>(i);
      sorted.insert(objects[static_cast<std::size_t>(i)].get());
    }
    std::int64_t order = 0;
    for (const int* object : sorted) order = order * 10 + *object;
    return order;
  }
};
const Registration address_order =
    ring<AddressOrder>("bad-address-order", "not deterministic: sorts objects by their addresses");

// Which element a hash table shows first; its hash is seeded by an address.
struct HashOrder : Ring<HashOrder> {
  std::int64_t impure(int seen) {
    absl::flat_hash_set<int> set;
    for (int i = 0; i < 12; ++i) set.insert(seen * 100 + i);
    std::int64_t order = 0;
    for (const int i : set) order = (order * 13 + i) % 1'000'003;
    return order;
  }
};
const Registration hash_order =
    ring<HashOrder>("bad-hash-order", "not deterministic: iterates over a seeded hash table");

struct ReadsClock : Ring<ReadsClock> {
  std::int64_t impure(int) {
    return std::chrono::steady_clock::now().time_since_epoch().count() / 1000 % 1000;
  }
};
const Registration reads_clock =
    ring<ReadsClock>("bad-clock", "not deterministic: reads the machine's clock");

// A clock that seldom changes, so that runs shortly after each other agree.
struct ReadsDay : Ring<ReadsDay> {
  std::int64_t impure(int) { return std::time(nullptr) / 3600 % 1000; }
};
const Registration reads_day =
    ring<ReadsDay>("bad-calendar", "not deterministic: reads which hour it is");

// How far a thread has come when somebody looks. Once a run: on a busy machine threads start
// slowly.
struct Threads : Ring<Threads> {
  std::int64_t impure(int seen_so_far) {
    if (seen_so_far != 3) return 0;
    std::atomic<int> count{0};
    std::thread counter([&] {
      for (int i = 0; i < 300'000; ++i) count.fetch_add(1, std::memory_order_relaxed);
    });
    while (count.load() == 0) continue;
    const std::int64_t far = count.load();
    counter.join();
    return far;
  }
};
const Registration threads =
    ring<Threads>("bad-threads", "not deterministic: shows how far a thread has come");

// What the process remembers of other runs.
struct KeptState : Ring<KeptState> {
  std::int64_t impure(int) {
    static int all = 0;
    return ++all;
  }
};
const Registration kept_state =
    ring<KeptState>("bad-kept-state", "not deterministic: counts the messages of all runs");

struct Outside : Ring<Outside> {
  std::int64_t impure(int) { return std::random_device()() % 1000; }
};
const Registration outside = ring<Outside>(
    "bad-random-device", "not deterministic: draws from the machine's random numbers");

// Crashes where only other runs decide: the crash itself is what differs.
struct KeptCrash : Ring<KeptCrash> {
  std::int64_t impure(int) {
    static int all = 0;
    if (++all == 100) std::abort();
    return 0;
  }
};
const Registration kept_crash =
    ring<KeptCrash>("bad-kept-crash", "not deterministic: aborts at its hundredth message");

}  // namespace
