// What a scenario adds to a run: filters in front of every scheduler, a property beside those of
// the system, requests of its own clients. Here it is known only as this; schism/scenario/ makes it
// from the scenario's text, which is part of what decides the run and stands in its trace.
#pragma once

#include <memory>
#include <string>

#include "schism/base/registry.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism {

class Staging {
 public:
  virtual ~Staging() = default;

  // From which it can be made again; empty: it cannot (it has code of its own in it).
  virtual std::string text() const = 0;
  // The system under test with what the scenario adds to it. Lives as long as this.
  virtual const System& system() const = 0;
  // What else the world must allow.
  virtual void prepare(WorldOptions& options) const = 0;
  // The scheduler behind the filters.
  virtual std::unique_ptr<Scheduler> before(std::unique_ptr<Scheduler> scheduler) const = 0;
};

// One maker is registered, by whoever knows the language. The setup has system, nodes and options.
using StagingMaker = Result<std::shared_ptr<const Staging>> (*)(const std::string& text,
                                                                const Setup& setup);
Registration add_staging_maker(StagingMaker maker);
Result<std::shared_ptr<const Staging>> make_staging(const std::string& text, const Setup& setup);

}  // namespace schism
