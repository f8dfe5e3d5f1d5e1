// Which ways the code of systems went, where it was compiled to say so: with g++'s
// -fsanitize-coverage=trace-pc,trace-cmp, whoever's code it is (ours: cmake -DSCHISM_EDGES=ON).
// Code that was not costs nothing; code that was calls here at every basic block and comparison,
// also when nobody listens. Of one thread.
//
// Code that runs once in a process (the first use of a static object) goes another way in each
// process's first run; hash maps may go by addresses. So edges are counted and shown, and no
// explorer may learn from them: a hunt would not be the same on two workers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace schism::edges {

// Some code of this program was compiled to say it: it has, when its systems were registered.
bool built();

void listen();  // from the beginning
void pause();   // what was heard stays

// An edge is a pair of basic blocks that followed each other, as 16 bits: two may be the same.
std::span<const std::uint32_t> seen();
std::uint8_t times(std::uint32_t edge);  // at most 255

// Of each comparison, by its place in the code, how the left side stood to the right one.
enum Way : std::uint8_t { kLess = 1, kEqual = 2, kGreater = 4 };
std::vector<std::pair<std::uint64_t, std::uint8_t>> ways();  // sorted
// "election.cpp:42", with -g; else "Raft::campaign+0x1c".
std::string place_text(std::uint64_t place);

}  // namespace schism::edges
