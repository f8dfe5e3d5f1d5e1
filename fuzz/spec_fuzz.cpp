// A strategy in one word. What is read is printed as a word that is read as the same, and can be
// made or is refused in one sentence; a shell's quotes do not grow without end.
#include <cstdlib>

#include "schism/base/shell.hpp"
#include "schism/explore/registry.hpp"
#include "schism/schedule/registry.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Made>
void make(const schism::Table<Made>& table, const schism::Spec& spec) {
  const auto whole = table.complete(spec, "strategy");
  const auto made = table.make(spec, "strategy");
  require(whole.has_value() == made.has_value());
  if (!whole) return require(!whole.error().empty());
  const auto again = table.complete(*whole, "strategy");
  require(again.has_value() && *again == *whole);  // it is complete already
  const auto back = schism::parse_spec(schism::print_spec(*whole));
  require(back.has_value() && *back == *whole);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  require(schism::quote(text).size() <= 4 * text.size() + 2);
  const auto spec = schism::parse_spec(text);
  if (!spec) {
    require(!spec.error().empty());
    return 0;
  }
  const auto again = schism::parse_spec(schism::print_spec(*spec));
  require(again.has_value() && *again == *spec);
  make(schism::schedulers(), *spec);
  make(schism::explorers(), *spec);
  return 0;
}
