#include "systems/craft/store.hpp"

#include <algorithm>
#include <utility>

namespace schism::craft {
namespace {

constexpr int kMetadata = 0;
constexpr int kSnapshot = 1;  // two slots
constexpr int kLog = 3;       // two segments

template <class T>
std::optional<T> load_one(DiskHandle disk, int file) {
  auto records = disk.load<T>(file);
  if (records.empty() || records.back().torn) return std::nullopt;
  return std::move(records.back().value);
}

}  // namespace

// ---- the log as it should be ---------------------------------------------------------------

void LogView::append(const Entry& entry) {
  const Hash128 digest = entry.digest();
  append(entry.term, digest, absorb(items_.back().prefix, digest));
}

void LogView::append(Term term, const Hash128& entry, const Hash128& prefix) {
  items_.push_back({term, entry, prefix});
}

void LogView::truncate(Index last_kept) {
  if (last_kept < last() && last_kept >= base_) items_.resize(last_kept - base_ + 1);
}

void LogView::reset(Index index, Term term, const Hash128& prefix) {
  items_.assign(1, {term, {}, prefix});
  base_ = index;
}

// ---- a start -------------------------------------------------------------------------------

int Store::log_file() const { return kLog + segment_; }

void Store::recover(DiskHandle disk) {
  if (const auto found = load_one<Metadata>(disk, kMetadata)) metadata_ = *found;
  Index first_kept = 1;
  for (const int slot : {0, 1}) {
    const auto found = load_one<SnapshotRecord>(disk, kSnapshot + slot);
    if (!found || found->number <= number_) continue;
    number_ = found->number;
    slot_ = slot;
    segment_ = found->segment;
    segment_first_ = found->segment_first;
    first_kept = found->first_kept;
    snapshot_ = found->snapshot;
  }
  load_log(disk, first_kept);
}

// A torn record can only be the last one. Where the log ends before the snapshot, or has a hole
// behind it, nothing of it counts.
void Store::load_log(DiskHandle disk, Index first_kept) {
  const auto records = disk.load<LogRecord>(log_file());
  std::size_t count = records.size();
  if (count > 0 && records.back().torn) --count;
  const Index last = segment_first_ + count - 1;
  const Index snapshot_index = snapshot_ ? snapshot_->index : 0;
  if (snapshot_ && last < snapshot_index) {
    segment_ = 1 - segment_;
    segment_first_ = snapshot_index + 1;
    disk.truncate(log_file(), 0);
    disk.write(kSnapshot + slot_,
               SnapshotRecord{number_, *snapshot_, segment_, segment_first_, segment_first_});
    first_kept = segment_first_;
    count = 0;
  } else if (count < records.size()) {
    disk.truncate(log_file(), static_cast<std::uint32_t>(count));
  }
  disk.sync_now();

  loaded_first_ = std::max(first_kept, segment_first_);
  if (snapshot_) log_.reset(snapshot_index, snapshot_->term, snapshot_->history().log);
  loaded_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const LogRecord& record = records[i].value;
    const Index index = segment_first_ + i;
    if (index < loaded_first_) continue;
    if (loaded_.empty() && index <= snapshot_index) log_.reset(index - 1, 0, {});
    loaded_.push_back(record.entry);
    log_.append(record.entry.term, record.entry.digest(), record.prefix);
  }
}

bool Store::pristine(DiskHandle disk) const {
  return disk.length(kMetadata) == 0 && disk.length(log_file()) == 0 && !snapshot_;
}

void Store::bootstrap(DiskHandle disk, const Entry& first) {
  metadata_ = {1, kNobody};
  disk.write_now(kMetadata, metadata_);
  log_.append(first);
  disk.append(log_file(), LogRecord{1, first, log_.prefix(1)});
  disk.sync_now();
  loaded_.push_back(first);
}

// ---- term and vote -------------------------------------------------------------------------

void Store::set_term(DiskHandle disk, Term term) {
  metadata_ = {term, kNobody};
  disk.write_now(kMetadata, metadata_);
}

void Store::set_vote(DiskHandle disk, Server vote, const Config& config) {
  metadata_.vote = vote;
  if (!config.vote_not_persisted) disk.write_now(kMetadata, metadata_);
}

// ---- the log and snapshots -----------------------------------------------------------------

Store::Operation& Store::push(Kind kind, void* request) {
  Operation& op = queue_.emplace_back();
  op.kind = kind;
  op.tag = next_tag_++;
  op.request = request;
  op.last_before = log_.last();
  return op;
}

