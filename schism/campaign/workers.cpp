#include "schism/campaign/workers.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace schism {
namespace {

static_assert(std::is_trivially_copyable_v<RunPlan> && std::is_trivially_copyable_v<RunSummary>,
              "they cross a socket as bytes, between processes of one program");

bool send_all(int socket, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t n = ::send(socket, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool receive_all(int socket, void* bytes, std::size_t size) {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t n = ::recv(socket, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

struct Header {
  std::uint64_t first, count;
};

[[noreturn]] void work(int socket, const RunConfig& config) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_IGN);  // the parent decides when to stop
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  Header header{};
  std::vector<RunPlan> plans;
  std::vector<RunSummary> summaries;
  while (receive_all(socket, &header, sizeof header)) {
    plans.resize(header.count);
    if (!receive_all(socket, plans.data(), plans.size() * sizeof(RunPlan))) break;
    summaries.clear();
    try {
      for (const RunPlan& plan : plans) summaries.push_back(runner.run(*scheduler, plan));
    } catch (...) {
      ::_exit(1);  // the parent says so, in one line
    }
    if (!send_all(socket, &header, sizeof header) ||
        !send_all(socket, summaries.data(), summaries.size() * sizeof(RunSummary)))
      break;
  }
  ::_exit(0);
}

}  // namespace

struct Workers::Worker {
  int socket = -1;
  pid_t pid = -1;
  bool busy = false;
  std::uint64_t first = 0;  // of the chunk that it works on
};

Workers::Workers(const RunConfig& config, int jobs) {
  for (int i = 0; i < jobs; ++i) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) break;
    const pid_t pid = ::fork();
    if (pid == 0) {
      for (const auto& other : workers_) ::close(other->socket);
      ::close(pair[0]);
      work(pair[1], config);
    }
    ::close(pair[1]);
    if (pid < 0) {
      ::close(pair[0]);
      break;
    }
    auto worker = std::make_unique<Worker>();
    worker->socket = pair[0];
    worker->pid = pid;
    workers_.push_back(std::move(worker));
  }
}

Workers::~Workers() {
  for (const auto& worker : workers_) {
    ::close(worker->socket);
    if (worker->busy) ::kill(worker->pid, SIGKILL);  // its results are not wanted
  }
  for (const auto& worker : workers_) ::waitpid(worker->pid, nullptr, 0);
}

bool Workers::any_idle() const {
  for (const auto& worker : workers_)
    if (!worker->busy) return true;
  return false;
}

bool Workers::any_busy() const {
  for (const auto& worker : workers_)
    if (worker->busy) return true;
  return false;
}

void Workers::give(const Chunk& chunk) {
  for (const auto& worker : workers_) {
    if (worker->busy) continue;
    worker->busy = true;
    worker->first = chunk.first;
    const Header header{chunk.first, chunk.plans.size()};
    // A worker that died is noticed by wait().
    if (send_all(worker->socket, &header, sizeof header))
      send_all(worker->socket, chunk.plans.data(), chunk.plans.size() * sizeof(RunPlan));
    return;
  }
}

Result<std::optional<ChunkResult>> Workers::wait(int milliseconds) {
  if (workers_.empty())
    return error("no worker process could be started: {}", std::strerror(errno));
  std::vector<pollfd> polls;
  for (const auto& worker : workers_)
    if (worker->busy) polls.push_back({worker->socket, POLLIN, 0});
  if (::poll(polls.data(), polls.size(), milliseconds) <= 0) return std::nullopt;
  for (const auto& worker : workers_) {
    bool ready = false;
    for (const pollfd& p : polls) ready = ready || (p.fd == worker->socket && p.revents != 0);
    if (!ready) continue;
    Header header{};
    ChunkResult result;
    bool good = receive_all(worker->socket, &header, sizeof header);
    if (good) {
      result.first = header.first;
      result.summaries.resize(header.count);
      good = receive_all(worker->socket, result.summaries.data(),
                         result.summaries.size() * sizeof(RunSummary));
    }
    worker->busy = false;
    if (!good) {
      int status = 0;
      ::waitpid(worker->pid, &status, 0);
      return error("a worker process died ({}) in the runs from number {} on",
                   WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it exited", worker->first);
    }
    return result;
  }
  return std::nullopt;
}

}  // namespace schism
