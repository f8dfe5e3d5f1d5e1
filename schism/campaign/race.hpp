// Explorers side by side on the zoo: each hunts each bug from several seeds, until its first find
// or the end of its budget of CPU time, which players measure on themselves: on a busy machine a
// race takes longer and comes out the same. A cell that is done is a line of a file that only
// grows, so that a race that was killed goes on where it was.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>

#include "schism/campaign/zoo.hpp"
#include "schism/measure/survival.hpp"

namespace schism {

// One bug hunted by one explorer from one seed.
struct Heat {
  std::string bug, explorer;
  int trial = 0;
  double budget = 0;  // CPU seconds

  friend auto operator<=>(const Heat&, const Heat&) = default;
};

struct HeatResult {
  bool found = false;
  double at = 0;  // CPU seconds, of the find or of giving up
  std::uint64_t runs = 0, steps = 0;
  std::string property;  // that was violated
  std::string problem;   // it could not be played; empty: it was
};

struct Race {
  std::vector<Exhibit> bugs;
  std::vector<std::string> explorers;  // as they were written
  int trials = 5;
  double budget = 2;  // CPU seconds a heat

  std::vector<Heat> heats() const;  // in which order they are played
};

// All that was played, in a file of a line each.
class RaceBook {
 public:
  // What is in the file already; a last line that its writer could not finish is cut off.
  static Result<RaceBook> open(const std::string& path);
  const HeatResult* find(const Heat& heat) const;
  Status add(const Heat& heat, const HeatResult& result);

 private:
  explicit RaceBook(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::map<Heat, HeatResult> results_;
};

// Plays what is not in the book yet. `done` hears of each, with how many are left.
Status run_race(const Race& race, RaceBook& book,
                const std::function<void(const Heat&, const HeatResult&, std::size_t left)>& done,
                const std::atomic<bool>& stop);

// ---- what came out

struct Standing {
  std::string explorer;
  int bugs_found = 0;  // in any trial
  int found = 0, trials = 0;
  double par2 = 0;
  // Of its PAR-2 to that of the first explorer, bugs drawn again; none: nothing to compare.
  std::optional<measure::Effect> ratio;
  std::optional<measure::Survival> survival;
};

struct Standings {
  std::vector<Standing> explorers;  // as in the race: the first is the measure
  std::size_t missing = 0;          // heats that were not played
  std::vector<std::string> problems;
};

std::vector<measure::Trial> trials_of(const Race& race, const RaceBook& book,
                                      const std::string& bug, const std::string& explorer);
Standings standings_of(const Race& race, const RaceBook& book);

std::string race_csv(const Race& race, const RaceBook& book);
Value race_json(const Race& race, const RaceBook& book);
// One page, which needs nothing else: the table, survival curves, every bug.
std::string race_page(const Race& race, const RaceBook& book);

}  // namespace schism
