// Values as TLA+ writes them: {1, 2}, <<"a", TRUE>>, [x |-> 1], (p1 :> 0 @@ p2 :> 1).
#pragma once

#include <string>

#include "schism/tla/value.hpp"

namespace schism::tla {

std::string to_text(Value v, const Symbols& symbols);
// The kind and the value, short enough for a sentence: "the integer 3".
std::string describe(Value v, const Symbols& symbols);
std::string quote_string(const std::string& text);

}  // namespace schism::tla
