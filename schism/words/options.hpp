// What kind of universe a run happens in. All of it decides the run, so all of it is written into
// every trace. The first word of each enumeration is the default.
#pragma once

#include <cstdint>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/base/time.hpp"

namespace schism {

SCHISM_ENUM(TimeUse, untimed, stepped, timed);
SCHISM_ENUM(WhenDown, lost, waits, empty);  // a message to a node that is down
SCHISM_ENUM(WhenCut, loses, holds);         // a link that is cut
SCHISM_ENUM(Crashes, recover, stop);        // whether a node that crashed may come back
SCHISM_ENUM(LinkOrder, any, fifo);
SCHISM_ENUM(DiskUse, async, sync);  // sync: operations complete within the step
SCHISM_ENUM(DiskOrder, fifo, any);  // in which a node's operations complete
// A node's small random draws: by the node seed, or by the scheduler like Context::choose.
SCHISM_ENUM(Draws, seeded, chosen);
inline constexpr std::uint64_t kSmallDraw = 16;  // outcomes
// Where nodes live: in this process, on a virtual clock; or each in a process of its own, on the
// wall clock.
SCHISM_ENUM(Place, here, processes);
// Whose messages may be changed, made up or kept back; all nodes but liars are judged.
SCHISM_ENUM(Lies, liars, anyone);

// How often each fault may happen in a run.
struct Faults {
  std::uint32_t drop = 0, duplicate = 0, mutate = 0, inject = 0;
  std::uint32_t crash = 0, pause = 0;
  std::uint32_t cut = 0;        // single links
  std::uint32_t partition = 0;  // macro steps; the cuts inside them are free
  std::uint32_t disk_error = 0;
  std::uint32_t omit = 0;  // by liars, as mutate and inject
};
// How many lies of a kind liars tell where nobody says how many, the fair tail included.
inline constexpr std::uint32_t kLies = 1000;

struct WorldOptions {
  TimeUse time = TimeUse::untimed;  // set by the scheduler, not by the user
  bool fates_while_down = false;    // set by systematic search: what waits can be dropped, copied
  // Somebody plays by a script (a scenario): actions may be free of budgets, and messages that are
  // held back or behind others on their link can still be dropped, copied and changed.
  bool scripted = false;
  bool until_calm = false;  // set by a scenario: what it holds back is released by the fair tail
  Place place = Place::here;
  WhenDown down = WhenDown::lost;
  WhenCut cut = WhenCut::loses;
  Crashes crashes = Crashes::recover;
  LinkOrder links = LinkOrder::any;
  DiskUse disk = DiskUse::async;
  DiskOrder completions = DiskOrder::fifo;
  Draws draws = Draws::seeded;
  bool forked = false;      // runs play in forked children; fragile systems always do
  Micros hang = 2'000'000;  // of CPU time, or asleep: so long a handler may take there
  Faults faults;
  int down_max = 0;                     // nodes down at once; 0: no limit
  std::vector<std::int64_t> may_crash;  // empty: every node
  // Byzantine nodes; or, where none is named, how many are drawn from the node seed.
  std::vector<std::int64_t> liars;
  int liars_drawn = 0;
  bool twins = false;  // each liar is two copies of its node, with one name and one key
  Lies lies = Lies::liars;
  std::vector<std::int64_t> skew_us;    // a node each: its clock is ahead by so much
  std::vector<std::int64_t> drift_ppm;  // a node each: its clock runs faster by so much
};

}  // namespace schism
