// The same node classes on real threads and the wall clock. Each node has a thread of its own with
// a mailbox; it sleeps until a message, a timer or a disk operation of its node is due in real time
// and then runs the handler itself. Clients have a thread too.
//
// The handlers run inside a SimWorld whose clock follows the wall clock, one at a time under one
// lock. So nodes do not run in parallel; what that buys is worth more here: every input of every
// handler (order, clock readings, random draws, disks, crashes) is recorded by the same code that
// replays it, so a live run is a trace that replays byte for byte, and the oracles judge every
// step as it happens. With handlers in parallel the order of their effects would be a guess, and
// a violation seen live could not be shown again.
//
//   LiveWorld live(config, options);
//   live.start();
//   live.crash(1);
//   live.stop();
//   Trace trace = live.trace();
//
// All members may be called from any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "schism/base/random.hpp"
#include "schism/live/mailbox.hpp"
#include "schism/step/game.hpp"
#include "schism/trace/trace.hpp"

namespace schism {

struct LiveOptions {
  std::uint64_t seed = 1;
  Micros delay_min = 1000, delay_max = 5000;  // of a message, beside what threads take
  double loss = 0;                            // chance that a message is lost
  Micros disk = 1000;                         // of a disk operation
  Micros think = 10'000;                      // of a client before each request
  std::uint64_t steps_max = 200'000;          // a longer record is of no use to anybody
  bool workload = true;                       // clients ask by themselves
  bool news = true;                           // keep what happens for news()
  bool announcements = false;                 // what nodes announce to oracles is news too
};

struct LiveStats {
  Micros clock = 0;
  std::uint64_t steps = 0, deliveries = 0, timers = 0, disk = 0, lost = 0, asked = 0, answered = 0;
};

class LiveWorld final : private Attendant {
 public:
  // Faults are made by hand here, so budgets in the configuration are not looked at.
  LiveWorld(const RunConfig& config, const LiveOptions& options);
  ~LiveWorld() override;  // stops

  // Why a system cannot run live; one sentence.
  static Status check(const RunConfig& config);

  void start();
  // All nodes stop for good, and oracles that judge whole runs judge this one.
  void stop();
  bool stopped() const;  // also by a violation

  // What a person does to it. An error says why it cannot be done now.
  Status crash(NodeId node);  // what its disk had not synced is kept or not, by the seed
  Status restart(NodeId node);
  Status pause(NodeId node);
  Status resume(NodeId node);
  Status cut(NodeId from, NodeId to);
  Status heal(NodeId from, NodeId to);
  Status ask(const ClientRequest& request);
  Status ask_next();         // the oldest request that a client of the workload would make now
  int fresh_client() const;  // a number that no client has

  Value inspect(NodeId node) const;  // null while it is down
  bool paused(NodeId node) const;
  LiveStats stats() const;
  std::vector<std::string> news();  // a line each, since the last call
  std::optional<Violation> violation() const;
  Trace trace() const;  // the run so far
  int nodes() const { return config_.setup.nodes; }
  const RunConfig& config() const { return config_; }

 private:
  struct Order {  // from a person to a node's thread
    Action action;
    Refusal refusal = Refusal::none;
    bool done = false;
  };
  struct Place {  // a node, or the clients
    Mailbox mailbox;
    std::deque<Order*> orders;
    std::condition_variable wake;
    std::thread thread;
  };
  using Lock = std::unique_lock<std::mutex>;

  void on_pending(World& world, Do kind, std::uint32_t slot) override;
  std::uint32_t on_choice(World& world, std::uint32_t n) override;

  void live_as(NodeId node);  // a thread's life
  void serve(NodeId node, const Mailbox::Due& due);
  void hand_out(const Mailbox::Due& due);  // a request to the node that will take it
  Refusal apply(Action action);
  void catch_up(Micros until, Micros grain);
  Status order(NodeId node, const Action& action);
  void after_step();
  void note(const Event& event);
  void wake_all();

  Place& clients() { return *places_.back(); }
  Place& place(NodeId node) { return *places_[static_cast<std::size_t>(node)]; }
  Micros wall() const;
  Micros latency(Name name) const;

  RunConfig config_;
  LiveOptions options_;
  mutable std::mutex mutex_;  // guards all below
  Game game_;
  Rng rng_;
  std::vector<std::unique_ptr<Place>> places_;  // a node each, then the clients
  std::condition_variable done_;
  std::chrono::steady_clock::time_point began_;
  std::vector<std::string> news_;
  LiveStats stats_;
  int workload_clients_ = 0, fresh_client_ = 0;
  bool asked_ = false;  // for more than the workload has
  bool stopping_ = false, running_ = false;
};

}  // namespace schism
