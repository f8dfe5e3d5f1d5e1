// Memory that a process shares with those it forks, between pages that nobody may touch. Pages that
// were never written cost nothing.
#pragma once

#include <cstddef>

namespace schism::guard {

class SharedPages {
 public:
  explicit SharedPages(std::size_t bytes);  // throws std::bad_alloc
  ~SharedPages();
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0, size_ = 0;
  std::byte* data_ = nullptr;
};

}  // namespace schism::guard
