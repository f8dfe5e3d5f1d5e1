// What validators of `tendermint` say to each other (Buchman, Kwon, Milosevic, "The latest gossip
// on BFT consensus", arXiv 1807.04938). Proposals, votes and blocks are signed by whoever made
// them, so that anybody may offer them again.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "schism/schism.hpp"

namespace tendermint {
using namespace schism;

SCHISM_ENUM(Step, propose, prevote, precommit);
SCHISM_ENUM(Kind, prevote, precommit);

constexpr int kNil = 0;  // the id of no block

// What is decided at a height. The round is the one in which it was made.
struct Block {
  int height = 0, round = 0, parent = kNil, load = 0;
  FIELDS(height, round, parent, load)
};
// Never nil.
inline int id_of(const Signed<Block>& block) {
  const Hash128 hash =
      absorb(absorb_field(Hash128{1, 2}, block.value), static_cast<std::uint64_t>(block.signer.id));
  return static_cast<int>(hash.lo & 0x3fffffff) | 1;
}

struct Proposal {
  int height = 0, round = 0, id = kNil, pol = -1;  // pol: the round whose prevotes speak for it
  FIELDS(height, round, id, pol)
};
struct Vote {
  Kind kind = Kind::prevote;
  int height = 0, round = 0, id = kNil;
  int extension = 0;  // what an application adds: two votes may differ in nothing else
  FIELDS(kind, height, round, id, extension)
};

struct Propose {
  Signed<Proposal> proposal;
  Signed<Block> block;
  FIELDS(proposal, block)
};
struct Prevote {
  Signed<Vote> vote;
  FIELDS(vote)
};
struct Precommit {
  Signed<Vote> vote;
  FIELDS(vote)
};

// What a validator has of a round, so that others can offer the rest.
struct Seen {
  int round = 0;
  bool proposal = false;
  NodeSet prevotes, precommits;     // whose
  int polka = kNil, commit = kNil;  // an id with a quorum of them
  bool nil_polka = false;
  FIELDS(round, proposal, prevotes, precommits, polka, commit, nil_polka)
};
struct Status {
  int height = 0, round = 0;
  std::vector<Seen> seen;
  std::vector<int> blocks;  // ids
  FIELDS(height, round, seen, blocks)
};
struct BlockPart {  // for whoever knows a quorum for it, and not the block
  Signed<Block> block;
  FIELDS(block)
};
struct Commit {  // a decision, and why: for whoever is at that height still
  Signed<Block> block;
  std::vector<Signed<Vote>> precommits;
  FIELDS(block, precommits)
};

using Messages = Types<Propose, Prevote, Precommit, Status, BlockPart, Commit>;

// Announced.
struct NewStep {
  int height = 0, round = 0;
  Step step = Step::propose;
  FIELDS(height, round, step)
};
struct Proposed {  // a block that this validator has made
  int id = kNil;
  FIELDS(id)
};
struct Decided {
  int height = 0, id = kNil, round = 0;  // the round of the precommits
  NodeRef maker;
  Block block;
  FIELDS(height, id, round, maker, block)
};
struct Accused {  // of two things that no correct validator signs both
  NodeRef who;
  int height = 0, round = 0;
  FIELDS(who, height, round)
};
// The rules of the paper's Algorithm 1, by their lines.
SCHISM_ENUM(Line, L11, L22, L28, L34, L36, L44, L47, L49, L55, L57, L61, L65);
struct Applied {
  Line rule = Line::L11;
  int height = 0, round = 0, id = kNil;
  FIELDS(rule, height, round, id)
};

// What is offered again: all that somebody lacks; of one height only votes of the other's round; of
// these only where a quorum of them says the same (as Tendermint's own gossip asks who has which of
// a majority's votes, and of no others); nothing but decisions to who is at an earlier height;
// nothing.
SCHISM_ENUM(Offers, all, peer_round, majorities, decisions, nothing);
SCHISM_ENUM(Skip, one_correct, quorum);  // how many senders of a later round make one follow

struct Config {
  int heights = 2;
  Micros propose = 1'000'000, vote = 500'000, growth = 250'000, gossip = 400'000;
  Offers offers = Offers::all;
  Skip skip = Skip::one_correct;
  bool nil_unlocks = false, unknown_unlocks = false, lock_prevoted = false;
  // Bugs.
  bool skip_needs_quorum = false, no_valid_value = false, valid_only_if_proposal = false;
  bool stale_pol = false, pol_unverified = false, precommit_quorum_2f = false;
  bool double_vote_counted = false, skip_by_messages = false, precommit_timer_once = false;
  bool pol_late = false, wrong_block_kept = false, vote_not_persisted = false;
};

inline int faults_of(int nodes) { return (nodes - 1) / 3; }
inline std::size_t quorum_of(int nodes) {
  return static_cast<std::size_t>(nodes + faults_of(nodes)) / 2 + 1;
}
inline NodeId proposer_of(int height, int round, int nodes) {
  return static_cast<NodeId>((static_cast<std::int64_t>(height) + round) % nodes);
}

}  // namespace tendermint
