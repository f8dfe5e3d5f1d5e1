// What a program finds in memory that it did not write, and where its objects lie: both are free to
// change, so a system that is deterministic must not notice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schism::doctor {

// Variables for the environment of a process whose allocator fills fresh memory with that byte (0:
// not at all). As long whatever the byte: the length of the environment moves the stack.
std::vector<std::string> fill_environment(int fill);
// The names among them.
bool is_fill_variable(const std::string& assignment);
// Whether this process' allocator does so.
bool heap_is_filled(int fill);

// Overwrites the part of the stack that the next calls will use.
void fill_stack(int fill);

// Leaves many free blocks of each small size behind, to be handed out in a disorder of that seed:
// which of two new objects has the lower address is then another one. (The kernel's randomisation,
// on the other hand, moves the whole heap and keeps that order.) It may be called again and again.
void shuffle_heap(std::uint64_t seed);

}  // namespace schism::doctor
