// What a node's process and its world say to each other, over a stream socket: a word, a few
// numbers, a content. Both are forks of one program, so that a type may travel as its address; a
// frame that was not written whole, or by somebody else, is not believed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "schism/base/fields.hpp"
#include "schism/base/time.hpp"

namespace schism::process {

// `asks`: the other side waits for an answer of the same word.
enum class Word : std::uint8_t {
  // To the node: call a handler. All begin with (listening, clock shift, trigger).
  start,
  deliver,  // from, type
  fire,     // timer, key
  submit,   // the request's name
  disk,     // operation, file, tag, ok
  // From the node, while its handler runs.
  post,       // to, type
  broadcast,  // type
  set_timer,  // timer, key, least, most
  cancel,     // timer, key
  announce,
  answer,  // the request's name
  fail,    // 1: an exception that nobody catches
  choose,  // of so many: asks
  store,   // operation, file, length, tag
  sync_now,
  write_now,    // file
  disk_length,  // file: asks
  disk_record,  // file, index: asks
  done,         // what it looks like now; draws, readings of the clock
};

struct Frame {
  Word word{};
  std::array<std::int64_t, 7> numbers{};
  const TypeInfo* type = nullptr;  // of the content, where the word does not say it
  std::string content;             // JSON, or a text
};

// One end of the channel. It does not own the socket.
class Wire {
 public:
  Wire() = default;
  explicit Wire(int channel) : channel_(channel) {}

  bool send(const Frame& frame);  // false: nobody is there
  enum class Heard : std::uint8_t { frame, nothing, gone };
  // Waits for so long; negative: for ever. Whatever is no frame is as good as gone.
  Heard hear(Frame& out, Micros bound);

 private:
  std::optional<Heard> take(Frame& out);  // from what was read already

  int channel_ = -1;
  std::string read_;
  std::size_t at_ = 0;  // of read_: where the next frame begins
};

}  // namespace schism::process
