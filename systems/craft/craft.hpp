// A server of C-Raft: the unmodified library behind its `raft_io` seam, hosted by our world.
//
//   server.cpp   entries into the library: start, messages, timers, disk completions, close
//   io.cpp       its exits: the functions of raft_io and raft_fsm
//   requests.cpp what clients ask for
//   observe.cpp  what can be seen after each entry, and what must not be
//
// The library is entered from a handler only, with `context` and the arena set; what it submits is
// finished by a later event: messages' callbacks by the timer `sent`, the disk by completions, own
// snapshots and background work by the timer `work`. Destroying the node runs none of its code.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "schism/node/node.hpp"
#include "systems/craft/arena.hpp"
#include "systems/craft/config.hpp"
#include "systems/craft/messages.hpp"
#include "systems/craft/store.hpp"

namespace schism::craft {

SCHISM_ENUM(Timer, tick, sent, work);

// What a leader knows about another server.
struct Progress {
  Server server = kNobody;
  int mode = 0;  // probe, pipeline, snapshot
  Index next = 0, match = 0;
  bool heard = false;
  FIELDS(server, mode, next, match, heard)
};

struct Craft : Node<Craft, RequestVote, RequestVoteResult, AppendEntries, AppendEntriesResult,
                    InstallSnapshot, TimeoutNow> {
  using Config = craft::Config;
  using Timers = Timer;
  using Requests = Types<Apply, Reconfigure, Transfer, Close>;

  Craft() : arena_(take_arena()) {}
  Craft(const Craft&) = delete;
  Craft& operator=(const Craft&) = delete;
  ~Craft() { give_back(std::move(arena_)); }

  // As after the last entry into the library.
  Role state = Role::unavailable;
  Term term = 0;
  Server vote = kNobody;
  Server leader = kNobody;
  Index first = 1, last = 0, stored = 0, commit = 0, applied = 0;
  std::vector<Term> terms;  // of the entries from first to last
  Index configuration_index = 0, configuration_uncommitted = 0;
  History machine;
  FIELDS(state, term, vote, leader, first, last, terms, stored, commit, applied,
         configuration_index, configuration_uncommitted, members(), machine, progress(),
         snapshot_index(), busy(), timeout(), disk())

  void start(Context& c);
  void on(Context& c, NodeId from, const RequestVote& m) { receive(c, from, m); }
  void on(Context& c, NodeId from, const RequestVoteResult& m) { receive(c, from, m); }
  void on(Context& c, NodeId from, const AppendEntries& m) { receive(c, from, m); }
  void on(Context& c, NodeId from, const AppendEntriesResult& m) { receive(c, from, m); }
  void on(Context& c, NodeId from, const InstallSnapshot& m) { receive(c, from, m); }
  void on(Context& c, NodeId from, const TimeoutNow& m) { receive(c, from, m); }
  void on_timer(Context& c, Timer timer, int key);
  void on_disk(Context& c, const DiskDone& done);
  void on_request(Context& c, RequestId id, const Apply& r);
  void on_request(Context& c, RequestId id, const Reconfigure& r);
  void on_request(Context& c, RequestId id, const Transfer& r);
  void on_request(Context& c, RequestId id, const Close& r);

  // For oracles, tests and readers.
  const raft& library() const { return raft_; }
  const LogView& log() const { return store_.log(); }
  const Store& store() const { return store_; }
  bool leads() const { return state == Role::leader; }
  bool running() const { return running_; }
  bool io_failed() const { return io_failed_ || store_.failed(); }
  Configuration members() const;
  std::vector<Progress> progress() const;
  Index snapshot_index() const { return raft_.log.snapshot.last_index; }
  std::uint32_t busy() const;                                // what is under way, one bit each
  unsigned timeout() const;                                  // the randomised one
  std::uint64_t disk() const { return store_.digest().lo; }  // all that is on it, as one number

 private:
  friend struct Exits;  // io.cpp

  struct Sending {
    raft_io_send* request;
    int status;
  };
  // A client's request inside the library, which keeps a pointer to it until its callback.
  struct Open {
    Craft* node = nullptr;
    RequestId id;
    bool live = false;
    bool barrier = false;  // its own
    union {
      struct raft_apply apply;
      struct raft_barrier barrier_request;
      struct raft_change change;
      struct raft_transfer transfer;
    };
    Open() : apply{} {}
  };

  template <class M>
  void receive(Context& c, NodeId from, const M& m);
  void deliver(Context& c, NodeId from, raft_message& message);

  void begin(Context& c);
  void boot(Context& c);
  void enter(Context& c);
  void leave(Context& c);
  void finish_sends();
  void finish_operation(const Store::Operation& op, int status);
  void finish_work(int key, int status);
  void close(Context& c);

  Open& open_request(RequestId id);
  void answer(Open& open, int status);
  void refuse(Context& c, RequestId id, int status);
  int change(raft_change& request, raft_change_cb done, Server server, Wish to);
  bool may_lose_voter(Context& c, Server server) const;
  void append_barrier();

  // A snapshot of the leader's, not one of its own, which has nothing to do with the log.
  bool installing() const { return raft_.snapshot.put.data && !put_ && !work_; }
  void observe(Context& c);
  void observe_commit(Context& c, bool led_before);
  void observe_configuration(Context& c);
  void observe_terms();
  void compare_with_disk(Context& c);
  const raft_entry* entry_at(Index index) const;
  void flaw(FlawKind kind, std::string what);

  static constexpr int kOwnSnapshot = 0, kBackground = 1;  // keys of the timer `work`

  std::unique_ptr<Arena> arena_;
  Context* context_ = nullptr;  // while the library runs
  raft raft_ = {};
  raft_io io_ = {};
  raft_fsm fsm_ = {};
  raft_io_tick_cb tick_ = nullptr;
  raft_io_recv_cb receive_ = nullptr;
  raft_io_close_cb closed_ = nullptr;
  Store store_;
  std::vector<Sending> sends_, finishing_;
  raft_io_snapshot_put* put_ = nullptr;  // of an own snapshot
  Snapshot put_snapshot_;
  unsigned put_trailing_ = 0;
  raft_io_async_work* work_ = nullptr;
  std::deque<Open> open_;
  Term barrier_term_ = 0;  // in which it appended one last
  Micros period_ = 0;
  int failed_sends_ = 0, failed_snapshots_ = 0;
  bool running_ = false, closing_ = false, io_failed_ = false;
  bool restored_ = false, log_changed_ = false, memory_flawed_ = false, shut_down_seen_ = false;
  Index compared_ = 0;  // the older entry that was compared with the disk last
};

template <class M>
void Craft::receive(Context& c, NodeId from, const M& m) {
  if (!running_) return;
  Arena::enter(arena_.get());
  raft_message message = to_library(m);
  deliver(c, from, message);
}

}  // namespace schism::craft
