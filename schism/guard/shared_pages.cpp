#include "schism/guard/shared_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace schism::guard {

SharedPages::SharedPages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  size_ = (bytes + page - 1) / page * page;
  mapped_ = size_ + 2 * page;
  mapping_ = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  auto* const bytes_of_it = static_cast<std::byte*>(mapping_);
  data_ = bytes_of_it + page;
  ::mprotect(bytes_of_it, page, PROT_NONE);
  ::mprotect(data_ + size_, page, PROT_NONE);
}

SharedPages::~SharedPages() { ::munmap(mapping_, mapped_); }

}  // namespace schism::guard
