// What can be seen of the library after each entry: its public struct, and whether that agrees with
// what it asked of its disk.
#include <algorithm>

#include <fmt/format.h>

#include "systems/craft/craft.hpp"

namespace schism::craft {

void Craft::flaw(FlawKind kind, std::string what) {
  context_->announce(Flaw{kind, std::move(what)});
}

Configuration Craft::members() const { return copy_of(raft_.configuration); }

std::vector<Progress> Craft::progress() const {
  std::vector<Progress> out;
  if (!running_ || raft_.state != RAFT_LEADER || !raft_.leader_state.progress) return out;
  for (unsigned i = 0; i < raft_.configuration.n; ++i) {
    const raft_progress& p = raft_.leader_state.progress[i];
    out.push_back({server_of(raft_.configuration.servers[i].id), p.state, p.next_index,
                   p.match_index, p.recent_recv});
  }
  return out;
}

std::uint32_t Craft::busy() const {
  return (sends_.empty() ? 0U : 1U) | (put_ ? 2U : 0U) | (work_ ? 4U : 0U) |
         (raft_.snapshot.put.data ? 8U : 0U) | (raft_.transfer ? 16U : 0U) |
         (store_.idle() ? 0U : 32U);
}

unsigned Craft::timeout() const {
  if (raft_.state == RAFT_FOLLOWER) return raft_.follower_state.randomized_election_timeout;
  if (raft_.state == RAFT_CANDIDATE) return raft_.candidate_state.randomized_election_timeout;
  return 0;
}

const raft_entry* Craft::entry_at(Index index) const {
  const raft_log& log = raft_.log;
  if (index < first || index > last || log.size == 0) return nullptr;
  return &log.entries[(log.front + (index - first)) % log.size];
}

void Craft::observe(Context& c) {
  if (!memory_flawed_ && !arena_->complaint().empty()) {
    memory_flawed_ = true;
    flaw(FlawKind::memory, arena_->complaint());
  }
  if (!running_) {
    state = Role::unavailable;
    return;
  }
  const bool led_before = state == Role::leader && term == raft_.current_term;
  const auto now = static_cast<Role>(raft_.state);
  if (now != state || (now == Role::leader && term != raft_.current_term)) {
    state = now;
    c.announce(StateChange{state, raft_.current_term});
  }
  if (now == Role::unavailable && !shut_down_seen_) {
    shut_down_seen_ = true;
    if (!io_failed())
      flaw(FlawKind::shut_down, "it has made itself unavailable, though its disk never failed");
  }
  term = raft_.current_term;
  vote = server_of(raft_.voted_for);
  if (term != store_.metadata().term || vote != store_.metadata().vote)
    flaw(FlawKind::hard_state,
         fmt::format("it believes in term {} and vote {}, but its disk has {} and {}", term, vote,
                     store_.metadata().term, store_.metadata().vote));
  const raft_log& log = raft_.log;
  const std::size_t count = log.size == 0 ? 0 : (log.back + log.size - log.front) % log.size;
  const bool moved = first != log.offset + 1 || last != log.offset + count;
  first = log.offset + 1;
  last = log.offset + count;
  if (moved || log_changed_) observe_terms();
  stored = raft_.last_stored;
  leader = now == Role::follower ? server_of(raft_.follower_state.current_leader.id)
           : now == Role::leader ? c.self
                                 : kNobody;
  if (std::exchange(restored_, false)) c.announce(Restored{raft_.last_applied, true, machine});
  applied = raft_.last_applied;
  observe_commit(c, led_before);
  observe_configuration(c);
  if (log_changed_ && store_.idle() && !installing()) compare_with_disk(c);
}

void Craft::observe_terms() {
  terms.clear();
  for (Index index = first; index <= last; ++index) terms.push_back(entry_at(index)->term);
}

// While a snapshot is being installed the log is the new one already, the commit index the old one.
void Craft::observe_commit(Context& c, bool led_before) {
  if (raft_.commit_index < commit)
    flaw(FlawKind::commit_back,
         fmt::format("its commit index went from {} back to {}", commit, raft_.commit_index));
  else if (raft_.commit_index > commit) c.announce(Committed{commit + 1, raft_.commit_index});
  // Figure 2 of the paper: a leader counts replicas of entries of its own term only.
  if (context_->config().early && led_before && leads() && raft_.commit_index > commit &&
      store_.log().knows(raft_.commit_index) && store_.log().term(raft_.commit_index) != term)
    flaw(FlawKind::own_term,
         fmt::format("leader of term {}, it commits up to index {}, an entry of term {}", term,
                     raft_.commit_index, store_.log().term(raft_.commit_index)));
  commit = raft_.commit_index;
  if (commit > last && !installing() && state != Role::unavailable)
    flaw(FlawKind::commit_beyond,
         fmt::format("it calls index {} committed, but its log ends at {}", commit, last));
}

void Craft::observe_configuration(Context& c) {
  if (raft_.configuration_index == configuration_index &&
      raft_.configuration_uncommitted_index == configuration_uncommitted)
    return;
  configuration_index = raft_.configuration_index;
  configuration_uncommitted = raft_.configuration_uncommitted_index;
  const bool committed = configuration_uncommitted == 0;
  c.announce(ConfigurationChange{committed ? configuration_index : configuration_uncommitted,
                                 committed, members()});
}

// The newest entries, and in turn one of the older ones: the cost does not grow with the log.
void Craft::compare_with_disk(Context&) {
  log_changed_ = false;
  if (store_.broken() || state == Role::unavailable) return;
  const LogView& disk = store_.log();
  if (last != disk.last()) {
    flaw(FlawKind::log_on_disk,
         fmt::format("its log ends at {}, but at {} on its disk", last, disk.last()));
    return;
  }
  const auto same = [&](Index index) {
    const raft_entry* entry = entry_at(index);
    if (!entry || index <= disk.base()) return true;
    if (copy_of(*entry).digest() == disk.entry(index)) return true;
    flaw(FlawKind::log_on_disk,
         fmt::format("its entry {} of term {} is not the one on its disk, of term {}", index,
                     entry->term, disk.term(index)));
    return false;
  };
  compared_ = compared_ < first || compared_ >= last ? first : compared_ + 1;
  if (!same(compared_)) return;
  for (Index index = last; index >= first && index + 4 > last && index > 0; --index)
    if (!same(index)) return;
}

}  // namespace schism::craft
