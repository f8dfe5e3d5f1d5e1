#include "schism/guard/zygote.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

namespace schism::guard {
namespace {

struct Command {
  enum What { start, kill } what;
  int place;
};

// What the zygote does.
class Brood {
 public:
  Brood(int channel, int places, const std::function<void(int)>& body)
      : channel_(channel), body_(body), pids_(static_cast<std::size_t>(places), -1) {
    ::setpgid(0, 0);  // keys pressed at the terminal are for the parent
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(number, SIG_IGN);
    sigset_t children;
    ::sigemptyset(&children);
    ::sigaddset(&children, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &children, &before_);
    signals_ = ::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  void serve() {
    for (bool wanted = true; wanted;) {
      pollfd polls[2] = {{channel_, POLLIN, 0}, {signals_, POLLIN, 0}};
      // Without a signal descriptor it looks now and then.
      ::poll(polls, signals_ >= 0 ? 2 : 1, signals_ >= 0 ? -1 : 10);
      bury();
      if (polls[0].revents != 0) wanted = obey();
    }
    for (const pid_t pid : pids_)
      if (pid > 0) end_group(pid);
    // Who loses its parent becomes ours in a moment: until there is nobody any more.
    do end_orphans();
    while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR);
  }

 private:
  bool obey() {
    Command command{};
    const ssize_t n = ::recv(channel_, &command, sizeof command, 0);
    if (n < 0 && errno == EINTR) return true;
    if (n != sizeof command) return false;
    pid_t& pid = pids_[static_cast<std::size_t>(command.place)];
    if (command.what == Command::kill && pid > 0) end_group(pid);
    if (command.what == Command::start) begin(command.place, pid);
    return true;
  }

  void begin(int place, pid_t& pid) {
    const pid_t own = ::getpid();
    pid = ::fork();
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != own) ::_exit(0);  // it was gone before
      ::setpgid(0, 0);
      ::close(channel_);
      if (signals_ >= 0) ::close(signals_);
      ::sigprocmask(SIG_SETMASK, &before_, nullptr);
      for (const int number : {SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
      body_(place);
      ::_exit(0);
    }
    if (pid > 0) ::setpgid(pid, pid);  // whoever comes first
    if (pid > 0) tell({Zygote::News::process, place, pid, 0});
    else tell({Zygote::News::failure, place, -1, errno});
  }

  void bury() {
    signalfd_siginfo ignored;
    while (signals_ >= 0 && ::read(signals_, &ignored, sizeof ignored) > 0) continue;
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;)
      for (std::size_t i = 0; i < pids_.size(); ++i) {
        if (pids_[i] != pid) continue;
        pids_[i] = -1;
        end_group(pid);  // what it forked
        end_orphans();
        tell({Zygote::News::end, static_cast<int>(i), pid, status});
      }
  }

  static void end_group(pid_t pid) {
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL);
  }

  // Those whose parents have ended, wherever they have put themselves: they are ours now.
  void end_orphans() {
    const std::string own = std::to_string(::getpid());
    std::ifstream list("/proc/self/task/" + own + "/children");
    for (pid_t pid = 0; list >> pid;) {
      bool player = false;
      for (const pid_t known : pids_) player = player || known == pid;
      if (!player) ::kill(pid, SIGKILL);
    }
  }

  void tell(const Zygote::News& news) {
    ssize_t n = 0;
    do n = ::send(channel_, &news, sizeof news, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
  }

  int channel_, signals_ = -1;
  const std::function<void(int)>& body_;
  std::vector<pid_t> pids_;  // by place
  sigset_t before_ = {};
};

}  // namespace

Zygote::Zygote(int places, const std::function<void(int)>& body) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    problem_ = errno;
    return;
  }
  pid_ = ::fork();
  if (pid_ < 0) problem_ = errno;
  if (pid_ == 0) {
    ::close(ends[0]);
    Brood(ends[1], places, body).serve();
    ::_exit(0);
  }
  ::close(ends[1]);
  channel_ = ends[0];
}

Zygote::~Zygote() {
  if (channel_ >= 0) ::close(channel_);  // by which it knows
  while (pid_ > 0 && ::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

Status Zygote::started() const {
  if (pid_ > 0) return {};
  return error("no process could be started: {}", std::strerror(problem_));
}

void Zygote::start(int place) {
  const Command command{Command::start, place};
  static_cast<void>(::send(channel_, &command, sizeof command, MSG_NOSIGNAL));
}

void Zygote::kill(int place) {
  const Command command{Command::kill, place};
  static_cast<void>(::send(channel_, &command, sizeof command, MSG_NOSIGNAL));
}

Result<std::optional<Zygote::News>> Zygote::hear() {
  News news{};
  ssize_t n = 0;
  do n = ::recv(channel_, &news, sizeof news, MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
  if (n == sizeof news) return news;
  if (n < 0 && errno == EAGAIN) return std::nullopt;
  return error("the process that starts the others is gone");
}

}  // namespace schism::guard
