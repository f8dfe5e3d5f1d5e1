#include "schism/guard/mail.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "schism/base/hash.hpp"

namespace schism::guard {
namespace {

struct Cover {
  std::uint64_t size = 0, sum = 0;
};

// Eight bytes at a time: it is taken of everything that passes.
std::uint64_t sum_of(std::string_view text) {
  std::uint64_t sum = 0x5c415354 ^ text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    sum = mix64(sum ^ word);
  }
  std::uint64_t rest = 0;
  text.copy(reinterpret_cast<char*>(&rest), text.size());
  return mix64(sum ^ rest);
}

}  // namespace

void Outbox::put(std::string_view letter) {
  if (!stream_) {
    kept_.emplace_back(letter);
    return;
  }
  if (::getpid() != writer_) ::_exit(0);  // a system that forks has copies of us: one is enough
  const Cover cover{letter.size(), sum_of(letter)};
  append({reinterpret_cast<const char*>(&cover), sizeof cover});
  append(letter);
}

void Outbox::flush() {
  if (flush_ && !flush_()) ::_exit(0);
}

void Outbox::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t used = std::min<std::size_t>(stream_->used, Stream::kRoom);
    const std::size_t fits = std::min(bytes.size(), Stream::kRoom - used);
    std::memcpy(stream_->bytes + used, bytes.data(), fits);
    stream_->used = used + fits;  // last: what is counted is there
    bytes.remove_prefix(fits);
    if (!bytes.empty() && !empty_()) ::_exit(0);
  }
}

void Inflow::collect(Stream& stream) {
  const std::uint64_t used = stream.used;
  overrun_ = overrun_ || used > Stream::kRoom;
  bytes_.append(stream.bytes, std::min<std::size_t>(used, Stream::kRoom));
  stream.used = 0;
}

// Where the whole letters end.
std::size_t Inflow::parse(std::vector<std::string>* out) const {
  std::size_t at = 0;
  while (bytes_.size() - at >= sizeof(Cover)) {
    Cover cover;
    std::memcpy(&cover, bytes_.data() + at, sizeof cover);
    if (cover.size > bytes_.size() - at - sizeof cover) break;
    const std::string_view letter(bytes_.data() + at + sizeof cover, cover.size);
    if (sum_of(letter) != cover.sum) break;
    if (out) out->emplace_back(letter);
    at += sizeof cover + cover.size;
  }
  return at;
}

std::vector<std::string> Inflow::letters() const {
  std::vector<std::string> out;
  parse(&out);
  return out;
}

bool Inflow::intact() const {
  const std::size_t end = parse(nullptr);
  if (overrun_) return false;
  if (bytes_.size() - end < sizeof(Cover)) return true;
  Cover cover;
  std::memcpy(&cover, bytes_.data() + end, sizeof cover);
  return cover.size > bytes_.size() - end - sizeof cover;  // not whole, rather than wrong
}

bool Inflow::complete() const { return !overrun_ && parse(nullptr) == bytes_.size(); }

void Inflow::clear() {
  bytes_.clear();
  overrun_ = false;
}

}  // namespace schism::guard
