// What scenarios can say about atomic broadcast beside its messages.
#include "schism/scenario/vocabulary.hpp"
#include "systems/atomic_broadcast/messages.hpp"

namespace schism::atomic_broadcast {
namespace {

const Registration words =
    scenario::vocabulary("atomic-broadcast")
        .announces<Sent, Ordered>()
        .word("broadcasts", {}, "announced Sent", "a member broadcasts")
        .word("orders", {}, "announced Ordered", "a member delivers a message in its place")
        .word("round-reached", {"instance"}, "sent Suggest and .instance >= $instance",
              "a member is in that instance of consensus or a later one")
        .word("decides", {}, "sent Decide", "consensus decides an instance");

}  // namespace
}  // namespace schism::atomic_broadcast
