#include "schism/doctor/player.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <deque>

#include "schism/base/params.hpp"
#include "schism/base/random.hpp"
#include "schism/doctor/fingerprint.hpp"
#include "schism/doctor/hooks.hpp"
#include "schism/doctor/memory.hpp"
#include "schism/trace/trace.hpp"

namespace schism::doctor {
namespace {

constexpr int kHangCode = 77, kThrowCode = 78;
constexpr std::size_t kWordsMax = std::size_t{4} << 20;  // bytes a run

bool pin_to_one_processor() {
  cpu_set_t allowed, one;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed)) {
      CPU_SET(i, &one);
      break;
    }
  return ::sched_setaffinity(0, sizeof one, &one) == 0;
}

// ---- hangs: no step for so long ------------------------------------------------------------

struct Watch {
  const volatile RunPrint* run = nullptr;
  std::uint32_t seen = 0;
  int idle_ticks = 0, idle_seconds = 0;
  int ticks_max = 0;
};
Watch g_watch;
constexpr int kTicksASecond = 4, kIdleSecondsMax = 60;

// SIGPROF counts processor time; SIGALRM real time, for a run that sleeps for good.
extern "C" void on_tick(int signal) {
  const std::uint32_t now = g_watch.run ? g_watch.run->steps + 1 : 0;
  if (now != g_watch.seen) {
    g_watch.seen = now;
    g_watch.idle_ticks = g_watch.idle_seconds = 0;
    return;
  }
  if (signal == SIGPROF ? ++g_watch.idle_ticks > g_watch.ticks_max
                        : ++g_watch.idle_seconds > kIdleSecondsMax)
    ::_exit(kHangCode);
}

void start_watch(double hang_seconds) {
  g_watch.ticks_max = static_cast<int>(hang_seconds * kTicksASecond);
  struct sigaction action = {};
  action.sa_handler = on_tick;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGPROF, &action, nullptr);
  ::sigaction(SIGALRM, &action, nullptr);
  const itimerval often{{0, 1'000'000 / kTicksASecond}, {0, 1'000'000 / kTicksASecond}};
  const itimerval second{{1, 0}, {1, 0}};
  ::setitimer(ITIMER_PROF, &often, nullptr);
  ::setitimer(ITIMER_REAL, &second, nullptr);
}

// ---- playing -------------------------------------------------------------------------------

// Plays some of the runs, in the process that it is constructed in.
class Worker {
 public:
  Worker(const Request& request, const RunConfig& config, std::uint64_t seed, const Board& board,
         int words)
      : request_(request), config_(config), seed_(seed), board_(board), words_(words) {}

  void play(int place) {
    if (!runner_ || request_.setting.fresh_runner) build();
    RunPrint& print = board_.prints()[static_cast<std::size_t>(place)];
    print.steps = 0;
    print.ending = Ending::playing;
    g_watch.run = &print;
    current_ = &print;
    written_ = 0;
    tell_text(fmt::format("{{\"place\":{}}}\n", place));
    fingerprint_.begin();
    rewind_clock();
    fill_stack(request_.setting.fill);
    if (request_.setting.shuffle != 0)
      shuffle_heap(keyed(static_cast<std::uint64_t>(request_.setting.shuffle),
                         static_cast<std::uint64_t>(place)));
    const std::uint64_t seed =
        seed_ + static_cast<std::uint64_t>(request_.runs[static_cast<std::size_t>(place)]);
    runner_->run(*scheduler_, {seed, seed});
    fingerprint_.finish(*runner_);
    if (request_.words) tell(last_words(*runner_, fingerprint_));
    print.hash = fingerprint_.hash();
    print.ending = Ending::ended;
    g_watch.run = nullptr;
  }

 private:
  void build() {
    runner_.reset();
    runner_ = std::make_unique<Runner>(config_.setup, config_.limits);
    runner_->risk_it();  // this is a child already
    scheduler_ = make_scheduler(config_);
    runner_->listen_to(kEveryEvent);
    runner_->on_step([this](const World& world) { step(world); });
  }

  void step(const World& world) {
    fingerprint_.take(world);
    current_->hash = fingerprint_.hash();
    current_->steps = world.step();
    if (request_.words) tell(words_of(world, fingerprint_));
    if (request_.setting.fill != 0) fill_stack(request_.setting.fill);
  }

  void tell(const StepWords& words) {
    if (written_ < kWordsMax) tell_text(to_json(to_value(words)) + "\n");
  }
  void tell_text(const std::string& text) {
    if (!request_.words) return;
    written_ += text.size();
    [[maybe_unused]] const ssize_t n = ::write(words_, text.data(), text.size());  // to memory
  }

  const Request& request_;
  const RunConfig& config_;
  std::uint64_t seed_;
  const Board& board_;
  int words_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Scheduler> scheduler_;
  Fingerprint fingerprint_;
  RunPrint* current_ = nullptr;
  std::size_t written_ = 0;
};

class Player {
 public:
  Player(const Request& request, const RunConfig& config, std::uint64_t seed, const Board& board,
         int words)
      : request_(request), config_(config), seed_(seed), board_(board), words_(words) {}

