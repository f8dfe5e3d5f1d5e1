#include "schism/doctor/board.hpp"

#include <fmt/format.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace schism::doctor {
namespace {

constexpr std::size_t kPrintsAt = 128;
static_assert(sizeof(BoardHead) <= kPrintsAt);

std::size_t bytes(std::size_t runs) { return kPrintsAt + runs * sizeof(RunPrint); }

}  // namespace

std::string print_ending(const RunPrint& print) {
  switch (print.ending) {
    case Ending::signalled: {
      const char* name = ::sigabbrev_np(print.code);
      return fmt::format("crashes (SIG{})", name ? name : std::to_string(print.code));
    }
    case Ending::exited: return fmt::format("ends the process (exit code {})", print.code);
    case Ending::threw: return "throws";
    case Ending::hung: return "hangs";
    default: return {};
  }
}

Result<Board> Board::map(int file, std::size_t runs) {
  void* memory = ::mmap(nullptr, bytes(runs), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return error("no memory to share: {}", ::strerror(errno));
  return Board(file, memory, runs);
}

Result<Board> Board::create(std::size_t runs) {
  const int file = ::memfd_create("board", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes(runs))) != 0)
    return error("no memory to share: {}", ::strerror(errno));
  return map(file, runs);  // all zero: nothing played
}

Result<Board> Board::attach(int file, std::size_t runs) { return map(file, runs); }

Board::Board(Board&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      memory_(std::exchange(other.memory_, nullptr)),
      runs_(other.runs_) {}

Board::~Board() {
  if (memory_) ::munmap(memory_, bytes(runs_));
  if (file_ >= 0) ::close(file_);
}

std::span<RunPrint> Board::prints() const {
  return {reinterpret_cast<RunPrint*>(static_cast<std::byte*>(memory_) + kPrintsAt), runs_};
}

}  // namespace schism::doctor
