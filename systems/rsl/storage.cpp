// The log: every proposal accepted and every ballot prepared, in memory and on disk. It is all that
// a replica needs to go on after a crash.
#include "systems/rsl/replica.hpp"

namespace schism::rsl {
namespace {

constexpr int kLogFile = 0;

void store(Replica::Context& c, const Record& record) {
  c.disk().append(kLogFile, record);
  c.disk().sync_now();
}

}  // namespace

void Replica::log_proposal(Context& c, const Proposal& proposal) {
  const Record record{true, proposal.ballot, proposal.decree, proposal.command};
  log.append(record);
  store(c, record);
  accepted = proposal;
  last_chosen = ticks;
  no_progress_at = ticks + static_cast<Ticks>(c.config().no_progress);
  if (proposal.ballot.number > prepared.number) {
    prepared = proposal.ballot;
    give_grace(c);
  }
}

void Replica::log_ballot(Context& c, const Ballot& ballot) {
  prepared = ballot;
  const Record record{false, ballot, 0, kEmpty};
  log.append(record);
  store(c, record);
}

// A proposal of a later decree was only accepted when the one before it was decided. What this
// replica alone knew to be decided, as primary, it will hear of again.
void Replica::recover(Context& c) {
  for (const auto& [record, torn] : c.disk().load<Record>(kLogFile)) {
    if (torn) break;  // nothing was said about it yet
    log.append(record);
    if (record.ballot.number > prepared.number) prepared = record.ballot;
    if (!record.accepted) continue;
    if (record.decree > accepted.decree) execute(c);
    accepted = record.proposal();
  }
}

}  // namespace schism::rsl
