// The world in this process. It hosts the nodes of one run, keeps their messages, timers, disks and
// links, and applies one action at a time. sim_world.cpp is the way of a message, sim_services.cpp
// clients and disks, sim_faults.cpp what goes wrong, sim_state.cpp resets, digests and snapshots.
//
// Rebuilt in place by reset(): memory is bounded by what was in flight at once.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "schism/node/host.hpp"
#include "schism/sim/disk.hpp"
#include "schism/world/ballots.hpp"
#include "schism/world/world.hpp"

namespace schism {

class SimWorld final : private Host, public World {
 public:
  SimWorld() = default;
  SimWorld(const SimWorld&) = delete;
  SimWorld& operator=(const SimWorld&) = delete;
  ~SimWorld() override;

  std::string_view name() const override { return "simulated nodes"; }
  const Capabilities& capabilities() const override { return capabilities_; }
  void reset(const Setup& setup) override;
  void reset(std::uint64_t node_seed) override;
  Refusal apply(const Action& action) override;

  bool cut(NodeId from, NodeId to) const override {
    return link(from, to).run == run_ && link(from, to).cut;
  }
  Value inspect(NodeId node) const override;
  Micros local_time(NodeId node) const override { return local_time(at(node)); }

  std::vector<CrashOutcome> crash_outcomes(NodeId node) const override;
  std::uint32_t syncs(NodeId place) const override { return at(place).disk.syncs(); }

  Hash128 causal_hash() const override { return total_; }
  Hash128 digest() override;
  Hash128 digest_from_scratch() const override;
  Hash128 renamed_digest(const Renaming& r) const override;
  void keep_digest(bool on) override;
  void digest_times(DigestTimes times) override;

  void hold(Do kind, std::uint32_t slot, Holder who) override;
  void release(Do kind, std::uint32_t slot, Holder who) override;

  std::unique_ptr<Snapshot> snapshot() const override;
  void restore(const Snapshot& snapshot) override;

  std::vector<ClientRequest> requests() const override;
  void ask(const ClientRequest& request) override;
  void end_run() override { destroy_nodes(); }

  std::size_t bytes_reserved() const { return pool_.bytes_reserved(); }

 private:
  struct TimerKey {  // one (class, key) of a node
    int timer, key;
    std::uint32_t armed = 0;     // how often so far
    std::uint32_t slot = kNone;  // while armed
  };
  struct alignas(64) NodeState {
    // What every delivery needs, in one cache line.
    Hash128 hash;  // causal: everything that touched this node
    void* object = nullptr;
    const NodeClass* type = nullptr;
    // What uses this node's being up (`gate`) without touching the node: uses commute.
    Hash128 gate_uses;
    int restarts = 0;
    bool up = false, paused = false;
    bool dirty = true;  // its digest is out of date

    Micros clock = 0;  // its own, in untimed runs
    Micros skew = 0;
    std::int64_t drift_ppm = 0;
    Hash128 gate;
    Hash128 digest;
    std::vector<TimerKey> timers;
    std::uint32_t wait_head = kNone, wait_tail = kNone;
    std::uint32_t disk_ops[5] = {};
    std::vector<Name> unanswered;       // requests invoked here
    std::vector<std::uint16_t> askers;  // clients that asked here, where any node may answer
    Disk disk;
  };
  struct Link {
    std::uint32_t head = kNone, tail = kNone;  // its messages, oldest first
    std::uint32_t run = 0;                     // in which the rest was last set
    bool cut = false;
  };
  struct LinkGate {  // cuts and heals against what is sent and received over the link
    Hash128 hash, uses;
  };
  struct Copies;    // a snapshot
  struct Planned {  // a request
    int client;
    NodeId target;
    int type;
    Body* body;
  };

  const NodeState& at(NodeId node) const { return nodes_[static_cast<std::size_t>(node)]; }
  NodeState& at(NodeId node) { return nodes_[static_cast<std::size_t>(node)]; }
  std::size_t link_index(NodeId from, NodeId to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(places_) +
           static_cast<std::size_t>(to);
  }
  const Link& link(NodeId from, NodeId to) const { return links_[link_index(from, to)]; }
  Link& link(NodeId from, NodeId to) { return links_[link_index(from, to)]; }

