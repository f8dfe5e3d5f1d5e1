// Repetitions of a run, a line each: a cycle of steps that comes again and again (a timer, what it
// sends, the answers), or a long medley of steps that all have been seen before. Folding hides and
// counts; it never moves or loses a step: the pieces laid end to end are the run.
//
//   for (const Piece& piece : fold(likenesses(scene))) ...
//
// A cycle has at most kPeriodMax steps and comes at least kRoundsMin times in a row; its rounds are
// alike but for numbers. In a medley nothing is new: every step happened kSeenMin times before word
// for word, or kAlikeMin times but for numbers; in a fair tail, where nobody interferes, kSeenMin
// times are enough for that too.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "schism/base/hash.hpp"
#include "schism/draw/scene.hpp"

namespace schism::draw {

inline constexpr std::uint32_t kPeriodMax = 64, kRoundsMin = 4, kCycleMin = 12, kMedleyMin = 50,
                               kSeenMin = 3, kAlikeMin = 8;

// What a step is compared by.
struct Likeness {
  Hash128 exact;       // the same action with the same words
  Hash128 shape;       // the same but for numbers
  bool alone = false;  // never folded: faults, requests, evidence, the violation
  bool tail = false;   // nobody interferes any more
};

struct Piece {
  std::uint32_t first = 0, steps = 1;
  std::uint32_t period = 0;  // of a cycle; 0: a single step, or a medley
  bool exact = true;         // word for word as before

  bool is_cycle() const { return period > 0; }
  bool is_medley() const { return period == 0 && steps > 1; }
  std::uint32_t rounds() const { return period > 0 ? steps / period : 1; }
  std::uint32_t end() const { return first + steps; }
  // The steps that are always told: a single one, the first round of a cycle, none of a medley.
  std::uint32_t told() const { return period > 0 ? period : steps == 1 ? 1 : 0; }
  friend bool operator==(const Piece&, const Piece&) = default;
};

std::vector<Piece> fold(std::span<const Likeness> steps);

std::vector<Likeness> likenesses(const Scene& scene);
Likeness likeness_of(const SceneStep& step);  // as if nobody knew of a tail
// "Append" of "Append(term=1)", "resend fires": what steps of a piece are counted by.
std::string_view head_of(std::string_view label);
// Of two things that stand in one row.
Likeness together(const Likeness& a, const Likeness& b);

// "resend fires × 5,891, to step 11,793"; `labels` are those of the piece's steps, `last` the
// number of its last one.
std::string describe(const Piece& piece, std::span<const std::string_view> labels,
                     std::int64_t last);
std::string describe(const Piece& piece, const Scene& scene);

}  // namespace schism::draw
