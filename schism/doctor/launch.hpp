// Has runs played under a setting, in a process of its own, and brings back how they went.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "schism/doctor/board.hpp"
#include "schism/doctor/fingerprint.hpp"
#include "schism/doctor/setting.hpp"

namespace schism::doctor {

struct Played {
  std::vector<RunPrint> prints;               // one for each of the request's runs
  std::vector<std::vector<StepWords>> words;  // likewise, where they were asked for
  bool randomised = false, filled = false, hooked = false, pinned = false;
  std::uint64_t clock_reads = 0, threads = 0, impatient = 0;
};

class Launcher {
 public:
  // `self`: the arguments by which this program plays what it finds in PlayerFile. Without them
  // the player is a mere copy of this process: addresses and fill are then what they are.
  Launcher(std::vector<std::string> self, const std::atomic<bool>& stop,
           std::function<void(std::uint64_t played)> progress)
      : self_(std::move(self)), stop_(stop), progress_(std::move(progress)) {}

  bool starts_programs() const { return !self_.empty(); }
  Result<Played> play(const Request& request) const;

 private:
  void follow(int player, const Board& board) const;
  [[noreturn]] void become_player(const Request& request, const Board& board, int asked, int words,
                                  char* const* environment) const;

  std::vector<std::string> self_;
  const std::atomic<bool>& stop_;
  std::function<void(std::uint64_t)> progress_;
};

}  // namespace schism::doctor
