// Is a system deterministic, and if not, why? Many seeds are played under settings that must not
// matter: again in the same process, alone in a fresh one, with other addresses, other contents of
// fresh memory, another clock, more workers. Where runs go differently, each circumstance is
// changed alone while all others are held fast; the one that makes the difference is the cause.
//
//   auto checkup = examine(config, {.runs = 100}, {}, stop);
//   if (checkup->diagnosis) ... enum_name(checkup->diagnosis->cause)
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "schism/doctor/launch.hpp"
#include "schism/run/config.hpp"

namespace schism::doctor {

// In the order in which they are asked: a later one is believed only if no earlier one shows.
SCHISM_ENUM(Cause, clock, threads, uninitialised, hash_order, address_order, kept_state, outside,
            unknown);
std::string_view cause_words(Cause cause);  // "uninitialised memory"
std::string_view cause_hint(Cause cause);   // how to mend it

// A request names each run twice, and no text of ours holds more than a million values.
inline constexpr std::uint64_t kRunsMost = 400'000;

struct Options {
  std::uint64_t runs = 1000, seed = 1;
  double seconds = 0;  // about; 0: no limit
  int workers = 2;     // of the setting with several
  double hang_seconds = 2;
  std::vector<std::string> self{};  // see Launcher
};

// All seeds, or some of them, under one setting, compared with another.
struct Trial {
  std::string what;  // "each run alone in a process of its own"
  std::uint64_t runs = 0, differing = 0;
  std::string note;  // why it was not tried, or what else was seen
  bool tried = true;
};

struct Diagnosis {
  Cause cause = Cause::unknown;
  std::vector<Cause> also;  // that make a difference by themselves as well
  std::uint64_t seed = 0;   // of the run that shows it
  // The first step that differs, both ways; nothing where it did not happen again while steps were
  // told, or too late in its run.
  std::optional<StepWords> one, other;
  std::string one_ending, other_ending;  // of a run that ended its process there
  std::vector<Trial> trials;             // each circumstance changed alone, all others held fast
};

struct Checkup {
  // A member that decides and is not declared: where two ways lead to one state, and it goes on
  // differently after them. Empty: none was seen in so many comparisons.
  std::string undeclared;
  std::uint64_t pairs = 0;
  // A node that depends on others without a message: independent steps in another order do
  // something else. Empty: not so in as many orders.
  std::string entangled;
  std::uint64_t reordered = 0;
  std::uint64_t runs = 0, steps = 0;  // of one setting
  std::uint64_t died = 0;             // runs that crash, throw or hang: the same way each time
  std::vector<Trial> sweeps;          // each against the first
  std::optional<Diagnosis> diagnosis;
  bool interrupted = false, out_of_time = false;
  double seconds = 0;
  // It repeats, but a search could be wrong about it.
  bool deceives() const { return !undeclared.empty() || !entangled.empty(); }
  bool clean() const { return !diagnosis && !deceives() && !interrupted; }
};

using Listener = std::function<void(const std::string& what, std::uint64_t played)>;

Result<Checkup> examine(const RunConfig& config, const Options& options, const Listener& listener,
                        const std::atomic<bool>& stop);

}  // namespace schism::doctor
