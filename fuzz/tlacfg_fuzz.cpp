// Configuration files of TLA+ models.
#include <cstdlib>
#include <string_view>

#include "schism/tla/config.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace schism::tla;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Symbols symbols;
  Store store(symbols);
  try {
    parse_config(text, symbols.add_file("fuzz"), store);
  } catch (const Failure& f) {
    if (std::string_view(f.what()).empty()) std::abort();
  }
  return 0;
}
