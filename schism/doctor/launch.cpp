#include "schism/doctor/launch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "schism/doctor/memory.hpp"
#include "schism/doctor/player.hpp"

namespace schism::doctor {
namespace {

// A file in memory that is gone with its last user.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& content) : file_(::memfd_create("doctor", MFD_CLOEXEC)) {
    std::size_t done = 0;
    while (done < content.size()) {
      const ssize_t n = ::write(file_, content.data() + done, content.size() - done);
      if (n <= 0) break;  // the player will say that it is no request
      done += static_cast<std::size_t>(n);
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(file_); }

  int file() const { return file_; }
  std::string content() const {
    std::string out(static_cast<std::size_t>(std::max<off_t>(::lseek(file_, 0, SEEK_END), 0)), ' ');
    std::size_t done = 0;
    while (done < out.size()) {
      const ssize_t n =
          ::pread(file_, out.data() + done, out.size() - done, static_cast<off_t>(done));
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    return out;
  }

 private:
  int file_;
};

std::vector<std::string> environment_for(const Setting& setting) {
  std::vector<std::string> out;
  for (char** at = environ; *at; ++at)
    if (!is_fill_variable(*at)) out.emplace_back(*at);
  for (std::string& own : fill_environment(setting.fill)) out.push_back(std::move(own));
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::vector<StepWords>> parse_words(const std::string& text, std::size_t runs) {
  std::vector<std::vector<StepWords>> out(runs);
  std::size_t place = runs;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto line = parse_json(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (!line) continue;  // the last line of a run that crashed
    if (const Value* number = line->find("place")) {
      place = static_cast<std::size_t>(*number->as_int());
      if (place < runs) out[place].clear();
      continue;
    }
    StepWords words;
    if (place < runs && from_value(*line, words)) out[place].push_back(std::move(words));
  }
  return out;
}

}  // namespace

void Launcher::become_player(const Request& request, const Board& board, int asked, int words,
                             char* const* environment) const {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (self_.empty()) ::_exit(schism::doctor::play(request, board, words) ? 0 : 2);
  // The same numbers each time: they stand in no argument, whose length would move the stack.
  if (::dup2(asked, kRequestFile) < 0 || ::dup2(board.file(), kBoardFile) < 0 ||
      ::dup2(words, kWordsFile) < 0)
    ::_exit(126);
  if (!request.setting.randomise) ::personality(ADDR_NO_RANDOMIZE);  // the player says if refused
  std::vector<std::string> self = self_;
  ::execve("/proc/self/exe", pointers(self).data(), environment);
  ::_exit(127);
}

// Until the player has ended, or shall end.
void Launcher::follow(int player, const Board& board) const {
  int wait_ms = 1;
  for (;;) {
    if (::waitpid(player, nullptr, WNOHANG) != 0) return;
    ::poll(nullptr, 0, wait_ms);
    wait_ms = std::min(wait_ms * 2, 20);
    if (stop_.load(std::memory_order_relaxed)) {
      ::kill(player, SIGKILL);  // those who play die with it
      ::waitpid(player, nullptr, 0);
      return;
    }
    if (progress_)
      progress_(static_cast<std::uint64_t>(
          std::count_if(board.prints().begin(), board.prints().end(),
                        [](const RunPrint& p) { return p.ending > Ending::playing; })));
  }
}

Result<Played> Launcher::play(const Request& request) const {
  const auto board = Board::create(request.runs.size());
  if (!board) return tl::unexpected(board.error());
  const MemoryFile asked(to_text(request)), words("");
  std::vector<std::string> environment = environment_for(request.setting);
  const std::vector<char*> environment_pointers = pointers(environment);
  const pid_t player = ::fork();
  if (player == 0)
    become_player(request, *board, asked.file(), words.file(), environment_pointers.data());
  if (player < 0) return error("no process could be started");
  follow(player, *board);
  const BoardHead& head = board->head();
  if (stop_.load(std::memory_order_relaxed)) return error("interrupted");
  if (head.ready == 0)
    return error("this program could not start itself again to play runs in a fresh process");
  if (head.done == 0) return error("the process that plays runs ended before it had played them");
  Played out;
  out.prints.assign(board->prints().begin(), board->prints().end());
  if (request.words) out.words = parse_words(words.content(), request.runs.size());
  out.randomised = head.randomised != 0;
  out.filled = head.filled != 0;
  out.hooked = head.hooked != 0;
  out.pinned = head.pinned != 0;
  out.clock_reads = head.clock_reads;
  out.threads = head.threads;
  out.impatient = head.impatient;
  return out;
}

}  // namespace schism::doctor
