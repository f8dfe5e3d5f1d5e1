// The bytes of the codec (codec.hpp): little endian, small numbers short. Reading stops at the
// first thing that is wrong and remembers it; from there on nothing is read any more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schism/base/hash.hpp"
#include "schism/base/value.hpp"

namespace schism {

inline constexpr std::uint8_t kCodecVersion = 1;
inline constexpr int kCodecDepthMax = 128;  // of records, lists and values in each other

class Encoder {
 public:
  void head(std::uint64_t shape);
  void byte(std::uint8_t b) { out_.push_back(static_cast<char>(b)); }
  void number(std::uint64_t n) {  // seven bits a byte, the lowest first
    for (; n >= 0x80; n >>= 7) byte(static_cast<std::uint8_t>(n | 0x80));
    byte(static_cast<std::uint8_t>(n));
  }
  void integer(std::int64_t i) {  // small negative ones are short too
    number(static_cast<std::uint64_t>(i) << 1 ^ static_cast<std::uint64_t>(i >> 63));
  }
  void fixed(std::uint64_t n, int bytes = 8) {
    for (int i = 0; i < bytes; ++i) byte(static_cast<std::uint8_t>(n >> (8 * i)));
  }
  void text(std::string_view text) {
    number(text.size());
    out_ += text;
  }
  void value(const Value& value);
  void raw(std::string_view bytes) { out_ += bytes; }

  const std::string& bytes() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  bool head(std::uint64_t shape);
  bool byte(std::uint8_t& b) {
    if (at_ == bytes_.size()) return fail("they end too early");
    b = static_cast<std::uint8_t>(bytes_[at_++]);
    return true;
  }
  bool number(std::uint64_t& n);
  bool integer(std::int64_t& i);
  bool fixed(std::uint64_t& n, int bytes = 8);
  bool flag(bool& b);
  // How many things follow, each of one byte at least.
  bool count(std::uint64_t& n);
  bool text(std::string& text);
  bool value(Value& value);
  bool end();  // nothing is left

  // Held while something that may hold others is read.
  class Level {
   public:
    explicit Level(Decoder& d) : d_(d) { ++d_.depth_; }
    ~Level() { --d_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    explicit operator bool() const {
      return d_.depth_ <= kCodecDepthMax || d_.fail("they are nested too deeply");
    }

   private:
    Decoder& d_;
  };

  bool fail(std::string_view what);  // always false; the first one counts
  bool good() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  std::size_t at() const { return at_; }
  std::string_view since(std::size_t from) const { return bytes_.substr(from, at_ - from); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string problem_;
};

}  // namespace schism
