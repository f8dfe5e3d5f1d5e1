// A line of JSON as a run, by a schema. Every line is outside input: whatever is wrong becomes a
// sentence, and nothing of the line is used then.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "schism/isolate/run.hpp"
#include "schism/isolate/schema.hpp"

namespace schism::isolate {

class RunReader {
 public:
  explicit RunReader(const Schema& schema);
  ~RunReader();

  // At least Lines::kPadding readable bytes must follow the line.
  Status read(std::string_view line, Run& run);

 private:
  struct Parser;  // simdjson stays out of headers
  std::unique_ptr<Parser> parser_;
};

}  // namespace schism::isolate
