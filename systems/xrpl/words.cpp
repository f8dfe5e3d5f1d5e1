// What scenarios can say about the XRP Ledger beside its messages.
#include "schism/scenario/vocabulary.hpp"
#include "systems/xrpl/messages.hpp"

namespace schism::xrpl {
namespace {

const Registration words =
    scenario::vocabulary("xrpl")
        .announces<RoundStarted, ModeChanged, Positioned, BowedOut, Held, Disputed, Accepted,
                   Validated, FullyValidated, TakenForValid, Switched, NotValidating,
                   AcquireFailed>()
        .word("round-reached", {"ledger"}, "announced RoundStarted and .seq >= $ledger",
              "a validator works on that ledger or a later one")
        .word("proposes", {}, "sent ProposeSet", "a validator says its position")
        .word("changes-position", {}, "announced Positioned and .seq > 0",
              "a validator gives up its first position")
        .word("bows-out", {}, "announced BowedOut", "a validator leaves the round")
        .word("disputes", {}, "announced Disputed",
              "a transaction is in one position and not in another")
        .word("accepts", {}, "announced Accepted", "a validator builds the ledger of its round")
        .word("validates", {}, "announced Validated", "a validator signs a ledger")
        .word("fully-validated", {}, "announced FullyValidated",
              "a validator knows a quorum for a ledger")
        .word("switches", {}, "announced Switched",
              "a validator goes on from another ledger than its own")
        .word("wrong-ledger", {}, "announced ModeChanged and .to = wrongLedger",
              "a validator notices that it is on another ledger than the rest");

}  // namespace
}  // namespace schism::xrpl
