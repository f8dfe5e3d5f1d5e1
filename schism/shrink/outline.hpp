// A run as a list of moves that can be left out, moved and renamed. A recorded name such as "the
// fifth heartbeat from 0 to 1" means another message as soon as one heartbeat less is sent; a move
// therefore names what it serves by the move that created it, which survives the removal of any
// other.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "schism/trace/trace.hpp"

namespace schism {

inline constexpr std::uint32_t kStartMove = 0;               // creator: the nodes' start
inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};  // creator: it serves nothing pending

struct Move {
  std::uint32_t id = 0;             // from 1; stays while others go
  std::uint32_t creator = kNobody;  // of the message, timer or disk operation that it serves
  std::uint32_t nth = 0;            // among those of the same kind, way and type created there
  Recorded step;                    // the action as it was last applied
};

// What a liar does in the fair tail, to every message of a type to a node, or to the n-th that it
// sends there: no message of the tail has a name that would survive a change before it.
struct Habit {
  static constexpr std::uint32_t kEvery = ~std::uint32_t{0};
  NodeId from = 0, to = 0;
  int type = 0;
  Do kind = Do::omit;  // or mutate
  Value difference;
  std::uint32_t nth = kEvery;  // from 0, of those that the tail has sent on this way

  bool same_way(const Habit& other) const {
    return from == other.from && to == other.to && type == other.type;
  }
  friend bool operator==(const Habit&, const Habit&) = default;
};

struct Outline {
  RunConfig config;  // with the clients' requests in setup.requests
  RunPlan plan;
  std::uint64_t run = 0;
  Recorded start;  // choices made by nodes when they start
  std::vector<Move> moves;
  bool tail = false;               // judged at the end of a fair tail, which follows the moves
  std::vector<Habit> habits = {};  // of liars in that tail

  const std::vector<ClientRequest>& requests() const { return *config.setup.requests; }
};

// What "smaller" means, in this order.
struct OutlineSize {
  int nodes = 0;
  // Byzantine nodes, a twin counted as one more; contents that they told or kept back, receivers,
  // fields changed and how far.
  std::uint64_t liars = 0, lies = 0, told = 0, parts = 0, distance = 0;
  std::uint64_t faults = 0, operations = 0, actions = 0;
  std::uint64_t choices = 0;     // that were not answered by the first alternative
  std::uint64_t inversions = 0;  // deliveries to a node against the order in which they were sent
  std::uint64_t values = 0;      // of contents, of choices and of what crashed disks kept
  friend auto operator<=>(const OutlineSize&, const OutlineSize&) = default;
  FIELDS(nodes, liars, lies, told, parts, distance, faults, operations, actions, choices,
         inversions, values)
};
OutlineSize size_of(const Outline& outline);

// Moves that the given ones need: their creators and what happened before at the same node, and so
// on back to the start; for a request also the answer that its client waited for. A flag a move.
std::vector<bool> causal_past(const Outline& outline, const std::vector<std::uint32_t>& moves);

// The choices of a run that are not answered by the first alternative: those of the start, then
// move by move. And the same run with another answer to one of them.
struct ChoicePlace {
  std::size_t move;  // kStartChoices: of the start
  std::size_t nth;   // among all that are made there
  std::uint32_t answer;
};
inline constexpr std::size_t kStartChoices = ~std::size_t{0};
std::vector<ChoicePlace> choices_in(const Outline& outline);
Outline with_answer(const Outline& outline, const ChoicePlace& place, std::uint32_t answer);

// The same run without some of its parts; nothing of the rest is touched. (A flag a move.)
Outline with_moves(const Outline& outline, const std::vector<bool>& kept);
Outline without_moves(const Outline& outline, std::size_t first, std::size_t count);
Outline without_request(const Outline& outline, std::size_t request);
// Nodes above it move down by one; what it did, and what was done to it, goes.
Outline without_node(const Outline& outline, NodeId node);
// A liar does to every message of a way of the tail what it did to the first that it lied about: of
// that way, or (null) of all.
Outline with_plain_habits(const Outline& outline, const Habit* way);
// Liars are one each: what their twins did, and what was done to them, goes.
Outline without_twins(const Outline& outline);
// That one of the liars lies no more, and is one.
Outline without_liar(const Outline& outline, std::size_t liar);

}  // namespace schism
