#include "schism/guard/black_box.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace schism::guard {

BlackBox::BlackBox() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t inner = sizeof(Head) + alignof(Action) + kDecisionsMax * sizeof(Action);
  bytes_ = (inner / page + 1) * page + 2 * page;
  // Pages that were never touched cost nothing.
  mapping_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  auto* bytes = static_cast<std::byte*>(mapping_);
  ::mprotect(bytes, page, PROT_NONE);
  ::mprotect(bytes + bytes_ - page, page, PROT_NONE);
  head_ = new (bytes + page) Head;
  void* rest = bytes + page + sizeof(Head);
  std::size_t room = bytes_ - 2 * page - sizeof(Head);
  actions_ =
      static_cast<Action*>(std::align(alignof(Action), kDecisionsMax * sizeof(Action), rest, room));
  begin_run(0);
}

BlackBox::~BlackBox() { ::munmap(mapping_, bytes_); }

std::span<const Action> BlackBox::decisions() const {
  return {actions_, std::min<std::size_t>(head_->count, kDecisionsMax)};
}

bool BlackBox::intact() const {
  if (head_->count > kDecisionsMax) return true;  // too long to be checked; the head was not hit
  std::uint64_t sum = kSeed;
  for (const Action& action : decisions()) sum = mixed(sum, action);
  return sum == head_->checksum;
}

}  // namespace schism::guard
