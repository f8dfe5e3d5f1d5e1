#include "schism/guard/black_box.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <new>

namespace schism::guard {

BlackBox::BlackBox()
    : pages_(sizeof(Head) + alignof(Action) + kDecisionsMax * sizeof(Action)),
      head_(new (pages_.data()) Head) {
  void* rest = pages_.data() + sizeof(Head);
  std::size_t room = pages_.size() - sizeof(Head);
  actions_ =
      static_cast<Action*>(std::align(alignof(Action), kDecisionsMax * sizeof(Action), rest, room));
  begin_run(0);
}

// A system that forks has a copy of the tester in each of its processes; one is enough.
void BlackBox::record() {
  active_ = this;
  [[maybe_unused]] static const int once =
      ::pthread_atfork(nullptr, nullptr, [] { stray_ = active_ && inside_; });
}

void BlackBox::vanish() { ::_exit(0); }

std::span<const Action> BlackBox::decisions() const {
  return {actions_, std::min<std::size_t>(head_->count, kDecisionsMax)};
}

bool BlackBox::intact() const {
  constexpr std::uint64_t kAnyRun = std::uint64_t{1} << 36;
  if (head_->count > kAnyRun) return false;       // nobody decides so much
  if (head_->count > kDecisionsMax) return true;  // too long to be checked; the head was not hit
  std::uint64_t sum = kSeed;
  for (const Action& action : decisions()) sum = mixed(sum, action);
  return sum == head_->checksum;
}

}  // namespace schism::guard