  void apply() {
    const Setting& s = request_.setting;
    BoardHead& head = board_.head();
    ::signal(SIGINT, SIG_IGN);  // whoever asked decides when to stop
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    head.randomised = (::personality(0xffffffff) & ADDR_NO_RANDOMIZE) == 0;
    head.filled = s.fill != 0 && heap_is_filled(s.fill);
    head.hooked =
        install_hooks(s.clock, s.one_thread, {&head.clock_reads, &head.threads, &head.impatient});
    // The next best thing, where threads cannot be made to wait for each other.
    head.pinned = s.one_thread && head.hooked == 0 && pin_to_one_processor();
    if (s.shuffle != 0) shuffle_heap(0);
    head.ready = 1;
  }

  void play() {
    begun_ = real_seconds();
    plan();
    busy_.reserve(static_cast<std::size_t>(request_.setting.workers));
    while (next_ < tasks_.size() || !busy_.empty()) {
      while (next_ < tasks_.size() && static_cast<int>(busy_.size()) < request_.setting.workers)
        start();
      if (!busy_.empty()) await();
    }
    board_.head().done = refused_ ? 0 : 1;
  }

 private:
  using Task = std::vector<int>;  // places on the board, in the order of playing

  void plan() {
    const int n = static_cast<int>(request_.runs.size());
    const Setting& s = request_.setting;
    if (s.order == Order::alone) {
      for (int i = 0; i < n; ++i) tasks_.push_back({i});
      return;
    }
    tasks_.resize(static_cast<std::size_t>(s.workers));
    for (int i = 0; i < n; ++i) tasks_[static_cast<std::size_t>(i % s.workers)].push_back(i);
    if (s.order == Order::backwards)
      for (Task& task : tasks_) std::reverse(task.begin(), task.end());
  }

  bool out_of_time() const {
    return request_.seconds > 0 && real_seconds() - begun_ > request_.seconds;
  }

  void start() {
    const std::size_t number = next_++;
    if (tasks_[number].empty() || out_of_time()) return;
    const pid_t pid = ::fork();
    if (pid == 0) work(tasks_[number]);
    if (pid > 0) busy_.emplace_back(pid, number);
    else next_ = tasks_.size(), refused_ = true;
  }

  [[noreturn]] void work(const Task& task) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);  // what the system under test says is not our output
    ::dup2(nowhere, STDERR_FILENO);
    start_watch(request_.hang_seconds);
    Worker worker(request_, config_, seed_, board_, words_);
    try {
      for (const int place : task) {
        if (out_of_time()) break;
        worker.play(place);
      }
    } catch (...) {
      ::_exit(kThrowCode);
    }
    ::_exit(0);
  }

  // A run that ended its process is noted; the rest of its task goes on in a new one.
  void await() {
    int status = 0;
    const pid_t pid = ::wait(&status);
    const auto at = std::find_if(busy_.begin(), busy_.end(),
                                 [&](const auto& entry) { return entry.first == pid; });
    if (at == busy_.end()) return;
    const Task& task = tasks_[at->second];
    busy_.erase(at);
    const bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    for (std::size_t i = 0; i < task.size(); ++i) {
      RunPrint& print = board_.prints()[static_cast<std::size_t>(task[i])];
      const bool between = print.ending == Ending::not_played && !ended_well;
      if (print.ending != Ending::playing && !between) continue;
      note(print, status);
      if (i + 1 < task.size())
        tasks_.emplace_back(task.begin() + static_cast<std::ptrdiff_t>(i) + 1, task.end());
      return;
    }
  }

  static void note(RunPrint& print, int status) {
    const int code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    print.code = static_cast<std::uint8_t>(code);
    if (WIFSIGNALED(status)) print.ending = Ending::signalled;
    else if (code == kHangCode) print.ending = Ending::hung;
    else if (code == kThrowCode) print.ending = Ending::threw;
    else print.ending = Ending::exited;
  }

  const Request& request_;
  const RunConfig& config_;
  std::uint64_t seed_;
  const Board& board_;
  int words_;
  double begun_ = 0;
  bool refused_ = false;  // no more processes
  // All made before the first process starts: each finds the heap as the others do.
  std::deque<Task> tasks_;
  std::size_t next_ = 0;
  std::vector<std::pair<pid_t, std::size_t>> busy_;  // a process, and which task it has
};

Result<std::string> read_all(int file) {
  std::string out;
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::pread(file, buffer, sizeof buffer, static_cast<off_t>(out.size()));
    if (n < 0) return error("this flag is for the doctor itself, when it starts another process");
    if (n == 0) return out;
    out.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

Status play(const Request& request, const Board& board, int words) {
  const auto trace = parse_trace(request.config, "the doctor's request");
  if (!trace) return tl::unexpected(trace.error());
  const auto seed = parse_seed(request.seed);
  if (!seed) return error("seed {}", seed.error());
  Player player(request, trace->config, *seed, board, words);
  player.apply();
  player.play();
  return {};
}

Status play_from_files() {
  const auto text = read_all(kRequestFile);
  if (!text) return tl::unexpected(text.error());
  const auto request = parse_request(*text);
  if (!request) return tl::unexpected(request.error());
  const auto board = Board::attach(kBoardFile, request->runs.size());
  if (!board) return tl::unexpected(board.error());
  return play(*request, *board, kWordsFile);
}

}  // namespace schism::doctor
