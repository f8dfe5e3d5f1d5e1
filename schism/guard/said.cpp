#include "schism/guard/said.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace schism::guard {
namespace {

constexpr std::size_t kSaidMax = 200;
constexpr off_t kKept = 16 << 20;

// Addresses and process numbers are others in every run.
std::string without_numbers_of_the_run(std::string_view line, pid_t pid) {
  std::string out;
  const std::string own = std::to_string(pid);
  for (std::size_t i = 0; i < line.size();) {
    if (line.substr(i, own.size()) == own) {
      out += "PID";
      i += own.size();
    } else if (line.substr(i, 2) == "0x") {
      out += "0x...";
      for (i += 2; i < line.size() && std::isxdigit(static_cast<unsigned char>(line[i]));) ++i;
    } else {
      const auto c = static_cast<unsigned char>(line[i++]);
      out += std::isprint(c) ? static_cast<char>(c) : ' ';
    }
  }
  if (out.size() > kSaidMax) out.resize(kSaidMax);
  return out;
}

}  // namespace

// Everything is appended, so that it can be cut off while somebody writes.
Said::Said() : file_(::memfd_create("said", MFD_CLOEXEC)) {
  if (file_ >= 0) ::fcntl(file_, F_SETFL, O_APPEND);
}
Said::~Said() {
  if (file_ >= 0) ::close(file_);
}

void Said::redirect() const {
  if (file_ < 0) return;
  ::dup2(file_, STDOUT_FILENO);
  ::dup2(file_, STDERR_FILENO);
}

void Said::bound() const {
  if (file_ >= 0 && ::lseek(file_, 0, SEEK_END) > kKept) forget();
}

void Said::forget() const {
  if (file_ >= 0) static_cast<void>(!::ftruncate(file_, 0));
}

std::string Said::last_line(pid_t speaker) const {
  constexpr off_t kTail = 64 * 1024;
  const off_t size = file_ < 0 ? 0 : ::lseek(file_, 0, SEEK_END);
  if (size <= 0) return {};
  std::string text(static_cast<std::size_t>(std::min(size, kTail)), '\0');
  const ssize_t n = ::pread(file_, text.data(), text.size(), std::max<off_t>(size - kTail, 0));
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  std::string last, summary;  // sanitizers sum up before their last line
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (line.starts_with("SUMMARY: ")) summary = line.substr(9);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) last = line;
    at = end + 1;
  }
  return without_numbers_of_the_run(summary.empty() ? last : summary, speaker);
}

}  // namespace schism::guard
