// The protocol's constants (the spec's section 1), where two versions differ as functions of the
// rules in force. Times of the consensus clock are microseconds, network times whole seconds.
#pragma once

#include <array>

#include "systems/xrpl/types.hpp"

namespace schism::xrpl {

SCHISM_ENUM(RuleSet, v1_7, v2_4);

inline constexpr NetTime kProposeFreshness = 20;
inline constexpr NetTime kProposeInterval = 12;
inline constexpr int kMinConsensusPct = 80;
inline constexpr Micros kLedgerIdleInterval = 15_s;
inline constexpr Micros kLedgerMinConsensus = 1950_ms;
inline constexpr Micros kLedgerMinClose = 2_s;
inline constexpr Micros kLedgerGranularity = 1_s;
inline constexpr Micros kMinConsensusTime = 5_s;
inline constexpr int kCloseTimeConsensusPct = 75;
inline constexpr Micros kFirstRoundTime = 15_s;
inline constexpr Micros kRoundTimeMax = 600_s;

constexpr Micros ledger_max_consensus(RuleSet rules) {
  return rules == RuleSet::v1_7 ? 10_s : 15_s;
}
// Since 2.2 a node that hears nobody does not agree with itself at once.
constexpr bool alone_waits(RuleSet rules) { return rules != RuleSet::v1_7; }

// Which share of the votes a transaction, or a close time, needs after so much of the round.
constexpr int avalanche_threshold(std::int64_t converge_percent, int stuck = 95) {
  if (converge_percent < 50) return 50;
  if (converge_percent < 85) return 65;
  if (converge_percent < 200) return 70;
  return stuck;
}

inline constexpr NetTime kValidationCurrentWall = 300;
inline constexpr NetTime kValidationCurrentLocal = 180;
inline constexpr NetTime kValidationCurrentEarly = 180;
inline constexpr Micros kValidationSetExpires = 600_s;
inline constexpr Micros kValidationFreshness = 20_s;

inline constexpr std::array<int, 6> kResolutions = {10, 20, 30, 60, 90, 120};
inline constexpr int kGenesisResolution = 10;
inline constexpr Seq kFinerEvery = 8;

inline constexpr Micros kSetTimer = 250_ms;
inline constexpr int kSetNormTimeouts = 4;
inline constexpr int kSetMaxTimeouts = 20;
inline constexpr int kSetStartPeers = 2;
inline constexpr std::uint32_t kSetKeepRounds = 3;
inline constexpr Micros kLedgerTimer = 3_s;
inline constexpr int kLedgerMaxTimeouts = 6;
inline constexpr int kLedgerStartPeers = 5;
inline constexpr int kLedgerMorePeers = 3;
inline constexpr Micros kLedgerFailureKept = 60_s;  // 5 min are for what is history

inline constexpr Micros kSuppression = 300_s;
inline constexpr Micros kTransactionAgain = 10_s;
inline constexpr NetTime kValidatedAgeMax = 240;
inline constexpr std::size_t kHashesAPeer = 128;
inline constexpr std::size_t kRecentPositions = 10;
inline constexpr Seq kAncestorsKnown = 256;
inline constexpr Seq kLocalLedgers = 5;  // for which a transaction submitted here is tried again

}  // namespace schism::xrpl