  // ---- Host: what nodes ask for
  void post(NodeId to, int type, void* message) override;
  void post_to_others(int type, void* message) override;
  void set_timer(int timer, int key, Micros least, Micros most) override;
  void cancel_timer(int timer, int key) override;
  Micros now() override;
  std::uint64_t draw() override;
  std::uint64_t draw_below(std::uint64_t n) override;
  std::uint32_t choose(std::uint32_t n) override;
  void announce(const TypeInfo& type, const void* content) override;
  void answer(Name request, const TypeInfo& type, const void* content) override;
  void fail(std::string message) override;
  void disk(DiskOp op, int file, const TypeInfo* type, void* record, std::uint32_t length,
            int tag) override;
  void disk_sync_now() override;
  void disk_write_now(int file, const TypeInfo& type, void* record) override;
  std::uint32_t disk_length(int file) override;
  StoredRecord disk_record(int file, std::uint32_t index) override;

  // ---- actions
  Refusal dispatch(const Action& action);
  Refusal deliver(const Action& action);
  Refusal fire(const Action& action);
  Refusal complete(const Action& action);
  Refusal submit(const Action& action);
  Refusal drop(const Action& action);
  Refusal duplicate(const Action& action);
  Refusal mutate(const Action& action);
  Refusal inject(const Action& action);
  Refusal omit(const Action& action);
  Refusal crash(const Action& action);
  Refusal restart(const Action& action);
  Refusal forget(const Action& action);
  Refusal pause(const Action& action);
  Refusal resume(const Action& action);
  Refusal cut_link(const Action& action);
  Refusal heal_link(const Action& action);
  Refusal advance(const Action& action);
  Refusal begin(const Action& action);
  Refusal end(const Action& action);
  Refusal calm_down(const Action& action);

  // ---- a step
  void begin_step(const Action& action, std::uint32_t slot);
  void mark_dirty(NodeState& node);
  void enter(NodeId node, const Hash128& label, Do kind, Name name);  // before a handler
  void leave();                                                       // after it
  template <class F>
  void handle(F&& handler);  // calls it
  void threw(const std::exception* exception);
  void die(NodeId node);  // as the setup says
  bool dies_at(std::uint32_t step, bool inside) const;
  void touch(Hash128& object, const Hash128& label);
  void touch_gate(NodeState& node, const Hash128& label);  // exclusively
  void touch_gate(LinkGate& gate, const Hash128& label);
  void touch_fate(const Action& action, Name message, const Hash128& label);  // but for delivery
  // Signed items (node/signed.hpp) of what a liar gets and sends; and of a lie: the liars' own are
  // signed anew, others must be known to them.
  void note_seals(const Body* body);
  Refusal seal(const TypeInfo& type, void* content) const;
  Value unsealed(const TypeInfo& type, const void* content);
  void touch_liars(const Hash128& label);
  Refusal afford(const Action& action, std::uint32_t left) const;
  void pay(const Action& action, std::uint32_t& left);
  void touch_observers(const Hash128& label);
  void complete_at_once(NodeId node);
  std::uint64_t next_draw();
  void emit(Happened kind, NodeId node, NodeId peer, std::uint64_t value,
            const Body* body = nullptr, std::uint16_t detail = 0, bool flag = false);
  void retire(Body* body) { retired_.push_back(body); }
  bool ticking() const { return setup_.options.time != TimeUse::untimed || calm_; }
  Micros local_time(const NodeState& node) const;
  Micros global_delay(const NodeState& node, Micros delay) const;

  // ---- the network
  void launch(Link& link, Name name, Body* body, const Hash128& id, std::uint32_t group);
  void send_one(NodeId to, int type, Body* body, std::uint32_t group);
  void send_to_all_of(NodeId node, int type, Body* body, std::uint32_t group);
  void refresh(std::uint32_t flight);  // is it deliverable now?
  void refresh_link(NodeId from, NodeId to);
  void refresh_node(NodeId node);  // all that waits for or at a node
  Refusal why_not(const Flight& flight) const;
  Refusal in_its_way(const Flight& flight) const;
  Refusal why_no_fate(const Flight& flight) const;
  std::uint32_t find_flight(const Action& action) const;
  void remove_flight(std::uint32_t slot);
  void lose(std::uint32_t slot);
  Name next_name(NodeId from, NodeId to, int type);
  Link& touch_link(NodeId from, NodeId to);

