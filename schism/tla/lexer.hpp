// Text of a module as tokens with their columns, which decide where junction lists end. Every
// operator has one spelling from here on: "\union" is "\cup", "#" is "/=", "=<" is "<=".
#pragma once

#include <string_view>
#include <vector>

#include "schism/tla/symbols.hpp"

namespace schism::tla {

enum class Tok : std::uint8_t {
  name,      // identifiers, keywords, and "_"
  number,    // its value is in `value`
  string,    // text is the content
  op,        // operators and punctuation, in their one spelling
  rule,      // ---- of at least four
  end_rule,  // ==== of at least four
  step,      // <1>2. of a proof
  real,      // 1.5
  end,
};

struct Token {
  Tok kind = Tok::end;
  bool first_on_line = false;
  Symbol text = 0;
  std::int64_t value = 0;
  Location where;
};

// Text before the first module is skipped. Throws Failure.
std::vector<Token> lex(std::string_view text, std::uint32_t file, Symbols& symbols);
// A configuration file has the same tokens, but no module around them.
std::vector<Token> lex_config(std::string_view text, std::uint32_t file, Symbols& symbols);

}  // namespace schism::tla
