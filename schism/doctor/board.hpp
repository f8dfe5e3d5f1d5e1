// What the processes that play runs write down as they go, in memory that they share with the one
// that asked: a crash loses nothing, because each step is there before the next one begins.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "schism/base/hash.hpp"
#include "schism/base/result.hpp"

namespace schism::doctor {

enum class Ending : std::uint8_t { not_played, playing, ended, signalled, exited, threw, hung };

// How a run went, step by step, in one number.
struct RunPrint {
  Hash128 hash;
  std::uint32_t steps = 0;
  Ending ending = Ending::not_played;
  std::uint8_t code = 0;  // of the signal or exit

  friend bool operator==(const RunPrint&, const RunPrint&) = default;
};

// "crashes (SIGSEGV)"; nothing for a run that ended well.
std::string print_ending(const RunPrint& print);

// What could be done here, and what the runs did on their own account.
struct BoardHead {
  std::atomic<std::uint32_t> ready, done;  // the player has begun; it has played all it would
  std::atomic<std::uint32_t> randomised, filled, hooked, pinned;  // yes or no
  std::atomic<std::uint32_t> impatient;  // threads that did not end while they were waited for
  std::atomic<std::uint64_t> clock_reads, threads;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "processes share it");

class Board {
 public:
  static Result<Board> create(std::size_t runs);
  static Result<Board> attach(int file, std::size_t runs);
  Board(Board&& other) noexcept;
  Board& operator=(Board&&) = delete;
  ~Board();

  int file() const { return file_; }
  BoardHead& head() const { return *static_cast<BoardHead*>(memory_); }
  std::span<RunPrint> prints() const;

 private:
  Board(int file, void* memory, std::size_t runs) : file_(file), memory_(memory), runs_(runs) {}
  static Result<Board> map(int file, std::size_t runs);

  int file_;
  void* memory_;
  std::size_t runs_;
};

}  // namespace schism::doctor
