// What another process, or a file of our own, says in the codec's bytes. The first byte picks the
// type; the head is put before the rest, because no fuzzer would guess it. What is read has these
// bytes and no others.
#include <map>
#include <set>
#include <unordered_map>

#include "memory_path.hpp"
#include "schism/base/codec.hpp"
#include "schism/words/codec.hpp"
#include "schism/words/death.hpp"

namespace {
using namespace schism;

SCHISM_ENUM(Role, follower, candidate, leader);

struct Tree {
  Role role{};
  std::variant<std::monostate, std::string, double> label;
  std::optional<std::pair<std::int16_t, bool>> maybe;
  std::vector<Tree> children;
  FIELDS(role, label, maybe, children)
};
struct Tables {
  std::map<std::string, std::set<std::int64_t>> sorted;
  std::unordered_map<std::uint32_t, std::string> hashed;
  std::array<std::vector<bool>, 2> bits;
  FIELDS(sorted, hashed, bits)
};

template <class T>
void read(std::string_view body) {
  Encoder head;
  head.head(kShape<T>);
  const std::string bytes = head.take() + std::string(body);
  const auto value = decode<T>(bytes);
  if (value) require(encode(*value) == bytes);
  else require(!value.error().empty() && value.error().find('\n') == std::string::npos);
  require(!decode<T>(body) || body.size() >= 9);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0: read<Value>(body); break;
    case 1: read<std::vector<Action>>(body); break;
    case 2: read<Death>(body); break;
    case 3: read<Tree>(body); break;
    default: read<Tables>(body);
  }
  return 0;
}
