// The operators of TLA+ and how tightly they bind. A range, because TLA+ has no total order: two
// operators whose ranges overlap need parentheses between them.
#pragma once

#include <string_view>

namespace schism::tla {

struct Fixity {
  std::string_view name;
  int low, high;
  bool left = false;  // a + b + c
};

const Fixity* prefix_operator(std::string_view name);  // "-" is spelt "-." where it is defined
const Fixity* infix_operator(std::string_view name);
bool is_postfix_operator(std::string_view name);  // ' ^+ ^* ^#
bool is_reserved(std::string_view word);

}  // namespace schism::tla
