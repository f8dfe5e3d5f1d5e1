// Sentences that several verbs print.
#pragma once

#include <string>

namespace schism {
struct Shrunk;
}

namespace schism::cli {

// «shrunk: 187 -> 9 actions, 5 -> 3 nodes (812 replays); nothing can be left out ...»
std::string shrunk_text(const Shrunk& shrunk);

}  // namespace schism::cli
