#include <algorithm>
#include <utility>

#include "schism/linearize/search.hpp"

namespace schism::linearize {

// Up to the first answer in the list, operations can come next. Lifting the one whose answer that
// is lets the walk go on.
void Search::take_fitting_reads() {
  for (std::uint32_t node = next_[0]; node != 0 && !is_return(node);) {
    const RegisterOp& op = op_at(node);
    const bool fits = op.effect == Effect::see    ? op.first == value_
                      : op.effect == Effect::miss ? op.first != value_
                                                  : false;
    const std::uint32_t c = owner_[node];
    if (fits) {
      // The node after this one may be its own answer, which is lifted too.
      node = next_[node] == return_node_[c] ? next_[return_node_[c]] : next_[node];
      lift(c);
    } else {
      node = next_[node];
    }
  }
}

void Search::take_unseen_writes() {
  for (std::uint32_t node = next_[0]; node != 0 && !is_return(node);) {
    const std::uint32_t c = owner_[node];
    const bool unseen = is_unseen_write(op_at(node));
    node = unseen && next_[node] == return_node_[c] ? next_[return_node_[c]] : next_[node];
    if (unseen) lift(c);
  }
}

// The value, and which setters are ordered: all below the first open one, and none that was invoked
// after its answer. So the bits between say it all.
void Search::write_key() {
  while (low_ < setters_in_order_.size() && (lifted_[low_ / 64] >> (low_ % 64) & 1) != 0) ++low_;
  const std::uint32_t low = low_;
  std::vector<std::uint64_t>& words = memory_.words();
  if (low == setters_in_order_.size()) {
    words.push_back(std::uint64_t{low} << 32 | value_);
    return;
  }
  std::size_t last = (reach_[setters_in_order_[low]] - 1) / 64;
  while (last > low / 64 && lifted_[last] == 0) --last;
  words.push_back(std::uint64_t{low} << 32 | value_);
  for (std::size_t w = low / 64; w <= last; ++w) words.push_back(lifted_[w]);
}

// The open reads that could come next; returns how many reads are no later than these. Of the
// spares those that were used, where they can still be of use.
std::uint32_t Search::list_burden() {
  burden_.clear();
  std::uint32_t node = next_[0];
  for (; !is_return(node); node = next_[node])
    if (!op_at(node).sets()) burden_.push_back(std::uint64_t{rank_[owner_[node]]} << 32 | 1);
  const std::uint32_t reads = reads_before_[node];
  const std::size_t spares_begin = burden_.size();
  // Spare swaps count as viewers even when used: then equal keys agree on what is of use.
  for (const std::uint32_t s : spares_used_) {
    const Spares& spares = spares_[s];
    if (misses_left_ != 0 || must_see_[spares.product] != 0 || spare_viewers_[spares.product] != 0)
      burden_.push_back((Memory::kSpares + s) << 32 | spares.used);
  }
  std::sort(burden_.begin() + static_cast<std::ptrdiff_t>(spares_begin), burden_.end());
  return reads;
}

Search::Entered Search::enter() {
  take_fitting_reads();
  if (is_empty()) return Entered::done;
  if (value_ != nothing_ && viewers_[value_] == 0) value_ = nothing_;
  write_key();
  const std::uint32_t reads = list_burden();
  if (!memory_.keep(burden_, reads)) return Entered::known;
  frames_.push_back({trail_.size(), moves_.size(), value_});
  list_moves();
  return Entered::fresh;
}

void Search::list_moves() {
  const std::size_t begin = moves_.size();
  const bool misses = misses_matter();
  bool blocked_miss = false, fitting_swap = false, unseen = false;
  wanted_.clear();
  ++stamp_;
  const auto want = [&](std::uint32_t value) {
    if (std::exchange(wanted_at_[value], stamp_) != stamp_) wanted_.push_back(value);
  };
  std::uint32_t node = next_[0];
  for (; !is_return(node); node = next_[node]) {
    const RegisterOp& op = op_at(node);
    if (op.effect == Effect::miss) blocked_miss = true;
    if (op.observes() && op.effect != Effect::miss && op.first != value_) want(op.first);
    const bool fits = op.effect == Effect::swap && op.first == value_;
    const bool hidden = !misses && is_unseen_write(op);
    fitting_swap = fitting_swap || fits;
    unseen = unseen || hidden;
    if (fits || (op.effect == Effect::set && !hidden)) add_move(op, owner_[node]);
  }
  const RegisterOp& urgent = op_at(node);  // it must be ordered before anything that is not listed
  deepest_ = std::max(deepest_, urgent.returned);
  if (!misses && is_unseen_write(urgent)) moves_.push_back({kUnseenWrites, urgent.returned});
  const auto n = static_cast<std::uint32_t>(completed_.size());
  // To set the value that is there already pays only if that hides an unseen write.
  if (unseen && fitting_swap) want(value_);
  list_spares(urgent.returned, blocked_miss, unseen, begin);

  // It must find a value that is not there: is there anybody to set it in time?
  if ((urgent.effect == Effect::see || urgent.effect == Effect::swap) && urgent.first != value_) {
    bool can = false;
    for (std::uint32_t other = next_[0]; !can && !is_return(other); other = next_[other])
      can = op_at(other).sets() && op_at(other).product() == urgent.first;
    for (const std::uint32_t s : spares_for_[urgent.first])
      can = can || spare_ready(spares_[s], urgent.returned);
    if (!can) moves_.resize(begin);
  }
  // Taken from the back: first who answers first, but who sets what is needed before all.
  const auto sets_urgent = [&](const Move& m) {
    if (m.index == kUnseenWrites || urgent.effect == Effect::set) return false;
    const std::uint32_t product =
        m.index < n ? partition_.ops[completed_[m.index]].product() : spares_[m.index - n].product;
    return product == urgent.first;
  };
  std::sort(moves_.begin() + static_cast<std::ptrdiff_t>(begin), moves_.end(),
            [&](const Move& a, const Move& b) {
              const bool ua = sets_urgent(a), ub = sets_urgent(b);
              if (ua != ub) return ub;
              return a.returned != b.returned ? a.returned > b.returned : a.index > b.index;
            });
}

// Of operations that do the same, the one that answers first: it can change places with any other.
void Search::add_move(const RegisterOp& op, std::uint32_t c) {
  Twin& twin = (op.effect == Effect::set ? set_twins_ : swap_twins_)[op.product()];
  if (std::exchange(twin.stamp, stamp_) != stamp_) {
    twin.move = moves_.size();
    moves_.push_back({c, op.returned});
  } else if (op.returned < moves_[twin.move].returned) {
    moves_[twin.move] = {c, op.returned};
  }
}

// From the values that somebody could look at next, backwards through spare swaps.
void Search::list_spares(std::uint32_t horizon, bool blocked_miss, bool unseen, std::size_t begin) {
  if (spares_.empty()) return;
  const auto n = static_cast<std::uint32_t>(completed_.size());
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    for (const std::uint32_t s : spares_for_[wanted_[i]]) {
      const Spares& spares = spares_[s];
      if (!spare_ready(spares, horizon) || has_twin(spares)) continue;
      const bool swap = spares.effect == Effect::swap, fits = swap && spares.first == value_;
      if (!swap || fits) moves_.push_back({n + s, kNever});
      if (swap && (!fits || unseen) && std::exchange(wanted_at_[spares.first], stamp_) != stamp_)
        wanted_.push_back(spares.first);
    }
  }
  if (!blocked_miss) return;
  for (std::uint32_t s = 0; s < spares_.size(); ++s) {
    const Spares& spares = spares_[s];
    const bool possible = spares.effect == Effect::set || spares.first == value_;
    if (!possible || spares.product == value_) continue;
    if (!spare_ready(spares, horizon) || has_twin(spares)) continue;
    const auto same = [&](const Move& m) { return m.index == n + s; };
    if (std::none_of(moves_.begin() + static_cast<std::ptrdiff_t>(begin), moves_.end(), same))
      moves_.push_back({n + s, kNever});
  }
}

// False when a value that must still be seen would be lost for good.
bool Search::apply(const Move& move) {
  const std::uint32_t before = value_;
  const auto n = static_cast<std::uint32_t>(completed_.size());
  const bool misses = misses_matter();
  if (move.index == kUnseenWrites) {
    take_unseen_writes();
    value_ = nothing_;
  } else {
    const bool spare = move.index >= n;
    const Effect effect =
        spare ? spares_[move.index - n].effect : partition_.ops[completed_[move.index]].effect;
    if (effect == Effect::set && !misses) take_unseen_writes();
    if (spare) {
      value_ = spares_[move.index - n].product;
      take_spare(move.index - n);
    } else {
      value_ = partition_.ops[completed_[move.index]].product();
      lift(move.index);
    }
  }
  return value_ == before || must_see_[before] == 0 || setters_[before] != 0;
}

}  // namespace schism::linearize
