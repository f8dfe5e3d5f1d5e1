// Entries into the library.
#include <fmt/format.h>

#include "systems/craft/craft.hpp"

namespace schism::craft {

void fill_exits(Craft& node, const Config& config);  // io.cpp

void Craft::enter(Context& c) {
  context_ = &c;
  Arena::enter(arena_.get());
}

void Craft::leave(Context& c) {
  observe(c);
  context_ = nullptr;
  Arena::enter(nullptr);
}

// ---- a start -------------------------------------------------------------------------------

void Craft::start(Context& c) {
  failed_sends_ = c.config().failed_sends;
  failed_snapshots_ = c.config().failed_snapshots;
  enter(c);
  begin(c);
  leave(c);
}

void Craft::begin(Context& c) {
  const Config& config = c.config();
  store_ = Store();
  store_.recover(c.disk());
  fill_exits(*this, config);
  raft_ = {};
  raft_init(&raft_, &io_, &fsm_, id_of(c.self), address_of(c.self));
  const auto milliseconds = [](Micros us) { return static_cast<unsigned>(us / 1000); };
  raft_set_heartbeat_timeout(&raft_, milliseconds(config.heartbeat));
  raft_set_election_timeout(&raft_, milliseconds(config.election));
  raft_set_install_snapshot_timeout(&raft_, milliseconds(config.install_timeout));
  raft_set_max_catch_up_round_duration(&raft_, milliseconds(config.round_duration));
  raft_set_max_catch_up_rounds(&raft_, static_cast<unsigned>(config.rounds));
  raft_set_pre_vote(&raft_, config.pre_vote);
  raft_set_snapshot_threshold(&raft_, config.snapshot_threshold > 0
                                          ? static_cast<unsigned>(config.snapshot_threshold)
                                          : 1U << 30);
  raft_set_snapshot_trailing(&raft_, static_cast<unsigned>(config.snapshot_trailing));
  boot(c);
  if (const int status = raft_start(&raft_)) {
    flaw(FlawKind::restart, fmt::format("it does not start from what is on its disk: {} ({})",
                                        raft_strerror(status), raft_errmsg(&raft_)));
    return;
  }
  running_ = true;
  shut_down_seen_ = io_failed_ = false;
  commit = raft_.commit_index;
  if (std::exchange(restored_, false)) c.announce(Restored{raft_.last_applied, false, machine});
  if (!store_.loaded().empty()) c.announce(LogChange{store_.loaded_first(), store_.log().last()});
}

// Those that are members from the beginning; the others wait to be added.
void Craft::boot(Context& c) {
  const Config& config = c.config();
  const int members = config.members == 0 ? c.nodes() : std::min(config.members, c.nodes());
  if (c.self >= members || !store_.pristine(c.disk())) return;
  Configuration all;
  for (Server server = 0; server < members; ++server) all.push_back({server, ServerRole::voter});
  raft_configuration configuration;
  to_library(all, configuration);
  const int status = raft_bootstrap(&raft_, &configuration);
  raft_configuration_close(&configuration);
  c.require(status == 0, "the library refuses to bootstrap an empty disk");
}

// ---- messages and timers -------------------------------------------------------------------

void Craft::deliver(Context& c, NodeId from, raft_message& message) {
  enter(c);
  message.server_id = id_of(from);
  message.server_address = address_of(from);
  receive_(&io_, &message);
  leave(c);
}

void Craft::on_timer(Context& c, Timer timer, int key) {
  if (!running_) return;
  enter(c);
  switch (timer) {
    case Timer::tick:
      c.set_timer(Timer::tick, period_);
      tick_(&io_);
      if (c.config().barriers && raft_.state == RAFT_LEADER && barrier_term_ != raft_.current_term)
        append_barrier();
      break;
    case Timer::sent: finish_sends(); break;
    case Timer::work: finish_work(key, 0); break;
  }
  leave(c);
}

// What they submit in turn waits for the next time.
void Craft::finish_sends() {
  finishing_.swap(sends_);
  for (const Sending& sending : finishing_)
    if (sending.request->cb) sending.request->cb(sending.request, sending.status);
  finishing_.clear();
}

void Craft::finish_work(int key, int status) {
  if (key == kBackground) {
    raft_io_async_work* work = std::exchange(work_, nullptr);
    if (!work) return;
    const int result = status == 0 ? work->work(work) : status;
    work->cb(work, result);
    return;
  }
  raft_io_snapshot_put* put = std::exchange(put_, nullptr);
  if (!put) return;
  if (status == 0 && failed_snapshots_ > 0 && context_->random_below(2) == 0) {
    --failed_snapshots_;
    io_failed_ = true;
    status = RAFT_IOERR;
  }
  if (status == 0) {
    store_.keep_own(context_->disk(), put_snapshot_, put_trailing_, context_->config());
    context_->announce(SnapshotTaken{put_snapshot_.index});
  }
  put->cb(put, status);
}

// ---- the disk ------------------------------------------------------------------------------

void Craft::on_disk(Context& c, const DiskDone& done) {
  if (!running_) return;
  enter(c);
  store_.complete(c.disk(), done.tag, done.ok);
  Store::Operation op;
  while (store_.next_done(op)) {
    log_changed_ = true;
    finish_operation(op, op.ok ? 0 : RAFT_IOERR);
  }
  leave(c);
}

void Craft::finish_operation(const Store::Operation& op, int status) {
  switch (op.kind) {
    case Store::Kind::append: {
      auto* request = static_cast<raft_io_append*>(op.request);
      request->cb(request, status);
      break;
    }
    case Store::Kind::install: {
      auto* request = static_cast<raft_io_snapshot_put*>(op.request);
      request->cb(request, status);
      break;
    }
    case Store::Kind::get: {
      auto* request = static_cast<raft_io_snapshot_get*>(op.request);
      if (status == 0 && !store_.snapshot()) status = RAFT_NOTFOUND;
      if (status != 0) io_failed_ = io_failed_ || status == RAFT_IOERR;
      request->cb(request, status == 0 ? to_library(*store_.snapshot()) : nullptr, status);
      break;
    }
    case Store::Kind::truncate: break;
  }
}

// ---- a clean end ---------------------------------------------------------------------------

// Everything under way is called off; then the library says that it is done, and must hold no
// memory any more. What was queued for the disk is on it: a clean end waits for that.
void Craft::close(Context& c) {
  closing_ = true;
  raft_close(&raft_, [](raft*) {});
  while (!store_.idle() || !sends_.empty() || put_ || work_) {
    for (const Store::Operation& op : store_.abandon()) finish_operation(op, RAFT_CANCELED);
    for (Sending& sending : sends_) sending.status = RAFT_CANCELED;
    finish_sends();
    finish_work(kOwnSnapshot, RAFT_CANCELED);
    finish_work(kBackground, RAFT_CANCELED);
  }
  if (closed_) closed_(&io_);
  closed_ = nullptr;
  for (Open& open : open_) {
    if (!open.live) continue;
    flaw(FlawKind::callback, "a request is still without its callback after the end");
    answer(open, RAFT_SHUTDOWN);
  }
  open_.clear();
  if (arena_->complaint().empty() && arena_->live_blocks() > 0)
    flaw(FlawKind::memory, fmt::format("{} blocks of {} bytes are not freed after a clean end",
                                       arena_->live_blocks(), arena_->live_bytes()));
  for (const int key : {kOwnSnapshot, kBackground}) c.cancel_timer(Timer::work, key);
  c.cancel_timer(Timer::sent);
  c.cancel_timer(Timer::tick);
  c.disk().sync_now();
  closing_ = running_ = false;
}

}  // namespace schism::craft
