// Where runs come from: a file of JSON lines, a folder of traces, or our own systems played on the
// spot. A supply gives each run once, and single ones again for a second look.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schism/isolate/run.hpp"
#include "schism/isolate/schema.hpp"
#include "schism/run/config.hpp"

namespace schism::isolate {

struct ReadReport {
  std::uint64_t runs = 0, skipped = 0;
  std::string first_problem;  // of those skipped
};

class Supply {
 public:
  virtual ~Supply() = default;
  virtual const std::string& name() const = 0;  // for messages
  virtual const Schema& schema() const = 0;
  virtual Result<ReadReport> each(const std::function<void(const Run&)>& take) = 0;
  // The run with this RunInfo::place.
  virtual Result<Run> again(std::uint64_t place) = 0;
};

// With `skip_bad` a damaged line is counted, else it is an error.
Result<std::unique_ptr<Supply>> supply_from_file(const std::string& path, Schema schema,
                                                 bool skip_bad);

// Every trace in a folder, all of one system and size. What was planted counts as ground truth.
// Traces tell of failures, so their first configuration is played `passing` times beside them.
Result<std::unique_ptr<Supply>> supply_from_traces(const std::string& folder, std::uint64_t passing,
                                                   bool skip_bad);

struct HuntPlan {
  std::uint64_t runs = 2000, seed = 1;
  // Plant the bugs one at a time, in turn: which one is to blame is then known.
  bool alone = false;
  // What was violated stands for the bug, also where one is planted.
  bool by_property = false;
  // What of the messages is looked at (fits); nothing: all of them and all their fields.
  std::optional<Schema> schema = {};
};
// A failing run ends where it fails. A passing one goes on, and the longer it is the more
// predicates it shows; so its messages count only up to the length of some failing run, drawn for
// each.
Result<std::unique_ptr<Supply>> supply_from_hunt(const RunText& text, const HuntPlan& plan);

}  // namespace schism::isolate
