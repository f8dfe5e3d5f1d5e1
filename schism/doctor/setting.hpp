// Under which circumstances runs are played: everything that must not matter to a system, and that
// decides a run of one that is not deterministic. A setting is applied to a process of its own; two
// settings that differ in one circumstance tell whether that one matters.
#pragma once

#include <string>
#include <vector>

#include "schism/base/fields.hpp"
#include "schism/base/result.hpp"

namespace schism::doctor {

SCHISM_ENUM(Order, forwards, backwards, alone);  // alone: each run in a process of its own
SCHISM_ENUM(ClockUse, real, held, shifted);      // held: each run sees the same readings

// Fresh heap memory and stale stack memory hold this byte; two that differ in all kinds of numbers.
inline constexpr int kOneFill = 0xaa, kOtherFill = 0x35;

struct Setting {
  Order order = Order::forwards;
  int workers = 1;            // processes that share the runs
  bool fresh_runner = false;  // a new world for each run, in the same process
  bool randomise = true;      // the kernel's randomisation of addresses
  int fill = 0;               // 0: memory as it comes
  int shuffle = 0;            // which disorder the allocator's free blocks are in; 0: none
  ClockUse clock = ClockUse::real;
  bool one_thread = false;  // a thread that was started ends before its starter goes on
  FIELDS(order, workers, fresh_runner, randomise, fill, shuffle, clock, one_thread)
};

// Everything held fast that can be: what still differs then comes from outside.
Setting all_held();

// What a process of its own is asked to play.
struct Request {
  std::string config;     // a trace without steps
  std::string seed;       // of run 0; as text, because it uses all 64 bits
  std::vector<int> runs;  // which ones
  Setting setting;
  bool words = false;       // also tell each step
  double seconds = 0;       // begin no more runs after so long; 0: no limit
  double hang_seconds = 2;  // processor time without a step
  FIELDS(config, seed, runs, setting, words, seconds, hang_seconds)
};

std::string to_text(const Request& request);
Result<Request> parse_request(const std::string& text);

}  // namespace schism::doctor