  // ---- timers, disks, requests
  void disarm(NodeState& node, TimerKey& key);
  void refresh_timer(std::uint32_t slot);
  void set_hold(Do kind, std::uint32_t slot, Holder who, bool on);
  std::uint32_t find_wait(const Action& action) const;
  void remove_wait(NodeState& node, std::uint32_t slot);
  void refresh_wait(std::uint32_t slot);
  void finish_wait(NodeId node, std::uint32_t slot, bool ok);
  void offer_next_request(int client, const Hash128& id);
  bool was_asked(Name request) const;
  // Where clients believe what several nodes say.
  void vote(Name request, const TypeInfo& type, const void* content);
  bool believed(Name request, const Hash128& answer);
  void heard(Happened kind, Name request, const TypeInfo& type, const void* content);
  bool close(Name request);
  void note_asker(NodeState& node, int client, const Hash128& label);
  void refresh_asking(std::uint32_t slot);

  void build_nodes();
  void build_node(NodeId id);
  void reset_sets();
  void reset_hashes();
  void reset_node(NodeId node, bool build);
  void stop_handlers(NodeState& node);
  void free_clients(NodeState& node, const Hash128& label);
  void destroy_nodes();
  void clear_run();
  void tell_of_crash(NodeId node);
  void start_node(NodeId node, Do kind, Name name, const Hash128& label);
  void run_start(NodeId node, Do kind, Name name, const Hash128& label);
  void plan_workload();
  void plan_request(const Planned& request);
  void grow_clients();
  Hash128 node_digest(const NodeState& node) const;
  Hash128 rest_digest() const;
  Hash128 node_rest(const NodeState& node, Hash128 h) const;  // timers and waits, onto h
  Hash128 renamed_content(const Flight& flight, const Renaming& r) const;
  Hash128 renamed_flights(const Renaming& r) const;
  Hash128 renamed_rest(const Renaming& r) const;
  Hash128 budgets_left() const;
  Hash128 digest_of(const Hash128& nodes, const Hash128& in_flight, const Hash128& rest) const;
  void refresh_digest(NodeId node);
  Hash128 content_of(const Flight& flight) const;
  Hash128 fifo_contents() const;
  void refresh_listening() override;

  Capabilities capabilities_;
  const System* built_for_ = nullptr;
  std::vector<NodeState> nodes_;
  std::vector<std::unique_ptr<std::byte[]>> storage_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> sent_;   // a counter a (link, message type)
  std::vector<LinkGate> link_gates_;  // only where links may be cut
  std::vector<Hash128> link_order_;   // only on links that keep order: fates of its messages
  std::vector<std::vector<std::uint32_t>> client_requests_;  // indices into workload_
  std::vector<std::uint32_t> client_next_;
  std::vector<Planned> workload_;
  std::vector<Hash128> observer_hashes_;
  std::vector<Hash128> client_hashes_;  // only where any node may answer
  Ballots ballots_;
  int answers_needed_ = 0;             // 0: a client believes the first
  Hash128 budgets_[kActionKindCount];  // a shared budget is an object
  BodyPool pool_;
  std::vector<Body*> retired_;  // released when the next step begins
  absl::flat_hash_map<std::uint64_t, int> copies_;
  Hash128 total_;  // the causal hash
  // While keep_digest_: sums over contents in flight and over nodes, and the rest.
  Hash128 in_flight_, node_digests_, rest_;
  std::vector<NodeId> dirty_;  // nodes whose digest is out of date
  bool rest_changed_ = true;
  std::uint32_t run_ = 0, group_ = 0, injected_ = 0;
  int message_types_ = 0;
  absl::flat_hash_set<std::uint64_t> seen_;  // signatures that some liar has received or made
  Hash128 seen_sum_;
  std::vector<Macro> macros_;  // that have begun, the innermost last
  int notice_type_ = -1;       // of the message that tells of a crash
  bool notice_own_ = false;
  bool in_partition_ = false;  // one of them is
  bool died_ = false;          // its nodes are left as they are
  std::uint32_t calls_ = 0;    // of handlers
  bool sets_changed_ = true;   // who is up, paused, cut: only faults change them
  Hash128 beginning_;          // of the causal hash, but for the node seed
  bool gates_nodes_ = false, gates_sends_ = false, gates_links_ = false, orders_sends_ = false;
  bool keep_digest_ = false;
  DigestTimes times_ = DigestTimes::distances;

  // Nodes and the twins of liars after them (Setup::places). `Host::self` is whose handler runs,
  // `here_` where: each copy of a liar has its own state, disk, timers, links and draws.
  int places_ = 0;
  NodeId here_ = 0;

  // of the handler that runs now
  NodeState* current_ = nullptr;
  Hash128 label_;
  std::uint64_t trigger_ = 0, draws_ = 0;
  std::uint32_t created_ = 0;  // pending events created by this step
  bool clock_read_ = false;
};

}  // namespace schism
