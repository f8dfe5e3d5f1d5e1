// What scenarios can say about Tendermint beside its messages: a word a rule of the paper, and what
// the tests of Netrix speak of.
#include "schism/scenario/vocabulary.hpp"
#include "systems/tendermint/messages.hpp"

namespace tendermint {
namespace {

const Registration words =
    scenario::vocabulary("tendermint")
        .announces<NewStep, Proposed, Decided, Accused, Applied>()
        .word("starts-round", {}, "announced Applied and .rule = L11", "L11: a round begins")
        .word("judges-proposal", {}, "announced Applied and .rule = L22",
              "L22: a prevote about a fresh proposal")
        .word("judges-old-proposal", {}, "announced Applied and .rule = L28",
              "L28: a prevote about a proposal with a polka")
        .word("waits-for-prevotes", {}, "announced Applied and .rule = L34",
              "L34: a quorum of prevotes that do not agree")
        .word("sees-polka", {}, "announced Applied and .rule = L36",
              "L36: a quorum of prevotes for a block")
        .word("sees-nil-polka", {}, "announced Applied and .rule = L44",
              "L44: a quorum of nil prevotes")
        .word("waits-for-precommits", {}, "announced Applied and .rule = L47",
              "L47: a quorum of precommits")
        .word("decides", {}, "announced Decided", "L49: a quorum of precommits for a block")
        .word("skips-round", {}, "announced Applied and .rule = L55",
              "L55: one correct validator is in a later round")
        .word("proposal-times-out", {}, "announced Applied and .rule = L57",
              "L57: no proposal came in time")
        .word("prevotes-time-out", {}, "announced Applied and .rule = L61",
              "L61: prevotes did not agree in time")
        .word("precommits-time-out", {}, "announced Applied and .rule = L65",
              "L65: precommits did not agree in time")
        .word("round-reached", {"round"}, "announced NewStep and .height = 1 and .round >= $round",
              "a validator is in that round of the first height, or a later one")
        .word("accuses", {}, "announced Accused", "a validator has evidence against another")
        .word("vote-of", {"node"}, "sent Prevote | Precommit and .vote.signer = $node",
              "a vote that this validator has signed is sent, by whomever")
        .word("nil-vote", {}, "sent Prevote | Precommit and .vote.value.id = 0",
              "a vote for no block is sent");

}  // namespace
}  // namespace tendermint
