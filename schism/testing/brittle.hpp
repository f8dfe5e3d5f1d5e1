// A system that takes its process with it, in each way that there is, when two messages overtake
// each other. Without a way it is harmless.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "schism/system/system.hpp"

namespace schism::testing_only {

SCHISM_ENUM(Way, none, segfault, aborts, exits, throws, hangs, sleeps, overflows, destructor, leaks,
            smashes, scribbles, masks, stops, closes, forks, breeds, floods, journals, swallows,
            talks);

struct Poke {
  int number = 0;
  FIELDS(number)
};

struct Brittle : Node<Brittle, Poke> {
  struct Config {
    Way way = Way::none;
    int pokes = 3;
  };
  int highest = 0;
  bool overtaken = false, undone = false;
  FIELDS(highest, overtaken)

  Brittle() = default;
  Brittle(const Brittle&) = default;
  Brittle& operator=(const Brittle&) = default;
  ~Brittle() {
    if (undone) std::abort();
  }

  void start(Context& c) {
    if (c.self != 0) return;
    for (int i = 1; i <= c.config().pokes; ++i) c.broadcast(Poke{i});
  }

  void on(Context& c, NodeId, const Poke& poke) {
    overtaken = poke.number < highest;
    highest = poke.number < highest ? highest : poke.number;
    // Those of a flood do not flood in their turn.
    if (overtaken && poke.number > 0) give_in(c, c.config().way);
  }

 private:
  // Volatile, and not inlined, so that each has a frame and the compiler sees no end of the world.
  [[gnu::noinline, gnu::no_sanitize("undefined")]] static void write_nowhere() {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
  [[gnu::noinline]] static int dig(int depth) {
    volatile char room[4096] = {};
    room[0] = static_cast<char>(depth);
    return depth < 0 ? 0 : dig(depth + 1) + room[0];
  }
  [[gnu::noinline]] static void spin() {
    volatile int turns = 0;
    for (;;) {
      const int next = turns + 1;
      turns = next;
    }
  }

  // Everything that it shares with anybody.
  [[gnu::noinline]] static void scribble() {
    std::ifstream maps("/proc/self/maps");
    std::vector<std::pair<std::uintptr_t, std::uintptr_t>> shared;
    for (std::string line; std::getline(maps, line);) {
      std::uintptr_t begin = 0, end = 0;
      std::string mode;
      std::istringstream words(line);
      words >> std::hex >> begin;
      words.ignore(1);
      words >> end >> mode;
      if (mode == "rw-s") shared.emplace_back(begin, end);
    }
    constexpr std::uintptr_t kMost = std::uintptr_t{8} << 20;
    for (const auto& [begin, end] : shared)
      for (std::uintptr_t at = begin; at < end && at < begin + kMost; at += sizeof at)
        *reinterpret_cast<volatile std::uintptr_t*>(at) = 0x5a5a5a5a5a5a5a5a;
  }
  // The heap's own marks around a block. Further on it would hit what happens to lie there, and
  // each death would be another.
  [[gnu::noinline]] static void smash() {
    auto* const block = static_cast<volatile char*>(std::malloc(16));
    for (int i = -8; i < 64; ++i) block[i] = 'x';
    std::free(const_cast<char*>(block));
    std::free(std::malloc(4096));
  }
  [[gnu::noinline]] static void swallow() {
    std::vector<std::string> all;
    for (;;) all.emplace_back(std::size_t{16} << 20, 'x');
  }

  void give_in(Context& c, Way way) {
    static int left = 0;  // the state that leaks
    switch (way) {
      case Way::none: break;
      case Way::segfault: write_nowhere(); break;
      case Way::aborts: std::abort();
      case Way::exits: ::_exit(3);
      case Way::throws: throw std::out_of_range("overtaken");
      case Way::hangs: spin(); break;
      case Way::sleeps: ::pause(); break;
      case Way::overflows: left = dig(0); break;
      case Way::destructor: undone = true; break;
      case Way::leaks:
        if (++left > 1) write_nowhere();
        break;
      case Way::smashes: smash(); break;
      case Way::scribbles: scribble(); break;
      case Way::masks: {
        sigset_t all;
        ::sigfillset(&all);
        ::sigprocmask(SIG_BLOCK, &all, nullptr);
        spin();
        break;
      }
      case Way::stops: ::raise(SIGSTOP); break;
      case Way::closes:
        for (int descriptor = 0; descriptor < 256; ++descriptor) ::close(descriptor);
        break;
      case Way::forks: left += ::fork() == 0 ? 1 : 0; break;  // and both go on
      case Way::breeds:
        if (::fork() == 0) {
          ::setsid();
          for (;;) ::pause();
        }
        break;
      case Way::floods:
        for (int i = 1; i <= 20'000; ++i) c.broadcast(Poke{-i});
        break;
      case Way::journals:
        for (int i = 0; i < 20'000; ++i) c.disk().append(0, Poke{i});
        break;
      case Way::swallows: swallow(); break;
      case Way::talks:
        for (int i = 0; i < 5'000; ++i)
          static_cast<void>(!::write(STDOUT_FILENO, "I say, I say, I say\n", 20));
        break;
    }
  }
};

// The same, but it does not know of itself what it is.
inline SystemBuilder<Brittle> reckless(std::string name) {
  return system<Brittle>(std::move(name), "takes its process with it when messages overtake")
      .nodes(2)
      .param<&Brittle::Config::way>("way", "how it ends")
      .param<&Brittle::Config::pokes>("pokes", 1, 10, "messages to each node");
}

inline SystemBuilder<Brittle> brittle(std::string name) {
  return reckless(std::move(name)).fragile();
}

}  // namespace schism::testing_only
