#include "schism/sim/disk.hpp"

#include <cassert>

namespace schism {
namespace {

Hash128 record_hash(const Hash128& before, const Body& body, bool torn) {
  return absorb(absorb(before, torn ? Hash128{1, 2} : body.type->hash(body.content())), 1);
}

}  // namespace

void Disk::push(File& file, Body* body, bool torn) {
  const Hash128 before = file.empty() ? Hash128{} : file.back().prefix;
  file.push_back({body, record_hash(before, *body, torn), torn});
}

void Disk::drop_tail(BodyPool& pool, File& file, std::size_t length) {
  while (file.size() > length) {
    pool.release(file.back().body);
    file.pop_back();
  }
}

void Disk::drop(BodyPool& pool, Files& files) {
  for (File& file : files) drop_tail(pool, file, 0);
  files.clear();
}

Disk::Files Disk::shared(const Files& files) {
  for (const File& file : files)
    for (const Record& record : file) BodyPool::share(record.body);
  return files;
}

void Disk::perform(BodyPool& pool, Files& files, const Operation& operation, bool torn) {
  const auto index = static_cast<std::size_t>(operation.file);
  if (index >= files.size()) files.resize(index + 1);
  File& file = files[index];
  switch (operation.op) {
    case DiskOp::write: drop_tail(pool, file, 0); [[fallthrough]];
    case DiskOp::append: push(file, BodyPool::share(operation.record), torn); break;
    case DiskOp::truncate: drop_tail(pool, file, operation.length); break;
    case DiskOp::sync:
    case DiskOp::read: break;
  }
}

std::uint64_t Disk::apply(BodyPool& pool, DiskOp op, int file, Body* record, std::uint32_t length) {
  assert(file >= 0 && file < 4096 && "files are numbered from 0");
  if (op == DiskOp::sync || op == DiskOp::read) return place_;
  const Operation operation{op, file, record, length};
  perform(pool, now_, operation, false);
  journal_.push_back(operation);
  return ++place_;
}

void Disk::make_durable(BodyPool& pool, std::uint64_t place) {
  if (settle(pool, place)) note_sync();
}

void Disk::note_sync() {
  if (keeps_syncs_ && past_.size() < kSyncsMax) past_.push_back(shared(durable_));
}

void Disk::go_back_to(BodyPool& pool, std::uint32_t syncs) {
  assert(syncs <= past_.size());
  for (const Operation& o : journal_)
    if (o.record) pool.release(o.record);
  journal_.clear();
  for (Files* files : {&durable_, &now_}) {
    drop(pool, *files);
    if (syncs > 0) *files = shared(past_[syncs - 1]);
  }
}

bool Disk::settle(BodyPool& pool, std::uint64_t place) {
  const std::uint64_t first = place_ - journal_.size();  // the newest durable place
  if (place <= first) return false;
  const auto count = static_cast<std::ptrdiff_t>(place - first);
  for (auto it = journal_.begin(); it != journal_.begin() + count; ++it) {
    perform(pool, durable_, *it, false);
    if (it->record) pool.release(it->record);
  }
  journal_.erase(journal_.begin(), journal_.begin() + count);
  return true;
}

void Disk::write_through(BodyPool& pool, int file, Body* record) {
  std::size_t before = journal_.size();
  while (before > 0 && journal_[before - 1].file != file) --before;
  settle(pool, place_ - journal_.size() + before);
  const Operation operation{DiskOp::write, file, record, 0};
  perform(pool, now_, operation, false);
  perform(pool, durable_, operation, false);
  pool.release(record);
  note_sync();
}

bool Disk::can_tear(std::uint32_t kept) const {
  return kept < journal_.size() && journal_[kept].record != nullptr;
}

void Disk::crash(BodyPool& pool, CrashOutcome outcome) {
  const std::size_t kept = std::min<std::size_t>(outcome.kept, journal_.size());
  for (std::size_t i = 0; i < journal_.size(); ++i) {
    if (i < kept) perform(pool, durable_, journal_[i], false);
    else if (i == kept && outcome.torn && journal_[i].record)
      perform(pool, durable_, journal_[i], true);
    if (journal_[i].record) pool.release(journal_[i].record);
  }
  journal_.clear();
  for (File& file : now_) drop_tail(pool, file, 0);
  now_ = shared(durable_);
}

std::uint32_t Disk::length(int file) const {
  const auto index = static_cast<std::size_t>(file);
  return index < now_.size() ? static_cast<std::uint32_t>(now_[index].size()) : 0;
}

StoredRecord Disk::record(int file, std::uint32_t index) const {
  const Record& record = now_.at(static_cast<std::size_t>(file)).at(index);
  return {record.body->content(), record.body->type, record.torn};
}

bool Disk::pristine() const {
  for (const auto* files : {&durable_, &now_})
    for (const File& file : *files)
      if (!file.empty()) return false;
  return journal_.empty() && past_.empty();
}

std::uint64_t Disk::queued_before(std::uint64_t place) const {
  const std::uint64_t durable = place_ - journal_.size();
  return place > durable ? place - durable : 0;
}

Hash128 Disk::absorb_files(Hash128 h, const Files& files) {
  std::uint64_t number = 0;
  for (const File& file : files) {
    ++number;
    if (file.empty()) continue;  // a file that was emptied is as one that never was
    h = absorb(absorb(absorb(h, number), file.size()), file.back().prefix);
  }
  return absorb(h, 0);
}

Hash128 Disk::absorb_renamed(Hash128 h, const Files& files, const Renaming& r) {
  std::uint64_t number = 0;
  for (const File& file : files) {
    ++number;
    if (file.empty()) continue;
    h = absorb(absorb(h, number), file.size());
    for (const Record& record : file)
      h = record.torn ? absorb(h, 1)
                      : absorb(h, record.body->type->renamed(record.body->content(), r));
  }
  return absorb(h, 0);
}

Hash128 Disk::digest() const {
  Hash128 h = absorb_files(absorb_files(seeded("disk"), durable_), now_);
  for (const Files& files : past_) h = absorb_files(h, files);
  for (const Operation& o : journal_) {
    h = absorb(absorb(h, static_cast<std::uint64_t>(o.op)), static_cast<std::uint64_t>(o.file));
    h = o.record ? absorb(h, o.record->type->hash(o.record->content())) : absorb(h, o.length);
  }
  return h;
}

Hash128 Disk::digest_from_scratch() const {
  Disk again = *this;
  const auto anew = [](Files& files) {
    for (File& file : files) {
      Hash128 before;
      for (Record& record : file)
        before = record.prefix = record_hash(before, *record.body, record.torn);
    }
  };
  anew(again.durable_), anew(again.now_);
  for (Files& files : again.past_) anew(files);
  return again.digest();
}

Hash128 Disk::renamed_digest(const Renaming& r) const {
  Hash128 h = absorb_renamed(absorb_renamed(seeded("disk"), durable_, r), now_, r);
  for (const Files& files : past_) h = absorb_renamed(h, files, r);
  for (const Operation& o : journal_) {
    h = absorb(absorb(h, static_cast<std::uint64_t>(o.op)), static_cast<std::uint64_t>(o.file));
    h = o.record ? absorb(h, o.record->type->renamed(o.record->content(), r)) : absorb(h, o.length);
  }
  return h;
}

void Disk::clear(BodyPool& pool) {
  drop(pool, durable_), drop(pool, now_);
  for (Files& files : past_) drop(pool, files);
  past_.clear();
  for (const Operation& o : journal_)
    if (o.record) pool.release(o.record);
  journal_.clear();
  place_ = 0;
}

void Disk::share_bodies() const {
  const auto share = [](const Files& files) {
    for (const File& file : files)
      for (const Record& record : file) BodyPool::share(record.body);
  };
  share(durable_), share(now_);
  for (const Files& files : past_) share(files);
  for (const Operation& o : journal_)
    if (o.record) BodyPool::share(o.record);
}

}  // namespace schism
