// Scenario files: whatever is read is printed in one way, and that is read back as the same.
#include "memory_path.hpp"
#include "schism/scenario/parse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace schism;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = scenario::parse(text, "fuzz");
  if (!read) {
    require(read.error().find("line") != std::string::npos);
    return 0;
  }
  for (const scenario::Scenario& s : *read) {
    const std::string once = scenario::print(s);
    const auto again = scenario::parse(once, "again");
    require(again.has_value());
    require(again->size() == 1);
    require(scenario::print(again->front()) == once);
  }
  return 0;
}
