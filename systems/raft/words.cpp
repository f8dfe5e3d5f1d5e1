// What scenarios can say about Raft beside its messages.
#include "schism/scenario/vocabulary.hpp"
#include "systems/raft/messages.hpp"

namespace schism::raft {
namespace {

const Registration words =
    scenario::vocabulary("raft")
        .announces<StateChange, TermChange, Commit, LogChange, Restore>()
        .answers<Answer>()
        .word("becomes-leader", {}, "announced StateChange and .new_state = StateLeader",
              "a server wins an election")
        .word("leads", {"node"}, "announced StateChange and .new_state = StateLeader and at $node",
              "that server wins an election")
        .word("becomes-candidate", {}, "announced StateChange and .new_state = StateCandidate",
              "a server asks for votes")
        .word("becomes-follower", {}, "announced StateChange and .new_state = StateFollower",
              "a server follows")
        .word("accepting-vote", {}, "sent MsgVoteResp and .reject = false",
              "a server grants a vote")
        .word("rejecting-vote", {}, "sent MsgVoteResp and .reject = true", "a server refuses one")
        .word("accepting-append", {}, "sent MsgAppResp and .reject = false",
              "a follower takes entries")
        .word("rejecting-append", {}, "sent MsgAppResp and .reject = true",
              "a follower lacks the entry before them")
        .word("asks-to-pre-vote", {}, "sent MsgPreVote", "a server asks whether it would win")
        .word("accepting-pre-vote", {}, "sent MsgPreVoteResp and .reject = false",
              "a server would vote for it")
        .word("rejecting-pre-vote", {}, "sent MsgPreVoteResp and .reject = true",
              "a server would not")
        .word("sends-snapshot", {}, "sent MsgSnap", "a leader has dropped what a follower needs")
        .word("restores-snapshot", {}, "announced Restore", "a follower takes a snapshot")
        .word("changes-members", {}, "announced Commit and .type = EntryConfChange",
              "a server applies a change of the members")
        .word("transfers-leadership", {}, "sent MsgTimeoutNow",
              "a leader tells another to be elected at once")
        .word("new-term", {"term"}, "announced TermChange and .term >= $term",
              "a server is in that term or a later one")
        .word("commits", {}, "announced Commit", "a server applies a committed entry");

}  // namespace
}  // namespace schism::raft
