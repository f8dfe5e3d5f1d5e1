// A world whose nodes are processes: each is forked, runs the native node class (node_process.hpp)
// and is spoken to over a Unix socket; a crash kills it. The network, timers, disks and clients are
// here, so that a scheduler decides what it decides everywhere; the clock is the one on the wall.
//
// What it does not have: exact replay (a node may read the clock), a virtual clock, snapshots.
// Oracles look at a mirror of each node, read from its declared fields after every handler; members
// that are not declared are not in it. An action returns when the node was told; its events are
// there when the world has settled. process_world.cpp: runs and clients; process_actions.cpp: what
// is done to nodes; process_effects.cpp: what they do; process_state.cpp: what is enabled, and how
// it looks.
//
// Everything that it starts ends: with the run, with this object, or with this process, however
// that ends.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schism/base/result.hpp"
#include "schism/guard/child.hpp"
#include "schism/process/wire.hpp"
#include "schism/sim/disk.hpp"
#include "schism/world/ballots.hpp"
#include "schism/world/world.hpp"

namespace schism {

class ProcessWorld final : public World {
 public:
  ProcessWorld() = default;
  ProcessWorld(const ProcessWorld&) = delete;
  ProcessWorld& operator=(const ProcessWorld&) = delete;
  ~ProcessWorld() override;

  // What this setup asks for and such a world cannot give; one sentence.
  static Status check(const Setup& setup);

  std::string_view name() const override { return "processes"; }
  const Capabilities& capabilities() const override;
  void reset(const Setup& setup) override;
  void reset(std::uint64_t node_seed) override;
  Refusal apply(const Action& action) override;
  bool settle(Micros bound) override;
  bool settles() const override { return true; }
  void end_run() override;

  std::vector<ClientRequest> requests() const override;
  void ask(const ClientRequest& request) override;

  bool cut(NodeId from, NodeId to) const override { return links_cut_[link(from, to)]; }
  Value inspect(NodeId node) const override;  // as its process last told
  Micros local_time(NodeId node) const override;
  std::vector<CrashOutcome> crash_outcomes(NodeId node) const override;

  // By the order of steps at each node, as far as it is known here.
  Hash128 causal_hash() const override;
  Hash128 digest() override { return digest_from_scratch(); }
  Hash128 digest_from_scratch() const override;
  Hash128 renamed_digest(const Renaming& renaming) const override;
  void keep_digest(bool) override {}
  void digest_times(DigestTimes) override {}

  void hold(Do kind, std::uint32_t slot, Holder who) override { set_hold(kind, slot, who, true); }
  void release(Do kind, std::uint32_t slot, Holder who) override {
    set_hold(kind, slot, who, false);
  }

  std::unique_ptr<Snapshot> snapshot() const override { return nullptr; }
  void restore(const Snapshot&) override;

 private:
  struct Timer {  // one (class, key) of a node
    int timer, key;
    std::uint32_t armed = 0;     // how often so far
    std::uint32_t slot = kNone;  // while armed
  };
  struct Node {
    const NodeClass* type = nullptr;
    std::unique_ptr<std::byte[]> storage;
    void* mirror = nullptr;
    std::unique_ptr<guard::Child> child;
    process::Wire wire;
    bool busy = false;         // in a handler
    std::uint32_t asleep = 0;  // how often it was seen so while it is
    bool up = false;
    int restarts = 0;
    Micros shift = 0;  // how far its clock is ahead of the wall's
    Hash128 hash;
    std::uint32_t created = 0;  // pending events so far
    std::vector<Timer> timers;
    std::vector<std::uint32_t> waits;  // oldest first
    std::uint32_t disk_ops[5] = {};
    std::vector<Name> unanswered;  // requests invoked here
    Disk disk;
  };
  struct Planned {  // a request
    int client;
    NodeId target;
    int type;
    Body* body;
  };

