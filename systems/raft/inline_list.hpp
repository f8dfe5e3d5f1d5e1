// A short list without an allocation. Unlike absl::InlinedVector it never spills and so is
// trivially copyable whenever its items are: messages that hold one are moved as bytes.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace schism::raft {

template <class T, std::size_t Capacity>
class InlineList {
 public:
  using value_type = T;
  static constexpr std::size_t capacity = Capacity;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == Capacity; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T& back() { return items_[size_ - 1]; }
  const T& back() const { return items_[size_ - 1]; }

  // More than fits is not kept: a mutated message may ask for it.
  void push_back(const T& item) {
    if (size_ < Capacity) items_[size_++] = item;
  }
  void pop_back() {
    assert(size_ > 0);
    --size_;
  }
  // The order of the others is kept.
  void erase(std::size_t at) {
    for (std::size_t i = at + 1; i < size_; ++i) items_[i - 1] = items_[i];
    --size_;
  }
  void clear() { size_ = 0; }
  void assign(std::size_t count, const T& item) {
    clear();
    for (std::size_t i = 0; i < count; ++i) push_back(item);
  }

 private:
  std::uint32_t size_ = 0;
  std::array<T, Capacity> items_{};
};

}  // namespace schism::raft
