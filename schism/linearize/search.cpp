#include "schism/linearize/search.hpp"

#include <algorithm>
#include <cassert>

#include "absl/container/flat_hash_map.h"

namespace schism::linearize {

Search::Search(const Partition& partition, const Limits& limits)
    : partition_(partition), limits_(limits), nothing_(partition.values) {
  const std::size_t values = partition.values + std::size_t{1};
  for (auto* counts : {&must_see_, &viewers_, &setters_, &misses_}) counts->assign(values, 0);
  wanted_at_.assign(values, 0);
  set_twins_.assign(values, {}), swap_twins_.assign(values, {});
  spares_for_.resize(values);
  spare_viewers_.assign(values, 0);

  struct At {
    std::uint32_t position, completed;
  };
  std::vector<At> events;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> known_sets, known_swaps;
  for (std::uint32_t i = 0; i < partition.ops.size(); ++i) {
    const RegisterOp& op = partition.ops[i];
    if (!op.optional()) {
      const auto c = static_cast<std::uint32_t>(completed_.size());
      completed_.push_back(i);
      events.push_back({op.invoked, c});
      events.push_back({op.returned, c});
    } else if (op.sets()) {
      auto& known = op.effect == Effect::set ? known_sets : known_swaps;
      const auto [at, fresh] = known.try_emplace(std::uint64_t{op.first} << 32 | op.second,
                                                 static_cast<std::uint32_t>(spares_.size()));
      if (fresh) {
        spares_for_[op.product()].push_back(static_cast<std::uint32_t>(spares_.size()));
        spares_.push_back({op.effect, op.first, op.second, op.product(), {}, 0});
      }
      spares_[at->second].ops.push_back(i);
      if (op.effect == Effect::swap) ++spare_viewers_[op.first];
    } else {
      continue;  // without an answer it saw nothing
    }
    count(op, +1);
  }
  std::sort(events.begin(), events.end(),
            [](const At& a, const At& b) { return a.position < b.position; });

  const std::size_t n = completed_.size();
  invoke_node_.assign(n, 0), return_node_.assign(n, 0), rank_.assign(n, 0), reach_.assign(n, 0);
  owner_.assign(events.size() + 1, 0), next_ = previous_ = reads_before_ = owner_;
  std::uint32_t reads = 0;
  for (std::uint32_t node = 1; node <= events.size(); ++node) {
    const std::uint32_t c = events[node - 1].completed;
    owner_[node] = c;
    if (invoke_node_[c] == 0) {
      invoke_node_[c] = node;
      const bool sets = partition.ops[completed_[c]].sets();
      rank_[c] = sets ? static_cast<std::uint32_t>(setters_in_order_.size()) : reads++;
      if (sets) setters_in_order_.push_back(c);
    } else {
      return_node_[c] = node;
      reach_[c] = static_cast<std::uint32_t>(setters_in_order_.size());
    }
    reads_before_[node] = reads;
    previous_[node] = node - 1, next_[node - 1] = node;
  }
  previous_[0] = static_cast<std::uint32_t>(events.size());
  next_[events.size()] = 0;
  lifted_.assign(setters_in_order_.size() / 64 + 1, 0);
}

// ---- ordering an operation, and taking that back ----------------------------------------------

void Search::count_product(std::uint32_t value, int by) {
  const bool before = setters_[value] != 0;
  setters_[value] += static_cast<std::uint32_t>(by);
  const bool after = setters_[value] != 0;
  if (before && !after) live_misses_ -= misses_[value];
  if (!before && after) live_misses_ += misses_[value];
}

void Search::count(const RegisterOp& op, int by) {
  const auto delta = static_cast<std::uint32_t>(by);  // wraps around for -1, as it should
  if (op.observes()) viewers_[op.first] += delta;
  if (op.effect == Effect::miss) {
    misses_[op.first] += delta;
    misses_left_ += static_cast<std::uint64_t>(std::int64_t{by});
    if (setters_[op.first] != 0) live_misses_ += static_cast<std::uint64_t>(std::int64_t{by});
  } else if (op.observes() && !op.optional()) {
    must_see_[op.first] += delta;
  }
  if (op.sets()) count_product(op.product(), by);
}

void Search::lift(std::uint32_t c) {
  for (const std::uint32_t node : {invoke_node_[c], return_node_[c]}) {
    next_[previous_[node]] = next_[node];
    previous_[next_[node]] = previous_[node];
  }
  const RegisterOp& op = partition_.ops[completed_[c]];
  if (op.sets()) lifted_[rank_[c] / 64] |= std::uint64_t{1} << (rank_[c] % 64);
  count(op, -1);
  trail_.push_back(c);
}

void Search::put_back(std::uint32_t c) {
  for (const std::uint32_t node : {return_node_[c], invoke_node_[c]}) {
    next_[previous_[node]] = node;
    previous_[next_[node]] = node;
  }
  const RegisterOp& op = partition_.ops[completed_[c]];
  if (op.sets()) {
    lifted_[rank_[c] / 64] &= ~(std::uint64_t{1} << (rank_[c] % 64));
    low_ = std::min(low_, rank_[c]);
  }
  count(op, +1);
}

void Search::take_spare(std::uint32_t s) {
  Spares& spares = spares_[s];
  if (spares.used == 0) spares_used_.push_back(s);
  count(partition_.ops[spares.ops[spares.used++]], -1);
  trail_.push_back(static_cast<std::uint32_t>(completed_.size()) + s);
}

void Search::undo_to(std::size_t trail) {
  const auto n = static_cast<std::uint32_t>(completed_.size());
  for (; trail_.size() > trail; trail_.pop_back()) {
    const std::uint32_t last = trail_.back();
    if (last < n) {
      put_back(last);
    } else {
      Spares& spares = spares_[last - n];
      count(partition_.ops[spares.ops[--spares.used]], +1);
      if (spares.used == 0) spares_used_.pop_back();  // first used last, so first undone
    }
  }
}

// ---- the search ---------------------------------------------------------------------------------

Finding Search::run() {
  for (std::uint32_t v = 1; v < nothing_; ++v)
    if (must_see_[v] != 0 && setters_[v] == 0) return finish(Verdict::violation);
  if (enter() == Entered::done) return finish(Verdict::linearizable);
  while (!frames_.empty()) {
    const Frame frame = frames_.back();
    undo_to(frame.trail);
    value_ = frame.value;
    if (moves_.size() == frame.moves) {
      frames_.pop_back();
      continue;
    }
    if (is_beyond_limits()) return finish(Verdict::unknown);
    const Move move = moves_.back();
    moves_.pop_back();
    if (apply(move) && enter() == Entered::done) return finish(Verdict::linearizable);
  }
  return finish(Verdict::violation);
}

bool Search::is_beyond_limits() {
  if (memory_.size() >= limits_.configurations || memory_.bytes() > limits_.memory_bytes)
    return true;
  if (limits_.seconds <= 0 || ++steps_ % 1024 != 0) return false;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  return spent.count() > limits_.seconds;
}

Finding Search::finish(Verdict verdict) {
  Finding out{verdict, memory_.size(), {}, deepest_};
  if (verdict != Verdict::linearizable) return out;
  const auto n = static_cast<std::uint32_t>(completed_.size());
  std::vector<std::uint32_t> used(spares_.size(), 0);
  for (const std::uint32_t taken : trail_)
    out.order.push_back(taken < n ? completed_[taken] : spares_[taken - n].ops[used[taken - n]++]);
  assert(is_witness(partition_, out.order));
  return out;
}

Finding search(const Partition& partition, const Limits& limits) {
  return Search(partition, limits).run();
}

}  // namespace schism::linearize
