// Plain values and lists of them as bytes, for the way between processes of one program.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace schism::check {

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void put_list(const std::vector<T>& list) {
    put(list.size());
    for (const T& item : list) put(item);
  }
  void put_text(std::string_view text) {
    put(text.size());
    text_ += text;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// What ends too early reads as zeros; good() tells.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    good_ = good_ && text_.size() >= sizeof value;
    if (!good_) return value;
    std::memcpy(&value, text_.data(), sizeof value);
    text_.remove_prefix(sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> get_list() {
    std::vector<T> out;
    const auto size = get<std::size_t>();
    for (std::size_t i = 0; i < size && good_; ++i) out.push_back(get<T>());
    return out;
  }
  std::string get_text() {
    const auto size = get<std::size_t>();
    good_ = good_ && text_.size() >= size;
    if (!good_) return {};
    std::string out(text_.substr(0, size));
    text_.remove_prefix(size);
    return out;
  }
  bool good() const { return good_; }

 private:
  std::string_view text_;
  bool good_ = true;
};

}  // namespace schism::check
