// One node's disk: numbered files of records, what is durable, and what a crash may lose. The node
// sees `now`; a crash falls back to `durable` plus the oldest operations of the journal that the
// crash's outcome keeps. Bodies are shared with the pool that made them.
#pragma once

#include <cstdint>
#include <vector>

#include "schism/node/host.hpp"
#include "schism/words/action.hpp"
#include "schism/world/body.hpp"

namespace schism {

class Disk {
 public:
  // Takes over the caller's share of `record`. Returns the operation's place in the journal.
  std::uint64_t apply(BodyPool& pool, DiskOp op, int file, Body* record, std::uint32_t length);
  // Everything up to and including that place is durable.
  void make_durable(BodyPool& pool, std::uint64_t place);
  void make_all_durable(BodyPool& pool) { make_durable(pool, place_); }
  // The file becomes this one record at once, past the journal; what the journal has for the same
  // file, and so everything before that, becomes durable with it. Takes over the caller's share.
  void write_through(BodyPool& pool, int file, Body* record);

  // How many operations a crash could lose, and whether the one after `kept` can be torn.
  std::uint32_t unsynced() const { return static_cast<std::uint32_t>(journal_.size()); }
  bool can_tear(std::uint32_t kept) const;
  void crash(BodyPool& pool, CrashOutcome outcome);

  // What was durable after each of the first syncs that changed anything, for a restart from one of
  // them; kept only where that is on. And back to it: 0 is before all of them.
  void keep_syncs(bool on) { keeps_syncs_ = on; }
  std::uint32_t syncs() const { return static_cast<std::uint32_t>(past_.size()); }
  void go_back_to(BodyPool& pool, std::uint32_t syncs);

  std::uint32_t length(int file) const;
  StoredRecord record(int file, std::uint32_t index) const;

  // Everything the future depends on: both views and the journal. O(files + journal).
  Hash128 digest() const;
  Hash128 digest_from_scratch() const;
  Hash128 renamed_digest(const Renaming& r) const;  // with nodes in the records called otherwise
  // As if nothing had ever been written: a file that was emptied is as one that never was.
  bool pristine() const;
  // How many operations that a crash could lose were queued before a place in the journal.
  std::uint64_t queued_before(std::uint64_t place) const;

  void clear(BodyPool& pool);
  // For snapshots: each body gets one more owner.
  void share_bodies() const;

 private:
  struct Record {
    Body* body;
    Hash128 prefix;  // of this and all records before it
    bool torn;
  };
  using File = std::vector<Record>;
  using Files = std::vector<File>;
  struct Operation {
    DiskOp op;
    int file;
    Body* record;
    std::uint32_t length;
  };

  static constexpr std::size_t kSyncsMax = 64;

  static void perform(BodyPool& pool, Files& files, const Operation& operation, bool torn);
  static void push(File& file, Body* body, bool torn);
  static void drop_tail(BodyPool& pool, File& file, std::size_t length);
  static void drop(BodyPool& pool, Files& files);
  static Files shared(const Files& files);
  static Hash128 absorb_files(Hash128 h, const Files& files);
  static Hash128 absorb_renamed(Hash128 h, const Files& files, const Renaming& r);
  bool settle(BodyPool& pool, std::uint64_t place);  // false: there was nothing to
  void note_sync();

  Files durable_, now_;
  std::vector<Files> past_;
  bool keeps_syncs_ = false;
  std::vector<Operation> journal_;  // applied to now_, not to durable_
  std::uint64_t place_ = 0;         // of the newest operation
};

}  // namespace schism
