#include "schism/process/wire.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "schism/base/hash.hpp"

namespace schism::process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kContentMax = 1U << 28;

struct Head {
  std::uint64_t check;  // of all the rest
  std::int64_t numbers[7];
  const TypeInfo* type;
  std::uint32_t length;
  std::uint32_t word;
};

std::uint64_t check_of(Head head, std::string_view content) {
  head.check = 0;
  char bytes[sizeof head];
  std::memcpy(bytes, &head, sizeof head);
  return hash_text({bytes, sizeof bytes}) ^ mix64(hash_text(content));
}

}  // namespace

bool Wire::send(const Frame& frame) {
  Head head;
  std::memset(&head, 0, sizeof head);
  std::copy(frame.numbers.begin(), frame.numbers.end(), std::begin(head.numbers));
  head.type = frame.type;
  head.length = static_cast<std::uint32_t>(frame.content.size());
  head.word = static_cast<std::uint32_t>(frame.word);
  head.check = check_of(head, frame.content);
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes += frame.content;
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(channel_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

std::optional<Wire::Heard> Wire::take(Frame& out) {
  const std::size_t have = read_.size() - at_;
  if (have < sizeof(Head)) return std::nullopt;
  Head head;
  std::memcpy(&head, read_.data() + at_, sizeof head);
  if (head.length > kContentMax || head.word > static_cast<std::uint32_t>(Word::done))
    return Heard::gone;
  if (have < sizeof head + head.length) return std::nullopt;
  out.content = read_.substr(at_ + sizeof head, head.length);
  if (head.check != check_of(head, out.content)) return Heard::gone;
  std::copy(std::begin(head.numbers), std::end(head.numbers), out.numbers.begin());
  out.type = head.type;
  out.word = static_cast<Word>(head.word);
  at_ += sizeof head + head.length;
  if (at_ == read_.size()) read_.clear(), at_ = 0;
  return Heard::frame;
}

Wire::Heard Wire::hear(Frame& out, Micros bound) {
  const auto until = Clock::now() + std::chrono::microseconds(std::max<Micros>(bound, 0));
  for (;;) {
    if (const auto heard = take(out)) return *heard;
    int wait = -1;
    if (bound >= 0) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
      wait = static_cast<int>(std::clamp<std::int64_t>(left + (bound > 0 ? 1 : 0), 0, 1'000'000));
    }
    pollfd poll{channel_, POLLIN, 0};
    const int ready = ::poll(&poll, 1, wait);
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return Heard::gone;
    if (ready == 0) {
      if (Clock::now() >= until) return Heard::nothing;
      continue;
    }
    char bytes[1 << 14];
    const ssize_t n = ::recv(channel_, bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Heard::gone;
    read_.append(bytes, static_cast<std::size_t>(n));
  }
}

}  // namespace schism::process
