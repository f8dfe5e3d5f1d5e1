// One run as isolation sees it: what every process received, in order. Rebuilt in place from line
// to line, so that reading a large file allocates nothing a message.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "schism/base/hash.hpp"

namespace schism::isolate {

// Numbers as integers in the order of their values; -0 is 0. And back.
inline std::int64_t ordered(double d) {
  const auto bits = std::bit_cast<std::int64_t>(d == 0 ? 0.0 : d);
  return bits < 0 ? INT64_MIN - bits : bits;
}
inline double unordered(std::int64_t i) { return std::bit_cast<double>(i < 0 ? INT64_MIN - i : i); }

struct Message {
  std::uint16_t verb = 0;
  std::int16_t sender = 0;  // -1: unknown, which nobody considers
  std::uint32_t first = 0;  // of its fields in Run::values
};

struct RunInfo {
  std::string name, fold;
  bool failed = false;
  std::vector<std::string> bugs;  // ground truth, where there is any
  std::uint64_t place = 0;        // where it is to be found again: a line, a seed
};

class Run {
 public:
  RunInfo info;
  std::vector<Message> messages;
  std::vector<std::int64_t> values;      // texts are numbers of texts(), equal for equal texts
  std::vector<std::uint32_t> inbox_end;  // a process each, in `messages`
  std::vector<std::pair<std::string, std::uint8_t>> branches;  // bit 0: seen true, 1: seen false
  std::vector<std::string> faults;                             // facts about those that it had

  std::span<const Message> inbox(std::size_t process) const {
    const std::uint32_t begin = process == 0 ? 0 : inbox_end[process - 1];
    return {messages.data() + begin, inbox_end[process] - begin};
  }
  const std::int64_t* fields(const Message& m) const { return values.data() + m.first; }

  std::int64_t intern(std::string_view text) {
    for (std::uint64_t key = hash_text(text);; key = mix64(key)) {
      const auto [at, fresh] = ids_.try_emplace(key, static_cast<std::int64_t>(texts_.size()));
      if (fresh) texts_.emplace_back(text);
      if (fresh || this->text(at->second) == text) return at->second;
    }
  }
  const std::string& text(std::int64_t id) const { return texts_[static_cast<std::size_t>(id)]; }

  void clear() {
    info = {};
    messages.clear(), values.clear(), inbox_end.clear(), branches.clear();
    faults.clear();
    ids_.clear(), texts_.clear();
  }

 private:
  absl::flat_hash_map<std::uint64_t, std::int64_t> ids_;  // by hash, and then by comparison
  std::vector<std::string> texts_;
};

}  // namespace schism::isolate
