// What one node has on its disk, and the operations under way, as the library's I/O seam wants it:
//
//   term and vote     durable on return, past everything that is queued
//   appends           entries have no index of their own; completions in the order of submission
//   truncate          no completion, ordered between the appends before and after it
//   installed snapshot  replaces the log, in one durable write, ordered like an append
//   own snapshot      written beside the queue: it may finish before earlier and after later
//   appends reading it back   an operation of the queue
//
// A failed append fails everything that is queued behind it, and the log is what it was before.
// `LogView` is the log as the library last asked for it; once the queue is empty that is what the
// library should have in memory.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "schism/node/node.hpp"
#include "systems/craft/config.hpp"
#include "systems/craft/messages.hpp"

namespace schism::craft {

// The term and the hash of the whole prefix, for each index from `base` on.
class LogView {
 public:
  Index base() const { return base_; }
  Index last() const { return base_ + items_.size() - 1; }
  bool knows(Index index) const { return index >= base_ && index <= last(); }
  const Hash128& prefix(Index index) const { return items_[index - base_].prefix; }
  const Hash128& entry(Index index) const { return items_[index - base_].entry; }
  Term term(Index index) const { return items_[index - base_].term; }

  void append(const Entry& entry);
  void append(Term term, const Hash128& entry, const Hash128& prefix);
  void truncate(Index last_kept);
  // Nothing but a prefix that a snapshot vouches for.
  void reset(Index index, Term term, const Hash128& prefix);

  Hash128 digest() const { return absorb(absorb(items_.back().prefix, last()), base_); }

 private:
  struct Item {
    Term term = 0;
    Hash128 entry, prefix;
  };
  std::vector<Item> items_ = {Item{}};
  Index base_ = 0;
};

class Store {
 public:
  enum class Kind : std::uint8_t { append, truncate, install, get };
  struct Operation {
    Kind kind{};
    int tag = kNoTag;
    void* request = nullptr;  // the library's
    Index last_before = 0;    // of the log
    Index to = 0;             // truncate: the first index that goes
    int slot = 0;             // install: where the snapshot was written
    bool done = false, ok = true;
  };

  void recover(DiskHandle disk);
  bool pristine(DiskHandle disk) const;
  void bootstrap(DiskHandle disk, const Entry& first);

  void set_term(DiskHandle disk, Term term);
  void set_vote(DiskHandle disk, Server vote, const Config& config);
  void append(DiskHandle disk, const raft_entry* entries, unsigned n, void* request,
              const Config& config);
  void truncate(DiskHandle disk, Index index, const Config& config);
  void install(DiskHandle disk, const Snapshot& snapshot, void* request, const Config& config);
  void keep_own(DiskHandle disk, const Snapshot& snapshot, unsigned trailing, const Config& config);
  void get(DiskHandle disk, void* request);

  // Of a tag that is not known any more: nothing happens.
  void complete(DiskHandle disk, int tag, bool ok);
  // The next one in order whose callback is due; false: none.
  bool next_done(Operation& out);
  // All that are left, done or not.
  std::deque<Operation> abandon();

  const Metadata& metadata() const { return metadata_; }
  const std::optional<Snapshot>& snapshot() const { return snapshot_; }
  const LogView& log() const { return log_; }
  // What load() finds: the entries from `first_kept` on.
  const std::vector<Entry>& loaded() const { return loaded_; }
  Index loaded_first() const { return loaded_first_; }
  bool idle() const { return queue_.empty(); }
  bool failed() const { return failed_; }  // since the start
  bool broken() const { return broken_; }  // a failed install: the log is in doubt for good
  std::size_t queued() const { return queue_.size(); }
  Hash128 digest() const;

 private:
  std::uint32_t place_of(Index index) const {
    return static_cast<std::uint32_t>(index - segment_first_);
  }
  int log_file() const;
  SnapshotRecord record_of(const Snapshot& snapshot, const Config& config);
  void roll_back(DiskHandle disk, std::size_t from);
  Operation& push(Kind kind, void* request);
  void load_log(DiskHandle disk, Index first_kept);

  Metadata metadata_;
  std::optional<Snapshot> snapshot_;
  LogView log_;
  std::vector<Entry> loaded_;
  Index loaded_first_ = 1;
  std::deque<Operation> queue_;
  int next_tag_ = 0;
  int segment_ = 0, slot_ = 1;  // the slot that was written last
  Index segment_first_ = 1;
  std::uint64_t number_ = 0;  // of snapshots
  bool failed_ = false, broken_ = false;
};

}  // namespace schism::craft
