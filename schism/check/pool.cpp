#include "schism/check/pool.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace schism::check {
namespace {

constexpr int kWaitMs = 100;

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

bool send_text(int socket, std::string_view text) {
  const std::size_t size = text.size();
  return send_all(socket, &size, sizeof size) && send_all(socket, text.data(), size);
}

bool receive_text(int socket, std::string& text) {
  std::size_t size = 0;
  if (!receive_all(socket, &size, sizeof size)) return false;
  text.resize(size);
  return receive_all(socket, text.data(), size);
}

[[noreturn]] void serve(int socket, const Pool::Work& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_IGN);  // the parent decides when to stop
  std::string question;
  while (receive_text(socket, question)) {
    std::string answer;
    try {
      answer = work(question);
    } catch (...) {
      ::_exit(1);  // the parent says so, in one line
    }
    if (!send_text(socket, answer)) break;
  }
  ::_exit(0);
}

}  // namespace

struct Pool::Worker {
  int socket = -1;
  pid_t pid = -1;
  std::size_t question = 0;
  bool busy = false;
};

Pool::Pool(int jobs, const Work& work) {
  for (int i = 0; i < jobs; ++i) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) break;
    const pid_t pid = ::fork();
    if (pid == 0) {
      for (const auto& other : workers_) ::close(other->socket);
      ::close(pair[0]);
      serve(pair[1], work);
    }
    ::close(pair[1]);
    if (pid < 0) {
      ::close(pair[0]);
      break;
    }
    workers_.push_back(std::make_unique<Worker>(Worker{pair[0], pid, 0, false}));
  }
}

Pool::~Pool() {
  for (const auto& worker : workers_) {
    ::close(worker->socket);
    if (worker->busy) ::kill(worker->pid, SIGKILL);  // its answer is not wanted
  }
  for (const auto& worker : workers_) ::waitpid(worker->pid, nullptr, 0);
}

Result<std::vector<std::string>> Pool::ask(const std::vector<std::string>& questions,
                                           const std::function<bool()>& stop) {
  if (workers_.empty())
    return error("no worker process could be started: {}", std::strerror(errno));
  std::vector<std::string> answers(questions.size());
  std::size_t given = 0, done = 0;
  while (done < questions.size()) {
    std::vector<pollfd> polls;
    for (const auto& worker : workers_) {
      if (!worker->busy && given < questions.size()) {
        worker->busy = true;
        worker->question = given;
        // One that died is noticed when its answer is awaited.
        static_cast<void>(send_text(worker->socket, questions[given++]));
      }
      polls.push_back({worker->busy ? worker->socket : -1, POLLIN, 0});
    }
    if (stop && stop()) return answers;
    if (::poll(polls.data(), polls.size(), kWaitMs) <= 0) continue;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (polls[i].revents == 0) continue;
      Worker& worker = *workers_[i];
      if (receive_text(worker.socket, answers[worker.question])) {
        worker.busy = false;
        ++done;
        continue;
      }
      int status = 0;
      ::waitpid(worker.pid, &status, 0);
      const std::string how = WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "it exited";
      ::close(worker.socket);
      workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(i));
      return error("a worker process died: {}", how);
    }
  }
  return answers;
}

}  // namespace schism::check
