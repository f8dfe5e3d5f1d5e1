// The controlled universe of one run, as everything else sees it: what is pending, one action at a
// time, the events that it caused, and what each node looks like. One is in this process (sim/),
// one has a process for each node (process/); run/make_world.hpp makes the one that a setup asks
// for. A world says what it can do (Capabilities), and whoever needs more is refused.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schism/base/hash.hpp"
#include "schism/base/value.hpp"
#include "schism/words/action.hpp"
#include "schism/words/death.hpp"
#include "schism/words/event.hpp"
#include "schism/words/options.hpp"
#include "schism/world/pending.hpp"

namespace schism {

class System;
class World;

// Why an action cannot be applied here and now. Nothing has changed then.
enum class Refusal : std::uint8_t {
  none,
  not_pending,  // no such message, timer, operation or request
  held,         // kept back by a scheduler or scenario
  not_first,    // another message or operation is before it
  node_down,
  node_up,
  node_paused,
  node_not_paused,
  link_cut,
  link_not_cut,
  not_due,  // a timer, in a stepped run
  out_of_budget,
  not_allowed,  // this node may not crash; too many are down; no such node
  wrong_time,   // the clock belongs to the nodes (untimed), or would go back
  bad_content,  // of a mutate or inject
  unknown_kind,
  not_a_liar,  // only liars' messages are changed, made up or kept back
  forged,      // it would hold a signature that no liar has received or made
};
std::string_view refusal_text(Refusal refusal);

// Sees every event before it becomes pending, and answers choices. A scheduler is one.
class Attendant {
 public:
  virtual ~Attendant() = default;
  // `kind` says which table `slot` is in: deliver, fire, complete or submit. It may stamp `due` or
  // hold it, through the world.
  virtual void on_pending(World& world, Do kind, std::uint32_t slot) = 0;
  virtual std::uint32_t on_choice(World& world, std::uint32_t n) = 0;
};

struct Capabilities {
  bool exact_replay = true;   // the same decisions give the same run, event by event
  bool snapshots = true;      // every node can be copied
  bool virtual_clock = true;  // time passes only where a scheduler says so
  bool can_quiesce = true;    // it knows that nothing can happen any more
};

// An ordered observer: the events it names depend on each other, because an oracle looks at their
// order. See Oracle::observes.
struct Observer {
  EventMask mask = 0;
  std::vector<const TypeInfo*> types;  // of announcements and answers in the mask; empty: all

  bool sees(const Event& event) const;
};

// One request of a client. `type` is its place in the Requests of the class that takes requests.
struct ClientRequest {
  int client = 0;
  NodeId target = kAnyNode;  // any node: the scheduler picks one
  int type = 0;
  Value content;

  friend bool operator==(const ClientRequest&, const ClientRequest&) = default;
};

// Everything but the scheduler's choices that decides a run. A *place* is where handlers run: each
// node is one, and a liar with a twin is two, of which the second comes after all nodes. Protocols
// and judges know nodes; messages, timers, disks and lanes belong to places.
struct Setup {
  const System* system = nullptr;
  std::shared_ptr<const void> config;  // the system's own parameters, of its Config type
  int nodes = 0;
  WorldOptions options;
  std::uint64_t node_seed = 0;
  // What clients ask for, where it is not the system's own workload: what is left of it in a run
  // that was made smaller.
  std::shared_ptr<const std::vector<ClientRequest>> requests;
  // The run ends with its process, there and so: where that is known from a run that died.
  std::shared_ptr<const Death> death;
  // Properties whose violation is counted and does not end the run: "PROPERTY", or "PROPERTY=text"
  // where its message must hold that text.
  std::vector<std::string> mute = {};

