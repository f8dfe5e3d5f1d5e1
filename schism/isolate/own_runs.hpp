// Runs of our own systems as isolation sees them: message types are verbs, declared fields are the
// fields, what was delivered to a node is its inbox. A restart is a verb too, from the node itself.
//
//   Result<Schema> schema = schema_of(config);
//   OwnRuns runs(config, *schema);
//   runs.play(plan, run);
#pragma once

#include <memory>

#include "absl/container/flat_hash_map.h"
#include "schism/isolate/fault_facts.hpp"
#include "schism/isolate/run.hpp"
#include "schism/isolate/schema.hpp"
#include "schism/run/config.hpp"
#include "schism/trace/trace.hpp"

namespace schism::isolate {

// Fields of one name and type can be compared: integers by order, everything else by equality.
Result<Schema> schema_of(const RunConfig& config);

// Writes down what is delivered while a run is played.
class InboxRecorder {
 public:
  InboxRecorder(const System& system, const Schema& schema);

  static EventMask wants();
  void begin(int nodes);
  void look(std::span<const Event> events);
  void finish(Run& out);  // the inboxes, one after the other

 private:
  void add(std::size_t node, std::size_t verb, int sender, std::uint32_t fields);
  std::uint32_t fields(const Event& event, std::size_t verb);  // where they are in run_.values

  const Schema& schema_;
  std::vector<const TypeInfo*> types_;
  std::vector<std::vector<Message>> inboxes_;
  absl::flat_hash_map<Hash128, std::uint32_t> known_;  // contents of this run, to their fields
  Run run_;
};

// Plays runs of one configuration.
class OwnRuns {
 public:
  OwnRuns(const RunConfig& config, const Schema& schema);

  // Messages after step `until` are left out; faults are not.
  RunSummary play(const RunPlan& plan, Run& out, std::uint32_t until = UINT32_MAX);
  // A recorded run; its verdict is what happens now.
  void replay(const Trace& trace, Run& out);
  std::string violated() const;  // the property that the last run broke

 private:
  void begin(std::uint32_t until);
  void finish(Run& out);

  RunConfig config_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<Runner> runner_;
  InboxRecorder recorder_;
  FaultFacts facts_;
  std::uint32_t until_ = UINT32_MAX;
  absl::flat_hash_map<std::uint64_t, std::string> places_;  // of comparisons, as text
};

}  // namespace schism::isolate
