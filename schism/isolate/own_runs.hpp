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
// Whether a schema from elsewhere fits: its verbs are message types, the keys of its fields places
// in them ("vote.value.seq"). What it does not name is not looked at.
Status fits(const Schema& schema, const RunConfig& config);

// Writes down what is delivered while a run is played.
class InboxRecorder {
 public:
  InboxRecorder(const System& system, const Schema& schema);

  EventMask wants() const;
  void begin(int nodes);
  void look(std::span<const Event> events);
  void finish(Run& out);  // the inboxes, one after the other

 private:
  struct Content {
    std::uint32_t first = 0;     // of its fields in run_.values
    int signer = -1;             // where the schema names one
    std::uint64_t known_by = 0;  // who has sent or received it
  };
  Content& content(const Event& event, std::size_t verb);
  void add(std::size_t node, std::size_t verb, int sender, std::uint32_t first);

  const Schema& schema_;
  std::vector<const TypeInfo*> types_;  // of each verb; null: a restart
  bool signers_ = false;                // some verb has one
  std::vector<std::vector<Message>> inboxes_;
  absl::flat_hash_map<Hash128, Content> known_;  // of this run
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
  // What the last run broke: the muted properties among them, where any is; else the one that ended
  // it.
  std::vector<std::string> violated() const;

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
