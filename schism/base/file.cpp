#include "schism/base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "schism/base/zstd.hpp"

namespace schism {
namespace {

// What a damaged or hostile file may make us allocate.
constexpr std::size_t kBytesMax = std::size_t{1} << 30;
constexpr std::string_view kTooLarge = "it is larger than 1 GiB";
constexpr std::size_t kUnpackedFloor = std::size_t{32} << 20;
constexpr std::size_t kChunk = std::size_t{1} << 16;

bool compressed(const std::string& path) { return path.ends_with(".zst"); }

}  // namespace

std::size_t unpacked_max(std::size_t packed, std::size_t ratio) {
  return std::max(kUnpackedFloor, packed > kBytesMax ? SIZE_MAX : packed * ratio);
}

std::string too_much(std::size_t packed, std::size_t ratio) {
  return fmt::format(
      "it unpacks to more than {} MiB, which {} bytes should not; if it is sound, "
      "unpack it with zstd -d",
      unpacked_max(packed, ratio) >> 20, packed);
}

Result<std::string> decompress(const std::string& bytes) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  limit_window(stream.get());
  const std::size_t most = unpacked_max(bytes.size());
  std::string out;
  std::string buffer(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t left = 0;
  while (in.pos < in.size || left > 0) {
    ZSTD_outBuffer chunk{buffer.data(), buffer.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &chunk, &in);
    if (ZSTD_isError(left)) return error("not a zstd file ({})", ZSTD_getErrorName(left));
    if (out.size() + chunk.pos > most) return error("{}", too_much(bytes.size()));
    out.append(buffer, 0, chunk.pos);
    if (in.pos == in.size && chunk.pos < chunk.size && left > 0)
      return error("the zstd file ends too early");
  }
  return out;
}

std::string compress(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t n = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 9);
  out.resize(ZSTD_isError(n) ? 0 : n);
  return out;
}

namespace {

// Everything up to the end, or too much of it. Pipes and devices have no size to look at first.
Result<std::string> read_all(int file, const std::string& name) {
  struct stat about {};
  std::string bytes;
  if (::fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
    if (static_cast<std::size_t>(about.st_size) > kBytesMax)
      return error("{}: {}", name, kTooLarge);
    bytes.reserve(static_cast<std::size_t>(about.st_size) + 1);
  }
  std::string chunk(kChunk, '\0');
  for (;;) {
    const ssize_t n = ::read(file, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return error("{}: {}", name, std::strerror(errno));
    if (n == 0) return bytes;
    bytes.append(chunk, 0, static_cast<std::size_t>(n));
    if (bytes.size() > kBytesMax) return error("{}: {}", name, kTooLarge);
  }
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input");
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) return error("{}: it is a directory", path);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return error("{}: {}", path, std::strerror(errno));
  auto bytes = read_all(file, path);
  ::close(file);
  if (!bytes || !compressed(path)) return bytes;
  auto text = decompress(*bytes);
  if (!text) return error("{}: {}", path, text.error());
  return text;
}

Status make_directory(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) return error("{}: {}", path, code.message());
  return {};
}

}  // namespace schism