void Store::append(DiskHandle disk, const raft_entry* entries, unsigned n, void* request,
                   const Config& config) {
  Operation& op = push(Kind::append, request);
  for (unsigned i = 0; i < n; ++i) {
    LogRecord record{log_.last() + 1, copy_of(entries[i]), {}};
    log_.append(record.entry);
    record.prefix = log_.prefix(record.index);
    const bool early = config.ack_before_durable && i + 1 == n;
    disk.append(log_file(), std::move(record), early ? op.tag : kNoTag);
  }
  if (!config.ack_before_durable) disk.sync(op.tag);
}

void Store::truncate(DiskHandle disk, Index index, const Config& config) {
  Operation& op = push(Kind::truncate, nullptr);
  op.to = index;
  op.done = true;
  log_.truncate(index - 1);
  if (!config.truncate_forgotten) disk.truncate(log_file(), place_of(index));
  if (queue_.size() == 1) queue_.pop_back();  // nothing before it: it is as good as done
}

SnapshotRecord Store::record_of(const Snapshot& snapshot, const Config& config) {
  SnapshotRecord record;
  record.number = ++number_;
  record.snapshot = snapshot;
  if (config.snapshot_forgets_members && record.snapshot.configuration.size() > 1)
    record.snapshot.configuration.pop_back();
  slot_ = 1 - slot_;
  return record;
}

void Store::install(DiskHandle disk, const Snapshot& snapshot, void* request,
                    const Config& config) {
  Operation& op = push(Kind::install, request);
  segment_ = 1 - segment_;
  segment_first_ = snapshot.index + 1;
  disk.truncate(log_file(), 0);
  SnapshotRecord record = record_of(snapshot, config);
  op.slot = slot_;
  record.segment = segment_;
  record.segment_first = record.first_kept = segment_first_;
  snapshot_ = record.snapshot;
  log_.reset(snapshot.index, snapshot.term, snapshot.history().log);
  disk.write(kSnapshot + slot_, std::move(record));
  disk.sync(op.tag);
}

void Store::keep_own(DiskHandle disk, const Snapshot& snapshot, unsigned trailing,
                     const Config& config) {
  SnapshotRecord record = record_of(snapshot, config);
  record.segment = segment_;
  record.segment_first = segment_first_;
  record.first_kept =
      std::max(segment_first_, snapshot.index > trailing ? snapshot.index - trailing + 1 : 1);
  snapshot_ = record.snapshot;
  disk.write_now(kSnapshot + slot_, std::move(record));
}

void Store::get(DiskHandle disk, void* request) {
  disk.read(kSnapshot + slot_, push(Kind::get, request).tag);
}

// ---- completions ---------------------------------------------------------------------------

void Store::complete(DiskHandle disk, int tag, bool ok) {
  const auto found = std::find_if(queue_.begin(), queue_.end(),
                                  [&](const Operation& op) { return op.tag == tag && !op.done; });
  if (found == queue_.end()) return;
  found->done = true;
  found->ok = ok;
  if (!ok && found->kind != Kind::get)
    roll_back(disk, static_cast<std::size_t>(found - queue_.begin()));
}

// Reads behind it go on; all that writes fails with it.
void Store::roll_back(DiskHandle disk, std::size_t from) {
  failed_ = true;
  Index last = queue_[from].last_before;
  for (std::size_t i = from; i < queue_.size(); ++i) {
    Operation& op = queue_[i];
    if (op.kind == Kind::get) continue;
    if (op.kind == Kind::truncate) last = std::min(last, op.to - 1);
    if (op.kind == Kind::install) {
      broken_ = true;
      disk.truncate(kSnapshot + op.slot, 0);
    }
    op.done = true;
    op.ok = false;
  }
  if (broken_) return;
  log_.truncate(last);
  disk.truncate(log_file(), place_of(last + 1));
}

bool Store::next_done(Operation& out) {
  while (!queue_.empty() && queue_.front().done) {
    out = queue_.front();
    queue_.pop_front();
    if (out.kind != Kind::truncate) return true;
  }
  return false;
}

std::deque<Store::Operation> Store::abandon() { return std::exchange(queue_, {}); }

Hash128 Store::digest() const {
  Hash128 h =
      absorb(absorb(log_.digest(), metadata_.term), static_cast<std::uint64_t>(metadata_.vote));
  for (const Operation& op : queue_)
    h = absorb(absorb(h, static_cast<std::uint64_t>(op.kind)), op.last_before);
  return absorb(h, snapshot_ ? snapshot_->digest() : Hash128{});
}

}  // namespace schism::craft
