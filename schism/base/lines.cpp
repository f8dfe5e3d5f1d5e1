#include "schism/base/lines.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/base/zstd.hpp"

namespace schism {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
// Parsers take some fifteen times a line's size.
constexpr std::size_t kLineMax = std::size_t{8} << 20;
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

}  // namespace

Result<Source> Source::file(const std::string& path) {
  Source out;
  out.path_ = path;
  out.name_ = path == "-" ? "standard input" : path;
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) return error("{}: it is a directory", path);
  const bool once = std::filesystem::exists(path, code) &&
                    !std::filesystem::is_regular_file(path, code);  // a pipe, a device
  if (path == "-" || once) {
    auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    out.memory_ = std::make_shared<const std::string>(*std::move(text));
    return out;
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return error("{}: {}", path, std::strerror(errno));
  std::fclose(file);
  return out;
}

Source Source::memory(std::string text, std::string name) {
  Source out;
  out.name_ = std::move(name);
  out.memory_ = std::make_shared<const std::string>(std::move(text));
  return out;
}

// Bytes from a file or from memory, unpacked where they have to be.
struct Lines::Input {
  explicit Input(const Source& source)
      : memory(source.memory_),
        ratio_max(source.ratio_max_),
        named(source.path_.ends_with(".zst")) {
    if (!memory) file = std::fopen(source.path_.c_str(), "rb");
    raw.resize(kChunk);
    const std::size_t n = read_raw();
    packed = std::string_view(raw.data(), n).starts_with(kZstdMagic);
    in = {raw.data(), n, 0};
    if (!packed) return;
    stream = ZSTD_createDStream();
    limit_window(stream);
  }
  ~Input() {
    if (file) std::fclose(file);
    if (stream) ZSTD_freeDStream(stream);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  std::size_t read_raw() {
    std::size_t n = 0;
    if (file) {
      n = std::fread(raw.data(), 1, raw.size(), file);
    } else if (memory) {
      n = std::min(raw.size(), memory->size() - place);
      std::memcpy(raw.data(), memory->data() + place, n);
    }
    place += n;
    return n;
  }
  bool refill() {  // false: nothing more
    if (in.pos == in.size) in = {raw.data(), read_raw(), 0};
    return in.pos < in.size;
  }
  // At most so many bytes; 0: the end.
  Result<std::size_t> read(char* to, std::size_t most) {
    if (!packed) {
      if (named) return error("not a zstd file");
      if (!refill()) {
        if (file && std::ferror(file) != 0) return error("it cannot be read");
        return std::size_t{0};
      }
      const std::size_t n = std::min(most, in.size - in.pos);
      std::memcpy(to, raw.data() + in.pos, n);
      in.pos += n;
      return n;
    }
    ZSTD_outBuffer out{to, most, 0};
    while (out.pos == 0) {
      const bool more = refill();
      if (!more && pending == 0) return std::size_t{0};
      const std::size_t before = in.pos;
      pending = ZSTD_decompressStream(stream, &out, &in);
      if (ZSTD_isError(pending)) return error("damaged zstd data ({})", ZSTD_getErrorName(pending));
      if (!more && out.pos == 0 && in.pos == before) return error("the zstd data end too early");
    }
    unpacked += out.pos;
    if (unpacked > unpacked_max(place, ratio_max)) return error("{}", too_much(place, ratio_max));
    return out.pos;
  }

  std::shared_ptr<const std::string> memory;
  std::size_t ratio_max;
  bool named;             // as a packed file
  std::size_t place = 0;  // bytes read, and unpacked
  std::size_t unpacked = 0;
  std::FILE* file = nullptr;
  std::string raw;
  bool packed = false;
  ZSTD_DStream* stream = nullptr;
  ZSTD_inBuffer in{};
  std::size_t pending = 0;  // zstd expects more of this frame
};

Lines::Lines(const Source& source) : input_(std::make_unique<Input>(source)) {}
Lines::~Lines() = default;

Status Lines::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_, begin_ = 0;
  }
  if (end_ > kLineMax) return error("a line of more than {} MiB", kLineMax >> 20);
  if (buffer_.size() < end_ + kChunk + kPadding)
    buffer_.resize(std::max(buffer_.size() * 2, end_ + kChunk + kPadding));
  const auto n = input_->read(buffer_.data() + end_, buffer_.size() - kPadding - end_);
  if (!n) return tl::unexpected(n.error());
  end_ += *n;
  ended_ = *n == 0;
  return {};
}

Result<bool> Lines::next(std::string_view& line) {
  std::size_t looked = begin_;
  for (;;) {
    const void* found = std::memchr(buffer_.data() + looked, '\n', end_ - looked);
    if (found || ended_) {
      if (!found && begin_ == end_) return false;
      const std::size_t end =
          found ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) : end_;
      line = {buffer_.data() + begin_, end - begin_};
      begin_ = found ? end + 1 : end;
      ++number_;
      return true;
    }
    const std::size_t length = end_ - begin_;
    if (auto s = fill(); !s) return tl::unexpected(s.error());
    looked = begin_ + length;
  }
}

}  // namespace schism
