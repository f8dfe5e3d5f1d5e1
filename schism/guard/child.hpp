// Work that may die, in a process of its own, forked from one without threads. It never outlives
// its parent, and what it prints is kept for the report.
//
//   Child child([&](int channel) { ...; tell(channel); });
//   const int status = child.wait();     // as waitpid gives it; hear(child.channel()): it told
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "schism/base/result.hpp"
#include "schism/guard/black_box.hpp"
#include "schism/guard/said.hpp"
#include "schism/guard/vigil.hpp"
#include "schism/words/death.hpp"

namespace schism::guard {

class Child {
 public:
  // `work` gets its end of the channel, a stream socket. The process ends when it returns.
  explicit Child(const std::function<void(int channel)>& work);
  ~Child();  // kills it if it still works
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool started() const { return pid_ > 0; }
  int channel() const { return channel_; }  // readable: it has told something, or ended
  // Its exit status as waitpid gives it. Blocks.
  int wait();
  void kill();
  void interrupt();
  // The last line that it printed on its standard error, without what differs from run to run.
  std::string said() const { return said_.last_line(pid_); }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int channel_ = -1;
  Said said_;
  int status_ = 0;
  bool ended_ = false;
};

// One byte each, so that either end can wait for the other.
bool tell(int channel);
bool hear(int channel);  // false: the other end is gone

// How a recorded run died, from the exit status of its process, why it was killed, if it was, and
// what it said.
Death death_of(const BlackBox& box, int status, std::optional<Vigil::Reason> killed_for,
               std::string said);

// Plays in a child until that finishes or dies. Nothing: it survived.
std::optional<Death> scout(BlackBox& box, Micros hang, const std::function<void()>& play);

// The text that `work` returns in a child; an error where that died. A stop reaches the child as
// the signal that it is for this process.
Result<std::string> in_child(const std::function<std::string()>& work,
                             const std::atomic<bool>& stop);

// Everything that this process plays is taken for dangerous, whatever its system says of itself.
void set_wary(bool wary);
bool wary();
// A death that a run is said to have is believed: nobody is sent ahead to see.
void set_trusting(bool trusting);
bool trusting();

// Whether a fork of this process is a copy of all of it.
bool has_threads();

}  // namespace schism::guard
