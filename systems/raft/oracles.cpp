#include "systems/raft/oracles.hpp"

#include <algorithm>

namespace schism::raft {

// ---- log matching --------------------------------------------------------------------------

void LogMatching::begin(const World&) {
  absolve();
  first_.clear();
  seen_.clear();
}

void LogMatching::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const Raft* node = world.as<Raft>(event.node);
    if (!node) continue;
    if (const auto* change = announced_as<LogChange>(event)) {
      const Index first = std::max(change->first, node->log.base() + 1);
      const Index last = std::min(change->last, node->log.last());
      for (Index i = first; i <= last; ++i)
        check(world, event.node, i, node->log[i].term, node->log.prefix(i));
    } else if (announced_as<Restore>(event)) {
      const Snapshot& s = node->snapshot;
      check(world, event.node, s.index, s.term, s.prefix);
    }
  }
}

void LogMatching::check(const World& world, NodeId node, Index index, Term term,
                        const Hash128& prefix) {
  std::uint32_t& first = grown(first_, index, kNone);
  for (std::uint32_t i = first; i != kNone; i = seen_[i].next) {
    const Seen& seen = seen_[i];
    if (seen.term != term) continue;
    if (seen.prefix != prefix)
      violate(
          world,
          fmt::format("the logs of nodes {} and {} differ before or at index {}, where both have "
                      "an entry of term {}",
                      seen.node, node, index, term),
          {{seen.step, fmt::format("at node {}", seen.node)},
           {world.step(), fmt::format("at node {}", node)}});
    return;
  }
  seen_.push_back({prefix, term, node, world.step(), first});
  first = static_cast<std::uint32_t>(seen_.size() - 1);
}

std::optional<Hash128> LogMatching::digest() const {
  Hash128 sum = seeded("log-matching");
  for (std::size_t index = 0; index < first_.size(); ++index)
    for (std::uint32_t i = first_[index]; i != kNone; i = seen_[i].next)
      sum += absorb(absorb(seen_[i].prefix, index), seen_[i].term);
  return sum;
}

// ---- leader completeness -------------------------------------------------------------------

void LeaderCompleteness::begin(const World&) {
  absolve();
  tree_.clear();
  commits_.clear();
  leaders_.clear();
}

void LeaderCompleteness::look(const World& world, std::span<const Event> events) {
  // First what is new in the logs: leaders and commits refer to it.
  for (const Event& event : events)
    if (const auto* change = announced_as<LogChange>(event))
      if (const Raft* node = world.as<Raft>(event.node)) learn(*node, *change);
  for (const Event& event : events) {
    const Raft* node = world.as<Raft>(event.node);
    if (!node) continue;
    const auto* state = announced_as<StateChange>(event);
    if (state && state->new_state == Role::StateLeader) note_leader(world, *node, event.node);
    if (const auto* commit = announced_as<Commit>(event)) note_commit(world, *node, *commit);
  }
}

void LeaderCompleteness::learn(const Raft& node, const LogChange& change) {
  const Index last = std::min(change.last, node.log.last());
  Index first = change.first;  // with a synchronous disk some may have been compacted already
  while (first <= last && !node.log.knows(first - 1)) ++first;
  if (first > last) return;
  LogTree::Item before = tree_.find(first - 1, node.log.prefix(first - 1));
  if (before == LogTree::kUnknown) before = LogTree::kRoot;
  for (Index i = first; i <= last; ++i) {
    const LogTree::Item known = tree_.find(i, node.log.prefix(i));
    before = known != LogTree::kUnknown ? known : tree_.add(before, i, node.log.prefix(i));
  }
}

LogTree::Item LeaderCompleteness::item_at(const Raft& node, Index index) const {
  return node.log.knows(index) ? tree_.find(index, node.log.prefix(index)) : LogTree::kUnknown;
}

// Both lists are ordered by term; what is new nearly always belongs at the end. A commit says
// nothing if one of the same or an earlier term reaches farther, so only those that do not are
// kept: terms and logs grow together.
void LeaderCompleteness::note_commit(const World& world, const Raft& node, const Commit& commit) {
  const Mark mark{node.term, item_at(node, commit.index), commit.replica, world.step(), false};
  if (mark.item == LogTree::kUnknown) return;
  std::size_t later = commits_.size();
  while (later > 0 && commits_[later - 1].term > mark.term) --later;
  for (std::size_t i = later; i > 0; --i) {
    if (tree_.continues(commits_[i - 1].item, mark.item)) return;
    if (commits_[i - 1].tops_all) break;
  }
  const auto says_nothing = [&](const Mark& other) {
    return other.term >= mark.term && tree_.continues(mark.item, other.item);
  };
  std::size_t at = later;
  while (at > 0 && commits_[at - 1].term == mark.term) --at;
  commits_.erase(std::remove_if(commits_.begin() + static_cast<std::ptrdiff_t>(at), commits_.end(),
                                says_nothing),
                 commits_.end());
  while (at < commits_.size() && commits_[at].term == mark.term) ++at;
  commits_.insert(commits_.begin() + static_cast<std::ptrdiff_t>(at), mark);
  for (; at < commits_.size(); ++at)
    commits_[at].tops_all = at == 0 || (commits_[at - 1].tops_all &&
                                        tree_.continues(commits_[at].item, commits_[at - 1].item));
  for (std::size_t i = leaders_.size(); i > 0 && leaders_[i - 1].term > mark.term; --i)
    judge(world, mark, leaders_[i - 1]);
}