  int places() const {
    const auto named = static_cast<int>(options.liars.size());
    return nodes + (!options.twins ? 0 : named > 0 ? named : options.liars_drawn);
  }
};

// What digests say about time: how far off deadlines are; nothing (where runs are untimed and nodes
// do not read their clocks, nothing depends on it); what clocks show (where they do).
enum class DigestTimes : std::uint8_t { distances, nothing, clocks };

class World {
 public:
  virtual ~World() = default;

  virtual std::string_view name() const = 0;  // "processes": of what it is a world
  virtual const Capabilities& capabilities() const = 0;
  // Back to the beginning: nodes are built and started. Step 0.
  virtual void reset(const Setup& setup) = 0;
  // The same with another node seed, which is what changes from run to run.
  virtual void reset(std::uint64_t node_seed) = 0;
  // It may return before its events: they belong to this step, or to the one in which they come.
  virtual Refusal apply(const Action& action) = 0;
  // Waits until everything that was started has come to its end, or for so long. False: it has not,
  // and its events are still to come. Only worlds that say so in `settles()` need it.
  virtual bool settle(Micros /*bound*/) { return true; }
  virtual bool settles() const { return false; }
  // Destroys the nodes, as the next reset would.
  virtual void end_run() = 0;

  // What clients ask for in this run, in the order of the plan.
  virtual std::vector<ClientRequest> requests() const = 0;
  // One more request at the end of its client's; pending at once if that client has no other open.
  // A run that has it from the beginning differs in nothing that nodes see.
  virtual void ask(const ClientRequest& request) = 0;
  // Whether a node may answer what another was asked, so that a client's waiting is everybody's.
  bool answers_anywhere() const { return answers_anywhere_; }

  const Setup& setup() const { return setup_; }
  const Pending& pending() const { return pending_; }
  // Of the last step, alive until the next.
  std::span<const Event> events() const { return events_; }
  EventMask step_mask() const { return step_mask_; }
  std::uint32_t step() const { return step_; }  // applied so far
  std::uint32_t deliveries() const { return deliveries_; }
  // Random numbers that nodes took so far; draws that somebody chose are not among them.
  std::uint32_t drawn() const { return drawn_; }
  std::uint32_t clock_reads() const { return clock_reads_; }  // by nodes, in this run
  bool random_workload() const { return random_workload_; }   // what clients ask for was drawn
  Micros clock() const { return clock_; }
  bool calm() const { return calm_; }          // the fair tail has begun
  bool any_failed() const { return failed_; }  // a node's own assertion
  // What was decided, for replay; one more entry than steps where a step made choices.
  std::span<const Action> decisions() const { return decisions_; }
  std::span<const Value> contents() const { return contents_; }  // of mutate, inject and labels

  // As judges see it: a liar is down. Whether its handlers run says runs().
  bool up(NodeId id) const { return node(id) != nullptr; }
  bool runs(NodeId id) const { return views_[static_cast<std::size_t>(id)].object != nullptr; }
  // Byzantine. Its handlers run as written; what it sends may be changed, made up or omitted.
  bool liar(NodeId id) const {
    return !liars_.empty() && id >= 0 && id < static_cast<NodeId>(liar_.size()) &&
           liar_[static_cast<std::size_t>(id)];
  }
  const std::vector<NodeId>& liars() const { return liars_; }
  // Whose place it is; its own, but for a twin.
  NodeId identity(NodeId place) const {
    return place < setup_.nodes ? place : liars_[static_cast<std::size_t>(place - setup_.nodes)];
  }
  // Whether its messages may be changed, made up or kept back.
  bool may_lie(NodeId id) const { return liar(id) || setup_.options.lies == Lies::anyone; }
  virtual bool cut(NodeId from, NodeId to) const = 0;
  // A node's object as judges see it: null while it is down, and of a liar always.
  const void* node(NodeId id) const {
    return liar(id) ? nullptr : views_[static_cast<std::size_t>(id)].object;
  }
  const TypeInfo& node_type(NodeId id) const { return *views_[static_cast<std::size_t>(id)].type; }
  template <class T>
  const T* as(NodeId id) const {
    return &node_type(id) == &type_info<T>() ? static_cast<const T*>(node(id)) : nullptr;
  }
  virtual Value inspect(NodeId node) const = 0;
  virtual Micros local_time(NodeId node) const = 0;
  // What the disk could keep if the node crashed now; the first: nothing that was not synced.
  virtual std::vector<CrashOutcome> crash_outcomes(NodeId node) const = 0;
  // How many syncs of its disk are kept for a restart from one of them; only a liar's are.
  virtual std::uint32_t syncs(NodeId /*place*/) const { return 0; }

