// What each liar of a run told whom, what stood there honestly, and what became of it, in lines:
//
//   0 tells 3 proposal.n = 2 instead of 1, once; signed by 0 itself; 3 goes on with it
//   0 keeps Reply from 4, twice
//
// Who gets a lie can see one thing of it: which of its signatures hold. A liar's own do, it signs
// what it likes; an item of somebody else that was changed shows it.
#pragma once

#include <string>
#include <vector>

#include "schism/trace/trace.hpp"

namespace schism::draw {

// At most so many lines, and one that says how many more there are.
std::vector<std::string> lies_of(const Trace& trace, std::size_t most = 8);

}  // namespace schism::draw