void LeaderCompleteness::note_leader(const World& world, const Raft& node, NodeId id) {
  const Mark mark{node.term, item_at(node, node.log.last()), id, world.step(), false};
  if (mark.item == LogTree::kUnknown) return;
  auto at = leaders_.end();
  while (at != leaders_.begin() && (at - 1)->term > mark.term) --at;
  leaders_.insert(at, mark);
  for (std::size_t i = commits_.size(); i > 0; --i) {
    const Mark& commit = commits_[i - 1];
    if (commit.term >= mark.term) continue;
    judge(world, commit, mark);
    if (commit.tops_all) return;
  }
}

void LeaderCompleteness::judge(const World& world, const Mark& commit, const Mark& leader) {
  if (leader.term <= commit.term || tree_.continues(leader.item, commit.item)) return;
  violate(world,
          fmt::format("node {} leads in term {} without the entry at index {}, which was committed "
                      "in term {}",
                      leader.node, leader.term, tree_.index(commit.item), commit.term),
          {{commit.step, fmt::format("node {} committed it", commit.node)},
           {leader.step, fmt::format("node {} elected", leader.node)}});
}

std::optional<Hash128> LeaderCompleteness::digest() const {
  Hash128 sum = seeded("leader-completeness");
  for (const Mark& m : commits_) sum += absorb(absorb(tree_.prefix(m.item), m.term), 1);
  for (const Mark& m : leaders_) sum += absorb(absorb(tree_.prefix(m.item), m.term), 2);
  return sum;
}

// ---- state machine safety ------------------------------------------------------------------

void StateMachineSafety::begin(const World&) {
  absolve();
  applied_.clear();
}

StateMachineSafety::Applied& StateMachineSafety::at(Index index) { return grown(applied_, index); }

void StateMachineSafety::look(const World& world, std::span<const Event> events) {
  NodeId acted = kNobody;
  for (const Event& event : events) {
    const auto* commit = announced_as<Commit>(event);
    if (!commit) {
      if (announced_as<Restore>(event)) acted = event.node;
      continue;
    }
    acted = event.node;
    const Hash128 entry = Entry{commit->term, commit->type, commit->payload}.digest();
    Applied& applied = at(commit->index);
    if (applied.entry == Hash128{}) {
      applied.entry = entry;
      applied.node = event.node;
      applied.step = world.step();
    } else if (applied.entry != entry) {
      violate(world,
              fmt::format("nodes {} and {} applied different entries at index {}", applied.node,
                          event.node, commit->index),
              {{applied.step, fmt::format("at node {}", applied.node)},
               {world.step(), fmt::format("at node {}", event.node)}});
    }
  }
  if (acted != kNobody) check_state(world, acted);
}

void StateMachineSafety::check_state(const World& world, NodeId id) {
  const Raft* node = world.as<Raft>(id);
  if (!node) return;
  Applied& applied = at(node->commit);
  const Hash128 state = absorb(node->machine.digest(), 1);
  if (applied.state == Hash128{}) applied.state = state;
  else if (applied.state != state)
    violate(world,
            fmt::format("node {} is in another state than others were after index {}", id,
                        node->commit),
            {{world.step(), fmt::format("at node {}", id)}});
}

std::optional<Hash128> StateMachineSafety::digest() const {
  Hash128 sum = seeded("state-machine-safety");
  for (std::size_t index = 0; index < applied_.size(); ++index)
    if (applied_[index].entry != Hash128{} || applied_[index].state != Hash128{})
      sum += absorb(absorb(applied_[index].entry, applied_[index].state), index);
  return sum;
}

// ---- commit monotonicity -------------------------------------------------------------------

void CommitMonotonicity::begin(const World& world) {
  absolve();
  commit_.assign(static_cast<std::size_t>(world.setup().nodes), 0);
}

void CommitMonotonicity::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    Index& commit = commit_[event.node];
    if (event.kind == Happened::restarted) {
      const Raft* node = world.as<Raft>(event.node);
      commit = node ? node->snapshot.index : 0;
    } else if (const auto* committed = announced_as<Commit>(event)) {
      if (committed->index != commit + 1)
        violate(world,
                fmt::format("node {} committed index {} after {}", event.node, committed->index,
                            commit),
                {{world.step(), "committed"}});
      commit = committed->index;
    } else if (const auto* restored = announced_as<Restore>(event)) {
      if (restored->index <= commit)
        violate(world,
                fmt::format("node {} went back from index {} to a snapshot of {}", event.node,
                            commit, restored->index),
                {{world.step(), "restored"}});
      commit = restored->index;
    }
  }
}

std::optional<Hash128> CommitMonotonicity::digest() const {
  Hash128 h = seeded("commit-monotonicity");
  for (const Index commit : commit_) h = absorb(h, commit);
  return h;
}

}  // namespace schism::raft
