// A log of any system, replayed in a model: one JSON object a line, whose "event" names it; the
// mapping says which actions it is, with $name for its fields (docs/models.md).
#pragma once

#include <functional>
#include <string>

#include "schism/base/result.hpp"

namespace schism::model {

struct LogReport {
  std::uint64_t lines = 0, mapped = 0, ignored = 0, ambiguous = 0;
  std::uint64_t unknown = 0;    // events that the mapping does not name
  std::uint64_t states = 0;     // different ones that were visited
  std::uint64_t failed_at = 0;  // the line whose event is not possible; 0: all are
  std::string why;
  std::string last;           // the state before it, or at the end
  std::uint64_t last_of = 1;  // so many that it may be in
  std::vector<std::string> warnings;
};

// `visit` hears of every line that was followed, and a state that it led to.
Result<LogReport> replay_log(
    const std::string& spec, const std::string& config, const std::string& mapping,
    const std::string& log,
    const std::function<void(std::uint64_t line, const std::string& state)>& visit);

}  // namespace schism::model
