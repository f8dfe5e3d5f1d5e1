// Modules and expressions of TLA+. Whatever comes in, there is an answer: a module, or a sentence
// with a position.
#include <cstdlib>
#include <string_view>

#include "schism/tla/parser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace schism::tla;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Symbols symbols;
  const std::uint32_t file = symbols.add_file("fuzz");
  try {
    SyntaxArena arena;
    parse_modules(text, file, symbols, arena);
  } catch (const Failure& f) {
    if (std::string_view(f.what()).empty()) std::abort();
  }
  try {
    SyntaxArena arena;
    parse_expression(text, symbols, arena);
  } catch (const Failure& f) {
    if (std::string_view(f.what()).empty()) std::abort();
  }
  return 0;
}
