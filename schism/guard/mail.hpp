// Letters from a player to its director, over memory that both share: a stream of bytes that
// survives its writer. Each letter has its length and a sum before it, because the system under
// test may write anywhere.
//
// The stream has little room. When it is full the writer asks to have it emptied, and waits:
// letters of any length pass.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace schism::guard {

// Both sides' view of the stream.
struct Stream {
  static constexpr std::size_t kRoom = std::size_t{1} << 20;
  std::uint64_t used = 0;
  char bytes[kRoom];
};

// The writer's end; or, without a stream, a list of letters in this process.
class Outbox {
 public:
  Outbox() = default;
  // `empty` returns when the reader has taken everything; false: it is gone.
  Outbox(Stream& stream, std::function<bool()> empty, std::function<bool()> flush = {})
      : stream_(&stream), empty_(std::move(empty)), flush_(std::move(flush)), writer_(::getpid()) {}

  void put(std::string_view letter);
  // What was put so far arrives now, rather than when the order is carried out.
  void flush();
  std::vector<std::string> take() { return std::move(kept_); }  // of this process

 private:
  void append(std::string_view bytes);

  Stream* stream_ = nullptr;
  std::function<bool()> empty_, flush_;
  pid_t writer_ = 0;
  std::vector<std::string> kept_;
};

// What the reader took of the stream so far, as letters.
class Inflow {
 public:
  void collect(Stream& stream);  // and empties it
  // All whole letters. A last one that is not whole is left out: its writer died.
  std::vector<std::string> letters() const;
  // False: somebody else wrote there; what letters() gives is then what came before.
  bool intact() const;
  bool complete() const;  // all letters are whole
  void clear();

 private:
  std::size_t parse(std::vector<std::string>* out) const;

  std::string bytes_;
  bool overrun_ = false;
};

}  // namespace schism::guard
