// What is on disk: the decisions; a log of what was taken and signed at this height, from which
// locks are rebuilt; and what was signed last, written before it leaves, so that nobody who
// restarts signs twice.
#include <algorithm>

#include "systems/tendermint/validator.hpp"

namespace tendermint {
namespace {

constexpr int kChain = 0, kLog = 1, kSigned = 2;  // files

template <class T>
std::vector<T> load(DiskHandle disk, int file) {
  std::vector<T> out;
  for (const auto& [record, torn] : disk.load<T>(file)) {
    if (torn) break;  // the last
    out.push_back(record);
  }
  if (out.size() < disk.length(file)) disk.truncate(file, static_cast<std::uint32_t>(out.size()));
  return out;
}

}  // namespace

bool Validator::may_sign(int of_round, Step of_step) const {
  if (last_signed.height != height) return last_signed.height < height;
  if (last_signed.round != of_round) return last_signed.round < of_round;
  return last_signed.step < of_step;
}

// Not yet durable: it came from others, who have it.
void Validator::remember(Context& c, const Logged& item) {
  if (!c.config().vote_not_persisted) c.disk().append(kLog, item);
}

// Durable, with everything that it rests on.
void Validator::remember_signed(Context& c, Step of_step) {
  last_signed = {height, round, of_step};
  if (c.config().vote_not_persisted) return;
  c.disk().write_now(kSigned, last_signed);
  c.disk().sync_now();
}

void Validator::remember_decision(Context& c) {
  c.disk().append(kChain, chain.back());
  c.disk().truncate(kLog, 0);
  c.disk().sync_now();
}

void Validator::recover(Context& c) {
  chain = load<Commit>(c.disk(), kChain);
  height = static_cast<int>(chain.size()) + 1;
  if (const auto last = load<LastSigned>(c.disk(), kSigned); !last.empty())
    last_signed = last.back();
  if (done(c)) return;
  for (const Logged& item : load<Logged>(c.disk(), kLog)) {
    if (item.vote.signer >= 0)
      rounds[item.vote->round].of(item.vote->kind).votes.push_back(item.vote);
    if (item.proposal.signer >= 0)
      rounds[item.proposal->round].proposal = Propose{item.proposal, item.block};
    else if (item.block.signer >= 0) blocks.emplace(id_of(item.block), item.block);
  }
  if (last_signed.height == height) round = last_signed.round;
  for (const auto& [at, of] : rounds) {
    for (const Signed<Vote>& vote : of.precommits.votes)  // a lock is what it has precommitted
      if (vote.signer == c.self && vote->id != kNil) locked = {vote->id, at};
    const int polka = with_quorum(c, of.prevotes, quorum(c));
    if (at <= round && polka != kNil && blocks.contains(polka)) valid = {polka, at};
  }
}

void Validator::start(Context& c) {
  recover(c);
  if (done(c)) return;
  c.set_timer(Clock::gossip, c.config().gossip);
  if (last_signed.height != height) {
    start_round(c, 0);
  } else {  // where it was
    enter(c, last_signed.step);
  }
  progress(c);
}

}  // namespace tendermint
