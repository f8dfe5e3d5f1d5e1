#include "schism/guard/child.hpp"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "schism/guard/last_words.hpp"
#include "schism/guard/stack.hpp"

namespace schism::guard {
namespace {

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name ? "SIG" + std::string(name) : "signal " + std::to_string(number);
}

}  // namespace

bool tell(int channel) {
  const char byte = 1;
  ssize_t n = 0;
  do n = ::send(channel, &byte, 1, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == 1;
}

bool hear(int channel) {
  char byte = 0;
  ssize_t n = 0;
  do n = ::recv(channel, &byte, 1, 0);
  while (n < 0 && errno == EINTR);
  return n == 1;
}

Child::Child(const std::function<void(int)>& work) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);  // it was gone before
    ::close(ends[0]);
    said_.redirect();
    work(ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  if (pid_ < 0) {
    ::close(ends[0]);
    return;
  }
  channel_ = ends[0];
}

Child::~Child() {
  if (channel_ >= 0) ::close(channel_);
  if (started() && !ended_) {
    kill();
    wait();
  }
}

int Child::wait() {
  while (!ended_) {
    const pid_t pid = ::waitpid(pid_, &status_, 0);
    ended_ = pid == pid_ || (pid < 0 && errno != EINTR);
  }
  return status_;
}

void Child::kill() { ::kill(pid_, SIGKILL); }
void Child::interrupt() { ::kill(pid_, SIGINT); }

Death death_of(const BlackBox& box, int status, std::optional<Vigil::Reason> killed_for,
               std::string said) {
  const LastWords& words = box.last_words();
  const BlackBox::Position at = box.at();
  Death death;
  if (!box.intact()) {  // where it was cannot be known: it counts as dead from the start
    death.how = "a death that destroyed its own record";
    return death;
  }
  if (killed_for == Vigil::Reason::memory) death.how = "too much memory";
  else if (words.hang || killed_for) death.how = "hang";
  else if (words.signal != 0) death.how = signal_name(words.signal);
  else if (WIFSIGNALED(status)) death.how = signal_name(WTERMSIG(status));
  else death.how = "exit(" + std::to_string(WEXITSTATUS(status)) + ")";
  death.step = at.step;
  death.call = at.call;
  death.inside = at.inside;
  death.said = std::move(said);
  if (words.frame_count > 0 && words.frame_count <= kFramesMax)
    death.frames = system_frames({words.frames, static_cast<std::size_t>(words.frame_count)});
  return death;
}

std::optional<Death> scout(BlackBox& box, Micros hang, const std::function<void()>& play) {
  box.begin_run(0);
  Child child([&](int channel) {
    box.record();
    prepare_to_die(box, hang);
    play();
    tell(channel);
  });
  if (!child.started())
    throw std::system_error(errno, std::generic_category(), "no process could be forked");
  Vigil vigil;
  std::optional<Vigil::Reason> killed_for;
  for (pollfd p{child.channel(), POLLIN, 0}; !killed_for && ::poll(&p, 1, 100) <= 0;)
    killed_for = vigil.look(box, child.pid(), 0, hang, true, kMemoryMax);
  if (killed_for) child.kill();
  const bool finished = !killed_for && hear(child.channel());
  const int status = child.wait();
  if (finished) return std::nullopt;
  return death_of(box, status, killed_for, child.said());
}

Result<std::string> in_child(const std::function<std::string()>& work,
                             const std::atomic<bool>& stop) {
  std::string text;
  Child child([&](int channel) {
    std::string out = work();
    for (std::size_t at = 0; at < out.size();) {
      const ssize_t n = ::send(channel, out.data() + at, out.size() - at, MSG_NOSIGNAL);
      if (n <= 0 && errno != EINTR) ::_exit(1);
      if (n > 0) at += static_cast<std::size_t>(n);
    }
  });
  if (!child.started()) return error("no process could be forked: {}", ::strerror(errno));
  char buffer[1 << 16];
  for (bool told = false;;) {
    if (stop && !told) {
      child.interrupt();
      told = true;
    }
    pollfd p{child.channel(), POLLIN, 0};
    if (::poll(&p, 1, 200) <= 0) continue;
    const ssize_t n = ::recv(child.channel(), buffer, sizeof buffer, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  const int status = child.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  const std::string said = child.said();
  return error("a process that looked at a crash died itself ({}){}",
               WIFSIGNALED(status) ? signal_name(WTERMSIG(status)) : "it exited",
               said.empty() ? "" : ": " + said);
}

namespace {
bool all_is_dangerous = false, deaths_are_believed = false;
}
void set_wary(bool wary) { all_is_dangerous = wary; }
bool wary() { return all_is_dangerous; }
void set_trusting(bool trusting) { deaths_are_believed = trusting; }
bool trusting() { return deaths_are_believed; }

bool has_threads() {
  std::error_code none;
  std::size_t tasks = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", none)) {
    (void)task;
    ++tasks;
  }
  return tasks > 1;
}

}  // namespace schism::guard