  // Names the class of runs that differ only in the order of independent steps.
  virtual Hash128 causal_hash() const = 0;
  // Everything that the future depends on, oracles apart.
  virtual Hash128 digest() = 0;
  virtual Hash128 digest_from_scratch() const = 0;
  // The same with nodes and clients called otherwise (another hash, also with their own names).
  virtual Hash128 renamed_digest(const Renaming& renaming) const = 0;

  // Who looks on. Survive a reset.
  void listen(EventMask mask) {
    wanted_ = mask;
    refresh_listening();
  }
  void observe(std::vector<Observer> observers) {
    observers_ = std::move(observers);
    refresh_listening();
  }
  const std::vector<Observer>& observers() const { return observers_; }
  void attend(Attendant* attendant, bool sees_pending) {
    attendant_ = attendant;
    sees_pending_ = sees_pending;
  }
  // Digests cost something at every message: only kept up to date where this is on.
  virtual void keep_digest(bool on) = 0;
  virtual void digest_times(DigestTimes times) = 0;

  // Stamps of a scheduler or scenario. What is held is pending and not enabled; on a link that
  // keeps order all behind it wait with it, and go in their order when it is released. Holds are
  // no steps: a run is played again without them.
  void stamp_due(std::uint32_t flight, Micros due) { pending_.flights[flight].due = due; }
  virtual void hold(Do kind, std::uint32_t slot, Holder who) = 0;
  virtual void release(Do kind, std::uint32_t slot, Holder who) = 0;
  void release_all(Holder who);
  // What the lie with this content changed (base/difference.hpp); null: it is no such lie.
  Value difference(std::uint32_t content) const {
    return content < differences_.size() ? differences_[content] : Value();
  }
  // A content for mutate, inject or a label; see with_content. That of a mutate may be a
  // difference from what is in flight; once it is applied, it is the whole content.
  std::uint32_t add_content(Value value) {
    contents_.push_back(std::move(value));
    return static_cast<std::uint32_t>(contents_.size() - 1);
  }

  // A copy of the whole state, where nodes can be copied; null otherwise.
  class Snapshot {
   public:
    virtual ~Snapshot() = default;
  };
  virtual std::unique_ptr<Snapshot> snapshot() const = 0;
  virtual void restore(const Snapshot& snapshot) = 0;

 protected:
  virtual void refresh_listening() = 0;

  struct NodeView {
    const void* object = nullptr;  // null while it is down
    const TypeInfo* type = nullptr;
  };

  void set_liars(std::vector<NodeId> liars);

  Setup setup_;
  Pending pending_;
  std::vector<NodeView> views_;
  std::vector<Event> events_;
  std::vector<Action> decisions_;
  std::vector<Value> contents_, differences_;
  std::vector<Observer> observers_;
  EventMask wanted_ = 0, step_mask_ = 0;
  Attendant* attendant_ = nullptr;
  bool sees_pending_ = false;
  std::vector<NodeId> liars_;  // and a flag a node
  std::vector<bool> liar_;
  bool calm_ = false, failed_ = false, random_workload_ = false, answers_anywhere_ = false;
  std::uint32_t step_ = 0, deliveries_ = 0, drawn_ = 0, clock_reads_ = 0;
  Micros clock_ = 0;
};

}  // namespace schism
