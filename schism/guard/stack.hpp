// Addresses of a stack as names, where there are symbols: of this process, or of one forked from
// it.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace schism::guard {

// The innermost frames of the system under test, innermost first: without those of the C library
// that only carry an abort, and without those of the engine that called it. A frame without a
// symbol is its library and offset.
std::vector<std::string> system_frames(std::span<void* const> stack);

}  // namespace schism::guard
