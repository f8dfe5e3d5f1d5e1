#include "schism/draw/fold.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>

namespace schism::draw {
namespace {

class Folder {
 public:
  explicit Folder(std::span<const Likeness> steps)
      : steps_(steps), size_(static_cast<std::uint32_t>(steps.size())) {}

  std::vector<Piece> fold() {
    for (std::uint32_t at = 0; at < size_;) {
      const Piece piece = longest_cycle(at);
      if (piece.is_cycle()) close_medley(at);
      if (piece.is_cycle() || !is_known(at)) {
        close_medley(at);
        out_.push_back(piece);
        medley_ = piece.end();
      }
      for (; at < piece.end(); ++at) see(at);
    }
    close_medley(size_);
    return std::move(out_);
  }

 private:
  bool alike(std::uint32_t a, std::uint32_t b) const {
    return steps_[a].shape == steps_[b].shape && !steps_[a].alone && !steps_[b].alone;
  }

  // Up to where every step is like the one a period later. Never goes back, so that all questions
  // together look at each step once a period.
  std::uint32_t alike_until(std::uint32_t at, std::uint32_t period) {
    std::uint32_t& end = alike_until_[period];
    end = std::max(end, at);
    while (end + period < size_ && alike(end, end + period)) ++end;
    return end;
  }

  // The cycle that begins here and covers most; of equal ones the shortest. A single step: none.
  Piece longest_cycle(std::uint32_t at) {
    Piece best{at, 1, 0, true};
    for (std::uint32_t period = 1; period <= kPeriodMax; ++period) {
      const std::uint32_t rounds = (alike_until(at, period) - at) / period + 1;
      if (rounds < kRoundsMin || rounds * period < kCycleMin || rounds * period <= best.steps)
        continue;
      best = {at, rounds * period, period, true};
    }
    for (std::uint32_t i = at; best.exact && i + best.period < best.end(); ++i)
      best.exact = steps_[i].exact == steps_[i + best.period].exact;
    return best;
  }

  std::uint32_t times(const Hash128& what) const {
    const auto seen = seen_.find(what);
    return seen == seen_.end() ? 0 : seen->second;
  }

  bool is_known(std::uint32_t at) {
    const Likeness& step = steps_[at];
    if (step.alone) return false;
    if (times(step.exact) >= kSeenMin) return true;
    if (times(step.shape) < (step.tail ? kSeenMin : kAlikeMin)) return false;
    medley_exact_ = false;
    return true;
  }

  void see(std::uint32_t at) {
    ++seen_[steps_[at].exact];
    if (steps_[at].shape != steps_[at].exact) ++seen_[steps_[at].shape];
  }

  // What stands between the last piece and here has all been seen before.
  void close_medley(std::uint32_t at) {
    if (at - medley_ >= kMedleyMin) out_.push_back({medley_, at - medley_, 0, medley_exact_});
    else
      for (std::uint32_t i = medley_; i < at; ++i) out_.push_back({i, 1, 0, true});
    medley_ = at;
    medley_exact_ = true;
  }

  std::span<const Likeness> steps_;
  std::uint32_t size_;
  std::array<std::uint32_t, kPeriodMax + 1> alike_until_{};
  absl::flat_hash_map<Hash128, std::uint32_t> seen_;
  std::uint32_t medley_ = 0;  // where the one that may come begins
  bool medley_exact_ = true;
  std::vector<Piece> out_;
};

}  // namespace

std::vector<Piece> fold(std::span<const Likeness> steps) { return Folder(steps).fold(); }

Likeness together(const Likeness& a, const Likeness& b) {
  return {absorb(a.exact, b.exact), absorb(a.shape, b.shape), a.alone || b.alone, a.tail && b.tail};
}

}  // namespace schism::draw
