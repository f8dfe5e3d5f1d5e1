// What scenarios can say about C-Raft beside its messages.
#include "schism/scenario/vocabulary.hpp"
#include "systems/craft/messages.hpp"

namespace schism::craft {
namespace {

const Registration words =
    scenario::vocabulary("craft")
        .announces<StateChange, LogChange, Committed, Applied, Restored, SnapshotTaken,
                   ConfigurationChange, Transferred, Flaw>()
        .answers<Answer>()
        .word("becomes-leader", {}, "announced StateChange and .state = leader",
              "a server wins an election")
        .word("leads", {"node"}, "announced StateChange and .state = leader and at $node",
              "that server wins an election")
        .word("becomes-candidate", {}, "announced StateChange and .state = candidate",
              "a server asks for votes")
        .word("becomes-follower", {}, "announced StateChange and .state = follower",
              "a server follows")
        .word("new-term", {"term"}, "announced StateChange and .term >= $term",
              "a server is in that term or a later one")
        .word("accepting-vote", {}, "sent RequestVoteResult and .granted = true",
              "a server grants a vote")
        .word("rejecting-vote", {}, "sent RequestVoteResult and .granted = false",
              "a server refuses one")
        .word("commits", {}, "announced Committed", "a server commits entries")
        .word("applies", {}, "announced Applied", "a server applies a command")
        .word("takes-snapshot", {}, "announced SnapshotTaken",
              "a server replaces the beginning of its log")
        .word("installs-snapshot", {}, "announced Restored and .installed = true",
              "a server gets a snapshot from its leader")
        .word("changes-members", {}, "announced ConfigurationChange",
              "a server knows of another configuration");

}  // namespace
}  // namespace schism::craft
