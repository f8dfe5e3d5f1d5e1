// JSON from strangers: what was read survives being written and read again, and what is written
// holds nothing that a terminal would obey.
#include "memory_path.hpp"
#include "schism/base/text.hpp"
#include "schism/base/value.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string problem;
  const auto value = schism::parse_json(text, &problem);
  if (!value) {
    require(!problem.empty());
    return 0;
  }
  const std::string written = schism::to_json(*value);
  require(schism::printable(written) == written);
  const auto again = schism::parse_json(written);
  require(again && *again == *value);
  schism::print(*value);
  return 0;
}
