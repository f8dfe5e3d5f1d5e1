// Membership changes, one server at a time: dissertation 4.1. The newest membership in the log is
// the one that counts, committed or not.
#include <bit>

#include "systems/raft/raft.hpp"

namespace schism::raft {

std::size_t Raft::quorum_of(Context& c, std::size_t servers) {
  return (c.config().quorum_third ? servers / 3 : servers / 2) + 1;
}

bool Raft::is_quorum(Context& c, Members who) const {
  const auto count = [](Members set) { return static_cast<std::size_t>(std::popcount(set)); };
  return count(who & members()) >= quorum_of(c, count(members()));
}

// Two memberships that differ in more than one server need not have overlapping quorums. So the one
// before must be committed, and by a leader that has committed an entry of its own term: else a
// change of an earlier leader may still come to life (raft-dev, 2015).
bool Raft::may_change_membership(Context& c) const {
  if (c.config().unsafe_membership) return true;
  return memberships.back().index <= commit && term_at(commit) == term;
}

void Raft::adopt_membership(Index index, const Entry& entry) {
  const Members node = bit_of(entry.payload.key);
  const bool joins = entry.payload.op == Op::add_node;
  memberships.push_back({index, joins ? members() | node : members() & ~node});
}

void Raft::forget_memberships_after(Index index) {
  while (memberships.size() > 1 && memberships.back().index > index) memberships.pop_back();
}

// The one that counts at `index` stays.
void Raft::forget_memberships_before(Index index) {
  while (memberships.size() > 1 && memberships[1].index <= index)
    memberships.erase(memberships.begin());
}

void Raft::step_down_if_removed(Context& c) {
  if (leads() && !is_member(c.self) && memberships.back().index <= commit)
    become_follower(c, term, kNobody);
}

}  // namespace schism::raft
