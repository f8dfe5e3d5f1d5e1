// Hunts and kept traces as assertions, for whatever test framework: nothing means success, a text
// is the failure message, with the shrunk story in it. schism/gtest.hpp wraps them for GoogleTest.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace schism {

// The same words as the command line's flags.
struct HuntSpec {
  std::string system{};             // "raft:requests=5"
  std::vector<std::string> bugs{};  // to plant
  int nodes = 0;                    // 0: the system's default
  std::string explorer = "random";  // "pctcp:depth=3"
  std::string faults{};             // "crash=1,drop=5"
  std::string world{};              // "down=waits"
  int max_steps = 0;                // 0: the system's default
  std::uint64_t seed = 1;
  std::uint64_t runs = 1000;
  std::string out = "schism-out";  // where a find is kept; empty: nowhere
};

// Also fails where the words are wrong, the system is not deterministic, or nothing was judged.
std::optional<std::string> hunt_failure(const HuntSpec& spec);

struct Kept {
  std::optional<std::string> failure;  // it is reproduced, or cannot be read
  std::string note;                    // what came of it, in a line
  bool unreachable = false;            // nothing can be said: some action has no counterpart
};
// A trace of a bug that was mended must not be reproduced any more.
Kept check_kept(const std::string& path);

}  // namespace schism
