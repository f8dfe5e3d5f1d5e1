#include "schism/base/file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>

namespace schism {
namespace {

// What a damaged or hostile file may make us allocate.
constexpr std::size_t kBytesMax = std::size_t{4} << 30;

bool compressed(const std::string& path) { return path.ends_with(".zst"); }

}  // namespace

Result<std::string> decompress(const std::string& bytes) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  std::string out;
  std::string buffer(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t left = 0;
  while (in.pos < in.size || left > 0) {
    ZSTD_outBuffer chunk{buffer.data(), buffer.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &chunk, &in);
    if (ZSTD_isError(left)) return error("not a zstd file ({})", ZSTD_getErrorName(left));
    out.append(buffer, 0, chunk.pos);
    if (out.size() > kBytesMax) return error("it unpacks to more than 4 GiB");
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

Result<std::string> read_file(const std::string& path) {
  std::string bytes;
  if (path == "-") {
    bytes.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::error_code code;
    if (std::filesystem::is_directory(path, code)) return error("{}: it is a directory", path);
    std::ifstream file(path, std::ios::binary);
    if (!file) return error("{}: {}", path, std::strerror(errno));
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    if (file.bad()) return error("{}: it cannot be read", path);
  }
  if (!compressed(path)) return bytes;
  auto text = decompress(bytes);
  if (!text) return error("{}: {}", path, text.error());
  return text;
}

Status write_file(const std::string& path, const std::string& content) {
  const std::string bytes = compressed(path) ? compress(content) : content;
  if (path == "-") {
    std::cout << bytes << std::flush;
    return {};
  }
  const std::string temporary = path + ".part";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return error("{}: {}", path, std::strerror(errno));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int problem = errno;
      ::close(file);
      ::unlink(temporary.c_str());
      return error("{}: {}", path, std::strerror(problem));
    }
    done += static_cast<std::size_t>(n);
  }
  if (::fsync(file) != 0 || ::close(file) != 0 ||
      std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int problem = errno;
    ::unlink(temporary.c_str());
    return error("{}: {}", path, std::strerror(problem));
  }
  return {};
}

Status make_directory(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) return error("{}: {}", path, code.message());
  return {};
}

}  // namespace schism