  Node& at(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }
  const Node& at(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  std::size_t link(NodeId from, NodeId to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(setup_.nodes) +
           static_cast<std::size_t>(to);
  }

  // ---- runs
  void clear_run();
  void build_nodes();
  void reset_sets();
  void plan_workload();
  void plan_request(const Planned& request);
  void offer_next_request(int client, const Hash128& id);
  void start_process(NodeId id);
  void end_process(Node& node);
  void show(NodeId id, const std::string& fields);

  // ---- actions
  Refusal dispatch(const Action& action);
  void begin_step(const Action& action, std::uint32_t slot);
  Refusal serve(const Action& action);  // deliver, fire, complete, submit
  void serve_message(NodeId id, std::uint32_t slot);
  void serve_timer(NodeId id, std::uint32_t slot);
  void serve_disk(NodeId id, std::uint32_t slot, bool fails);
  void serve_request(NodeId id, std::uint32_t slot);
  Refusal other_fate(const Action& action);  // drop, duplicate, mutate
  void lose_all(NodeId from, NodeId to);     // what is on that link
  Refusal crash(const Action& action);
  Refusal restart(const Action& action);
  Refusal cut_or_heal(const Action& action);
  Refusal note(const Action& action);  // begin, end
  Refusal calm_down(const Action& action);
  Refusal afford(const Action& action, std::uint32_t left) const;
  std::uint32_t find(Do table, Name name, std::uint32_t hint) const;

  // ---- what nodes do
  void call(NodeId id, process::Word word, Do kind, Name name, std::array<std::int64_t, 4> more,
            std::string content = {});
  void hear_out(NodeId id, Micros until);
  void take(NodeId id, const process::Frame& frame);
  void done(NodeId id, const process::Frame& frame);
  void send_one(NodeId from, NodeId to, int type, Body* body, std::uint32_t group);
  void launch(Name name, Body* body, const Hash128& id, std::uint32_t group);
  void set_timer(NodeId id, const process::Frame& frame);
  void cancel_timer(NodeId id, int timer, int key);
  void store(NodeId id, const process::Frame& frame);
  void complete_next(NodeId id);
  void answer(NodeId id, const process::Frame& frame);
  bool was_asked(Name request) const;
  bool enough_say(NodeId id, Name request, const process::Frame& frame);
  void fail(NodeId id, std::string message, bool fatal);
  void lost_process(NodeId id, bool hangs);
  Body* body_of(const TypeInfo& type, const std::string& json);
  Body* parse_body(const TypeInfo& type, const std::string& json);  // null: it cannot be read
  [[noreturn]] static void cannot_read(std::string_view what);
  void emit(Happened kind, NodeId node, NodeId peer, std::uint64_t value,
            const Body* body = nullptr, std::uint16_t detail = 0, bool flag = false);

  // ---- what is enabled
  Refusal why_not(Do kind, std::uint32_t slot) const;
  Refusal in_its_way(const Flight& flight) const;
  void refresh(Do kind, std::uint32_t slot);
  void refresh_all();
  void forget(Do kind, std::uint32_t slot);  // it is not pending any more; its body is not touched
  void set_hold(Do kind, std::uint32_t slot, Holder who, bool on);
  void refresh_listening() override;
  void retire(Body* body) { retired_.push_back(body); }

  Micros base() const;  // the clock of this world: the wall's, and what was skipped
  Micros clock_of(const Node& node) const { return base() + node.shift; }

  std::vector<Node> nodes_;
  std::vector<bool> links_cut_;
  std::vector<std::vector<std::uint32_t>> on_link_;  // its messages, oldest first
  std::vector<std::uint32_t> sent_;                  // a counter a (link, message type)
  std::vector<std::pair<std::uint64_t, int>> copies_;
  std::vector<Planned> workload_;
  std::vector<std::vector<std::uint32_t>> client_requests_;
  std::vector<std::uint32_t> client_next_;
  Ballots ballots_;
  std::vector<Macro> macros_;
  BodyPool pool_;
  std::vector<Body*> retired_;  // released when the next step begins
  Hash128 other_steps_;         // those at no node
  EventMask listening_ = 0;
  Micros began_ = 0, shift_ = 0;
  std::uint32_t group_ = 0;
  bool in_partition_ = false;
};

}  // namespace schism
