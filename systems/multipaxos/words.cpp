// What scenarios can say about Multi-Paxos beside its messages.
#include "schism/scenario/vocabulary.hpp"
#include "systems/multipaxos/messages.hpp"

namespace schism::multipaxos {
namespace {

const Registration words =
    scenario::vocabulary("multipaxos")
        .announces<Proposed, Learned>()
        .word("proposes", {}, "announced Proposed", "a node takes a client's value")
        .word("new-ballot", {"ballot"}, "sent Prepare and .ballot >= $ballot",
              "somebody wants to lead in that ballot or a later one")
        .word("promises", {}, "sent Promise", "an acceptor promises not to vote in earlier ballots")
        .word("leads", {}, "sent Accept", "a leader asks for votes: it has a majority of promises")
        .word("votes", {}, "sent Learn", "an acceptor votes")
        .word("learns", {}, "announced Learned", "a node learns what a slot holds")
        .word("fills-gap", {}, "sent Accept and .vote.value = 0",
              "a leader fills a slot in which nothing need be decided");

}  // namespace
}  // namespace schism::multipaxos
