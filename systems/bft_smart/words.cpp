// What scenarios can say about BFT-SMaRt beside its messages.
#include "schism/scenario/vocabulary.hpp"
#include "systems/bft_smart/messages.hpp"

namespace bft_smart {
namespace {

const Registration words =
    scenario::vocabulary("bft-smart")
        .announces<Asked, Decided, Executed, Computed, NewEpoch, Voted, Left>()
        .answers<Sum>()
        .word("decides", {}, "announced Decided", "a replica decides an instance")
        .word("new-epoch", {}, "announced NewEpoch", "a replica goes on in a new regency")
        .word("in-regency", {"regency"}, "announced NewEpoch and .epoch = $regency",
              "a replica goes on in that regency")
        .word("executes", {}, "announced Executed", "a replica executes an operation")
        .word("leaves", {}, "announced Left", "a replica reports for a leader change");

}  // namespace
}  // namespace bft_smart
