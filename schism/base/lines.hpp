// The lines of a file, plain or zstd by its first bytes, without ever holding the whole file: what
// a long log or trace needs. Standard input ("-") is kept in memory as it came, so that it can be
// read again. A line, and what packed bytes unpack to, have a limit.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "schism/base/result.hpp"

namespace schism {

// Something that can be opened any number of times.
class Source {
 public:
  static Result<Source> file(const std::string& path);  // "-": standard input
  static Source memory(std::string text, std::string name);
  // So many times its size may it unpack to, beyond a size that does not matter.
  Source& unpacks_to(std::size_t times) {
    ratio_max_ = times;
    return *this;
  }

  const std::string& name() const { return name_; }

 private:
  friend class Lines;
  std::string path_, name_;
  std::shared_ptr<const std::string> memory_;
  std::size_t ratio_max_ = 256;  // logs of runs that are alike are packed well
};

class Lines {
 public:
  // Bytes that may be read (not used) behind a line: parsers in large steps ask for them.
  static constexpr std::size_t kPadding = 64;

  explicit Lines(const Source& source);
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  // The next line without its end, valid until the next call; false at the end of the file.
  Result<bool> next(std::string_view& line);
  std::uint64_t number() const { return number_; }  // of the last line, from 1

 private:
  struct Input;
  Status fill();  // more bytes behind what is there; none at the end

  std::unique_ptr<Input> input_;
  std::string buffer_;  // [begin_, end_) is not given out yet
  std::size_t begin_ = 0, end_ = 0;
  bool ended_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace schism
