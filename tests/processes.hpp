// For tests that send signals: what the kernel says of a process, so that nobody has to guess how
// long it takes to get there.
#pragma once

#include <sys/types.h>

#include <functional>
#include <vector>

namespace schism::e2e {

// Waits for it; false: not within ten minutes, which only a test that fails waits for.
bool soon(const std::function<bool()>& condition);

std::vector<pid_t> children_of(pid_t parent);
// The processes that play for a hunt: those that its zygote has forked.
std::vector<pid_t> players_of(pid_t director);
bool alive(pid_t pid);
// Whether it has got so far as to handle that signal itself, or to ignore it, or to its end.
bool minds(pid_t pid, int signal);
// Whether that signal was sent to it and has not arrived.
bool is_pending(pid_t pid, int signal);

}  // namespace schism::e2e
