// What scenarios can say about RSL beside its messages.
#include "schism/scenario/vocabulary.hpp"
#include "systems/rsl/messages.hpp"

namespace schism::rsl {
namespace {

const Registration words =
    scenario::vocabulary("rsl")
        .announces<RoleChange, Executed>()
        .answers<Answer>()
        .word("becomes-primary", {}, "announced RoleChange and .role = primary", "a replica leads")
        .word("leads", {"node"}, "announced RoleChange and .role = primary and at $node",
              "that replica leads")
        .word("becomes-secondary", {}, "announced RoleChange and .role = secondary",
              "a replica follows")
        .word("prepares", {}, "announced RoleChange and .role = preparing",
              "a replica wants to lead")
        .word("accepting-prepare", {}, "sent PrepareResp and .yes = true", "a replica promises")
        .word("rejecting-prepare", {}, "sent PrepareResp and .yes = false",
              "a replica refuses to promise")
        .word("accepting-vote", {}, "sent AcceptResp and .yes = true",
              "a replica accepts a proposal")
        .word("rejecting-vote", {}, "sent AcceptResp and .yes = false", "a replica refuses one")
        .word("new-ballot", {"ballot"}, "announced RoleChange and .ballot >= $ballot",
              "a replica is in that ballot or a later one")
        .word("executes", {}, "announced Executed", "a replica executes a command")
        .word("decided", {}, "answered Answer and .outcome = decided",
              "a client hears that its command was decided");

}  // namespace
}  // namespace schism::rsl
